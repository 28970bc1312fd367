/* SPDX-License-Identifier: MIT */
/* A frame's variables, settled by going over its changes until nothing is new. */
#include "annotate/facts/frame.h"
#include "annotate/track/node.h"
#include "annotate/track/part.h"

enum { ROUNDS_MAX = 64, FREE_ROUNDS = 4 };

/* ---- changes ---- */

/* True when neighbours may differ in whether, or how often, the change is made before
 * what it changes is seen; *again: it may be made several times. */
static bool is_divergent(const struct dl__frame *f, const struct dl__change *c,
                         bool *again)
{
    const struct dl__outline *o = f->outline;
    bool divergent = o->has_goto;

    *again = o->has_goto;
    for (int b = c->branch; b != DL__NO_BRANCH; b = o->branches.items[b].parent) {
        const struct dl__branch *branch = &o->branches.items[b];

        if (dl__branch_is_around(o, b, c->variable->branch))
            break;
        if (branch->kind != DL__B_LOOP) {
            divergent |= f->agreements[b] == DL__DIVERGENT;
            continue;
        }
        *again = true;
        for (size_t j = 0; j < o->jumps.count; j++) {
            const struct dl__jump *jump = &o->jumps.items[j];

            for (int i = jump->branch;
                 !jump->breaks && jump->loop == b && i != b && jump->at < c->at->begin;
                 i = o->branches.items[i].parent)
                divergent |= f->agreements[i] == DL__DIVERGENT;
        }
    }
    return divergent;
}

/* What the change makes of its variable. */
static struct dl__value changed_value(struct dl__frame *f, const struct dl__change *c)
{
    switch (c->kind) {
    case DL__C_SET:
        return dl__evaluate(f, c->source);
    case DL__C_UPDATE:
        return dl__evaluate(f, c->at);
    case DL__C_STEP:
        return dl__value_add(dl__value_at(f, c->variable, c->at),
                             dl__value_constant(c->at->op[0] == '+' ? 1 : -1));
    default:
        return dl__value_of(DL__V_UNKNOWN);
    }
}

static struct dl__pair changed_pair(struct dl__frame *f, const struct dl__change *c)
{
    const struct dl__root *root = c->variable->tracked->root;
    struct dl__pair p = dl__pair_at(f, c->variable, c->at), by;
    bool is_struct = root->element_type->kind == DL__T_STRUCT;

    if (c->kind == DL__C_SET && dl__is_null(f->outline->unit, c->source))
        return (struct dl__pair){dl__value_nothing(), dl__value_nothing()};

    if (c->kind == DL__C_SET)
        return dl__root_of(f->outline->unit, c->source)
                   ? dl__evaluate_pointer(f, c->source)
                   : dl__pair_constant(0);
    if (c->kind == DL__C_UPDATE) {
        by = dl__evaluate_offset(f, root, c->source);
    } else if (root->is_part) {
        by = dl__pair_constant(0);
        by.rest = dl__value_constant(root->element_type->bytes);
    } else {
        by = dl__pair_constant(0);
        *(is_struct ? &by.rows : &by.rest) = dl__value_constant(1);
    }
    if (c->at->op[0] == '-') {
        by.rows = dl__value_negate(by.rows);
        by.rest = dl__value_negate(by.rest);
    }
    return dl__pair_add(p, by);
}

/* Neighbours that change it a different number of times are no longer in step. */
static struct dl__value scattered(struct dl__value v)
{
    return v.kind == DL__V_NOTHING ? v : dl__value_mix(v, dl__value_of(DL__V_UNKNOWN));
}

/* Takes a new value for an old one; true when it is another. What does not settle at once
 * grows from then on, so that it does. */
static bool take_value(const struct dl__frame *f, struct dl__value *old,
                       struct dl__value v)
{
    if (f->round >= FREE_ROUNDS)
        v = dl__value_join(*old, v, false);
    if (dl__value_equals(*old, v))
        return false;
    *old = v;
    return true;
}

/* True when something is new. */
static bool apply(struct dl__frame *f, const struct dl__change *c)
{
    size_t number = c->variable->number;
    bool again, divergent = is_divergent(f, c, &again);
    bool scatters = divergent && again && c->of_itself, is_new;

    if (c->variable->tracked) {
        struct dl__pair p = changed_pair(f, c), *all = &f->variable_pairs[number];

        if (scatters)
            p = (struct dl__pair){scattered(p.rows), scattered(p.rest)};
        is_new = take_value(f, &f->changed_pairs[c->number].rows, p.rows);
        is_new |= take_value(f, &f->changed_pairs[c->number].rest, p.rest);
        *all = dl__pair_join(*all, p, divergent);
    } else {
        struct dl__value v = changed_value(f, c), *all = &f->values[number];

        if (scatters)
            v = scattered(v);
        is_new = take_value(f, &f->changed[c->number], v);
        *all = dl__value_join(*all, v, divergent);
    }
    return is_new;
}

