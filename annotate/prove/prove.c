/* SPDX-License-Identifier: MIT */
/* The proof of a rewritten text: two functions, statement by statement. */
#include "annotate/prove/prove.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/accessors/prelude.h"
#include "annotate/annotate.h"
#include "annotate/base/stack.h"
#include "annotate/text/lex.h"

/* ---- verdicts ---- */

static void judge(struct dl__prover *p, const struct dl__pair *pair,
                  const struct dl__node *n, const char *reason)
{
    struct dl__verdict v = {n, pair->old_function, reason, n->begin};

    for (size_t i = 0; i < p->verdicts.count; i++) {
        struct dl__verdict *old = &p->verdicts.items[i];

        if (old->node == n) {
            old->reason = old->reason ? old->reason : reason;
            return;
        }
    }
    DL__PUSH(p->arena, &p->verdicts, v);
}

/* ---- expressions ---- */

enum wanted { U_NONE, U_VALUE, U_CONDITION, U_RETURNED };

static void begin_expression(struct dl__prover *p)
{
    p->accesses.count = p->effects.count = p->next_effect = 0;
    p->divisions.count = p->facts.count = 0;
    p->in_accessor = p->in_branch = false;
    p->depth = 0;
    p->clock = dl__draw("clock", p->clock, 0, 0);
}

static void end_expression(struct dl__prover *p)
{
    if (p->next_effect != p->effects.count)
        dl__lose(p, "the program does more here");
    dl__relations_check(p);
    for (size_t i = 0; i < p->accesses.count; i++)
        if (!p->accesses.items[i].is_reached)
            dl__lose(p, "the rewritten text lacks it");
}

/* An expression that was not shown may have left anything behind. */
static void forget_all(struct dl__prover *p)
{
    for (size_t i = 0; i < p->old_text.variables.count; i++) {
        struct dl__variable_known *v = p->old_text.variables.items[i];

        v->version = 0;
        if (v->index && v->buffer)
            dl__relation_forget(p, v);
    }
    for (size_t i = 0; i < p->new_text.variables.count; i++) {
        p->new_text.variables.items[i]->version = 0;
        p->new_text.variables.items[i]->is_set = false;
    }
}

static void judge_expression(struct dl__prover *p, const struct dl__node *n,
                             const char *reason)
{
    const struct dl__pair *pair = p->pairs.items[p->at_pair];

    for (size_t i = 0; i < p->accesses.count; i++)
        judge(p, pair, p->accesses.items[i].node, reason);
    if (reason && !p->accesses.count)
        judge(p, pair, n, reason);
}

/* A pointer that is given back, and what became of it. */
static void compare_returned(struct dl__prover *p, const struct dl__known *a,
                             const struct dl__known *b)
{
    const struct dl__pair *pair = p->pairs.items[p->at_pair];
    struct dl__offsets allowed = {0};
    const char *fault;

    if (a->buffer && a->buffer != pair->result)
        dl__lose(p, "a pointer into another buffer is returned");
    dl__offsets_of_type(p, pair->result->element, 0, pair->old_function->result->element,
                        &allowed);
    fault = dl__relation_fault(p, a, b, NULL, &allowed);
    if (fault)
        dl__lose(p, "%s", fault);
}

static void compare_expressions(struct dl__prover *p, struct dl__node *a,
                                struct dl__node *b, enum wanted use)
{
    begin_expression(p);
    if (setjmp(p->lost)) {
        judge_expression(p, a, p->lost_reason);
        forget_all(p);
        return;
    }
    {
        struct dl__known x = dl__prove_value(p, &p->old_text, a);
        struct dl__known y = dl__prove_value(p, &p->new_text, b);

        if (use == U_CONDITION) {
            x = dl__truth(x);
            y = dl__truth(y);
        }
        if (use == U_RETURNED)
            compare_returned(p, &x, &y);
        else if (use != U_NONE && dl__key(p, &x) != dl__key(p, &y))
            dl__lose(p, "it has another value in the rewritten text");
    }
    end_expression(p);
    judge_expression(p, a, NULL);
}

/* Declarations and parameters of both texts: what is the same, and what stands for a
 * pointer. */

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

