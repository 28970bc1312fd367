/* SPDX-License-Identifier: MIT */
/* The walk over bodies once their variables are known: statements, branches, places. */
#include "annotate/facts/collect.h"

#include <string.h>

#include "annotate/track/node.h"
#include "annotate/track/part.h"
#include "annotate/track/view.h"

enum { VISITS_MAX = 4096 };

bool dl__is_conditional(const struct dl__collector *c)
{
    return c->around == DL__DIVERGENT || c->around == DL__MOSTLY_NO || c->left;
}

/* ---- branches ---- */

static void collect_arm(struct dl__collector *c, struct dl__node *n,
                        enum dl__agreement taken)
{
    enum dl__agreement outer = c->around;

    c->around = dl__agreement_both(outer, taken);
    dl__collect_node(c, n, DL__READS);
    c->around = outer;
}

/* The value of a number that a for begins or ends with. */
static bool constant_of(struct dl__collector *c, struct dl__node *n, int64_t *out)
{
    struct dl__value v = dl__evaluate(c->frame, n);

    *out = v.rest;
    return dl__value_is_constant(v);
}

/* for (k = 0; k < 1; ...), do ... while (0) */
static bool is_one_round(struct dl__collector *c, const struct dl__node *n)
{
    struct dl__node *condition = n->condition ? dl__strip(n->condition) : NULL, *first;
    int64_t from, to;

    if (!condition)
        return false;
    if (!dl__begins_with(c->frame->outline->unit, n, "for"))
        return constant_of(c, condition, &to) && !to;
    first = n->children[0];
    while (first->kind == DL__N_DECL_STATEMENT && first->child_count == 1)
        first = first->children[0];
    if (first == condition || !first->child_count || condition->child_count != 2 ||
        condition->op[0] != '<' || condition->op[1] == '<')
        return false;
    return constant_of(c, first->children[first->child_count - 1], &from) &&
           constant_of(c, condition->children[1], &to) &&
           to - from + (condition->op[1] == '=') <= 1;
}

static void collect_loop(struct dl__collector *c, struct dl__node *n)
{
    const struct dl__outline *o = c->frame->outline;
    bool left = c->left, counts = !is_one_round(c, n);
    int branch = dl__loop_of(o, n);
    unsigned level = c->level;
    unsigned bit =
        branch == DL__NO_BRANCH ? DL__LOOPS_MAX : o->branches.items[branch].loop;

    if (counts && bit < DL__LOOPS_MAX && c->level < DL__LEVELS_MAX)
        c->loop_level[bit] = (uint32_t)1 << c->level++;
    c->loops += counts;
    for (size_t i = 0; i < n->child_count; i++)
        dl__collect_node(c, n->children[i], DL__READS);
    c->loops -= counts;
    if (bit < DL__LOOPS_MAX)
        c->loop_level[bit] = 0;
    c->level = level;
    c->left = left;
}

static void collect_branch(struct dl__collector *c, struct dl__node *n)
{
    enum dl__agreement taken = DL__SAME;
    bool is_if = dl__begins_with(c->frame->outline->unit, n, "if");

    if (!is_if && !dl__begins_with(c->frame->outline->unit, n, "switch")) {
        collect_loop(c, n);
        return;
    }
    if (n->condition) {
        dl__collect_node(c, n->condition, DL__READS);
        taken = dl__agreement_of(c->frame, n->condition);
    }
    if (!is_if && taken != DL__SAME)
        taken = DL__DIVERGENT;
    for (size_t i = 0, arm = 0; i < n->child_count; i++)
        if (n->children[i] != n->condition)
            collect_arm(c, n->children[i], arm++ ? dl__agreement_opposite(taken) : taken);
}

static void collect_logic(struct dl__collector *c, struct dl__node *n)
{
    enum dl__agreement taken = dl__agreement_of(c->frame, n->children[0]);

    if (dl__op_is(n, "||"))
        taken = dl__agreement_opposite(taken);
    dl__collect_node(c, n->children[0], DL__READS);
    for (size_t i = 1; i < n->child_count; i++)
        collect_arm(c, n->children[i], i == 2 ? dl__agreement_opposite(taken) : taken);
}

