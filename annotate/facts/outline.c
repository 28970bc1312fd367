/* SPDX-License-Identifier: MIT */
/* A function without its values: variables, changes, branches, and what varies in which
 * loop. */

#include <stdlib.h>
#include <string.h>

#include "annotate/facts/frame.h"
#include "annotate/forms/rows.h"
#include "annotate/text/lex.h"

enum { PARAMETERS_MAX = 32, ROUNDS_MAX = 64 };
static const dl__variation all_parameters = ~(dl__variation)0 << DL__LOOPS_MAX;

int64_t dl__row_elements(const struct dl__root *root)
{
    if (dl__is_of_structs(root))
        return 1;
    return root->shape ? dl__width_constant(root)
                       : (int64_t)root->element->fields->type->count;
}

dl__variation dl__variation_bit(size_t parameter)
{
    return parameter < PARAMETERS_MAX ? (dl__variation)1 << (DL__LOOPS_MAX + parameter)
                                      : 0;
}

dl__variation dl__variation_of(const struct dl__outline *o, struct dl__node *n)
{
    struct dl__outline_variable *v = n->kind == DL__N_NAME && n->declared_at != SIZE_MAX
                                         ? dl__outline_find(o, n->declared_at)
                                         : NULL;
    dl__variation all = v ? v->varies : 0;

    for (size_t i = 0; i < n->child_count; i++)
        all |= dl__variation_of(o, n->children[i]);
    return all;
}

dl__variation dl__loops_around(const struct dl__outline *o, const struct dl__change *c,
                               dl__variation *outlived)
{
    dl__variation all = all_parameters;

    *outlived = 0;
    for (int i = c->branch; i != DL__NO_BRANCH; i = o->branches.items[i].parent) {
        const struct dl__branch *b = &o->branches.items[i];
        dl__variation bit;

        if (b->kind != DL__B_LOOP || b->loop >= DL__LOOPS_MAX)
            continue;
        bit = (dl__variation)1 << b->loop;
        all |= bit;
        if (c->of_itself && !dl__branch_is_around(o, i, c->variable->branch))
            *outlived |= bit;
    }
    return all;
}

/* Settles what the variables vary with; false: it takes too long. */
static bool find_variations(struct dl__outline *o)
{
    bool changed = true;

    for (size_t i = 0; i < o->variable_count; i++)
        if (!o->variables[i].declaration)
            o->variables[i].varies = dl__variation_bit(o->variables[i].parameter);
    for (unsigned round = 0; changed && round < ROUNDS_MAX; round++) {
        changed = false;
        for (size_t i = 0; i < o->changes.count; i++) {
            const struct dl__change *c = &o->changes.items[i];
            dl__variation all = c->variable->varies, outlived,
                          around = dl__loops_around(o, c, &outlived);

            if (c->source)
                all |= dl__variation_of(o, c->source) & around;
            all |= outlived;
            changed |= all != c->variable->varies;
            c->variable->varies = all;
        }
    }
    return !changed;
}

/* ---- One walk over a body that notes its variables, changes, branches, jumps and
 * returns. ---- */

bool dl__begins_with(const struct dl__unit *u, const struct dl__node *n, const char *word)
{
    struct dl__lexer lexer = {.text = u->tracker->ast->text, .bytes = n->end};
    struct dl__token t;

    lexer.offset = n->begin;
    t = dl__lex_next(&lexer);
    return dl__token_is(&t, word);
}

bool dl__branch_holds(const struct dl__branch *branch, size_t at)
{
    return at >= branch->node->begin && at < branch->node->end;
}

bool dl__branch_is_around(const struct dl__outline *o, int outer, int inner)
{
    while (inner != DL__NO_BRANCH && inner != outer)
        inner = o->branches.items[inner].parent;
    return inner == outer;
}

int dl__loop_of(const struct dl__outline *o, const struct dl__node *n)
{
    size_t low = 0, high = o->loops.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct dl__node *at = o->branches.items[o->loops.items[middle]].node;

        if (at == n)
            return o->loops.items[middle];
        if (at->begin < n->begin)
            low = middle + 1;
        else
            high = middle;
    }
    return DL__NO_BRANCH;
}

