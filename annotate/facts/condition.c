/* SPDX-License-Identifier: MIT */
/* Conditions: whether neighbours take a branch together. */
#include "annotate/facts/frame.h"
#include "annotate/track/node.h"

#include <stdlib.h>

enum dl__agreement dl__agreement_opposite(enum dl__agreement a)
{
    return a == DL__MOSTLY_YES ? DL__MOSTLY_NO : a == DL__MOSTLY_NO ? DL__MOSTLY_YES : a;
}

enum dl__agreement dl__agreement_both(enum dl__agreement a, enum dl__agreement b)
{
    if (a == DL__DIVERGENT || b == DL__DIVERGENT)
        return DL__DIVERGENT;
    if (a == DL__MOSTLY_NO || b == DL__MOSTLY_NO)
        return DL__MOSTLY_NO;
    return a == DL__MOSTLY_YES || b == DL__MOSTLY_YES ? DL__MOSTLY_YES : DL__SAME;
}

struct dl__value dl__value_chosen(enum dl__agreement first, struct dl__value a,
                                  struct dl__value b)
{
    if (first == DL__MOSTLY_YES)
        return dl__value_join_rare(a, b);
    if (first == DL__MOSTLY_NO)
        return dl__value_join_rare(b, a);
    return dl__value_join(a, b, first == DL__DIVERGENT);
}

/* A place that steps, against a bound: one side of it has nearly all of them. */
static enum dl__agreement compare(const char *op, struct dl__value place,
                                  struct dl__value bound)
{
    bool small =
        dl__value_is_constant(bound) && llabs(bound.rest) < DL__NEAR * llabs(place.step);

    if (op[0] == '=')
        return DL__MOSTLY_NO;
    if (op[0] == '!')
        return DL__MOSTLY_YES;
    /* Nearly all places are above a small bound, and below any other. */
    return (op[0] == '<') != small ? DL__MOSTLY_YES : DL__MOSTLY_NO;
}

static bool is_comparison(const struct dl__node *n)
{
    return n->kind == DL__N_BINARY && n->child_count == 2 &&
           (((n->op[0] == '<' || n->op[0] == '>') && n->op[1] != n->op[0]) ||
            dl__op_is(n, "==") || dl__op_is(n, "!="));
}

static enum dl__agreement agreement_of_comparison(struct dl__frame *f, struct dl__node *n)
{
    struct dl__value a = dl__evaluate(f, n->children[0]),
                     b = dl__evaluate(f, n->children[1]);
    static const char *const mirrored[] = {"<", ">"};

    if (a.kind <= DL__V_UNIFORM && b.kind <= DL__V_UNIFORM)
        return DL__SAME;
    if (a.kind == DL__V_LINEAR && b.kind <= DL__V_UNIFORM)
        return compare(n->op, a, b);
    if (b.kind == DL__V_LINEAR && a.kind <= DL__V_UNIFORM)
        return compare(n->op[0] == '<'   ? mirrored[1]
                       : n->op[0] == '>' ? mirrored[0]
                                         : n->op,
                       b, a);
    return DL__DIVERGENT;
}

enum dl__agreement dl__agreement_of(struct dl__frame *f, struct dl__node *n)
{
    struct dl__value v;

    n = dl__strip(n);
    if (n->kind == DL__N_UNARY && dl__op_is(n, "!") && n->child_count)
        return dl__agreement_opposite(dl__agreement_of(f, n->children[0]));
    if (n->kind == DL__N_BINARY && n->child_count == 2 && dl__op_is(n, "&&"))
        return dl__agreement_both(dl__agreement_of(f, n->children[0]),
                                  dl__agreement_of(f, n->children[1]));
    if (n->kind == DL__N_BINARY && n->child_count == 2 && dl__op_is(n, "||"))
        return dl__agreement_opposite(dl__agreement_both(
            dl__agreement_opposite(dl__agreement_of(f, n->children[0])),
            dl__agreement_opposite(dl__agreement_of(f, n->children[1]))));
    if (is_comparison(n))
        return agreement_of_comparison(f, n);
    v = dl__evaluate(f, n);
    if (v.kind <= DL__V_UNIFORM)
        return DL__SAME;
    return v.kind == DL__V_LINEAR ? DL__MOSTLY_YES : DL__DIVERGENT; /* not 0 */
}
