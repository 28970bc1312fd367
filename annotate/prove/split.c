/* SPDX-License-Identifier: MIT */
/* A pointer that has become a row and a rest, both modulo 2^R. An accessor takes the rest
 * for a place in the row when it is smaller than the width. It is one then unless the
 * rest passes 2^32: so long as row * width + rest is the element's index in the whole
 * numbers, the row is one of the buffer's.
 *
 * So the rest has to be bounded, wherever the variable may be set. Where it steps in a
 * loop it is not; but then the row stays what it was when the pointer, which lies in the
 * buffer, was near it; and so the rest is bounded where an element is reached. */
#include "annotate/prove/prove.h"

enum { CHANGES_MAX = 4 };
#define FAR ((dl__bound)1 << 61)

/* A variable whose row is this, some rows further at most. */
static const struct dl__variable_known *
row_of(const struct dl__prover *p, const struct dl__integer *row, int64_t most)
{
    for (size_t i = 0; i < p->old_text.variables.count; i++) {
        const struct dl__variable_known *v = p->old_text.variables.items[i];
        int64_t by;

        if (!v->row || !v->buffer || !v->split.is_exact || !v->split.is_near)
            continue;
        if (dl__number_is_small(
                dl__number_subtract(row->exact,
                                    dl__draw("now", v->row->number, v->row->at, 0)),
                &by) &&
            by <= most && by >= -most)
            return v;
    }
    return NULL;
}

bool dl__split_is_near(const struct dl__prover *p, const struct dl__integer *row)
{
    return row_of(p, row, DL__NEAR / DL_FLAT_WIDTH_MAX) != NULL;
}

struct dl__split dl__split_known(struct dl__prover *p, const struct dl__known *old_place,
                                 const struct dl__integer *rest,
                                 const struct dl__integer *row)
{
    struct dl__split out = {.low = rest->low, .high = rest->high};
    dl__number element = dl__number_add(
        dl__number_multiply(row->exact, old_place->buffer->width.exact), rest->exact);

    out.is_vast = old_place->steps.is_vast;
    out.is_exact = element == old_place->steps.exact;
    out.is_near = (rest->low >= -DL__NEAR && rest->high <= DL__NEAR) ||
                  p->index_bits == 64 || row_of(p, row, 0) != NULL;
    return out;
}

static bool is_same(const struct dl__split *a, const struct dl__split *b)
{
    return a->is_exact == b->is_exact && a->is_near == b->is_near &&
           a->is_vast == b->is_vast && a->low == b->low && a->high == b->high;
}

struct dl__split dl__split_join(struct dl__prover *p, size_t at, struct dl__split now)
{
    struct dl__pair *pair = p->pairs.items[p->at_pair];
    struct dl__split_of first = {.at = at}, *known = NULL;
    struct dl__split joined;

    now.low = now.low < -FAR ? -FAR : now.low;
    now.high = now.high > FAR ? FAR : now.high;
    first.split = now;
    for (size_t i = 0; i < pair->variables.count; i++)
        if (pair->variables.items[i].at == at)
            known = &pair->variables.items[i];
    if (!known) {
        DL__PUSH(p->arena, &pair->variables, first);
        return now;
    }
    joined = known->split;
    joined.is_exact = joined.is_exact && now.is_exact;
    joined.is_vast = joined.is_vast || now.is_vast;
    joined.is_near = joined.is_near && now.is_near;
    joined.low = now.low < joined.low ? now.low : joined.low;
    joined.high = now.high > joined.high ? now.high : joined.high;
    if (is_same(&joined, &known->split))
        return joined;
    if (++known->changes > CHANGES_MAX) {
        joined.low = -FAR;
        joined.high = FAR;
    }
    known->split = joined;
    p->is_stale = true;
    return joined;
}

struct dl__integer dl__split_integer(struct dl__prover *p, dl__number number,
                                     dl__bound low, dl__bound high)
{
    struct dl__integer out = dl__integer_opaque(number, p->index_bits, false);

    out.low = low;
    out.high = high;
    out.may_wrap = true;
    return out;
}