/* ---- conditions ---- */

static bool find_agreement(struct dl__frame *f, size_t b)
{
    const struct dl__branch *branch = &f->outline->branches.items[b];
    enum dl__agreement is = DL__SAME;

    if (!branch->condition ||
        (branch->kind == DL__B_LOOP && f->agreements[b] == DL__DIVERGENT))
        return false;
    if (branch->kind != DL__B_SWITCH)
        is = dl__agreement_of(f, branch->condition);
    else if (dl__evaluate(f, branch->condition).kind > DL__V_UNIFORM)
        is = DL__DIVERGENT;
    if (f->agreements[b] == is)
        return false;
    f->agreements[b] = is;
    return true;
}

/* Loops that some of them leave in the middle. */
static bool find_left_loops(struct dl__frame *f)
{
    const struct dl__outline *o = f->outline;
    bool changed = false;

    for (size_t j = 0; j < o->jumps.count; j++) {
        const struct dl__jump *jump = &o->jumps.items[j];
        int i = jump->branch;

        if (!jump->breaks || jump->loop == DL__NO_BRANCH ||
            f->agreements[jump->loop] == DL__DIVERGENT)
            continue;
        while (i != jump->loop && i != DL__NO_BRANCH && f->agreements[i] != DL__DIVERGENT)
            i = o->branches.items[i].parent;
        if (i == jump->loop || i == DL__NO_BRANCH)
            continue;
        f->agreements[jump->loop] = DL__DIVERGENT;
        changed = true;
    }
    return changed;
}

/* ---- rounds ---- */

/* Conditions and changes, in the order of the text. */
static bool run_round(struct dl__frame *f)
{
    const struct dl__outline *o = f->outline;
    bool changed = false;
    size_t b = 0;

    for (size_t i = 0; i <= o->changes.count; i++) {
        size_t until = i < o->changes.count ? o->changes.items[i].at->begin : SIZE_MAX;

        while (b < o->branches.count && (o->branches.items[b].condition
                                             ? o->branches.items[b].condition->begin
                                             : o->branches.items[b].node->begin) <= until)
            changed |= find_agreement(f, b++);
        if (i < o->changes.count)
            changed |= apply(f, &o->changes.items[i]);
    }
    return find_left_loops(f) || changed;
}

static struct dl__pair find_result_pair(struct dl__frame *f)
{
    const struct dl__outline *o = f->outline;
    struct dl__pair p = {dl__value_nothing(), dl__value_nothing()};
    bool divergent = o->has_goto;

    for (size_t i = 0; i < o->returns.count && o->unit->returned; i++)
        for (int b = o->returns.items[i].branch; b != DL__NO_BRANCH;
             b = o->branches.items[b].parent)
            divergent |= f->agreements[b] == DL__DIVERGENT;
    for (size_t i = 0; i < o->returns.count && o->unit->returned; i++)
        p = dl__pair_join(p, dl__evaluate_pointer(f, o->returns.items[i].value),
                          divergent);
    return p;
}

static struct dl__value find_result(struct dl__frame *f)
{
    const struct dl__outline *o = f->outline;
    struct dl__value v = dl__value_nothing(), rare = v;
    bool divergent = o->has_goto;

    for (size_t i = 0; i < o->returns.count; i++)
        for (int b = o->returns.items[i].branch; b != DL__NO_BRANCH;
             b = o->branches.items[b].parent)
            divergent |= f->agreements[b] == DL__DIVERGENT;
    for (size_t i = 0; i < o->returns.count; i++) {
        struct dl__node *n = o->returns.items[i].value;
        struct dl__value *to =
            dl__is_rare(f, o->returns.items[i].branch, n->begin) ? &rare : &v;

        *to = dl__value_join(*to, dl__evaluate(f, n), divergent);
    }
    return dl__value_join_rare(v, rare);
}

void dl__frame_solve(struct dl__frame *f)
{
    struct dl__analysis *a = f->analysis;
    bool changed = true;

    f->is_busy = true;
    a->depth++;
    for (f->round = 0; changed && !a->failed; f->round++) {
        unsigned version = a->version;

        a->failed |= f->round == ROUNDS_MAX;
        changed = run_round(f) || version != a->version;
    }
    f->result = find_result(f);
    f->result_pair = find_result_pair(f);
    a->depth--;
    f->is_busy = false;
    f->is_solved = true;
}
