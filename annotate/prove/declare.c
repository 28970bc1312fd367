/* SPDX-License-Identifier: MIT */
/* Declarations and parameters of both texts: what is the same, and what stands for a
 * pointer. */
#include "annotate/prove/prove.h"

#include <string.h>

/* ---- declarations ---- */

/* The initialiser of a variable; NULL: none. */
static struct dl__node *initialiser(struct dl__side_text *t, struct dl__node *variable)
{
    struct dl__node *last =
        variable->child_count ? variable->children[variable->child_count - 1] : NULL;
    const char *text = t->w->ast.text;
    size_t at = last ? last->begin : 0;

    if (!last || last->begin <= variable->name_at)
        return NULL;
    while (at > variable->name_at && strchr(" \t\n", text[at - 1]))
        at--;
    return text[at - 1] == '=' ? last : NULL;
}

struct dl__node *dl__variable_named(struct dl__node *declaration, const char *prefix,
                                    const char *name)
{
    size_t bytes = strlen(prefix);

    for (size_t i = 0; i < declaration->child_count; i++) {
        struct dl__node *c = declaration->children[i];

        if (c->kind == DL__N_VARIABLE && !strncmp(c->name, prefix, bytes) &&
            !strcmp(c->name + bytes, name))
            return c;
    }
    return NULL;
}

static struct dl__variable_known *known_named(struct dl__side_text *t, const char *prefix,
                                              const char *name)
{
    size_t bytes = strlen(prefix);

    for (size_t i = t->variables.count; i > 0; i--) {
        struct dl__variable_known *v = t->variables.items[i - 1];

        if (!strncmp(v->name, prefix, bytes) && !strcmp(v->name + bytes, name))
            return v;
    }
    return NULL;
}

/* A pointer of the program's and what stands for it. */
static void relate(struct dl__variable_known *v, struct dl__variable_known *index,
                   struct dl__variable_known *row)
{
    v->relation = dl__is_named(index->type, "dl_part")  ? DL__R_PART
                  : dl__is_named(index->type, "dl_far") ? DL__R_FAR
                                                        : DL__R_INDEX;
    v->index = index;
    v->row = row;
    index->relation = DL__R_VALUE;
    index->is_kept = false;
    index->is_set = true;
    if (row) {
        row->relation = DL__R_VALUE;
        row->is_kept = false;
        row->is_set = true;
    }
}

static void declare_new(struct dl__prover *p, struct dl__node *c, bool is_common)
{
    struct dl__side_text *t = &p->new_text;
    struct dl__node *init = initialiser(t, c);
    struct dl__known value = dl__know_opaque(0);
    struct dl__variable_known *v;

    if (init)
        value = dl__prove_value(p, t, init);
    v = dl__declare_known(p, t, c->name, c->declared_at, dl__known_type(t, c));
    if (!is_common) {
        v->relation = DL__R_VALUE;
        v->is_kept = true;
        v->value = value;
    } else if (init) {
        dl__set_variable(p, t, v, value, c);
    }
}

/* True when the node sets the variable, or may through its address. */
static bool sets_it(const struct dl__node *n, size_t declared_at)
{
    bool sets = n->kind == DL__N_COMPOUND ||
                (n->kind == DL__N_BINARY && !strcmp(n->op, "=")) ||
                (n->kind == DL__N_UNARY &&
                 (!strcmp(n->op, "++") || !strcmp(n->op, "--") || !strcmp(n->op, "&")));

    if (sets && n->child_count) {
        const struct dl__node *to = n->children[0];

        while (to->child_count && to->kind != DL__N_NAME)
            to = to->children[0];
        return to->kind == DL__N_NAME && to->declared_at == declared_at;
    }
    return false;
}

/* True when the variable is set somewhere in the node. */
static bool is_changed(const struct dl__node *n, size_t declared_at)
{
    if (sets_it(n, declared_at))
        return true;
    for (size_t i = 0; i < n->child_count; i++)
        if (is_changed(n->children[i], declared_at))
            return true;
    return false;
}