/* ---- places ---- */

static void collect_index(struct dl__collector *c, struct dl__node *n)
{
    if (n)
        dl__collect_node(c, n, DL__READS);
}

/* What stands in a place's indices. */
static void collect_parts(struct dl__collector *c, const struct dl__access *p)
{
    collect_index(c, p->pointer);
    collect_index(c, p->index);
    for (size_t i = 0; i < p->array_count; i++)
        collect_index(c, p->array_index[i]);
    for (size_t i = 0; i < p->step_count; i++)
        collect_index(c, p->step_index[i]);
}

static bool collect_place(struct dl__collector *c, struct dl__node *n, unsigned how)
{
    struct dl__access p;

    if (!dl__find_place(c->frame->outline->unit, n, &p))
        return false;
    /* An array as a pointer: who follows it is seen. */
    if (p.type->kind != DL__T_ARRAY)
        dl__note_place(c, n, &p, how, 0);
    collect_parts(c, &p);
    return true;
}

/* &place: whoever has it reads, and writes what is not const. Of a pointer that is
 * followed, who follows it is seen. */
static bool collect_address(struct dl__collector *c, struct dl__node *n)
{
    struct dl__unit *u = c->frame->outline->unit;
    const struct dl__type *type = dl__type_of(u, n);
    struct dl__access p;
    bool reads_only = type->kind == DL__T_POINTER && type->element->is_const;

    if (!dl__find_place(u, n->children[0], &p))
        return false;
    if (!dl__root_of(u, n))
        dl__note_place(c, n, &p, reads_only ? DL__READS : DL__READS | DL__WRITES, 0);
    collect_parts(c, &p);
    return true;
}

/* *(float4 *)&f[i] */
static bool collect_view(struct dl__collector *c, struct dl__node *n, unsigned how)
{
    struct dl__view view;

    if (!dl__find_view(c->frame->outline->unit, n, &view))
        return false;
    dl__note_place(c, n, &view.place, how, view.value->bytes);
    collect_parts(c, &view.place);
    return true;
}

static void collect_children(struct dl__collector *c, struct dl__node *n, unsigned how)
{
    for (size_t i = 0; i < n->child_count; i++)
        dl__collect_node(c, n->children[i], i ? DL__READS : how);
}

static void collect_unary(struct dl__collector *c, struct dl__node *n, unsigned how)
{
    if (!n->child_count)
        return;
    if (dl__op_is(n, "*") && (collect_place(c, n, how) || collect_view(c, n, how)))
        return;
    if (dl__op_is(n, "&") && collect_address(c, n))
        return;
    collect_children(c, n, dl__is_step(n) ? DL__READS | DL__WRITES : DL__READS);
}

static void collect_binary(struct dl__collector *c, struct dl__node *n)
{
    if (dl__op_is(n, "&&") || dl__op_is(n, "||"))
        collect_logic(c, n);
    else if (n->kind == DL__N_COMPOUND)
        collect_children(c, n, DL__READS | DL__WRITES);
    else
        collect_children(c, n, dl__op_is(n, "=") ? DL__WRITES : DL__READS);
}

/* break, continue, return: the others go on alone, which does not count where few leave.
 */
static void collect_leave(struct dl__collector *c, const struct dl__node *n)
{
    struct dl__unit *u = c->frame->outline->unit;

    if (n->kind == DL__N_RETURN || dl__begins_with(u, n, "break") ||
        dl__begins_with(u, n, "continue") || dl__begins_with(u, n, "goto"))
        c->left |= c->around == DL__DIVERGENT || c->around == DL__MOSTLY_YES;
}

/* ---- nodes ---- */

