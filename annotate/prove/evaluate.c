/* SPDX-License-Identifier: MIT */
/* The value of an expression of either text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/prove/prove.h"
#include "annotate/text/lex.h"

static struct dl__known prove_place(struct dl__prover *p, struct dl__side_text *t,
                                    struct dl__node *n);

/* `p.dl_o`: a half of a variable; NULL: it is none. */
static struct dl__variable_known *half_of(struct dl__side_text *t, struct dl__node *to,
                                          bool *is_inner)
{
    struct dl__variable_known *v;
    struct dl__node *of;

    if (!t->is_new || to->kind != DL__N_MEMBER || to->child_count != 1)
        return NULL;
    for (of = to->children[0]; of->kind == DL__N_PAREN;)
        of = of->children[0];
    v = of->kind == DL__N_NAME ? dl__find_known(t, of->declared_at) : NULL;
    *is_inner = !strcmp(to->name, "dl_o");
    if (!v || v->relation == DL__R_COMMON ||
        !(v->value.kind == DL__K_PART ||
          (v->value.kind == DL__K_FAR && v->value.buffer)) ||
        (!*is_inner && strcmp(to->name, "dl_i")))
        return NULL;
    return v;
}

static struct dl__known assign_half(struct dl__prover *p, struct dl__side_text *t,
                                    struct dl__node *n, struct dl__node *to,
                                    const char *op, struct dl__known by, bool old_value,
                                    struct dl__variable_known *v, bool is_inner)
{
    const struct dl__type *type = dl__known_type(t, to);
    struct dl__known before =
        dl__know_integer(is_inner ? v->value.inner : v->value.integer);
    struct dl__known half = *op ? dl__combine(p, t, n, op, before, by, type) : by;
    struct dl__known value = v->value;

    half = dl__convert_known(p, half, type);
    if (half.kind != DL__K_INTEGER)
        dl__lose(p, "what a pointer became is changed in a way that is not understood");
    *(is_inner ? &value.inner : &value.integer) = half.integer;
    dl__set_variable(p, t, v, value);
    return old_value ? before : half;
}

/* `to` is set to `by`, or to what `op` makes of both; `old_value`: the value is that
 * before. */
static struct dl__known prove_assignment(struct dl__prover *p, struct dl__side_text *t,
                                         struct dl__node *n, struct dl__node *to,
                                         const char *op, struct dl__known by,
                                         bool old_value)
{
    const struct dl__type *type = dl__known_type(t, to);
    dl__number lanes = 0;
    struct dl__known place, before, value;
    struct dl__variable_known *half;
    struct dl__node *host = to;
    bool is_inner;

    while (host->kind == DL__N_PAREN)
        host = host->children[0];
    half = half_of(t, host, &is_inner);
    if (half)
        return assign_half(p, t, n, host, op, by, old_value, half, is_inner);
    if (host->kind == DL__N_IMPLICIT && host->child_count == 1 &&
        !dl__is_wrapper(t, host)) {
        lanes = dl__own_tokens(t, host);
        host = host->children[0];
    }
    place = prove_place(p, t, host);
    value = by;
    if (*op) {
        before = place.variable && place.variable->type->kind != DL__T_STRUCT && !lanes
                     ? dl__read_variable(p, place.variable)
                     : dl__load_known(p, t, host, place, dl__known_type(t, host), lanes);
        value = dl__combine(p, t, n, op, before, by,
                            type->kind == DL__T_SCALAR && type->scalar != 'f' &&
                                    type->bytes < 4
                                ? dl__known_type(t, n)
                                : type);
        if (value.kind == DL__K_INTEGER)
            value = dl__convert_known(p, value, type);
    } else {
        if (value.kind == DL__K_INTEGER)
            value = dl__convert_known(p, value, type);
        before = value;
    }
    if (place.variable && !lanes &&
        ((place.variable->type->kind != DL__T_STRUCT &&
          place.variable->type->kind != DL__T_ARRAY) ||
         (place.variable->relation != DL__R_COMMON &&
          (value.kind == DL__K_PART || value.kind == DL__K_FAR))))
        dl__set_variable(p, t, place.variable, value);
    else
        dl__store_known(p, t, host, place, dl__known_type(t, host), lanes, value);
    return old_value ? before : value;
}

/* ---- Calls of what OpenCL C brings. ---- */

/* A run of elements lies in an array of them: places that one of them is not at are not
 * meant. */
static void keep_runs(struct dl__prover *p, struct dl__known *place,
                      const struct dl__type *vector)
{
    struct dl__offsets all = {0}, kept = {0};

    if (!place->buffer || place->offsets.count < 2 || place->buffer->is_flat)
        return;
    dl__offsets_of_type(p, place->buffer->element, 0, vector->element, &all);
    for (size_t i = 0; i < place->offsets.count; i++) {
        uint32_t at = place->offsets.items[i], run = 0;

        for (size_t k = 0; k < all.count && run < vector->count; k++)
            if (all.items[k] == at + run * vector->element->bytes) {
                run++;
                k = SIZE_MAX; /* from the first on */
            }
        if (run == vector->count)
            DL__PUSH(p->arena, &kept, at);
    }
    place->offsets = kept.count ? kept : place->offsets;
}

static struct dl__known prove_vload(struct dl__prover *p, struct dl__side_text *t,
                                    struct dl__node *n, struct dl__known *a)
{
    bool stores = n->name[1] == 's';
    struct dl__known *pointer = &a[stores ? 2 : 1], *by = &a[stores ? 1 : 0], place;
    const struct dl__type *vector =
        stores ? dl__known_type(t, n->children[1]) : dl__known_type(t, n);
    struct dl__type *type = DL__NEW(p->arena, struct dl__type);

    if (pointer->kind != DL__K_PLACE || by->kind != DL__K_INTEGER ||
        vector->kind != DL__T_VECTOR)
        dl__lose(p, "'%s' is not followed here", n->name);
    *type = *vector;
    type->bytes = (uint32_t)vector->count * vector->element->bytes;
    by->integer = dl__seal(p, by->integer);
    by->integer.bits = 64;
    by->integer.is_signed = true;
    place = dl__place_moved(
        p, *pointer,
        dl__integer_combine('*', by->integer,
                            dl__integer_constant((dl__bound)vector->count, 64, true)),
        vector->element);
    keep_runs(p, &place, vector);
    if (!stores)
        return dl__load_known(p, t, n, place, type, 0);
    dl__store_known(p, t, n, place, type, 0, a[0]);
    return dl__know_opaque(0);
}