/* True when an expression has this value always: none of the variables in it changes. */
static bool is_lasting(struct dl__prover *p, struct dl__side_text *t,
                       const struct dl__node *body, struct dl__node *n)
{
    if (n->kind == DL__N_NAME && !n->is_constant && n->declared_at != SIZE_MAX) {
        const struct dl__variable_known *v = dl__find_known(t, n->declared_at);

        if (v ? v->relation != DL__R_COMMON || is_changed(body, v->at)
              : dl__known_type(t, n)->kind == DL__T_SCALAR)
            return false;
    }
    for (size_t i = 0; i < n->child_count; i++)
        if (!is_lasting(p, t, body, n->children[i]))
            return false;
    return true;
}

/* A variable that is set once, to what never changes, is that. */
static void take_value(struct dl__prover *p, struct dl__side_text *t,
                       struct dl__variable_known *v, struct dl__node *init,
                       struct dl__known value)
{
    struct dl__node *body =
        dl__ast_body(&t->w->ast, p->pairs.items[p->at_pair]->old_function);

    if (v->type->kind != DL__T_SCALAR || v->type->scalar == 'b' || v->type->is_volatile ||
        value.kind != DL__K_INTEGER || is_changed(body, v->at) ||
        !is_lasting(p, t, body, init))
        return;
    value = dl__convert_known(p, value, v->type);
    if (value.kind != DL__K_INTEGER)
        return;
    v->fixed = dl__seal(p, value.integer);
    /* Of what has wrapped, its own number says as much. */
    v->is_fixed = v->fixed.exact == v->fixed.ring && v->fixed.ring == v->fixed.word;
}

/* Of a launch's sizes, and of what steps by them. */
#define STEP_MAX ((dl__bound)1 << 40)

/* True for a number, and what a launch gives. */
static bool is_step(struct dl__prover *p, struct dl__side_text *t, struct dl__node *n)
{
    struct dl__known by;

    while (n->child_count == 1 && (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT))
        n = n->children[0];
    if (n->child_count && (n->kind != DL__N_CALL || strncmp(n->name, "get_", 4) ||
                           dl__ast_callee(&t->w->ast, n)))
        return false;
    if (n->kind == DL__N_NAME)
        return false;
    by = dl__prove_value(p, t, n);
    return by.kind == DL__K_INTEGER && by.integer.low >= 0 && by.integer.high <= STEP_MAX;
}

/* True when the variable only ever becomes larger, by steps. */
static bool only_climbs(struct dl__prover *p, struct dl__side_text *t,
                        const struct dl__node *n, size_t declared_at)
{
    if (sets_it(n, declared_at) && !(n->kind == DL__N_UNARY && !strcmp(n->op, "++")) &&
        !(n->kind == DL__N_COMPOUND && !strcmp(n->op, "+=") &&
          is_step(p, t, n->children[1])))
        return false;
    for (size_t i = 0; i < n->child_count; i++)
        if (!only_climbs(p, t, n->children[i], declared_at))
            return false;
    return true;
}

/* An index of 64 bits that counts up. */
static void take_bound(struct dl__prover *p, struct dl__side_text *t,
                       struct dl__variable_known *v, struct dl__known value)
{
    struct dl__node *body =
        dl__ast_body(&t->w->ast, p->pairs.items[p->at_pair]->old_function);

    v->climbs = v->type->kind == DL__T_SCALAR && v->type->scalar == 'u' &&
                v->type->bytes == 8 && !v->type->is_volatile &&
                value.kind == DL__K_INTEGER && value.integer.low >= 0 &&
                value.integer.high <= STEP_MAX && only_climbs(p, t, body, v->at);
}

/* The number that an expression is, whatever the kernel runs on. */
static bool number_in(struct dl__prover *p, struct dl__side_text *t, struct dl__node *n,
                      dl__bound *out)
{
    struct dl__known v;
    int64_t number;

    while (n->child_count == 1 && (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT))
        n = n->children[0];
    if (n->child_count)
        return false;
    v = dl__prove_value(p, t, n);
    if (v.kind != DL__K_INTEGER || !dl__integer_is_constant(v.integer, &number))
        return false;
    *out = number;
    return true;
}