static struct dl__node *variable_named(struct dl__node *declaration, const char *prefix,
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
        dl__set_variable(p, t, v, value);
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

    n = dl__strip(n);
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

    n = dl__strip(n);
    if (n->child_count)
        return false;
    v = dl__prove_value(p, t, n);
    if (v.kind != DL__K_INTEGER || !dl__integer_is_constant(v.integer, &number))
        return false;
    *out = number;
    return true;
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
    c = dl__strip(loop->condition);
    step = loop->children[2];
    if (c->kind != DL__N_BINARY || !sets_it(step, v->at) ||
        dl__strip(c->children[0])->declared_at != v->at ||
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
        v->value = dl__convert_known(p, value, type);
        v->buffer = v->value.kind == DL__K_PLACE ? v->value.buffer : NULL;
        v->is_set = init != NULL;
    } else if (dl__type_number(type) != dl__type_number(became)) {
        dl__lose(p, "'%s' has another type in the rewritten text", c->name);
    } else if (init) {
        dl__set_variable(p, t, v, value);
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
        row = variable_named(b, "dl_row_", c->name)
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

static void compare_declarations(struct dl__prover *p, struct dl__node *a,
                                 struct dl__node *b)
{
    begin_expression(p);
    if (setjmp(p->lost)) {
        judge_expression(p, a, p->lost_reason);
        declare_missing(p, a, b);
        forget_all(p);
        return;
    }
    for (size_t i = 0; i < a->child_count; i++) {
        struct dl__node *c = a->children[i], *twin;

        if (c->kind != DL__N_VARIABLE)
            continue;
        twin = variable_named(b, "", c->name);
        if (!twin)
            dl__lose(p, "'%s' is missing in the rewritten text", c->name);
        declare_old(p, c, twin);
    }
    for (size_t i = 0; i < b->child_count; i++) {
        struct dl__node *c = b->children[i], *twin;
        struct dl__variable_known *v;

        if (c->kind != DL__N_VARIABLE)
            continue;
        twin = variable_named(a, "", c->name);
        v = twin ? dl__find_known(&p->old_text, twin->declared_at) : NULL;
        declare_new(p, c, v && v->relation == DL__R_COMMON);
    }
    relate_declared(p, a, b);
    end_expression(p);
    judge_expression(p, a, NULL);
}

/* A parameter that points into other buffers later. */
static bool become_far(struct dl__prover *p, struct dl__variable_known *v,
                       struct dl__node *b)
{
    if (!variable_named(b, "dl_far_", v->name) || v->relation == DL__R_COMMON ||
        v->relation == DL__R_FAR)
        return false;
    if (v->index)
        v->index->is_kept = true;
    v->is_kept = false;
    relate(v, known_named(&p->new_text, "dl_far_", v->name), NULL);
    return true;
}

/* A declaration that only the rewritten text has. */
static void compare_new_declaration(struct dl__prover *p, struct dl__node *a,
                                    struct dl__node *b)
{
    begin_expression(p);
    if (setjmp(p->lost)) {
        judge_expression(p, a, p->lost_reason);
        forget_all(p);
        return;
    }
    for (size_t i = 0; i < b->child_count; i++)
        if (b->children[i]->kind == DL__N_VARIABLE)
            declare_new(p, b->children[i], false);
    for (size_t i = 0; i < p->old_text.variables.count; i++) {
        struct dl__variable_known *v = p->old_text.variables.items[i];
        struct dl__node *index = variable_named(b, "dl_at_", v->name);

        if (become_far(p, v, b) || !index || v->index || v->relation != DL__R_VALUE)
            continue;
        v->is_kept = false;
        relate(v, known_named(&p->new_text, "dl_at_", v->name),
               variable_named(b, "dl_row_", v->name)
                   ? known_named(&p->new_text, "dl_row_", v->name)
                   : NULL);
    }
    end_expression(p);
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
                    dl__lose(p, "'%s' has another type in the rewritten text", name);
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
    dl__lose(p, "'%s' has another parameter in the rewritten text", q->name);
}

static void declare_parameters(struct dl__prover *p, const struct dl__pair *pair)
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

/* Two functions side by side: statement by statement, each expression on its own.
 * Between them nothing is known but that variables of one name hold the same, and
 * pointers what became of them. */

static void compare_statements(struct dl__prover *p, struct dl__node *a,
                               struct dl__node *b);

/* ---- statements ---- */

static bool begins_with(const struct dl__side_text *t, const struct dl__node *n,
                        const char *word)
{
    return !strncmp(t->w->ast.text + n->begin, word, strlen(word));
}

static void differ(struct dl__prover *p, const struct dl__node *a, const char *reason)
{
    p->fatal_reason = p->fatal_reason ? p->fatal_reason : reason;
    p->fatal_at = a->begin;
    judge(p, p->pairs.items[p->at_pair], a, reason);
}

static bool is_statement(const struct dl__node *n)
{
    return n->kind == DL__N_STATEMENT || n->kind == DL__N_BRANCH ||
           n->kind == DL__N_DECL_STATEMENT || n->kind == DL__N_RETURN;
}

/* A declaration of what the program does not know. */
static bool is_addition(const struct dl__node *b, struct dl__node *a)
{
    bool any = false;

    if (b->kind != DL__N_DECL_STATEMENT)
        return false;
    for (size_t i = 0; i < b->child_count; i++) {
        const struct dl__node *c = b->children[i];

        if (c->kind != DL__N_VARIABLE || strncmp(c->name, "dl_", 3) ||
            (a && a->kind == DL__N_DECL_STATEMENT && variable_named(a, "", c->name)))
            return false;
        any = true;
    }
    return any;
}

static void compare_block(struct dl__prover *p, struct dl__node *a, struct dl__node *b)
{
    size_t old_count = p->old_text.variables.count;
    size_t new_count = p->new_text.variables.count, j = 0;

    for (size_t i = 0; i < a->child_count || j < b->child_count;) {
        struct dl__node *x = i < a->child_count ? a->children[i] : NULL;
        struct dl__node *y = j < b->child_count ? b->children[j] : NULL;

        if (y && is_addition(y, x)) {
            compare_new_declaration(p, x ? x : a, y);
            j++;
            continue;
        }
        if (!x || !y) {
            differ(p, x ? x : a, "the rewritten text has other statements");
            break;
        }
        p->has_begun = true;
        compare_statements(p, x, y);
        i++;
        j++;
    }
    p->old_text.variables.count = old_count;
    p->new_text.variables.count = new_count;
}

static void compare_branches(struct dl__prover *p, struct dl__node *a, struct dl__node *b)
{
    size_t old_count = p->old_text.variables.count;
    size_t new_count = p->new_text.variables.count;

    for (size_t i = 0; i < a->child_count; i++) {
        struct dl__node *x = a->children[i], *y = b->children[i];

        if ((x == a->condition) != (y == b->condition))
            differ(p, x, "the rewritten text has another condition");
        else if (x == a->condition)
            compare_expressions(p, x, y, U_CONDITION);
        else
            compare_statements(p, x, y);
    }
    p->old_text.variables.count = old_count;
    p->new_text.variables.count = new_count;
}

static void compare_statements(struct dl__prover *p, struct dl__node *a,
                               struct dl__node *b)
{
    if (a->kind != b->kind && (is_statement(a) || is_statement(b))) {
        differ(p, a, "the rewritten text has another statement");
        return;
    }
    if (!is_statement(a)) {
        compare_expressions(p, a, b, U_NONE);
        return;
    }
    if (a->kind == DL__N_DECL_STATEMENT) {
        compare_declarations(p, a, b);
        return;
    }
    if (a->kind == DL__N_STATEMENT && begins_with(&p->old_text, a, "{") &&
        begins_with(&p->new_text, b, "{")) {
        compare_block(p, a, b);
        return;
    }
    if (a->child_count != b->child_count ||
        dl__own_tokens(&p->old_text, a) != dl__own_tokens(&p->new_text, b)) {
        differ(p, a, "the rewritten text has another statement");
        return;
    }
    if (a->kind == DL__N_RETURN) {
        if (a->child_count)
            compare_expressions(p, a->children[0], b->children[0],
                                p->pairs.items[p->at_pair]->result ? U_RETURNED
                                                                   : U_VALUE);
        return;
    }
    if (a->kind == DL__N_STATEMENT && a->child_count &&
        begins_with(&p->old_text, a, "case")) {
        compare_expressions(p, a->children[0], b->children[0], U_VALUE);
        for (size_t i = 1; i < a->child_count; i++)
            compare_statements(p, a->children[i], b->children[i]);
        return;
    }
    compare_branches(p, a, b);
}

/* ---- functions ---- */

/* True when the same is known of a parameter. */
static void compare_pair_once(struct dl__prover *p, struct dl__pair *pair)
{
    struct dl__node *a = dl__ast_body(&p->old_text.w->ast, pair->old_function);
    struct dl__node *b = dl__ast_body(&p->new_text.w->ast, pair->new_function);

    p->old_text.variables.count = p->new_text.variables.count = 0;
    p->has_begun = false;
    begin_expression(p);
    if (setjmp(p->lost)) {
        differ(p, a, p->lost_reason);
        return;
    }
    if (!pair->result && dl__type_number(pair->old_function->result) !=
                             dl__type_number(pair->new_function->result))
        dl__lose(p, "it gives another type");
    declare_parameters(p, pair);
    compare_block(p, a, b);
}

static void compare_pair(struct dl__prover *p, struct dl__pair *pair)
{
    size_t pairs = p->pairs.count, verdicts = p->verdicts.count;
    size_t bytes = verdicts * sizeof *p->verdicts.items;
    struct dl__verdict *kept = dl__arena_alloc(p->arena, bytes + 1);
    const char *fatal = p->fatal_reason;

    if (bytes)
        memcpy(kept, p->verdicts.items, bytes);
    for (;;) {
        p->is_stale = false;
        compare_pair_once(p, pair);
        if (!p->is_stale)
            return;
        p->pairs.count = pairs;
        p->verdicts.count = verdicts;
        if (bytes)
            memcpy(p->verdicts.items, kept, bytes);
        p->fatal_reason = fatal;
    }
}

/* ---- the proof of a rewritten text ---- */

struct item {
    dl__number number;
    size_t at;
    bool is_generated; /* it has a name that programs have not */
};

struct items {
    struct item *items;
    size_t count, room;
};

static const struct dl__function *kernel_at(const struct dl__ast *ast,
                                            const struct dl_notes *notes, size_t at)
{
    for (size_t i = 0; i < ast->functions.count; i++) {
        const struct dl__function *f = &ast->functions.items[i];
        const struct dl_kernel_note *k;

        if (f->item_at != at || !f->is_defined || !f->is_kernel)
            continue;
        k = dl_notes_find(notes, f->name);
        if (k && k->buffer_count && !k->refused && k->buffers[0].native == DL_LAYOUT_AOS)
            return f;
    }
    return NULL;
}

/* The declarations of a text, cut behind each `;` and `}` outside of braces. */
static void split(struct dl__prover *p, const struct dl__ast *ast,
                  const struct dl_notes *notes, struct items *out)
{
    struct dl__lexer lexer = {.text = ast->text, .bytes = ast->bytes};
    struct item item = {0};
    bool at_start = true, in_line = false;
    unsigned depth = 0;
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (t.kind == DL__NEWLINE) {
            if (in_line) /* of a directive */
                DL__PUSH(p->arena, out, item);
            at_start |= in_line;
            in_line = false;
            continue;
        }
        if (at_start) {
            const struct dl__function *kernel = kernel_at(ast, notes, t.offset);

            item = (struct item){.number = 1, .at = t.offset};
            at_start = false;
            in_line = dl__token_is(&t, "#");
            if (kernel) {
                item.number = dl__draw_text("kernel", kernel->name, strlen(kernel->name));
                DL__PUSH(p->arena, out, item);
                lexer.offset = kernel->body_end;
                at_start = true;
                continue;
            }
        }
        item.number =
            dl__draw("item", item.number, dl__draw_text("", t.text, t.bytes), 0);
        item.is_generated |= t.kind == DL__NAME &&
                             (!strncmp(t.text, "dl_", 3) || !strncmp(t.text, "DL_", 3));
        depth += dl__token_is(&t, "{") || dl__token_is(&t, "(");
        depth -= depth && (dl__token_is(&t, "}") || dl__token_is(&t, ")"));
        if (!depth && !in_line && (dl__token_is(&t, ";") || dl__token_is(&t, "}"))) {
            DL__PUSH(p->arena, out, item);
            at_start = true;
        }
    }
}

/* A static clause where the rewritten text differs outside of the kernels of `notes`,
 * with the place in the program's; or NULL. */
static const char *items_fault(struct dl__prover *p, const struct dl_notes *notes,
                               size_t *at)
{
    struct items old_items = {0}, new_items = {0};
    size_t i = 0;

    split(p, &p->old_text.w->ast, notes, &old_items);
    split(p, &p->new_text.w->ast, notes, &new_items);
    for (size_t j = 0; j < new_items.count; j++) {
        const struct item *item = &new_items.items[j];

        *at = i < old_items.count ? old_items.items[i].at : 0;
        if (i < old_items.count && old_items.items[i].number == item->number)
            i++;
        else if (!item->is_generated)
            return "the rewritten text differs here";
    }
    return i < old_items.count ? "the rewritten text lacks this" : NULL;
}

/* The buffers of a kernel as the tables have them, which is how they are converted. */

/* ---- the width of rows: a dimension in the tables' words ---- */

struct reader {
    struct dl__prover *p;
    const struct dl__function *kernel;
    struct dl__lexer lexer;
    struct dl__token token;
    bool failed;
};

static void next(struct reader *r)
{
    r->token = dl__lex_next(&r->lexer);
}

static struct dl__integer read_sum(struct reader *r);

static struct dl__integer read_number(struct reader *r)
{
    uint64_t value = 0;
    bool is_unsigned;

    if (!dl__integer_read(r->token.text, r->token.bytes, &value, &is_unsigned))
        r->failed = true;
    next(r);
    return dl__integer_constant((dl__bound)value, 64, true);
}

static void expect(struct reader *r, const char *text)
{
    r->failed |= !dl__token_is(&r->token, text);
    next(r);
}

/* arg(index, type, 0) */
static struct dl__integer read_argument(struct reader *r)
{
    int64_t index, offset;
    const struct dl__parameter *q;
    struct dl__known v;

    next(r);
    expect(r, "(");
    dl__integer_is_constant(read_number(r), &index);
    expect(r, ",");
    next(r);
    expect(r, ",");
    dl__integer_is_constant(read_number(r), &offset);
    expect(r, ")");
    if (r->failed || offset || index >= (int64_t)r->kernel->parameter_count) {
        r->failed = true;
        return dl__zero();
    }
    q = &r->kernel->parameters[index];
    v = dl__know_typed(dl__draw_text("variable", q->name, strlen(q->name)) ^
                           dl__draw("declared", q->name_at, 0, 0),
                       q->type);
    r->failed |= v.kind != DL__K_INTEGER;
    return dl__integer_convert(v.integer, 64, true, r->p->index_bits);
}

static struct dl__integer read_atom(struct reader *r)
{
    struct dl__integer out;

    if (r->failed)
        return dl__zero();
    if (dl__token_is(&r->token, "arg"))
        return read_argument(r);
    if (!dl__token_is(&r->token, "("))
        return read_number(r);
    next(r);
    out = read_sum(r);
    expect(r, ")");
    return out;
}

static struct dl__integer read_product(struct reader *r)
{
    struct dl__integer out = read_atom(r);

    while (!r->failed && dl__token_is(&r->token, "*")) {
        next(r);
        out = dl__integer_combine('*', out, read_atom(r));
    }
    return out;
}

static struct dl__integer read_sum(struct reader *r)
{
    struct dl__integer out = read_product(r);

    while (!r->failed && (dl__token_is(&r->token, "+") || dl__token_is(&r->token, "-"))) {
        char op = r->token.text[0];

        next(r);
        out = dl__integer_combine(op, out, read_product(r));
    }
    return out;
}

/* The line of the buffer's table that says its width. */
static const char *width_line(const char *text, const char *kernel, const char *buffer)
{
    static const char kernel_mark[] = "//DL-kernel: ", buffer_mark[] = "//DL-buffer: ",
                      width_mark[] = "//DL-width: ";
    const char *at = text;

    while ((at = strstr(at, kernel_mark)) != NULL) {
        at += strlen(kernel_mark);
        if (strncmp(at, kernel, strlen(kernel)) || at[strlen(kernel)] != ' ')
            continue;
        while ((at = strstr(at, buffer_mark)) != NULL) {
            at += strlen(buffer_mark);
            if (!strncmp(at, buffer, strlen(buffer)) && at[strlen(buffer)] == ' ') {
                at = strstr(at, width_mark);
                return at ? at + strlen(width_mark) : NULL;
            }
        }
        return NULL;
    }
    return NULL;
}

static bool read_width(struct dl__prover *p, const struct dl__function *f,
                       const char *rewritten, const struct dl_kernel_note *k,
                       struct dl__proved_buffer *b)
{
    const char *line = width_line(rewritten, k->name, b->note->name);
    struct reader r = {.p = p, .kernel = f};

    if (!line)
        return false;
    r.lexer.text = line;
    r.lexer.bytes = strcspn(line, "\n");
    next(&r);
    b->width = read_sum(&r);
    /* Others are not tiled. */
    b->width.low = 1;
    b->width.high = DL_FLAT_WIDTH_MAX;
    return !r.failed && r.token.kind == DL__END;
}

/* ---- buffers ---- */

static const char *make_buffer(struct dl__prover *p, const struct dl__function *f,
                               const char *rewritten, const struct dl_kernel_note *k,
                               struct dl__proved_buffer *b)
{
    const struct dl__parameter *q;
    dl__number name;

    if (b->note->arg_index >= f->parameter_count)
        return "the tables name an argument that the kernel has not";
    if (b->note->arrays)
        return "accesses to discrete arrays are not followed yet";
    q = &f->parameters[b->note->arg_index];
    if (strcmp(q->name, b->note->name) || q->type->kind != DL__T_POINTER)
        return "the tables name another argument";
    b->element = q->type->element;
    b->unit_bytes = b->element->bytes;
    name = dl__draw_text("buffer", q->name, strlen(q->name));
    b->number = name;
    b->head = dl__integer_opaque(dl__draw("head", name, 0, 0), p->index_bits, false);
    b->tail = dl__integer_opaque(dl__draw("tail", name, 0, 0), p->index_bits, false);
    /* No more rows than the index counts, together. */
    b->head.high = b->tail.high = b->head.high / 2;
    b->structs = dl__number_add(b->head.exact, b->tail.exact);
    b->is_flat = b->note->width || b->unit_bytes != b->note->leaves.struct_bytes ||
                 b->element->kind != DL__T_STRUCT;
    if (!b->unit_bytes || b->note->leaves.struct_bytes % b->unit_bytes)
        return "the tables name rows of another size";
    for (size_t i = 0; b->is_flat && i < b->note->leaves.leaf_count; i++)
        if (b->note->leaves.leaves[i].width_bytes != b->unit_bytes)
            return "the tables name elements of another size";
    if (!b->is_flat || !b->note->width)
        b->width =
            dl__integer_constant(b->note->leaves.struct_bytes / b->unit_bytes, 64, true);
    else if (!read_width(p, f, rewritten, k, b))
        return "the width of its rows is not understood";
    b->row =
        dl__integer_combine('*', b->width, dl__integer_constant(b->unit_bytes, 64, true));
    return NULL;
}

/* The arguments that tiles need come behind the kernel's own, in the tables' order. */
static bool has_hidden(const struct dl__function *f, const struct dl__function *g,
                       const struct dl_kernel_note *k, bool is_tiled)
{
    size_t at = f->parameter_count;

    for (size_t i = 0; i < k->buffer_count && is_tiled; i++) {
        if (k->buffers[i].native != DL_LAYOUT_AOS)
            continue;
        if (at + 2 > g->parameter_count ||
            strncmp(g->parameters[at].name, "dl_head_", 8) ||
            strcmp(g->parameters[at].name + 8, k->buffers[i].name) ||
            strncmp(g->parameters[at + 1].name, "dl_tail_", 8) ||
            strcmp(g->parameters[at + 1].name + 8, k->buffers[i].name))
            return false;
        at += 2;
    }
    return at == g->parameter_count;
}

static bool has_own(const struct dl__function *f, const struct dl__function *g)
{
    for (size_t i = 0; i < f->parameter_count; i++)
        if (i >= g->parameter_count ||
            strcmp(f->parameters[i].name, g->parameters[i].name))
            return false;
    return true;
}

static dl__number tokens(const struct dl__ast *ast, size_t begin, size_t end)
{
    struct dl__lexer lexer = {.text = ast->text, .bytes = end, .offset = begin};
    struct dl__token t;
    dl__number out = 1;

    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        if (t.kind != DL__NEWLINE)
            out = dl__draw("then", out, dl__draw_text("", t.text, t.bytes), 0);
    return out;
}

static bool has_same_head(const struct dl__prover *p, const struct dl__function *f,
                          const struct dl__function *g)
{
    const struct dl__ast *a = &p->old_text.w->ast, *b = &p->new_text.w->ast;

    return tokens(a, f->item_at, f->open_at) == tokens(b, g->item_at, g->open_at) &&
           tokens(a, f->close_at, f->body_at) == tokens(b, g->close_at, g->body_at);
}

/* The buffers of a kernel, by its parameters. NULL: *reason says why not. */
static struct dl__pair *kernel_pair(struct dl__prover *p, const struct dl_kernel_note *k,
                                    const char *rewritten, const char **reason)
{
    struct dl__function *f = dl__ast_kernel_named(&p->old_text.w->ast, k->name);
    struct dl__function *g = dl__ast_kernel_named(&p->new_text.w->ast, k->name);
    struct dl__pair *pair = DL__NEW(p->arena, struct dl__pair);
    struct dl__offsets *allowed, begin = {0};

    *reason = !f || !g ? "one of the texts lacks the kernel"
              : k->arg_count != f->parameter_count || !has_own(f, g)
                  ? "the kernel has other parameters"
              : !has_same_head(p, f, g)           ? "the kernel has other attributes"
              : !has_hidden(f, g, k, p->is_tiled) ? "the kernel lacks what tiles need"
                                                  : NULL;
    if (*reason)
        return NULL;
    DL__PUSH(p->arena, &begin, 0);
    pair->old_function = f;
    pair->new_function = g;
    pair->buffers =
        dl__arena_alloc(p->arena, (f->parameter_count + 1) * sizeof *pair->buffers);
    allowed = dl__arena_alloc(p->arena, (f->parameter_count + 1) * sizeof *allowed);
    for (size_t i = 0; i < k->buffer_count && !*reason; i++) {
        struct dl__proved_buffer *b = DL__NEW(p->arena, struct dl__proved_buffer);

        if (k->buffers[i].native != DL_LAYOUT_AOS)
            continue;
        b->note = &k->buffers[i];
        b->is_tiled = p->is_tiled;
        *reason = make_buffer(p, f, rewritten, k, b);
        if (*reason)
            return NULL;
        pair->buffers[b->note->arg_index] = b;
        DL__PUSH(p->arena, &p->buffers, b);
        allowed[b->note->arg_index] = begin;
    }
    pair->allowed = allowed;
    pair->fixed =
        dl__arena_alloc(p->arena, (f->parameter_count + 1) * sizeof *pair->fixed);
    pair->splits =
        dl__arena_alloc(p->arena, (f->parameter_count + 1) * sizeof *pair->splits);
    return pair;
}

/* dl_annotate_prove: every access of a rewritten text is shown to be the program's.
 *
 * A translation validator: it knows the two texts and the tables, and nothing of how the
 * one was made from the other. It walks through both side by side: for tiles with 32-bit
 * and 64-bit indices, and for the program's own layout. What it takes for granted:
 * libclang and its tree, the formula in the prelude, whose text it compares and
 * tests/layout tests, C's rules for overflow and array bounds, and that what a kernel
 * reaches lies in its buffers. */

/* The verdict on a kernel. */
struct outcome {
    __typeof__(((struct dl__prover *)0)->verdicts) verdicts;
    const char *fault; /* none of it is shown; NULL: see the verdicts */
    size_t fault_at;
};

struct proof {
    const char *text, *rewritten;
    size_t bytes, rewritten_bytes;
    const struct dl_annotate_options *options;
    dl_remark_fn remark;
    dl_proof_fn proved;
    void *user;
    enum dl_status status;
    struct dl__rewriter *old_text, *new_text;
    struct dl_notes *notes;
    struct outcome *kernels; /* by the tables' order */
};

static const struct mode {
    const char *knobs;
    unsigned index_bits;
    bool is_tiled;
} modes[] = {{"-DDL_TILING=dl_tiles -DDL_TILE=32", 32, true},
             {"-DDL_TILING=dl_tiles -DDL_TILE=24 -DDL_INDEX_64", 64, true},
             {"", 64, false}};

static bool is_proved(const struct dl_kernel_note *k)
{
    bool any = false;

    for (size_t i = 0; i < k->buffer_count; i++)
        any |= k->buffers[i].native == DL_LAYOUT_AOS;
    return any && !k->refused;
}

static void prepare(struct proof *q, struct dl__prover *p, const struct mode *mode)
{
    p->arena = &q->old_text->arena;
    p->old_text.w = q->old_text;
    p->new_text.w = q->new_text;
    p->new_text.is_new = true;
    p->index_bits = mode->index_bits;
    p->is_tiled = mode->is_tiled;
}

static void prove_kernel(struct proof *q, size_t kernel, const struct mode *mode)
{
    const struct dl_kernel_note *k = &q->notes->kernels[kernel];
    struct outcome *out = &q->kernels[kernel];
    struct dl__prover *p = DL__NEW(&q->old_text->arena, struct dl__prover);
    struct dl__pair *pair;

    if (!is_proved(k) || out->fault)
        return;
    prepare(q, p, mode);
    pair = kernel_pair(p, k, q->rewritten, &out->fault);
    if (!pair)
        return;
    p->verdicts.items = out->verdicts.items;
    p->verdicts.count = out->verdicts.count;
    p->verdicts.room = out->verdicts.room;
    DL__PUSH(p->arena, &p->pairs, pair);
    for (p->at_pair = 0; p->at_pair < p->pairs.count; p->at_pair++)
        compare_pair(p, p->pairs.items[p->at_pair]);
    out->verdicts.items = p->verdicts.items;
    out->verdicts.count = p->verdicts.count;
    out->verdicts.room = p->verdicts.room;
    out->fault = p->fatal_reason;
    out->fault_at = p->fatal_at;
}

/* A fault outside of the kernels concerns all of them. */
static void fault_all(struct proof *q, const char *fault, size_t at)
{
    for (size_t i = 0; i < q->notes->kernel_count; i++) {
        struct outcome *out = &q->kernels[i];

        out->fault_at = out->fault ? out->fault_at : at;
        out->fault = out->fault ? out->fault : fault;
    }
}

static void prove_mode(struct proof *q, const struct mode *mode)
{
    struct dl_annotate_options options = *q->options;
    struct dl__prover *p = DL__NEW(&q->old_text->arena, struct dl__prover);
    volatile enum dl_status st = DL_OK;

    options.side = NULL;
    options.on_file = NULL;
    options.times = NULL;
    options.detect = false;
    q->new_text =
        dl__rewriter_open(q->rewritten, q->rewritten_bytes, &options, NULL, NULL);
    if (!q->new_text)
        dl__arena_fail(&q->old_text->arena, DL_ENOMEM);
    q->new_text->clang = q->old_text->clang;
    /* The device has been asked: no build of a question more. */
    q->new_text->answers = q->old_text->answers;
    q->new_text->answers.room = q->new_text->answers.count;
    /* Its own arena counts the time that reading the text takes. */
    dl__arena_pause(&q->old_text->arena);
    if (setjmp(q->new_text->arena.fail)) {
        dl__arena_resume(&q->old_text->arena);
        st = q->new_text->arena.failure;
        fault_all(q, "the rewritten text does not parse", 0);
    } else {
        const char *fault;
        size_t at = 0;

        dl__program_read(q->new_text, mode->knobs);
        dl__arena_resume(&q->old_text->arena);
        prepare(q, p, mode);
        fault = items_fault(p, q->notes, &at);
        if (fault)
            fault_all(q, fault, at);
        for (size_t i = 0; i < q->notes->kernel_count; i++)
            prove_kernel(q, i, mode);
    }
    dl__rewriter_close(q->new_text);
    q->new_text = NULL;
    if (st != DL_OK && st != DL_EPARSE)
        dl__arena_fail(&q->old_text->arena, st);
}

static void say(struct proof *q, const char *kernel, size_t at, const char *reason)
{
    dl__say_at(q->old_text, DL_WARNING, at, "kernel '%s': not shown: %s", kernel, reason);
}

static void report(struct proof *q, size_t kernel)
{
    const struct dl_kernel_note *k = &q->notes->kernels[kernel];
    const struct outcome *out = &q->kernels[kernel];
    size_t shown = 0;

    for (size_t i = 0; i < out->verdicts.count; i++) {
        shown += !out->verdicts.items[i].reason;
        if (out->verdicts.items[i].reason && !out->fault)
            say(q, k->name, out->verdicts.items[i].at, out->verdicts.items[i].reason);
    }
    if (out->fault)
        say(q, k->name, out->fault_at, out->fault);
    shown = out->fault ? 0 : shown;
    if (out->fault || shown < out->verdicts.count)
        q->status = DL_EREFUSED;
    q->proved(q->user, k->name, out->verdicts.count, shown);
}

static void prove_all(struct proof *q)
{
    const char *behind;

    q->kernels = dl__arena_alloc(&q->old_text->arena,
                                 (q->notes->kernel_count + 1) * sizeof *q->kernels);
    dl__program_read(q->old_text, "");
    if (!dl__prelude_find(q->rewritten, &behind))
        fault_all(q, "the rewritten text has another formula", 0);
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++)
        prove_mode(q, &modes[m]);
    for (size_t i = 0; i < q->notes->kernel_count; i++)
        if (is_proved(&q->notes->kernels[i]))
            report(q, i);
}

