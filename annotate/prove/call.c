/* SPDX-License-Identifier: MIT */
/* Calls: generated accessors are looked into, helpers' copies compared with the helpers.
 */
#include "annotate/prove/prove.h"

#include <stdio.h>
#include <string.h>

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

    while (n->child_count == 1 && (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT))
        n = n->children[0];
    if (n->kind != DL__N_BINARY || !n->op[0])
        dl__lose(p, n, "a condition of an accessor is not understood");
    if (!strcmp(n->op, "||"))
        return decide(p, t, n->children[0]) || decide(p, t, n->children[1]);
    if (!strcmp(n->op, "&&"))
        return decide(p, t, n->children[0]) && decide(p, t, n->children[1]);
    a = dl__prove_value(p, t, n->children[0]);
    b = dl__prove_value(p, t, n->children[1]);
    if (a.kind != DL__K_INTEGER || b.kind != DL__K_INTEGER || n->op[0] == '=' ||
        n->op[0] == '!')
        dl__lose(p, n, "a condition of an accessor is not understood");
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
        dl__lose(p, n, "an accessor has too many branches");
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
            dl__lose(p, c, "an accessor's declaration is not understood");
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
        dl__lose(p, n, "an accessor has a loop");
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
struct dl__known dl__prove_block(struct dl__prover *p, struct dl__side_text *t,
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
        dl__lose(p, NULL, "an accessor gives another pointer");
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
        dl__lose(p, NULL, "an accessor gives another buffer");
    all->kind = DL__K_PLACE;
    all->buffer = one->buffer;
    all->spots = spots;
    all->spot_count = count;
}

static struct dl__known run_generated(struct dl__prover *p, struct dl__side_text *t,
                                      struct dl__node *n, struct dl__function *f,
                                      const struct dl__known *arguments)
{
    struct dl__known out = {0};
    bool outer = p->in_accessor;
    unsigned path = p->path, decided = p->decided;
    size_t facts = p->facts.count, divisions = p->divisions.count;

    if (!f->is_defined || p->depth++ >= DEPTH_MAX)
        dl__lose(p, n, "'%s' is not understood", f->name);
    p->in_accessor = true;
    if (f->result->kind != DL__T_POINTER) {
        p->path = p->decided = 0;
        out = run_path(p, t, f, arguments);
        if (p->decided)
            dl__lose(p, n, "an accessor's result hangs on a condition");
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
static void match_pointer(struct dl__prover *p, struct dl__node *n,
                          const struct dl__known *old_place, const char *name,
                          struct dl__function *f, const struct dl__known *a, bool *used,
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
        dl__lose(p, n, "a helper's copy is given another buffer");
    if (!with[1] && (!dl__integer_is_constant(old_place->steps, &zero) || zero ||
                     !dl__integer_is_constant(old_place->inner, &zero) || zero))
        dl__lose(p, n, "a helper's copy is not told where a pointer is");
    if (p->is_tiled && (!with[3] || !with[4]))
        dl__lose(p, n, "a helper's copy lacks what tiles need");
    if ((with[3] && !dl__is_equal(p, with[3], b->head)) ||
        (with[4] && !dl__is_equal(p, with[4], b->tail)) ||
        (with[5] && !dl__is_equal(p, with[5], b->width)))
        dl__lose(p, n, "a helper's copy is given another buffer's tiles");
    *allowed = old_place->offsets;
    if (!with[1])
        return;
    fault = dl__relation_fault(p, old_place, with[1], with[2], allowed);
    if (fault)
        dl__lose(p, n, "%s", fault);
    if (with[2])
        *split = dl__split_known(p, old_place, &with[1]->integer, &with[2]->integer);
}

static dl__number argument_key(struct dl__prover *p, struct dl__known *v)
{
    if (v->kind == DL__K_PLACE && v->variable && v->variable->relation != DL__R_COMMON)
        dl__lose(p, NULL, "the address of what became of a pointer is taken");
    return dl__key(p, v);
}

/* What is known of an argument that a copy may split its indices by: nothing, but of
 * constants and of widths. */
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

static void match_call(struct dl__prover *p, struct dl__node *n, struct dl__effect *e,
                       struct dl__function *f, struct dl__known *a)
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
            match_pointer(p, n, v, name, f, a, used, &allowed[i], &splits[i]);
            buffers[i] = v->buffer;
            copied = true;
            continue;
        }
        if (!*name)
            at = i < f->parameter_count && !copied ? i : SIZE_MAX;
        if (at == SIZE_MAX || argument_key(p, v) != argument_key(p, &a[at]))
            dl__lose(p, n, "'%s' is called with another argument", g->name);
        used[at] = true;
        fixed[i] = told(p, v, g->parameters[i].type);
    }
    for (size_t i = 0; i < f->parameter_count; i++)
        if (!used[i])
            dl__lose(p, n, "a helper's copy has one parameter more");
    if (!copied && strcmp(f->name, g->name))
        dl__lose(p, n, "another function is called");
    wanted.buffers = buffers;
    wanted.result = f->result->kind == DL__T_POINTER ? NULL : e->result;
    wanted.allowed = allowed;
    wanted.splits = splits;
    wanted.fixed = fixed;
    if (copied)
        dl__pair_get(p, &wanted);
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
        dl__lose(p, n, "an accessor calls what is not understood");
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
            dl__lose(p, n, "the program does not call '%s' here", f->name);
        match_call(p, n, &p->effects.items[p->next_effect], f, a);
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

struct dl__known dl__prove_call(struct dl__prover *p, struct dl__side_text *t,
                                struct dl__node *n)
{
    struct dl__function *f = dl__ast_callee(&t->w->ast, n);
    struct dl__known *a = dl__arena_alloc(p->arena, (n->child_count + 1) * sizeof *a);
    struct dl__known out;

    if (!n->child_count || !n->name)
        dl__lose(p, n, "a call is not understood");
    for (size_t i = 1; i < n->child_count; i++)
        a[i - 1] = dl__prove_value(p, t, n->children[i]);
    if (!f && !strncmp(n->name, "vload", 5) && !strstr(n->name, "half"))
        return dl__prove_vload(p, t, n, a);
    if (!f && !strncmp(n->name, "vstore", 6) && !strstr(n->name, "half"))
        return dl__prove_vload(p, t, n, a);
    if (!f)
        return dl__prove_builtin(p, t, n, a);
    if (t->is_new && dl__prove_prelude(p, n, a, n->child_count - 1, &out))
        return out;
    if (t->is_new && parameter_named(f, "", "dl_f") != SIZE_MAX)
        return run_generated(p, t, n, f, a);
    if (dl__prove_pure(p, t, f, a, &out))
        return out;
    return call_defined(p, t, n, f, a);
}