static const struct dl__node *name_in(const struct dl__node *n)
{
    while (n->child_count == 1 && (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT))
        n = n->children[0];
    return n;
}

/* `for (int k = 0; k < 6; k++)`, of numbers, where nothing else changes it: what it is in
 * the loop. The head reaches nothing by it. */
static void take_count(struct dl__prover *p, struct dl__side_text *t,
                       struct dl__variable_known *v, const struct dl__node *declaration,
                       struct dl__known value)
{
    struct dl__node *loop = declaration->parent ? declaration->parent->parent : NULL;
    const struct dl__node *step, *c;
    int64_t first, changes = 0;
    dl__bound last, by = 1;
    bool is_up;

    if (!loop || loop->kind != DL__N_BRANCH || loop->child_count != 4 ||
        loop->condition != loop->children[1] ||
        loop->children[0] != declaration->parent || v->type->kind != DL__T_SCALAR ||
        v->type->bytes < 4 || v->type->is_volatile || value.kind != DL__K_INTEGER ||
        !dl__integer_is_constant(value.integer, &first))
        return;
    c = name_in(loop->condition);
    step = loop->children[2];
    if (c->kind != DL__N_BINARY || !sets_it(step, v->at) ||
        name_in(c->children[0])->declared_at != v->at ||
        !number_in(p, t, c->children[1], &last) || last < 0 || last > INT32_MAX ||
        first < 0 || first > INT32_MAX)
        return;
    for (size_t i = 0; i < 4; i++)
        changes += i != 2 && is_changed(loop->children[i], v->at);
    is_up = step->op[0] == '+';
    if (changes || (step->kind == DL__N_COMPOUND
                        ? (strcmp(step->op, "+=") && strcmp(step->op, "-=")) ||
                              !number_in(p, t, step->children[1], &by) || by < 1 ||
                              by > INT32_MAX / 2
                        : strcmp(step->op, "++") && strcmp(step->op, "--")))
        return;
    if (c->op[0] != (is_up ? '<' : '>') || (c->op[1] && c->op[1] != '='))
        return;
    last += c->op[1] ? 0 : is_up ? -1 : 1;
    if (!is_up && v->type->scalar == 'u' && last < by)
        return;
    if (is_up && last >= first)
        last = first + (last - first) / by * by;
    v->is_counted = true;
    v->low = is_up ? first : last;
    v->high = is_up ? last : first;
}

static void declare_old(struct dl__prover *p, struct dl__node *c, struct dl__node *b)
{
    struct dl__side_text *t = &p->old_text;
    struct dl__node *init = initialiser(t, c);
    const struct dl__type *type = dl__known_type(t, c);
    const struct dl__type *became = dl__known_type(&p->new_text, b);
    struct dl__known value = dl__know_opaque(0);
    struct dl__variable_known *v;

    if (init)
        value = dl__prove_value(p, t, init);
    v = dl__declare_known(p, t, c->name, c->declared_at, type);
    if (type->kind == DL__T_POINTER && became->kind != DL__T_POINTER) {
        v->relation = DL__R_VALUE;
        v->value = value;
        v->value = dl__convert_known(p, value, type);
        v->buffer = v->value.kind == DL__K_PLACE ? v->value.buffer : NULL;
        v->is_set = init != NULL;
    } else if (dl__type_number(type) != dl__type_number(became)) {
        dl__lose(p, c, "'%s' has another type in the rewritten text", c->name);
    } else if (init) {
        dl__set_variable(p, t, v, value, c);
        take_value(p, t, v, init, value);
        take_bound(p, t, v, value);
        take_count(p, t, v, c, value);
        v->version = v->is_fixed ? 0 : v->version;
    }
}

/* Where a declaration could not be compared its variables must be there all the same. */
static void declare_missing(struct dl__prover *p, struct dl__node *a, struct dl__node *b)
{
    struct dl__side_text *sides[] = {&p->old_text, &p->new_text};
    struct dl__node *nodes[] = {a, b};

    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < nodes[s]->child_count; i++) {
            struct dl__node *c = nodes[s]->children[i];

            if (c->kind == DL__N_VARIABLE && !dl__find_known(sides[s], c->declared_at))
                dl__declare_known(p, sides[s], c->name, c->declared_at,
                                  dl__known_type(sides[s], c));
        }
}