void dl__collect_node(struct dl__collector *c, struct dl__node *n, unsigned how)
{
    if (c->frame->analysis->failed)
        return;
    switch (n->kind) {
    case DL__N_SUBSCRIPT:
    case DL__N_MEMBER:
        if (!collect_place(c, n, how))
            collect_children(c, n, how);
        return;
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
        collect_children(c, n, how);
        return;
    case DL__N_UNARY:
        collect_unary(c, n, how);
        return;
    case DL__N_BINARY:
    case DL__N_COMPOUND:
        collect_binary(c, n);
        return;
    case DL__N_CONDITIONAL:
        collect_logic(c, n);
        return;
    case DL__N_CALL:
        dl__collect_call(c, n);
        return;
    case DL__N_SIZEOF:
        return;
    case DL__N_BRANCH:
        collect_branch(c, n);
        return;
    default:
        collect_children(c, n, DL__READS);
        if (n->kind == DL__N_RETURN || (n->kind == DL__N_OTHER && !n->child_count))
            collect_leave(c, n);
    }
}

/* ---- functions ---- */

/* A helper, as it was walked over already: nothing new comes of it. */
struct dl__collector_seen {
    const struct dl__frame *frame;
    unsigned loops;
    bool conditional;
    uint32_t *rows_levels, *rest_levels;
    struct dl__collector_seen *next;
};

static void levels_of_arguments(const struct dl__collector *caller, struct dl__node *call,
                                struct dl__collector *c)
{
    struct dl__unit *u = c->frame->outline->unit;
    struct dl__arena *arena = c->frame->analysis->arena;
    const struct dl__outline *from = caller->frame->outline;
    size_t count = u->function->parameter_count;

    c->rows_levels = dl__arena_alloc(arena, (count + 1) * sizeof *c->rows_levels);
    c->rest_levels = dl__arena_alloc(arena, (count + 1) * sizeof *c->rest_levels);
    for (size_t i = 0; i < count && i + 1 < call->child_count; i++) {
        dl__variation rest = 0, rows;

        rows = dl__root_of(from->unit, call->children[i + 1])
                   ? dl__variation_of_pointer(from, call->children[i + 1], &rest)
                   : dl__variation_of(from, call->children[i + 1]);
        c->rows_levels[i] = dl__levels_of(caller, rows, false);
        c->rest_levels[i] = dl__levels_of(caller, rest, true);
    }
}

static bool was_seen(struct dl__collector *c)
{
    size_t bytes =
        c->frame->outline->unit->function->parameter_count * sizeof *c->rows_levels;
    struct dl__collector_seen *s = *c->seen;
    unsigned visits = 0;

    for (; s; s = s->next, visits++)
        if (s->frame == c->frame && s->loops == c->loops &&
            s->conditional == dl__is_conditional(c) &&
            !memcmp(s->rows_levels, c->rows_levels, bytes) &&
            !memcmp(s->rest_levels, c->rest_levels, bytes))
            return true;
    c->frame->analysis->failed |= visits >= VISITS_MAX;
    s = DL__NEW(c->frame->analysis->arena, struct dl__collector_seen);
    *s =
        (struct dl__collector_seen){c->frame,       c->loops,       dl__is_conditional(c),
                                    c->rows_levels, c->rest_levels, *c->seen};
    *c->seen = s;
    return false;
}

void dl__collect_frame(const struct dl__collector *caller, struct dl__frame *frame,
                       struct dl__node *call)
{
    struct dl__collector c = {.frame = frame,
                              .level = caller->level,
                              .loops = caller->loops,
                              .around =
                                  dl__is_conditional(caller) ? DL__DIVERGENT : DL__SAME,
                              .seen = caller->seen};

    levels_of_arguments(caller, call, &c);
    if (!was_seen(&c))
        dl__collect_node(&c, frame->outline->body, DL__READS);
}

void dl__collect(struct dl__frame *kernel)
{
    struct dl__collector_seen *seen = NULL;
    struct dl__collector c = {.frame = kernel, .seen = &seen};
    size_t count = kernel->outline->unit->function->parameter_count + 1;

    c.rows_levels =
        dl__arena_alloc(kernel->analysis->arena, count * sizeof *c.rows_levels);
    c.rest_levels = c.rows_levels;
    dl__collect_node(&c, kernel->outline->body, DL__READS);
}