static void prove_here(void *user)
{
    struct proof *q = user;
    const char *reason = "";

    q->status =
        dl_annotate_scan(q->rewritten, q->rewritten_bytes, q->remark, q->user, &q->notes);
    if (q->status != DL_OK)
        return;
    q->old_text = dl__rewriter_open(q->text, q->bytes, q->options, q->remark, q->user);
    if (!q->old_text) {
        q->status = DL_ENOMEM;
        goto out;
    }
    q->status = dl__clang_load(q->options->libclang, &q->old_text->clang, &reason);
    if (q->status != DL_OK) {
        dl__say(q->old_text, DL_WARNING, NULL, 0, 0, "%s", reason);
    } else if (setjmp(q->old_text->arena.fail)) {
        q->status = q->old_text->arena.failure;
        if (q->new_text)
            dl__rewriter_close(q->new_text);
    } else {
        prove_all(q);
    }
    dl__rewriter_close(q->old_text);
out:
    dl_notes_free(q->notes);
}

enum dl_status dl_annotate_prove(const char *text, size_t text_bytes,
                                 const char *rewritten, size_t rewritten_bytes,
                                 const struct dl_annotate_options *options,
                                 dl_remark_fn remark, dl_proof_fn proved, void *user)
{
    static const struct dl_annotate_options none;
    struct proof q = {.text = text,
                      .rewritten = rewritten,
                      .bytes = text_bytes,
                      .rewritten_bytes = rewritten_bytes,
                      .options = options ? options : &none,
                      .remark = remark,
                      .proved = proved,
                      .user = user,
                      .status = DL_ENOMEM};

    dl__on_large_stack(prove_here, &q);
    return q.status;
}