static void relate_declared(struct dl__prover *p, struct dl__node *a, struct dl__node *b)
{
    for (size_t i = 0; i < a->child_count; i++) {
        struct dl__node *c = a->children[i];
        struct dl__variable_known *v, *index, *row;

        if (c->kind != DL__N_VARIABLE)
            continue;
        v = dl__find_known(&p->old_text, c->declared_at);
        index = known_named(&p->new_text, "", c->name);
        row = dl__variable_named(b, "dl_row_", c->name)
                  ? known_named(&p->new_text, "dl_row_", c->name)
                  : NULL;
        if (v && v->relation == DL__R_VALUE && index) {
            bool is_set = v->is_set;

            relate(v, index, row);
            index->is_set = is_set;
            if (row)
                row->is_set = is_set;
        }
    }
}

void dl__compare_declarations(struct dl__prover *p, struct dl__node *a,
                              struct dl__node *b)
{
    dl__begin_expression(p);
    if (setjmp(p->lost)) {
        dl__judge_expression(p, a, p->lost_reason);
        declare_missing(p, a, b);
        dl__forget_all(p);
        return;
    }
    for (size_t i = 0; i < a->child_count; i++) {
        struct dl__node *c = a->children[i], *twin;

        if (c->kind != DL__N_VARIABLE)
            continue;
        twin = dl__variable_named(b, "", c->name);
        if (!twin)
            dl__lose(p, c, "'%s' is missing in the rewritten text", c->name);
        declare_old(p, c, twin);
    }
    for (size_t i = 0; i < b->child_count; i++) {
        struct dl__node *c = b->children[i], *twin;
        struct dl__variable_known *v;

        if (c->kind != DL__N_VARIABLE)
            continue;
        twin = dl__variable_named(a, "", c->name);
        v = twin ? dl__find_known(&p->old_text, twin->declared_at) : NULL;
        declare_new(p, c, v && v->relation == DL__R_COMMON);
    }
    relate_declared(p, a, b);
    dl__end_expression(p);
    dl__judge_expression(p, a, NULL);
}

/* A parameter that points into other buffers later. */
static bool become_far(struct dl__prover *p, struct dl__variable_known *v,
                       struct dl__node *b)
{
    if (!dl__variable_named(b, "dl_far_", v->name) || v->relation == DL__R_COMMON ||
        v->relation == DL__R_FAR)
        return false;
    if (v->index)
        v->index->is_kept = true;
    v->is_kept = false;
    relate(v, known_named(&p->new_text, "dl_far_", v->name), NULL);
    return true;
}

/* A declaration that only the rewritten text has. */
void dl__compare_new_declaration(struct dl__prover *p, struct dl__node *a,
                                 struct dl__node *b)
{
    dl__begin_expression(p);
    if (setjmp(p->lost)) {
        dl__judge_expression(p, a, p->lost_reason);
        dl__forget_all(p);
        return;
    }
    for (size_t i = 0; i < b->child_count; i++)
        if (b->children[i]->kind == DL__N_VARIABLE)
            declare_new(p, b->children[i], false);
    for (size_t i = 0; i < p->old_text.variables.count; i++) {
        struct dl__variable_known *v = p->old_text.variables.items[i];
        struct dl__node *index = dl__variable_named(b, "dl_at_", v->name);

        if (become_far(p, v, b) || !index || v->index || v->relation != DL__R_VALUE)
            continue;
        v->is_kept = false;
        relate(v, known_named(&p->new_text, "dl_at_", v->name),
               dl__variable_named(b, "dl_row_", v->name)
                   ? known_named(&p->new_text, "dl_row_", v->name)
                   : NULL);
    }
    dl__end_expression(p);
}

/* ---- parameters ---- */