static bool starts_with(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* vload_half and vstore_half of one element, whatever they make of it. False: it is
 * another function. */
static bool prove_half(struct dl__prover *p, struct dl__side_text *t, struct dl__node *n,
                       const struct dl__known *a, struct dl__known *out)
{
    bool stores = starts_with(n->name, "vstore_half");
    size_t at = stores ? 2 : 1;
    struct dl__known place, value;
    struct dl__integer by;
    const struct dl__type *type;
    int64_t zero;

    if ((!stores && strcmp(n->name, "vload_half") != 0) ||
        strpbrk(n->name, "0123456789") || n->child_count != at + 2 ||
        a[at].kind != DL__K_PLACE || a[at - 1].kind != DL__K_INTEGER)
        return false;
    type = dl__known_type(t, n->children[at + 1])->element;
    by = dl__seal(p, a[at - 1].integer);
    by.bits = 64;
    by.is_signed = true;
    place = dl__integer_is_constant(by, &zero) && !zero
                ? a[at]
                : dl__place_moved(p, a[at], by, type);
    if (stores) {
        value = a[0];
        dl__store_known(p, t, n, place, type, 0,
                        dl__know_opaque(dl__draw_text(n->name, "half", 4) ^
                                        dl__draw("half", dl__key(p, &value), 0, 0)));
        *out = dl__know_opaque(0);
        return true;
    }
    value = dl__load_known(p, t, n, place, type, 0);
    *out =
        dl__know_typed(dl__draw("half", dl__key(p, &value), 1, 0), dl__known_type(t, n));
    return true;
}

/* Ids and sizes of a launch in one dimension: larger ones are not run in tiles. */
static struct dl__known of_launch(const char *name, struct dl__known v)
{
    static const char names[] = "get_global_id get_local_id get_group_id get_global_size "
                                "get_local_size get_num_groups get_global_offset";

    if (dl__is_in(names, name, strlen(name)) && v.kind == DL__K_INTEGER &&
        v.integer.bits == 64)
        v.integer.high = (dl__bound)1 << 40;
    return v;
}

static void bound_minimum(struct dl__known *out, const struct dl__known *a,
                          const struct dl__known *b)
{
    if (out->kind != DL__K_INTEGER || a->kind != DL__K_INTEGER ||
        b->kind != DL__K_INTEGER)
        return;
    out->integer.low = a->integer.low < b->integer.low ? a->integer.low : b->integer.low;
    out->integer.high =
        a->integer.high < b->integer.high ? a->integer.high : b->integer.high;
}

/* A number of such a call; it is an effect where it may be one. */
static struct dl__known prove_builtin(struct dl__prover *p, struct dl__side_text *t,
                                      struct dl__node *n, struct dl__known *a)
{
    dl__number number = dl__draw_text("builtin", n->name, strlen(n->name));
    struct dl__known result;
    bool has_effect =
        dl__known_type(t, n)->kind == DL__T_OTHER || !starts_with(n->name, "get_");

    if (prove_half(p, t, n, a, &result))
        return result;
    /* A hint, which the rewritten text does without. */
    if (!t->is_new && !strcmp(n->name, "prefetch") && n->child_count > 1 && a[0].buffer)
        return dl__know_opaque(0);
    for (size_t i = 0; i + 1 < n->child_count; i++) {
        const struct dl__type *type = dl__known_type(t, n->children[i + 1]);
        dl__number key;

        if (a[i].kind == DL__K_PLACE && type->kind == DL__T_POINTER) {
            if (a[i].buffer && (starts_with(n->name, "async") ||
                                starts_with(n->name, "v") || starts_with(n->name, "p")))
                dl__lose(p, "'%s' is not followed here", n->name);
            key = dl__address_key(p, t, n->children[i + 1], a[i], type->element->bytes);
        } else {
            key = dl__key(p, &a[i]);
        }
        number = dl__draw("argument", number, key, 0);
    }
    if (!has_effect)
        return of_launch(n->name, dl__know_typed(number, dl__known_type(t, n)));
    dl__add_effect(p, t, n, number);
    result =
        dl__know_typed(dl__draw("result", number,
                                t->is_new ? p->next_effect : p->effects.count, p->clock),
                       dl__known_type(t, n));
    if (!strcmp(n->name, "min") && n->child_count == 3)
        bound_minimum(&result, &a[0], &a[1]);
    return result;
}

/* Functions that are one sum of their arguments: a call is that sum, in both texts. */

enum { SUM_DEPTH_MAX = 8 };

static bool is_integer(const struct dl__type *type)
{
    return type->kind == DL__T_SCALAR && type->bytes && type->scalar != 'f' &&
           type->scalar != 'b';
}

/* The expression that a function returns, where that is all it has. */
static struct dl__node *returned(struct dl__side_text *t, struct dl__function *f)
{
    struct dl__node *body = dl__ast_body(&t->w->ast, f);

    return body->child_count == 1 && body->children[0]->kind == DL__N_RETURN &&
                   body->children[0]->child_count == 1
               ? body->children[0]->children[0]
               : NULL;
}

static bool is_parameter(const struct dl__function *f, size_t declared_at)
{
    for (size_t i = 0; i < f->parameter_count; i++)
        if (f->parameters[i].name_at == declared_at)
            return true;
    return false;
}

static bool is_pure(struct dl__side_text *t, struct dl__function *f, unsigned depth);

static bool is_sum(struct dl__side_text *t, const struct dl__function *f,
                   struct dl__node *n, unsigned depth)
{
    size_t first = 0;

    switch (n->kind) {
    case DL__N_NAME:
        return n->is_constant || is_parameter(f, n->declared_at);
    case DL__N_UNARY:
        if (!strchr("+-~", n->op[0]) || n->op[1])
            return false;
        break;
    case DL__N_BINARY:
        if (!n->op[0] || !strchr("+-*/%<>&|^", n->op[0]) || !strcmp(n->op, "&&") ||
            !strcmp(n->op, "||"))
            return false;
        break;
    case DL__N_CALL: {
        struct dl__function *g = dl__ast_callee(&t->w->ast, n);

        if (!g || !is_pure(t, g, depth + 1))
            return false;
        first = 1;
        break;
    }
    case DL__N_OTHER:
        return !n->child_count && is_integer(dl__known_type(t, n));
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
    case DL__N_CAST:
        break;
    default:
        return false;
    }
    if (!is_integer(dl__known_type(t, n)))
        return false;
    for (size_t i = first; i < n->child_count; i++)
        if (!is_sum(t, f, n->children[i], depth))
            return false;
    return true;
}

static bool is_pure(struct dl__side_text *t, struct dl__function *f, unsigned depth)
{
    struct dl__node *value;

    if (depth > SUM_DEPTH_MAX || !f->is_defined || f->is_kernel || !is_integer(f->result))
        return false;
    for (size_t i = 0; i < f->parameter_count; i++)
        if (!is_integer(f->parameters[i].type) || !*f->parameters[i].name)
            return false;
    value = returned(t, f);
    return value && is_sum(t, f, value, depth);
}

/* The value of a call of a function that is one sum of its arguments; false: it is
 * another. */
static bool prove_pure(struct dl__prover *p, struct dl__side_text *t,
                       struct dl__function *f, const struct dl__known *a,
                       struct dl__known *out)
{
    size_t variables = t->variables.count;

    if (!is_pure(t, f, 0))
        return false;
    for (size_t i = 0; i < f->parameter_count; i++) {
        const struct dl__parameter *q = &f->parameters[i];
        struct dl__variable_known *v =
            dl__declare_known(p, t, q->name, q->name_at, q->type);

        v->relation = DL__R_VALUE;
        v->is_kept = true;
        v->value = dl__convert_known(p, a[i], q->type);
    }
    *out = dl__convert_known(p, dl__prove_value(p, t, returned(t, f)), f->result);
    t->variables.count = variables;
    return true;
}

/* Calls: generated accessors are looked into, helpers' copies compared with the
 * helpers. */

enum { PATHS_MAX = 16, DEPTH_MAX = 16 };

/* ---- generated functions ---- */

static struct dl__known run_statements(struct dl__prover *p, struct dl__side_text *t,
                                       struct dl__node *n, bool *returned);

/* Decides a condition of an accessor's: as the path has it, unless it is known. */
static bool decide(struct dl__prover *p, struct dl__side_text *t, struct dl__node *n)
{
    struct dl__known a, b;
    struct dl__fact fact;
    bool yes, reversed;

    n = dl__strip(n);
    if (n->kind != DL__N_BINARY || !n->op[0])
        dl__lose(p, "a condition of an accessor is not understood");
    if (!strcmp(n->op, "||"))
        return decide(p, t, n->children[0]) || decide(p, t, n->children[1]);
    if (!strcmp(n->op, "&&"))
        return decide(p, t, n->children[0]) && decide(p, t, n->children[1]);
    a = dl__prove_value(p, t, n->children[0]);
    b = dl__prove_value(p, t, n->children[1]);
    if (a.kind != DL__K_INTEGER || b.kind != DL__K_INTEGER || n->op[0] == '=' ||
        n->op[0] == '!')
        dl__lose(p, "a condition of an accessor is not understood");
    a.integer = dl__seal(p, a.integer);
    b.integer = dl__seal(p, b.integer);
    reversed = !strcmp(n->op, ">") || !strcmp(n->op, "<=");
    fact.left = reversed ? b.integer : a.integer;
    fact.right = reversed ? a.integer : b.integer;
    if (fact.left.high < fact.right.low)
        fact.is_less = true;
    else if (fact.left.low >= fact.right.high)
        fact.is_less = false;
    else
        fact.is_less = p->path >> p->decided++ & 1;
    if (p->decided > 4)
        dl__lose(p, "an accessor has too many branches");
    DL__PUSH(p->arena, &p->facts, fact);
    yes = !strcmp(n->op, "<") || !strcmp(n->op, ">") ? fact.is_less : !fact.is_less;
    return yes;
}

static struct dl__known run_declaration(struct dl__prover *p, struct dl__side_text *t,
                                        struct dl__node *n)
{
    for (size_t i = 0; i < n->child_count; i++) {
        struct dl__node *c = n->children[i], *init;
        struct dl__variable_known *v;

        if (c->kind != DL__N_VARIABLE)
            dl__lose(p, "an accessor's declaration is not understood");
        v = dl__declare_known(p, t, c->name, c->declared_at, dl__known_type(t, c));
        v->relation = DL__R_VALUE;
        v->value.kind = DL__K_INTEGER; /* nothing yet */
        v->value.integer =
            dl__integer_opaque(dl__draw("unset", p->clock, c->begin, 0), 64, false);
        init = c->child_count ? c->children[c->child_count - 1] : NULL;
        if (init && v->type->kind == DL__T_SCALAR && init->begin > c->name_at &&
            init->kind == DL__N_CONDITIONAL)
            v->value = dl__prove_value(
                p, t, init->children[decide(p, t, init->children[0]) ? 1 : 2]);
        else if (init && v->type->kind == DL__T_SCALAR && init->begin > c->name_at)
            v->value = dl__prove_value(p, t, init);
        if (v->type->kind == DL__T_SCALAR)
            v->value = dl__convert_known(p, v->value, v->type);
    }
    return dl__know_opaque(0);
}

static struct dl__known run_branch(struct dl__prover *p, struct dl__side_text *t,
                                   struct dl__node *n, bool *returned)
{
    if (strncmp(t->w->ast.text + n->begin, "if", 2) || n->child_count < 2 ||
        n->child_count > 3)
        dl__lose(p, "an accessor has a loop");
    if (decide(p, t, n->children[0]))
        return run_statements(p, t, n->children[1], returned);
    if (n->child_count == 3)
        return run_statements(p, t, n->children[2], returned);
    return dl__know_opaque(0);
}

static struct dl__known run_statements(struct dl__prover *p, struct dl__side_text *t,
                                       struct dl__node *n, bool *returned)
{
    struct dl__known out = dl__know_opaque(0);

    switch (n->kind) {
    case DL__N_STATEMENT:
        for (size_t i = 0; i < n->child_count && !*returned; i++)
            out = run_statements(p, t, n->children[i], returned);
        return out;
    case DL__N_BRANCH:
        return run_branch(p, t, n, returned);
    case DL__N_DECL_STATEMENT:
        return run_declaration(p, t, n);
    case DL__N_RETURN:
        *returned = true;
        return n->child_count ? dl__prove_value(p, t, n->children[0]) : out;
    default:
        dl__prove_value(p, t, n);
        return out;
    }
}

/* `({ T dl_s; CALL; dl_s; })`: a struct that is handed to its accessor by a pointer. */
static struct dl__known prove_block(struct dl__prover *p, struct dl__side_text *t,
                                    struct dl__node *n)
{
    size_t variables = t->variables.count;
    struct dl__known out = dl__know_opaque(0);

    while (n->child_count == 1 && n->children[0]->kind == DL__N_STATEMENT)
        n = n->children[0];
    for (size_t i = 0; i < n->child_count; i++) {
        if (n->children[i]->kind == DL__N_DECL_STATEMENT)
            run_declaration(p, t, n->children[i]);
        else
            out = dl__prove_value(p, t, n->children[i]);
    }
    t->variables.count = variables;
    return out;
}

/* One way through a generated function. */
static struct dl__known run_path(struct dl__prover *p, struct dl__side_text *t,
                                 struct dl__function *f,
                                 const struct dl__known *arguments)
{
    size_t variables = t->variables.count;
    bool returned = false;
    struct dl__known out;

    for (size_t i = 0; i < f->parameter_count; i++) {
        struct dl__variable_known *v = dl__declare_known(
            p, t, f->parameters[i].name, f->parameters[i].name_at, f->parameters[i].type);

        v->relation = DL__R_VALUE;
        v->value = arguments[i];
    }
    out = run_statements(p, t, dl__ast_body(&t->w->ast, f), &returned);
    t->variables.count = variables;
    return out;
}

static void add_spots(struct dl__prover *p, struct dl__known *all,
                      const struct dl__known *one)
{
    struct dl__reached *spots = dl__arena_alloc(
        p->arena, (all->spot_count + one->spot_count + 1) * sizeof *spots);
    size_t count = all->spot_count;

    if (all->spot_count)
        memcpy(spots, all->spots, all->spot_count * sizeof *spots);
    if (one->kind != DL__K_PLACE || !one->buffer)
        dl__lose(p, "an accessor gives another pointer");
    if (one->spot_count) {
        memcpy(spots + count, one->spots, one->spot_count * sizeof *spots);
        count += one->spot_count;
    } else {
        spots[count++] = (struct dl__reached){.index = one->steps, .extra = one->inner};
    }
    for (size_t i = all->spot_count; i < count; i++) {
        spots[i].facts =
            dl__arena_alloc(p->arena, (p->facts.count + 1) * sizeof *spots[i].facts);
        spots[i].fact_count = p->facts.count;
        if (p->facts.count)
            memcpy(spots[i].facts, p->facts.items,
                   p->facts.count * sizeof *spots[i].facts);
        spots[i].divisions = dl__arena_alloc(p->arena, (p->divisions.count + 1) *
                                                           sizeof *spots[i].divisions);
        spots[i].division_count = p->divisions.count;
        if (p->divisions.count)
            memcpy(spots[i].divisions, p->divisions.items,
                   p->divisions.count * sizeof *spots[i].divisions);
    }
    if (all->spot_count && all->buffer != one->buffer)
        dl__lose(p, "an accessor gives another buffer");
    all->kind = DL__K_PLACE;
    all->buffer = one->buffer;
    all->spots = spots;
    all->spot_count = count;
}

static struct dl__known run_generated(struct dl__prover *p, struct dl__side_text *t,
                                      struct dl__function *f,
                                      const struct dl__known *arguments)
{
    struct dl__known out = {0};
    bool outer = p->in_accessor;
    unsigned path = p->path, decided = p->decided;
    size_t facts = p->facts.count, divisions = p->divisions.count;

    if (!f->is_defined || p->depth++ >= DEPTH_MAX)
        dl__lose(p, "'%s' is not understood", f->name);
    p->in_accessor = true;
    if (f->result->kind != DL__T_POINTER) {
        p->path = p->decided = 0;
        out = run_path(p, t, f, arguments);
        if (p->decided)
            dl__lose(p, "an accessor's result hangs on a condition");
    } else {
        out.inner = dl__zero();
        /* Bits that a path does not ask for must be 0, so that it is taken once. */
        for (unsigned i = 0; i < PATHS_MAX; i++) {
            struct dl__known one;

            p->path = i;
            p->decided = 0;
            one = run_path(p, t, f, arguments);
            if (!(i >> p->decided))
                add_spots(p, &out, &one);
            p->facts.count = facts;
            p->divisions.count = divisions;
        }
    }
    p->in_accessor = outer;
    p->path = path;
    p->decided = decided;
    p->facts.count = facts;
    p->depth--;
    return out;
}

/* ---- helpers ---- */

static size_t parameter_named(const struct dl__function *f, const char *prefix,
                              const char *name)
{
    size_t bytes = strlen(prefix);

    for (size_t i = 0; i < f->parameter_count; i++)
        if (!strncmp(f->parameters[i].name, prefix, bytes) &&
            !strcmp(f->parameters[i].name + bytes, name))
            return i;
    return SIZE_MAX;
}

/* The arguments that stand for one pointer: its buffer, its place in it, and what tiles
 * need. */
static void match_pointer(struct dl__prover *p, const struct dl__known *old_place,
                          const char *name, struct dl__function *f,
                          const struct dl__known *a, bool *used,
                          struct dl__offsets *allowed, struct dl__split *split)
{
    static const char *const prefixes[] = {"",         "dl_at_",   "dl_row_",
                                           "dl_head_", "dl_tail_", "dl_w_"};
    const struct dl__proved_buffer *b = old_place->buffer;
    const struct dl__known *with[6];
    const char *fault;
    int64_t zero;

    for (int i = 0; i < 6; i++) {
        size_t at = parameter_named(f, prefixes[i], name);

        with[i] = at == SIZE_MAX ? NULL : &a[at];
        if (at != SIZE_MAX)
            used[at] = true;
    }
    if (!with[0] || with[0]->kind != DL__K_PLACE || with[0]->buffer != b ||
        with[0]->spot_count || !dl__integer_is_constant(with[0]->steps, &zero) || zero ||
        !dl__integer_is_constant(with[0]->inner, &zero) || zero)
        dl__lose(p, "a helper's copy is given another buffer");
    if (!with[1] && (!dl__integer_is_constant(old_place->steps, &zero) || zero ||
                     !dl__integer_is_constant(old_place->inner, &zero) || zero))
        dl__lose(p, "a helper's copy is not told where a pointer is");
    if (p->is_tiled && (!with[3] || !with[4]))
        dl__lose(p, "a helper's copy lacks what tiles need");
    if ((with[3] && !dl__is_equal(p, with[3], b->head)) ||
        (with[4] && !dl__is_equal(p, with[4], b->tail)) ||
        (with[5] && !dl__is_equal(p, with[5], b->width)))
        dl__lose(p, "a helper's copy is given another buffer's tiles");
    *allowed = old_place->offsets;
    if (!with[1])
        return;
    fault = dl__relation_fault(p, old_place, with[1], with[2], allowed);
    if (fault)
        dl__lose(p, "%s", fault);
    if (with[2])
        *split = dl__split_known(p, old_place, &with[1]->integer, &with[2]->integer);
}

static dl__number argument_key(struct dl__prover *p, struct dl__known *v)
{
    if (v->kind == DL__K_PLACE && v->variable && v->variable->relation != DL__R_COMMON)
        dl__lose(p, "the address of what became of a pointer is taken");
    return dl__key(p, v);
}

/* Returns what is known of an argument that a copy may split its indices by: nothing, but
 * of constants and of widths. */
static struct dl__integer told(struct dl__prover *p, const struct dl__known *v,
                               const struct dl__type *type)
{
    struct dl__known as;
    int64_t value;

    if (v->kind != DL__K_INTEGER || type->kind != DL__T_SCALAR)
        return (struct dl__integer){0};
    as = dl__convert_known(p, *v, type);
    if (as.kind != DL__K_INTEGER)
        return (struct dl__integer){0};
    as.integer = dl__seal(p, as.integer);
    return dl__integer_is_constant(as.integer, &value) || dl__known_width(p, &as.integer)
               ? as.integer
               : (struct dl__integer){0};
}

static bool is_same_known(const struct dl__pair *a, const struct dl__pair *b, size_t k)
{
    const struct dl__split *s = &a->splits[k], *t = &b->splits[k];
    const struct dl__integer *x = &a->fixed[k], *y = &b->fixed[k];

    return s->is_exact == t->is_exact && s->is_near == t->is_near &&
           s->is_vast == t->is_vast && s->low == t->low && s->high == t->high &&
           x->bits == y->bits && x->exact == y->exact && x->low == y->low &&
           x->high == y->high;
}

/* The pair of these functions with these buffers, to be compared. */
static struct dl__pair *pair_get(struct dl__prover *p, const struct dl__pair *wanted)
{
    struct dl__pair *pair;

    for (size_t i = 0; i < p->pairs.count; i++) {
        bool same = p->pairs.items[i]->old_function == wanted->old_function &&
                    p->pairs.items[i]->new_function == wanted->new_function;

        pair = p->pairs.items[i];
        for (size_t k = 0; k < wanted->old_function->parameter_count && same; k++) {
            same = pair->buffers[k] == wanted->buffers[k];
            for (size_t j = 0; same && j < wanted->allowed[k].count; j++)
                same = j < pair->allowed[k].count &&
                       pair->allowed[k].items[j] == wanted->allowed[k].items[j];
            same = same && is_same_known(pair, wanted, k);
        }
        if (same)
            return pair;
    }
    pair = DL__NEW(p->arena, struct dl__pair);
    *pair = *wanted;
    DL__PUSH(p->arena, &p->pairs, pair);
    return pair;
}

static void match_call(struct dl__prover *p, struct dl__effect *e, struct dl__function *f,
                       struct dl__known *a)
{
    struct dl__function *g = e->callee;
    bool *used = dl__arena_alloc(p->arena, f->parameter_count + 1), copied = false;
    struct dl__pair wanted = {.old_function = g, .new_function = f};
    const struct dl__proved_buffer **buffers =
        dl__arena_alloc(p->arena, (g->parameter_count + 1) * sizeof *buffers);
    struct dl__offsets *allowed =
        dl__arena_alloc(p->arena, (g->parameter_count + 1) * sizeof *allowed);
    struct dl__split *splits =
        dl__arena_alloc(p->arena, (g->parameter_count + 1) * sizeof *splits);
    struct dl__integer *fixed =
        dl__arena_alloc(p->arena, (g->parameter_count + 1) * sizeof *fixed);

    for (size_t i = 0; i < g->parameter_count; i++) {
        struct dl__known *v = &e->arguments[i];
        const char *name = g->parameters[i].name;
        size_t at = parameter_named(f, "", name);

        if (v->kind == DL__K_PLACE && v->buffer) {
            match_pointer(p, v, name, f, a, used, &allowed[i], &splits[i]);
            buffers[i] = v->buffer;
            copied = true;
            continue;
        }
        if (!*name)
            at = i < f->parameter_count && !copied ? i : SIZE_MAX;
        if (at == SIZE_MAX || argument_key(p, v) != argument_key(p, &a[at]))
            dl__lose(p, "'%s' is called with another argument", g->name);
        used[at] = true;
        fixed[i] = told(p, v, g->parameters[i].type);
    }
    for (size_t i = 0; i < f->parameter_count; i++)
        if (!used[i])
            dl__lose(p, "a helper's copy has one parameter more");
    if (!copied && strcmp(f->name, g->name))
        dl__lose(p, "another function is called");
    wanted.buffers = buffers;
    wanted.result = f->result->kind == DL__T_POINTER ? NULL : e->result;
    wanted.allowed = allowed;
    wanted.splits = splits;
    wanted.fixed = fixed;
    if (copied)
        pair_get(p, &wanted);
}

static const struct dl__proved_buffer *returned_buffer(struct dl__prover *p,
                                                       struct dl__function *f,
                                                       const struct dl__known *a,
                                                       size_t count)
{
    size_t at = dl__returned_parameter(p, f);

    return at < count && a[at].kind == DL__K_PLACE ? a[at].buffer : NULL;
}

/* Anywhere in the buffer. */
static struct dl__known returned_place(struct dl__prover *p,
                                       const struct dl__proved_buffer *b,
                                       const struct dl__type *pointee, dl__number number)
{
    struct dl__known out = {.kind = DL__K_PLACE,
                            .buffer = b,
                            .steps = dl__integer_opaque(number, 64, true),
                            .inner = dl__zero()};

    dl__offsets_of_type(p, b->element, 0, pointee, &out.offsets);
    if (dl__type_number(pointee) != dl__type_number(b->element))
        out.inner = dl__integer_opaque(dl__draw("inner", number, 0, 0), 64, true);
    return out;
}

static struct dl__known call_defined(struct dl__prover *p, struct dl__side_text *t,
                                     struct dl__node *n, struct dl__function *f,
                                     struct dl__known *a)
{
    struct dl__effect e = {.kind = DL__E_CALL, .node = n, .callee = f, .arguments = a};
    dl__number number;

    if (p->in_accessor)
        dl__lose(p, "an accessor calls what is not understood");
    if (!t->is_new) {
        e.argument_count = n->child_count - 1;
        for (size_t i = 0; i < e.argument_count; i++)
            if (a[i].kind != DL__K_PLACE || !a[i].buffer)
                argument_key(p, &a[i]);
        number = dl__draw("call", p->effects.count, p->clock, 0);
        e.result = returned_buffer(p, f, a, e.argument_count);
        DL__PUSH(p->arena, &p->effects, e);
        if (e.result)
            return returned_place(p, e.result, f->result->element, number);
    } else {
        if (p->next_effect >= p->effects.count ||
            p->effects.items[p->next_effect].kind != DL__E_CALL)
            dl__lose(p, "the program does not call '%s' here", f->name);
        match_call(p, &p->effects.items[p->next_effect], f, a);
        number = dl__draw("call", p->next_effect, p->clock, 0);
        p->next_effect++;
    }
    if (t->is_new && dl__is_named(f->result, "dl_part"))
        return (struct dl__known){
            .kind = DL__K_PART,
            .integer = dl__integer_opaque(number, p->index_bits, false),
            .inner = dl__integer_opaque(dl__draw("inner", number, 0, 0), p->index_bits,
                                        false)};
    return dl__know_typed(number, dl__known_type(t, n));
}

static struct dl__known prove_call(struct dl__prover *p, struct dl__side_text *t,
                                   struct dl__node *n)
{
    struct dl__function *f = dl__ast_callee(&t->w->ast, n);
    struct dl__known *a = dl__arena_alloc(p->arena, (n->child_count + 1) * sizeof *a);
    struct dl__known out;

    if (!n->child_count || !n->name)
        dl__lose(p, "a call is not understood");
    for (size_t i = 1; i < n->child_count; i++)
        a[i - 1] = dl__prove_value(p, t, n->children[i]);
    if (!f && !strncmp(n->name, "vload", 5) && !strstr(n->name, "half"))
        return prove_vload(p, t, n, a);
    if (!f && !strncmp(n->name, "vstore", 6) && !strstr(n->name, "half"))
        return prove_vload(p, t, n, a);
    if (!f)
        return prove_builtin(p, t, n, a);
    if (t->is_new && dl__prove_prelude(p, n, a, n->child_count - 1, &out))
        return out;
    if (t->is_new && parameter_named(f, "", "dl_f") != SIZE_MAX)
        return run_generated(p, t, f, a);
    if (prove_pure(p, t, f, a, &out))
        return out;
    return call_defined(p, t, n, f, a);
}

/* ---- What an expression of either text is known to be, and what it changes. ---- */

/* x & 7 is not larger than 7 */
static void bound_mask(struct dl__known *out, const struct dl__known *a)
{
    int64_t mask;

    if (out->kind == DL__K_INTEGER && a->kind == DL__K_INTEGER &&
        dl__integer_is_constant(a->integer, &mask) && mask >= 0) {
        out->integer.low = 0;
        out->integer.high = mask;
    }
}

/* x >> 6 of what is not negative */
static void bound_shift(struct dl__known *out, const struct dl__known *a,
                        const struct dl__known *b)
{
    int64_t by;

    if (out->kind != DL__K_INTEGER || a->kind != DL__K_INTEGER ||
        b->kind != DL__K_INTEGER || a->integer.low < 0 ||
        !dl__integer_is_constant(b->integer, &by) || by < 0 || by > 30)
        return;
    out->integer.low = a->integer.low >> by;
    out->integer.high = a->integer.high >> by;
}

static void mark(struct dl__prover *p, struct dl__side_text *t, const char *what)
{
    dl__add_effect(p, t, NULL, dl__draw(what, 0, 0, 0));
}

/* The operand that another decides about. */
static struct dl__known evaluate_branch(struct dl__prover *p, struct dl__side_text *t,
                                        struct dl__node *n)
{
    bool before = p->in_branch;
    struct dl__known out;

    p->in_branch = true;
    mark(p, t, "branch");
    out = dl__prove_value(p, t, n);
    p->in_branch = before;
    mark(p, t, "end");
    return out;
}

/* `f && p != DL_NULL`, `!f || p == DL_NULL`: true when it is one of them. */
static bool null_check(struct dl__prover *p, struct dl__side_text *t, struct dl__node *n,
                       struct dl__known *out)
{
    bool is_there = !strcmp(n->op, "&&");
    struct dl__node *left = dl__strip(n->children[0]), *right = dl__strip(n->children[1]);
    struct dl__known base, null;
    size_t next = p->next_effect;

    if (!t->is_new || right->kind != DL__N_BINARY ||
        strcmp(right->op, is_there ? "!=" : "==") ||
        (!is_there && (left->kind != DL__N_UNARY || strcmp(left->op, "!"))))
        return false;
    left = is_there ? left : dl__strip(left->children[0]);
    if (left->kind != DL__N_NAME || dl__strip(right->children[1])->kind != DL__N_BINARY)
        return false;
    null = dl__prove_value(p, t, right->children[1]);
    base = dl__prove_value(p, t, left);
    if (!dl__is_index_null(p, &null) || !dl__is_tracked(&base) ||
        !dl__is_zero(base.steps) || !dl__is_zero(base.inner))
        return false;
    *out = dl__prove_value(p, t, right->children[0]);
    if (out->kind != DL__K_INTEGER || p->next_effect != next)
        dl__lose(p, "whether a pointer is null is asked of something else");
    base.steps = out->integer;
    *out = dl__truth(base);
    if (!is_there)
        *out = dl__negated(p, *out, dl__known_type(t, n));
    return true;
}

static struct dl__known evaluate_binary(struct dl__prover *p, struct dl__side_text *t,
                                        struct dl__node *n)
{
    struct dl__known a, b, out;

    if (!n->op[0])
        dl__lose(p, "an operator can't be read");
    if (!strcmp(n->op, "=")) {
        b = dl__prove_value(p, t, n->children[1]);
        return prove_assignment(p, t, n, n->children[0], "", b, false);
    }
    if ((!strcmp(n->op, "&&") || !strcmp(n->op, "||")) && null_check(p, t, n, &out))
        return out;
    a = dl__prove_value(p, t, n->children[0]);
    if (!strcmp(n->op, ","))
        return dl__prove_value(p, t, n->children[1]);
    if (!strcmp(n->op, "&&") || !strcmp(n->op, "||")) {
        a = dl__truth(a);
        b = dl__truth(evaluate_branch(p, t, n->children[1]));
        return dl__know_typed(dl__draw(n->op, dl__key(p, &a), dl__key(p, &b), 0),
                              dl__known_type(t, n));
    }
    b = dl__prove_value(p, t, n->children[1]);
    out = dl__combine(p, t, n, n->op, a, b, dl__known_type(t, n));
    if (!strcmp(n->op, ">>"))
        bound_shift(&out, &a, &b);
    if (!strcmp(n->op, "&")) {
        bound_mask(&out, &a);
        bound_mask(&out, &b);
    }
    return out;
}

static struct dl__known evaluate_unary(struct dl__prover *p, struct dl__side_text *t,
                                       struct dl__node *n)
{
    const struct dl__type *type = dl__known_type(t, n);
    struct dl__known v;

    if (!strcmp(n->op, "&"))
        return prove_place(p, t, n->children[0]);
    if (!strcmp(n->op, "*")) {
        v = prove_place(p, t, n);
        return dl__load_known(p, t, n, v, type, 0);
    }
    if (!strcmp(n->op, "++") || !strcmp(n->op, "--")) {
        char op[2] = {n->op[0], '\0'};

        v = dl__know_integer(dl__integer_constant(1, 32, true));
        if (type->kind != DL__T_SCALAR && type->kind != DL__T_POINTER)
            dl__lose(p, "++ of this type is not understood");
        if (type->kind == DL__T_SCALAR && type->scalar == 'f')
            v = dl__know_opaque(dl__draw("one", 0, 0, 0));
        return prove_assignment(p, t, n, n->children[0], op, v, n->postfix);
    }
    v = dl__prove_value(p, t, n->children[0]);
    if (!strcmp(n->op, "!"))
        return dl__negated(p, dl__truth(v), type);
    if (v.kind == DL__K_INTEGER && type->kind == DL__T_SCALAR) {
        struct dl__integer to = dl__convert_known(p, v, type).integer;

        if (!strcmp(n->op, "+"))
            return dl__know_integer(to);
        if (!strcmp(n->op, "-") || !strcmp(n->op, "~"))
            return dl__know_integer(dl__integer_combine(
                '-',
                dl__integer_constant(n->op[0] == '-' ? 0 : -1, to.bits, to.is_signed),
                to));
    }
    return dl__know_typed(dl__draw(n->op, dl__key(p, &v), dl__type_number(type), 1),
                          type);
}

/* ---- places ---- */

static const struct dl__field *find_field(const struct dl__struct *s, const char *name,
                                          uint32_t *offset_bytes)
{
    for (size_t i = 0; i < s->field_count; i++) {
        const struct dl__field *f = &s->fields[i], *in;

        if (!strcmp(f->name, name) && *name) {
            *offset_bytes += f->offset_bytes;
            return f;
        }
        if (*f->name || f->type->kind != DL__T_STRUCT)
            continue;
        in = find_field(f->type->identity, name, offset_bytes);
        if (in) {
            *offset_bytes += f->offset_bytes;
            return in;
        }
    }
    return NULL;
}

static struct dl__known place_of_name(struct dl__side_text *t, struct dl__node *n)
{
    struct dl__variable_known *v = dl__find_known(t, n->declared_at);
    struct dl__known out = {.kind = DL__K_PLACE, .inner = dl__zero()};

    out.variable = v;
    out.number = v ? dl__draw("address", v->number, 0, 0)
                   : dl__draw_text("name", n->name, strlen(n->name));
    return out;
}

static struct dl__known prove_place(struct dl__prover *p, struct dl__side_text *t,
                                    struct dl__node *n)
{
    struct dl__known out;

    while (n->child_count == 1 && (n->kind == DL__N_PAREN || dl__is_wrapper(t, n)))
        n = n->children[0];
    if (n->kind == DL__N_NAME)
        return place_of_name(t, n);
    if (n->kind == DL__N_UNARY && !strcmp(n->op, "*")) {
        out = dl__prove_value(p, t, n->children[0]);
    } else if (n->kind == DL__N_SUBSCRIPT) {
        struct dl__known a = dl__prove_value(p, t, n->children[0]);
        struct dl__known b = dl__prove_value(p, t, n->children[1]);
        bool swapped = a.kind == DL__K_INTEGER;

        out = swapped ? b : a;
        if (out.kind != DL__K_PLACE || (swapped ? a : b).kind != DL__K_INTEGER)
            dl__lose(p, "an array of this kind is not understood");
        return dl__place_moved(p, out, (swapped ? a : b).integer, dl__known_type(t, n));
    } else if (n->kind == DL__N_MEMBER && n->child_count == 1) {
        const struct dl__type *in = dl__known_type(t, n->children[0]);
        uint32_t offset_bytes = 0;

        out = in->kind == DL__T_POINTER ? dl__prove_value(p, t, n->children[0])
                                        : prove_place(p, t, n->children[0]);
        in = in->kind == DL__T_POINTER ? in->element : in;
        if (out.kind == DL__K_PART && in->kind == DL__T_STRUCT)
            dl__lose(p, "a part is looked into");
        if (in->kind != DL__T_STRUCT || !find_field(in->identity, n->name, &offset_bytes))
            dl__lose(p, "a member can't be found");
        if (out.kind == DL__K_OPAQUE)
            out = (struct dl__known){
                .kind = DL__K_PLACE, .number = out.number, .inner = dl__zero()};
        out = dl__place_member(p, out, offset_bytes);
    } else {
        out = dl__prove_value(p, t, n);
        if (out.kind == DL__K_OPAQUE)
            return (struct dl__known){
                .kind = DL__K_PLACE, .number = out.number, .inner = dl__zero()};
    }
    if (out.kind != DL__K_PLACE)
        dl__lose(p, "a pointer is not understood");
    return out;
}

/* ---- everything ---- */

static struct dl__known evaluate_conditional(struct dl__prover *p,
                                             struct dl__side_text *t, struct dl__node *n)
{
    struct dl__known c = dl__truth(dl__prove_value(p, t, n->children[0])), a, b, out;
    dl__number key = dl__key(p, &c);

    a = evaluate_branch(p, t, n->children[1]);
    b = evaluate_branch(p, t, n->children[2]);
    if (dl__known_type(t, n)->kind == DL__T_POINTER) {
        a = dl__convert_known(p, a, dl__known_type(t, n));
        b = dl__convert_known(p, b, dl__known_type(t, n));
    }
    if (dl__choose_pointer(p, key, &a, &b, &out))
        return out;
    if (a.kind == DL__K_PART && b.kind == DL__K_PART) {
        out = a;
        out.integer = dl__integer_opaque(
            dl__draw("?:", key, a.integer.ring, b.integer.ring), p->index_bits, false);
        if (a.inner.exact != b.inner.exact)
            out.inner = dl__integer_opaque(
                dl__draw("?:", key, a.inner.exact, b.inner.exact), p->index_bits, false);
        return out;
    }
    if (a.kind == DL__K_INTEGER && b.kind == DL__K_INTEGER) {
        const struct dl__type *type = dl__known_type(t, n);
        bool in_ring = type->bytes * 8 == p->index_bits && type->scalar == 'u';
        struct dl__integer x = dl__seal(p, a.integer), y = dl__seal(p, b.integer);

        out = dl__know_typed(
            dl__draw("?:", key, in_ring ? x.ring : x.exact, in_ring ? y.ring : y.exact),
            type);
        if (out.kind == DL__K_INTEGER) {
            out.integer.low = x.low < y.low ? x.low : y.low;
            out.integer.high = x.high > y.high ? x.high : y.high;
        }
        return out;
    }
    return dl__know_typed(dl__draw("?:", key, dl__key(p, &a), dl__key(p, &b)),
                          dl__known_type(t, n));
}

static struct dl__known evaluate_size(struct dl__prover *p, struct dl__side_text *t,
                                      struct dl__node *n)
{
    struct dl__ast *ast = &t->w->ast;
    struct dl__lexer lexer = {.text = ast->text, .bytes = n->end, .offset = n->begin};
    struct dl__token token[6];
    uint64_t bytes = 0;
    bool is_unsigned;

    for (int i = 0; i < 6; i++)
        token[i] = dl__lex_next(&lexer);
    if (dl__token_is(&token[2], "dl_index") && t->is_new)
        bytes = p->index_bits / 8;
    else if (dl__token_is(&token[2], "char") && dl__token_is(&token[3], "["))
        dl__integer_read(token[4].text, token[4].bytes, &bytes, &is_unsigned);
    else if (n->child_count == 1)
        bytes = dl__known_type(t, n->children[0])->bytes;
    if (!bytes)
        return dl__know_integer(dl__integer_opaque(dl__own_tokens(t, n), 64, false));
    return dl__know_integer(dl__integer_constant((dl__bound)bytes, 64, false));
}

/* A leaf of the tree: a literal, or what is compared by its tokens. */
static struct dl__known evaluate_leaf(struct dl__side_text *t, struct dl__node *n)
{
    const struct dl__type *type = dl__known_type(t, n);
    uint64_t value;
    bool is_unsigned;

    if (n->end - n->begin == 4 && !strncmp(t->w->ast.text + n->begin, "NULL", 4))
        return dl__know_null();
    if (type->kind == DL__T_SCALAR && type->scalar != 'f' && type->bytes &&
        dl__integer_read(t->w->ast.text + n->begin, n->end - n->begin, &value,
                         &is_unsigned))
        return dl__know_integer(
            dl__integer_constant((dl__bound)value, type->bytes * 8, type->scalar == 'i'));
    return dl__know_typed(dl__own_tokens(t, n), type);
}

/* A vector of all the pieces of one load is that load. */
static struct dl__known whole_of(struct dl__prover *p, const dl__number *pieces,
                                 const struct dl__type *type, dl__number else_number)
{
    uint32_t bytes = type->element->bytes;

    for (size_t i = 0; i < p->accesses.count; i++) {
        const struct dl__access_old *access = &p->accesses.items[i];
        size_t same = 0;

        while (same < type->count &&
               pieces[same] == dl__access_piece(p, access, (uint32_t)same * bytes, bytes))
            same++;
        if (same == type->count && access->type->bytes == type->count * bytes)
            return dl__know_opaque(access->key);
    }
    return dl__know_opaque(else_number);
}

/* `(float4)(v)` of a float4: the whole text is in parentheses, and nothing but a type
 * stands in it. */
static bool is_literal_of(struct dl__side_text *t, struct dl__node *n)
{
    struct dl__node *last = n->child_count ? n->children[n->child_count - 1] : NULL;

    return last && t->w->ast.text[n->begin] == '(' && t->w->ast.text[n->end - 1] == ')' &&
           (n->child_count == 1 ||
            (n->child_count == 2 && !n->children[0]->child_count)) &&
           dl__known_type(t, last)->kind == DL__T_VECTOR &&
           dl__type_number(dl__known_type(t, n)) ==
               dl__type_number(dl__known_type(t, last));
}

static struct dl__known evaluate_other(struct dl__prover *p, struct dl__side_text *t,
                                       struct dl__node *n)
{
    const struct dl__type *type = dl__known_type(t, n);
    dl__number number = dl__draw("node", dl__own_tokens(t, n), n->child_count, 0);
    dl__number pieces[16] = {0};

    if (is_literal_of(t, n))
        return dl__prove_value(p, t, n->children[n->child_count - 1]);
    for (size_t i = 0; i < n->child_count; i++) {
        struct dl__known v = dl__prove_value(p, t, n->children[i]);
        dl__number key = dl__key(p, &v);

        if (i < 16)
            pieces[i] = key;
        number = dl__draw("child", number, key, 0);
    }
    if (type->kind == DL__T_VECTOR && n->child_count == type->count && type->count <= 16)
        return whole_of(p, pieces, type, number);
    return dl__know_typed(number, type);
}

static struct dl__known evaluate_name(struct dl__prover *p, struct dl__side_text *t,
                                      struct dl__node *n)
{
    const struct dl__type *type = dl__known_type(t, n);
    struct dl__variable_known *v = dl__find_known(t, n->declared_at);

    if (n->is_constant)
        return dl__know_integer(dl__integer_constant(n->constant, 32, true));
    if (!v)
        return dl__know_typed(dl__draw_text("name", n->name, strlen(n->name)), type);
    if (v->relation != DL__R_COMMON &&
        (v->value.kind == DL__K_PART || v->value.kind == DL__K_FAR))
        return v->value;
    if (type->kind == DL__T_ARRAY || type->kind == DL__T_STRUCT) {
        struct dl__known place = place_of_name(t, n);

        return type->kind == DL__T_ARRAY ? place
                                         : dl__load_known(p, t, n, place, type, 0);
    }
    return dl__read_variable(p, v);
}

/* The index or the offset of a dl_part, and what is in a dl_far. */
static bool is_half(struct dl__prover *p, struct dl__side_text *t, struct dl__node *n,
                    struct dl__known *out)
{
    const struct dl__type *in = dl__known_type(t, n->children[0]);
    bool is_part = dl__is_named(in, "dl_part");
    struct dl__known of;

    if (n->kind != DL__N_MEMBER || (!is_part && !dl__is_named(in, "dl_far")))
        return false;
    of = dl__prove_value(p, t, n->children[0]);
    if (of.kind != (is_part ? DL__K_PART : DL__K_FAR))
        dl__lose(p, "a part is not understood");
    if (!strcmp(n->name, "dl_f")) {
        *out = dl__know_null();
        if (of.buffer)
            *out = (struct dl__known){.kind = DL__K_PLACE,
                                      .buffer = of.buffer,
                                      .steps = dl__zero(),
                                      .inner = dl__zero(),
                                      .is_base = true,
                                      .integer = of.integer};
        return true;
    }
    if (!is_part && !of.buffer)
        dl__lose(p, "a null pointer is looked behind");
    *out = dl__know_integer(!strcmp(n->name, "dl_i")      ? of.integer
                            : !strcmp(n->name, "dl_o")    ? of.inner
                            : !strcmp(n->name, "dl_head") ? of.buffer->head
                                                          : of.buffer->tail);
    return true;
}

/* `v.s3` in an accessor, where elements are stored one by one. */
static bool is_element(struct dl__prover *p, struct dl__side_text *t, struct dl__node *n,
                       struct dl__known *out)
{
    const struct dl__type *in = dl__known_type(t, n->children[0]);
    const char *name = t->w->ast.text + n->end - 3;
    struct dl__known v;
    char *end;
    long at;

    if (!p->in_accessor || in->kind != DL__T_VECTOR || n->end < 3 ||
        strncmp(name, ".s", 2))
        return false;
    at = strtol((char[]){name[2], '\0'}, &end, 16);
    if (*end || at >= (long)in->count)
        return false;
    v = dl__prove_value(p, t, n->children[0]);
    *out = dl__know_typed(dl__piece(dl__key(p, &v), (uint32_t)at * in->element->bytes,
                                    in->element->bytes, in->bytes),
                          dl__known_type(t, n));
    return true;
}

static struct dl__known evaluate_implicit(struct dl__prover *p, struct dl__side_text *t,
                                          struct dl__node *n)
{
    struct dl__known v;

    if (!dl__is_wrapper(t, n))
        return is_element(p, t, n, &v) ? v : evaluate_other(p, t, n);
    v = dl__prove_value(p, t, n->children[0]);
    return v.kind != DL__K_INTEGER &&
                   dl__type_number(dl__known_type(t, n)) ==
                       dl__type_number(dl__known_type(t, n->children[0]))
               ? v
               : dl__convert_known(p, v, dl__known_type(t, n));
}

struct dl__known dl__prove_value(struct dl__prover *p, struct dl__side_text *t,
                                 struct dl__node *n)
{
    const struct dl__type *type = dl__known_type(t, n);
    struct dl__known v;

    switch (n->kind) {
    case DL__N_PAREN:
        return dl__prove_value(p, t, n->children[0]);
    case DL__N_IMPLICIT:
        return evaluate_implicit(p, t, n);
    case DL__N_NAME:
        return evaluate_name(p, t, n);
    case DL__N_SUBSCRIPT:
    case DL__N_MEMBER:
        if (t->is_new && is_half(p, t, n, &v))
            return v;
        v = prove_place(p, t, n);
        if (type->kind == DL__T_ARRAY) {
            v.array_bytes = type->bytes;
            return v;
        }
        return dl__load_known(p, t, n, v, type, 0);
    case DL__N_UNARY:
        return evaluate_unary(p, t, n);
    case DL__N_BINARY:
        return evaluate_binary(p, t, n);
    case DL__N_COMPOUND: {
        char op[4] = "";

        memcpy(op, n->op, strlen(n->op) - (*n->op ? 1 : 0));
        v = dl__prove_value(p, t, n->children[1]);
        return prove_assignment(p, t, n, n->children[0], op, v, false);
    }
    case DL__N_CONDITIONAL:
        return evaluate_conditional(p, t, n);
    case DL__N_CAST:
        if (!n->child_count)
            return evaluate_leaf(t, n);
        v = dl__prove_value(p, t, n->children[n->child_count - 1]);
        return dl__convert_known(p, v, type);
    case DL__N_CALL:
        return prove_call(p, t, n);
    case DL__N_SIZEOF:
        return evaluate_size(p, t, n);
    case DL__N_VALUE_BLOCK:
        if (t->is_new)
            return prove_block(p, t, n);
        dl__lose(p, "a block in an expression is not followed");
    default:
        return n->child_count ? evaluate_other(p, t, n) : evaluate_leaf(t, n);
    }
}
