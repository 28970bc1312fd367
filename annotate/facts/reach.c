/* SPDX-License-Identifier: MIT */
/* What a variable is at one place: which of its changes may be the last before it, and
 * whether neighbours may come by different ones. */
#include "annotate/facts/frame.h"

enum { CHANGES_MAX = 64 }; /* of a variable; of more, all count everywhere */

/* Both places are in one arm of an if, or behind one operator. */
static bool same_arm(const struct dl__branch *b, size_t a, size_t other)
{
    for (size_t i = 0; i < b->node->child_count; i++) {
        const struct dl__node *arm = b->node->children[i];

        if (a >= arm->begin && a < arm->end)
            return other >= arm->begin && other < arm->end;
    }
    return false;
}

/* True when whoever comes to the place has come by the change, and by none before it
 * since. */
static bool dominates(const struct dl__outline *o, const struct dl__change *c,
                      const struct dl__node *at)
{
    if (c->partial || c->kind == DL__C_ESCAPE || c->end > at->begin || o->has_goto)
        return false;
    for (int i = c->branch; i != DL__NO_BRANCH; i = o->branches.items[i].parent) {
        const struct dl__branch *b = &o->branches.items[i];

        if (!dl__branch_holds(b, at->begin) || b->kind == DL__B_SWITCH ||
            (b->kind != DL__B_LOOP && !same_arm(b, c->at->begin, at->begin)))
            return false;
    }
    return true;
}

/* The last change that dominates the place; NULL: none. */
static const struct dl__change *last_sure(const struct dl__outline *o,
                                          const struct dl__outline_variable *v,
                                          const struct dl__node *at)
{
    const struct dl__change *last = NULL;

    for (const struct dl__change *c = v->changes; c; c = c->next)
        if (dominates(o, c, at) && (!last || c->end >= last->end))
            last = c;
    return last;
}

/* The change is in one arm of an if, and the place in the other. */
static bool is_in_other_arm(const struct dl__outline *o, const struct dl__change *c,
                            const struct dl__node *at)
{
    for (int i = c->branch; i != DL__NO_BRANCH; i = o->branches.items[i].parent) {
        const struct dl__branch *b = &o->branches.items[i];

        if (b->kind == DL__B_IF && dl__branch_holds(b, at->begin) &&
            !same_arm(b, c->at->begin, at->begin))
            return true;
    }
    return false;
}

/* True when the place may see the change, given the last that it is sure to have come by.
 */
static bool reaches(const struct dl__outline *o, const struct dl__change *c,
                    const struct dl__change *sure, const struct dl__node *at)
{
    if (c == sure)
        return true;
    if (sure && c->end < sure->end && c->kind != DL__C_ESCAPE)
        return false;
    if (o->has_goto || (c->end <= at->begin && !is_in_other_arm(o, c, at)))
        return true;
    /* In the round before. */
    for (int i = c->branch; i != DL__NO_BRANCH; i = o->branches.items[i].parent)
        if (o->branches.items[i].kind == DL__B_LOOP &&
            dl__branch_holds(&o->branches.items[i], at->begin) &&
            !(sure && dl__branch_is_around(o, i, sure->branch)))
            return true;
    return false;
}

/* How a set of changes is seen at a place. */
struct sight {
    bool divergent; /* neighbours may come by different ones */
    bool left;      /* of a loop that neighbours leave in different rounds */
    bool inside;    /* of such a loop */
};

static void look_at(const struct dl__frame *f, const struct dl__change *c, int anchor,
                    const struct dl__node *at, struct sight *out)
{
    const struct dl__outline *o = f->outline;

    for (int b = c->branch; b != DL__NO_BRANCH; b = o->branches.items[b].parent) {
        const struct dl__branch *branch = &o->branches.items[b];

        if (dl__branch_is_around(o, b, anchor))
            return;
        if (branch->kind != DL__B_LOOP) {
            out->divergent |= f->agreements[b] == DL__DIVERGENT;
            continue;
        }
        if (f->agreements[b] == DL__DIVERGENT) {
            out->left = true;
            out->inside |= dl__branch_holds(branch, at->begin);
        }
        for (size_t j = 0; j < o->jumps.count; j++) {
            const struct dl__jump *jump = &o->jumps.items[j];

            for (int i = jump->branch;
                 !jump->breaks && jump->loop == b && i != b && jump->at < c->at->begin &&
                 c->end != branch->node->end;
                 i = o->branches.items[i].parent)
                out->divergent |= f->agreements[i] == DL__DIVERGENT;
        }
    }
}

static struct dl__value seen(struct dl__value v, const struct sight *sight)
{
    return v.kind == DL__V_UNIFORM && !dl__value_is_constant(v) && sight->left &&
                   !sight->inside
               ? dl__value_of(DL__V_UNKNOWN)
               : v;
}