static struct dl__variable_known *new_value(struct dl__prover *p,
                                            const struct dl__parameter *q)
{
    struct dl__variable_known *v =
        dl__declare_known(p, &p->new_text, q->name, q->name_at, q->type);

    v->relation = DL__R_VALUE;
    v->is_kept = true;
    return v;
}

/* The new function's parameters, which stand for the old one's pointers or are the same.
 */
static void declare_parameter(struct dl__prover *p, const struct dl__pair *pair,
                              const struct dl__parameter *q)
{
    const struct dl__function *f = pair->old_function;

    for (size_t i = 0; i < f->parameter_count; i++) {
        const struct dl__proved_buffer *b = pair->buffers[i];
        static const char *const prefixes[] = {"dl_head_", "dl_tail_", "dl_w_"};
        const char *name = f->parameters[i].name;

        if (!strcmp(q->name, name)) {
            struct dl__variable_known *v = new_value(p, q);

            v->value = (struct dl__known){.kind = DL__K_PLACE,
                                          .buffer = b,
                                          .steps = dl__zero(),
                                          .inner = dl__zero()};
            if (!b) {
                v->relation = DL__R_COMMON;
                v->is_kept = false;
                if (dl__type_number(q->type) != dl__type_number(f->parameters[i].type))
                    dl__lose(p, NULL, "'%s' has another type in the rewritten text",
                             name);
            }
            return;
        }
        for (int k = 0; k < 3 && b; k++) {
            size_t bytes = strlen(prefixes[k]);
            struct dl__integer is = k == 0 ? b->head : k == 1 ? b->tail : b->width;

            if (strncmp(q->name, prefixes[k], bytes) || strcmp(q->name + bytes, name))
                continue;
            is.bits = p->index_bits;
            is.is_signed = false;
            new_value(p, q)->value = dl__know_integer(is);
            return;
        }
        if (b && ((!strncmp(q->name, "dl_at_", 6) && !strcmp(q->name + 6, name)) ||
                  (!strncmp(q->name, "dl_row_", 7) && !strcmp(q->name + 7, name)))) {
            new_value(p, q);
            return;
        }
    }
    dl__lose(p, NULL, "'%s' has another parameter in the rewritten text", q->name);
}

void dl__declare_parameters(struct dl__prover *p, const struct dl__pair *pair)
{
    const struct dl__function *f = pair->old_function, *g = pair->new_function;

    for (size_t i = 0; i < f->parameter_count; i++) {
        const struct dl__parameter *q = &f->parameters[i];
        struct dl__variable_known *v =
            dl__declare_known(p, &p->old_text, q->name, q->name_at, q->type);

        v->is_changed =
            is_changed(dl__ast_body(&p->old_text.w->ast, pair->old_function), q->name_at);
        v->is_fixed = pair->fixed[i].bits && !v->is_changed;
        v->fixed = pair->fixed[i];
        if (!pair->buffers[i])
            continue;
        v->relation = DL__R_VALUE;
        v->buffer = pair->buffers[i];
        v->allowed = pair->allowed[i];
        if (v->is_changed &&
            dl__type_number(q->type->element) != dl__type_number(v->buffer->element)) {
            v->allowed = (struct dl__offsets){0};
            dl__offsets_of_type(p, v->buffer->element, 0, q->type->element, &v->allowed);
        }
        v->is_kept = true;
        v->value = (struct dl__known){.kind = DL__K_PLACE,
                                      .buffer = v->buffer,
                                      .steps = dl__zero(),
                                      .inner = dl__zero(),
                                      .offsets = v->allowed};
    }
    for (size_t i = 0; i < g->parameter_count; i++)
        declare_parameter(p, pair, &g->parameters[i]);
    for (size_t i = 0; i < f->parameter_count; i++) {
        struct dl__variable_known *v = p->old_text.variables.items[i];
        struct dl__variable_known *index = known_named(&p->new_text, "dl_at_", v->name);

        if (!pair->buffers[i] || !index)
            continue;
        relate(v, index, known_named(&p->new_text, "dl_row_", v->name));
        v->is_kept = false;
        if (v->row)
            v->split = dl__split_join(p, v->at, pair->splits[i]);
        dl__relation_forget(p, v);
    }
}