struct dl__outline_variable *dl__outline_find(const struct dl__outline *o,
                                              size_t declared_at)
{
    size_t low = 0, high = o->variable_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (o->variables[middle].declared_at == declared_at)
            return &o->variables[middle];
        if (o->variables[middle].declared_at < declared_at)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

struct dl__node *dl__base_name(struct dl__unit *u, struct dl__node *n)
{
    for (;;) {
        n = dl__strip(n);
        if (n->kind == DL__N_NAME)
            return n;
        if ((n->kind != DL__N_MEMBER && n->kind != DL__N_SUBSCRIPT) || !n->child_count)
            return NULL;
        /* What an array decays to is stripped: this is a pointer. */
        n = dl__strip(n->children[0]);
        if (dl__type_of(u, n)->kind == DL__T_POINTER)
            return NULL;
    }
}

/* ---- variables ---- */

struct variables {
    struct dl__outline_variable *items;
    size_t count, room;
};

static void find_variables(struct dl__arena *arena, struct dl__unit *u,
                           struct dl__node *n, struct variables *out)
{
    if (n->kind == DL__N_VARIABLE) {
        struct dl__outline_variable v = {.declared_at = n->declared_at, .declaration = n};
        struct dl__lexer lexer = {.text = u->tracker->ast->text, .bytes = n->name_at};
        struct dl__token t;

        lexer.offset = n->parent ? n->parent->begin : n->begin;
        while (lexer.offset < n->name_at && (t = dl__lex_next(&lexer)).kind != DL__END)
            v.in_local_memory |= dl__token_is(&t, "__local") || dl__token_is(&t, "local");
        DL__PUSH(arena, out, v);
    }
    for (size_t i = 0; i < n->child_count; i++)
        find_variables(arena, u, n->children[i], out);
}

static int by_declaration(const void *left, const void *right)
{
    const struct dl__outline_variable *a = left, *b = right;

    return a->declared_at < b->declared_at ? -1 : a->declared_at > b->declared_at;
}

static void make_variables(struct dl__arena *arena, struct dl__outline *o)
{
    const struct dl__function *f = o->unit->function;
    struct variables all = {0};

    for (size_t i = 0; i < f->parameter_count; i++) {
        struct dl__outline_variable v = {.declared_at = f->parameters[i].name_at,
                                         .parameter = i,
                                         .branch = DL__NO_BRANCH};

        DL__PUSH(arena, &all, v);
    }
    find_variables(arena, o->unit, o->body, &all);
    if (all.count)
        qsort(all.items, all.count, sizeof *all.items, by_declaration);
    o->variables = all.items;
    o->variable_count = all.count;
    for (size_t i = 0; i < all.count; i++)
        all.items[i].number = i;
    for (struct dl__variable *v = o->unit->variables; v; v = v->next) {
        struct dl__outline_variable *own = dl__outline_find(o, v->declared_at);

        if (own && v->kind != DL__LEAF && !v->is_array)
            own->tracked = v;
    }
}

/* ---- changes ---- */

struct walk {
    struct dl__arena *arena;
    struct dl__outline *outline;
    int branch, loop, breakable; /* the innermost */
    size_t last_end;             /* where what a for does last counts; 0: not in such */
};

static bool mentions(const struct dl__node *n, size_t declared_at)
{
    if (n->kind == DL__N_NAME)
        return n->declared_at == declared_at;
    for (size_t i = 0; i < n->child_count; i++)
        if (mentions(n->children[i], declared_at))
            return true;
    return false;
}

/* An array's element, a struct's member, or a vector's component, which libclang shows as
 * a conversion that reaches further than what it converts. */
static bool is_part(const struct dl__node *n)
{
    while ((n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT) && n->child_count == 1) {
        if (n->kind == DL__N_IMPLICIT && n->end != n->children[0]->end)
            return true;
        n = n->children[0];
    }
    return n->kind != DL__N_NAME;
}

static void note_change(struct walk *w, enum dl__change_kind kind, struct dl__node *at,
                        size_t declared_at, struct dl__node *source)
{
    struct dl__outline_variable *v = dl__outline_find(w->outline, declared_at);
    struct dl__change change = {.kind = kind,
                                .at = at,
                                .source = source,
                                .variable = v,
                                .number = w->outline->changes.count,
                                .end = w->last_end ? w->last_end : at->end,
                                .branch = w->branch};

    if (!v)
        return;
    change.of_itself = kind != DL__C_SET || mentions(source, declared_at);
    change.partial =
        kind != DL__C_ESCAPE && at->kind != DL__N_VARIABLE && is_part(at->children[0]);
    DL__PUSH(w->arena, &w->outline->changes, change);
}

static void note_assignment(struct walk *w, struct dl__node *n)
{
    struct dl__node *name = dl__base_name(w->outline->unit, n->children[0]);
    struct dl__outline_variable *v =
        name ? dl__outline_find(w->outline, name->declared_at) : NULL;
    bool sets = n->kind == DL__N_BINARY;

    /* What a parameter that is written as an array points to is memory. */
    if (!v || (!v->declaration && dl__strip(n->children[0]) != name &&
               w->outline->unit->function->parameters[v->parameter].type->kind ==
                   DL__T_POINTER))
        return;
    if (dl__is_step(n))
        note_change(w, DL__C_STEP, n, name->declared_at, NULL);
    else if (n->op[0] && n->child_count == 2)
        note_change(w, sets ? DL__C_SET : DL__C_UPDATE, n, name->declared_at,
                    n->children[1]);
    else
        note_change(w, DL__C_ESCAPE, n, name->declared_at, NULL);
}

/* The address of a variable, or an array that becomes a pointer: who knows what is done
 * with it. */
static void note_escape(struct walk *w, struct dl__node *n)
{
    struct dl__node *name;

    if (n->kind == DL__N_UNARY) {
        name = dl__base_name(w->outline->unit, n->children[0]);
    } else {
        const struct dl__node *p = n->parent;
        struct dl__node *child = n;
        struct dl__outline_variable *v = dl__outline_find(w->outline, n->declared_at);

        if (!v || !v->declaration ||
            dl__type_of(w->outline->unit, v->declaration)->kind != DL__T_ARRAY)
            return;
        while (p && (p->kind == DL__N_PAREN || p->kind == DL__N_IMPLICIT)) {
            child = (struct dl__node *)p;
            p = p->parent;
        }
        name = p && ((p->kind == DL__N_SUBSCRIPT && p->children[0] == child) ||
                     (p->kind == DL__N_UNARY && dl__op_is(p, "*")) ||
                     p->kind == DL__N_SIZEOF)
                   ? NULL
                   : n;
    }
    if (name)
        note_change(w, DL__C_ESCAPE, n, name->declared_at, NULL);
}

/* ---- branches ---- */

static void walk(struct walk *w, struct dl__node *n);

static int push_branch(struct walk *w, enum dl__branch_kind kind, struct dl__node *n,
                       struct dl__node *condition)
{
    struct dl__branch branch = {kind, n, condition, w->branch, DL__LOOPS_MAX};
    int number = (int)w->outline->branches.count;

    if (kind == DL__B_LOOP) {
        if (w->outline->loops.count < DL__LOOPS_MAX)
            branch.loop = (unsigned)w->outline->loops.count;
        DL__PUSH(w->arena, &w->outline->loops, number);
    }
    DL__PUSH(w->arena, &w->outline->branches, branch);
    return number;
}

/* Walks a child of a loop: what comes before it, its body and condition, or, of a for,
 * the step after each round. */
static void walk_loop_child(struct walk *w, const struct dl__node *n, size_t i, int outer)
{
    struct dl__node *child = n->children[i], *condition = n->condition;
    struct walk inner = *w;

    if (i + 1 < n->child_count && child != condition &&
        dl__begins_with(w->outline->unit, n, "for")) {
        if (condition
                ? child->begin < condition->begin
                : child->kind == DL__N_DECL_STATEMENT || (i == 0 && n->child_count == 3))
            inner.branch = outer;
        else
            inner.last_end = n->end;
    }
    walk(&inner, child);
}

static void walk_branch(struct walk *w, struct dl__node *n)
{
    struct walk outer = *w;
    struct dl__unit *u = w->outline->unit;
    enum dl__branch_kind kind = dl__begins_with(u, n, "if")       ? DL__B_IF
                                : dl__begins_with(u, n, "switch") ? DL__B_SWITCH
                                                                  : DL__B_LOOP;
    int inside = push_branch(w, kind, n, n->condition);

    w->loop = kind == DL__B_LOOP ? inside : w->loop;
    w->breakable = kind != DL__B_IF ? inside : w->breakable;
    for (size_t i = 0; i < n->child_count; i++) {
        /* The condition of an if stands outside. */
        w->branch =
            kind != DL__B_LOOP && n->children[i] == n->condition ? outer.branch : inside;
        if (kind == DL__B_LOOP)
            walk_loop_child(w, n, i, outer.branch);
        else
            walk(w, n->children[i]);
    }
    *w = outer;
}

/* a && b, a || b, a ? b : c: what is behind the first may not run. */
static void walk_logic(struct walk *w, struct dl__node *n)
{
    int outer = w->branch;

    walk(w, n->children[0]);
    w->branch = push_branch(w, DL__B_LOGIC, n, n->children[0]);
    for (size_t i = 1; i < n->child_count; i++)
        walk(w, n->children[i]);
    w->branch = outer;
}

static void note_other(struct walk *w, struct dl__node *n)
{
    struct dl__unit *u = w->outline->unit;
    struct dl__jump jump = {false, n->begin, w->branch, w->loop};

    if (dl__begins_with(u, n, "goto")) {
        w->outline->has_goto = true;
    } else if (!n->child_count && dl__begins_with(u, n, "break")) {
        jump.breaks = true;
        jump.loop = w->breakable;
        DL__PUSH(w->arena, &w->outline->jumps, jump);
    } else if (!n->child_count && dl__begins_with(u, n, "continue")) {
        DL__PUSH(w->arena, &w->outline->jumps, jump);
    }
}

static void walk(struct walk *w, struct dl__node *n)
{
    if (n->kind == DL__N_BRANCH) {
        walk_branch(w, n);
        return;
    }
    if (n->child_count &&
        (n->kind == DL__N_CONDITIONAL || dl__op_is(n, "&&") || dl__op_is(n, "||"))) {
        walk_logic(w, n);
        return;
    }
    if (n->kind == DL__N_VARIABLE)
        dl__outline_find(w->outline, n->declared_at)->branch = w->branch;
    if (n->kind == DL__N_VARIABLE && n->child_count) {
        struct dl__node *last = n->children[n->child_count - 1];

        /* An array's size is a child, too. */
        if (last->begin > n->name_at &&
            dl__text_at(w->outline->unit, dl__skip(w->outline->unit, last->end)) != ']')
            note_change(w, DL__C_SET, n, n->declared_at, last);
    } else if (n->child_count &&
               (dl__is_assignment(n) || dl__is_step(n) ||
                (!n->op[0] && (n->kind == DL__N_UNARY || n->kind == DL__N_BINARY)))) {
        note_assignment(w, n);
    } else if ((n->kind == DL__N_UNARY && dl__op_is(n, "&") && n->child_count) ||
               n->kind == DL__N_NAME) {
        note_escape(w, n);
    } else if (n->kind == DL__N_RETURN && n->child_count) {
        struct dl__returned returned = {n->children[0], w->branch};

        DL__PUSH(w->arena, &w->outline->returns, returned);
    } else if (n->kind == DL__N_OTHER) {
        note_other(w, n);
    }
    for (size_t i = 0; i < n->child_count; i++)
        walk(w, n->children[i]);
}

/* ---- outlines ---- */

struct dl__outline *dl__outline_of(struct dl__analysis *a, struct dl__unit *unit)
{
    struct dl__outline *o = a->outlines;
    struct walk w = {.arena = a->arena,
                     .branch = DL__NO_BRANCH,
                     .loop = DL__NO_BRANCH,
                     .breakable = DL__NO_BRANCH};

    while (o && o->unit != unit)
        o = o->next;
    if (o)
        return o;
    o = DL__NEW(a->arena, struct dl__outline);
    o->unit = unit;
    o->body = dl__ast_body(unit->tracker->ast, unit->function);
    o->next = a->outlines;
    a->outlines = o;
    w.outline = o;
    /* All units leave to the one place. */
    if (unit != a->kernel)
        memcpy(&unit->refuse, &a->kernel->refuse, sizeof unit->refuse);
    make_variables(a->arena, o);
    walk(&w, o->body);
    for (size_t i = o->changes.count; i--;) {
        o->changes.items[i].next = o->changes.items[i].variable->changes;
        o->changes.items[i].variable->changes = &o->changes.items[i];
        o->changes.items[i].variable->change_count++;
    }
    a->failed |= !find_variations(o);
    return o;
}