/* Parts of an array, struct or vector are told apart by nothing but what they are. */
static struct dl__value join_part(struct dl__value a, struct dl__value b)
{
    return a.kind == DL__V_NOTHING || b.kind == DL__V_NOTHING ||
                   (a.kind == b.kind && a.step == b.step)
               ? dl__value_join(a, b, false)
               : dl__value_mix(a, b);
}

static bool is_rare_arm(const struct dl__frame *f, int number, size_t at)
{
    const struct dl__branch *b = &f->outline->branches.items[number];

    if (b->kind != DL__B_IF || b->node->child_count < 2)
        return false;
    return f->agreements[number] == (same_arm(b, b->node->children[1]->begin, at)
                                         ? DL__MOSTLY_NO
                                         : DL__MOSTLY_YES);
}

bool dl__is_rare(const struct dl__frame *f, int branch, size_t at)
{
    for (; branch != DL__NO_BRANCH; branch = f->outline->branches.items[branch].parent)
        if (is_rare_arm(f, branch, at))
            return true;
    return false;
}

/* True for a change that nearly all work-items go past, in a branch that the place is not
 * in. */
static bool is_rare(const struct dl__frame *f, const struct dl__change *c, int anchor,
                    const struct dl__node *at)
{
    const struct dl__outline *o = f->outline;

    for (int i = c->branch; i != DL__NO_BRANCH; i = o->branches.items[i].parent) {
        if (dl__branch_is_around(o, i, anchor))
            return false;
        if (!dl__branch_holds(&o->branches.items[i], at->begin) &&
            is_rare_arm(f, i, c->at->begin))
            return true;
    }
    return false;
}

static struct dl__pair after(const struct dl__frame *f, const struct dl__change *c)
{
    return c->variable->tracked ? f->changed_pairs[c->number]
                                : (struct dl__pair){f->changed[c->number], {0}};
}

/* What is there before all changes. */
static struct dl__pair at_first(const struct dl__frame *f,
                                const struct dl__outline_variable *v)
{
    if (v->declaration)
        return (struct dl__pair){dl__value_nothing(), dl__value_nothing()};
    return v->tracked ? f->pairs[v->parameter]
                      : (struct dl__pair){f->arguments[v->parameter], {0}};
}

static struct dl__value unless_uniform(struct dl__value v)
{
    return v.kind == DL__V_UNIFORM && !dl__value_is_constant(v)
               ? dl__value_of(DL__V_UNKNOWN)
               : v;
}

/* The same with more changes than are told apart. */
static struct dl__pair anywhere(const struct dl__frame *f,
                                const struct dl__outline_variable *v)
{
    struct dl__pair p = v->tracked ? f->variable_pairs[v->number]
                                   : (struct dl__pair){f->values[v->number], {0}};

    p = dl__pair_join(at_first(f, v), p, f->outline->has_goto);
    return (struct dl__pair){unless_uniform(p.rows), unless_uniform(p.rest)};
}

struct dl__pair dl__pair_at(const struct dl__frame *f,
                            const struct dl__outline_variable *v,
                            const struct dl__node *at)
{
    const struct dl__outline *o = f->outline;
    const struct dl__change *sure;
    struct sight sight = {.divergent = o->has_goto};
    struct dl__pair p, rare = {dl__value_nothing(), dl__value_nothing()};
    bool parts = false;
    int anchor;

    if (v->change_count > CHANGES_MAX)
        return anywhere(f, v);
    sure = last_sure(o, v, at);
    anchor = sure ? sure->branch : v->branch;
    p = sure ? after(f, sure) : at_first(f, v);
    for (const struct dl__change *c = v->changes; c; c = c->next) {
        parts |= c->partial;
        if (c != sure && reaches(o, c, sure, at) && !is_rare(f, c, anchor, at))
            look_at(f, c, anchor, at, &sight);
    }
    for (const struct dl__change *c = v->changes; c; c = c->next) {
        struct dl__pair by = after(f, c);

        if (c == sure || !reaches(o, c, sure, at))
            continue;
        if (parts)
            p.rows = join_part(p.rows, by.rows);
        else if (is_rare(f, c, anchor, at))
            rare = dl__pair_join(rare, by, false);
        else
            p = dl__pair_join(p, by, sight.divergent);
    }
    return (struct dl__pair){dl__value_join_rare(seen(p.rows, &sight), rare.rows),
                             dl__value_join_rare(seen(p.rest, &sight), rare.rest)};
}

struct dl__value dl__value_at(const struct dl__frame *f,
                              const struct dl__outline_variable *v,
                              const struct dl__node *at)
{
    return dl__pair_at(f, v, at).rows;
}
