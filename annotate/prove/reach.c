/* SPDX-License-Identifier: MIT */
/* When a place of the rewritten text is the program's: the obligations of an access. */
#include "annotate/prove/prove.h"

static struct dl__integer product(struct dl__integer a, struct dl__integer b)
{
    a.is_signed = b.is_signed = true;
    a.bits = b.bits = 64;
    return dl__integer_combine('*', a, b);
}

/* The division whose quotient this is. */
static const struct dl__division *division_of(const struct dl__reached *s, dl__number q)
{
    for (size_t i = s->division_count; i > 0; i--)
        if (s->divisions[i - 1].quotient.exact == q)
            return &s->divisions[i - 1];
    return NULL;
}

/* True when the row is known to be one of the buffer's. */
static bool is_row(const struct dl__reached *s, dl__number structs)
{
    for (size_t i = 0; i < s->fact_count; i++)
        if (s->facts[i].is_less && s->facts[i].left.ring == s->index.ring &&
            !s->facts[i].left.is_signed && s->facts[i].right.exact == structs)
            return true;
    return false;
}

/* The leaf that holds a byte. */
static const struct dl_leaf *leaf_at(const struct dl__proved_buffer *b, uint32_t at)
{
    for (size_t i = 0; i < b->note->leaves.leaf_count; i++) {
        const struct dl_leaf *leaf = &b->note->leaves.leaves[i];

        if (at >= leaf->offset_bytes && at - leaf->offset_bytes < leaf->width_bytes)
            return leaf;
    }
    return NULL;
}

/* In a struct: for every place that the program may mean, the same bytes of one leaf. */
static const char *check_struct(const struct dl__known *old_place,
                                const struct dl__reached *s, uint32_t new_bytes,
                                int64_t delta)
{
    const struct dl__proved_buffer *b = old_place->buffer;
    int64_t width, extra, offset;
    bool has_extra = dl__integer_is_constant(s->extra, &extra);
    bool has_offset = dl__integer_is_constant(s->offset, &offset);

    if (!dl__integer_is_constant(s->width, &width))
        return "the leaf's width is not a constant";
    if (!old_place->offsets.count)
        return "which members it may reach is not known";
    for (size_t i = 0; i < old_place->offsets.count; i++) {
        int64_t at = old_place->offsets.items[i] + delta;
        const struct dl_leaf *leaf = at < 0 || at >= b->note->leaves.struct_bytes
                                         ? NULL
                                         : leaf_at(b, (uint32_t)at);

        if (!leaf)
            return "it may lie outside the struct's leaves";
        if (leaf->width_bytes != width)
            return "the leaf there has another width";
        if (at + new_bytes > leaf->offset_bytes + leaf->width_bytes)
            return "it may go over the end of a leaf";
        if (has_extra ? at - extra != leaf->offset_bytes
                      : !has_offset || offset != leaf->offset_bytes)
            return "it may not begin where the leaf does";
    }
    return NULL;
}

/* True when a part of an index that was compared as 32 bits is what was compared: a
 * longer one may lie in the row only by its remainder. */
static bool is_whole(struct dl__integer offset, uint32_t unit_bytes)
{
    dl__bound past = (dl__bound)1 << (offset.bits == 64 ? 62 : 32);

    return offset.low >= (DL_FLAT_WIDTH_MAX - past) * unit_bytes &&
           offset.high < past * unit_bytes;
}

/* In a row: an element of it. */
static const char *check_row(const struct dl__prover *p,
                             const struct dl__known *old_place,
                             const struct dl__reached *s)
{
    const struct dl__proved_buffer *b = old_place->buffer;
    struct dl__integer offset = s->offset;
    int64_t width, extra, row;
    dl__number unit = dl__number_of(b->unit_bytes);

    if (!dl__integer_is_constant(s->width, &width) || width != b->unit_bytes)
        return "the leaf there has another width";
    if (!dl__integer_is_constant(s->extra, &extra) || extra)
        return "it is not the whole element";
    /* Its row and element are those of the whole numbers only where nothing wraps. */
    if (old_place->steps.is_vast && !is_row(s, b->structs))
        return "the row may lie outside the buffer";
    if (dl__integer_is_constant(b->row, &row) && offset.low >= 0 &&
        offset.high <= row - b->unit_bytes)
        return NULL;
    for (size_t i = 0; i < s->fact_count; i++)
        if (s->facts[i].is_less && s->facts[i].right.exact == b->width.exact &&
            !s->facts[i].left.is_signed &&
            dl__number_multiply(s->facts[i].left.ring, unit) == offset.ring &&
            (is_whole(offset, b->unit_bytes) || is_row(s, b->structs) ||
             dl__split_is_near(p, &s->index)))
            return NULL;
    for (size_t i = 0; i < s->division_count; i++) {
        const struct dl__division *d = &s->divisions[i];

        if (d->divisor.exact == b->width.exact && d->dividend.low >= 0 &&
            dl__number_multiply(d->rest.ring, unit) == offset.ring)
            return NULL;
    }
    return "the element may lie outside its row";
}

/* Of an index that wraps at 2^32: true when the row and element that it is split into are
 * known not to wrap, since row <= (2^32 - 1 - element) / width; *sum is the element's
 * index modulo 2^32. */
static bool is_split_whole(const struct dl__proved_buffer *b, const struct dl__reached *s,
                           dl__number *sum)
{
    dl__number unit = dl__number_of(b->unit_bytes), wraps = dl__number_of(UINT32_MAX);

    for (size_t i = 0; i < s->fact_count; i++) {
        const struct dl__fact *f = &s->facts[i];
        const struct dl__division *d = f->is_less || f->right.exact != s->index.exact
                                           ? NULL
                                           : division_of(s, f->left.exact);
        dl__number element;

        if (!d || d->divisor.exact != b->width.exact)
            continue;
        element = dl__number_subtract(wraps, d->dividend.exact);
        if (dl__number_multiply(element, unit) != s->offset.exact)
            continue;
        *sum = dl__number_add(dl__number_multiply(s->index.word, b->width.word),
                              dl__number_subtract(wraps, d->dividend.word));
        return true;
    }
    return false;
}

/* The same of an index of 32 bits among longer ones. The program's lies in the buffer, so
 * it is not negative either. */
static bool distance_of_short(const struct dl__known *old_place,
                              const struct dl__reached *s, int64_t *delta)
{
    const struct dl__proved_buffer *b = old_place->buffer;
    const struct dl__division *d = division_of(s, s->index.exact);
    dl__number unit = dl__number_of(b->unit_bytes), from, to;

    if (old_place->steps.high > UINT32_MAX)
        return false;
    if (!b->is_flat)
        return old_place->steps.word == s->index.word && s->index.low >= 0 &&
               s->index.high <= UINT32_MAX &&
               dl__number_is_small(
                   dl__number_subtract(dl__number_add(s->offset.exact, s->extra.exact),
                                       old_place->inner.exact),
                   delta);
    if (!d || d->divisor.exact != b->width.exact || d->dividend.low < 0 ||
        d->dividend.high > UINT32_MAX ||
        (s->offset.exact != dl__number_multiply(d->rest.exact, unit) &&
         s->offset.exact != dl__number_multiply(d->raw_rest, unit)))
        return false;
    to = dl__number_add(dl__number_multiply(d->dividend.word, unit), s->extra.exact);
    from = dl__number_add(dl__number_multiply(old_place->steps.word, unit),
                          old_place->inner.exact);
    return dl__number_is_small(dl__number_subtract(to, from), delta);
}

/* True where the element's index, counted in 64 bits, was compared with 2^32; *sum is it
 * modulo 2^32. */
static bool is_sum_short(const struct dl__proved_buffer *b, const struct dl__reached *s,
                         dl__number *sum)
{
    dl__number unit = dl__number_of(b->unit_bytes), width = b->width.exact;
    int64_t most;

    for (size_t i = 0; i < s->fact_count; i++) {
        const struct dl__fact *f = &s->facts[i];

        if (f->is_less || f->right.is_signed || f->right.bits != 64 ||
            !dl__integer_is_constant(f->left, &most) || most > UINT32_MAX ||
            dl__number_multiply(f->right.exact, unit) !=
                dl__number_add(
                    dl__number_multiply(dl__number_multiply(s->index.exact, width), unit),
                    s->offset.exact))
            continue;
        *sum = f->right.word;
        return is_row(s, b->structs);
    }
    return false;
}

/* What the program's place is before that of the rewritten text; false: not a constant.
 */
static bool distance(const struct dl__known *old_place, const struct dl__reached *s,
                     int64_t *delta)
{
    const struct dl__proved_buffer *b = old_place->buffer;
    dl__number unit = dl__number_of(b->unit_bytes);
    struct dl__integer at = product(s->index, s->row);
    const struct dl__division *d = division_of(s, s->index.exact);
    dl__number exact, ring, begin, begin_ring, sum;

    exact = dl__number_add(dl__number_add(at.exact, s->offset.exact), s->extra.exact);
    ring = dl__number_add(dl__number_add(at.ring, s->offset.ring), s->extra.ring);
    begin = dl__number_add(dl__number_multiply(old_place->steps.exact, unit),
                           old_place->inner.exact);
    begin_ring = dl__number_add(dl__number_multiply(old_place->steps.ring, unit),
                                old_place->inner.ring);
    if (dl__number_is_small(dl__number_subtract(exact, begin), delta))
        return true;
    /* Structs: the index counts modulo 2^R, for it is a struct of the buffer. */
    if (!b->is_flat && old_place->steps.ring == s->index.ring &&
        dl__number_is_small(
            dl__number_subtract(dl__number_add(s->offset.exact, s->extra.exact),
                                old_place->inner.exact),
            delta))
        return true;
    if (distance_of_short(old_place, s, delta))
        return true;
    /* An array's index, which is in the array: neither does it wrap. */
    if (!b->is_flat && old_place->steps.ring == s->index.ring &&
        dl__number_is_small(
            dl__number_subtract(dl__number_add(s->offset.ring, s->extra.ring),
                                old_place->inner.ring),
            delta))
        return true;
    if (b->is_flat && (is_split_whole(b, s, &sum) || is_sum_short(b, s, &sum)) &&
        !old_place->inner.exact && old_place->steps.word == sum &&
        old_place->steps.low >= 0 && old_place->steps.high <= UINT32_MAX) {
        *delta = 0;
        return true;
    }
    /* Rows: the element's index counts modulo 2^R where it is split as a whole, or where
     * the row is known to be one of the buffer's. */
    return b->is_flat &&
           dl__number_is_small(dl__number_subtract(ring, begin_ring), delta) &&
           ((d && d->divisor.exact == b->width.exact) || is_row(s, b->structs));
}

static const char *reach_spot(const struct dl__prover *p,
                              const struct dl__known *old_place, uint32_t old_bytes,
                              const struct dl__proved_buffer *b,
                              const struct dl__reached *s, uint32_t new_bytes,
                              int64_t *delta)
{
    if (old_place->buffer != b)
        return "it is another buffer";
    if (!b->is_tiled) { /* addresses count modulo 2^64 */
        dl__number unit = dl__number_of(b->unit_bytes);
        dl__number to =
            dl__number_add(dl__number_multiply(s->index.ring, unit), s->extra.ring);
        dl__number from = dl__number_add(dl__number_multiply(old_place->steps.ring, unit),
                                         old_place->inner.ring);

        return dl__number_is_small(dl__number_subtract(to, from), delta) && *delta >= 0 &&
                       *delta + new_bytes <= old_bytes
                   ? NULL
                   : "it is another place in the program's own layout";
    }
    if (!s->is_tiled) {
        const struct dl__division *d = NULL;

        for (size_t i = 0; i < s->fact_count && !d; i++)
            if (!s->facts[i].is_less && s->facts[i].right.exact == b->structs)
                d = division_of(s, s->facts[i].left.exact);
        if (!b->is_flat || !d || d->divisor.exact != b->width.exact ||
            d->dividend.ring != s->index.ring)
            return "it is reached as if the buffer were not tiled";
        return dl__number_is_small(
                   dl__number_add(
                       dl__number_multiply(
                           dl__number_subtract(s->index.ring, old_place->steps.ring),
                           dl__number_of(b->unit_bytes)),
                       dl__number_subtract(s->extra.exact, old_place->inner.exact)),
                   delta) &&
                       *delta >= 0 && *delta + new_bytes <= old_bytes
                   ? NULL
                   : "it is another place behind the rows";
    }
    if (s->row.exact != b->row.exact)
        return "the rows have another size";
    if (!distance(old_place, s, delta))
        return "it is not shown to be the same place";
    if (*delta < 0 || *delta + new_bytes > old_bytes)
        return "it is another place";
    return b->is_flat ? check_row(p, old_place, s)
                      : check_struct(old_place, s, new_bytes, *delta);
}

const char *dl__reach(const struct dl__prover *p, const struct dl__known *old_place,
                      uint32_t old_bytes, const struct dl__known *new_place,
                      uint32_t new_bytes, int64_t *delta)
{
    const char *reason = new_place->spot_count ? NULL : "it goes around the formula";

    if (!new_place->spot_count && new_place->buffer && !new_place->buffer->is_tiled) {
        const struct dl__reached plain = {.index = new_place->steps,
                                          .extra = new_place->inner};

        return reach_spot(p, old_place, old_bytes, new_place->buffer, &plain, new_bytes,
                          delta);
    }
    for (size_t i = 0; i < new_place->spot_count && !reason; i++) {
        int64_t here = 0;

        reason = reach_spot(p, old_place, old_bytes, new_place->buffer,
                            &new_place->spots[i], new_bytes, &here);
        if (!reason && i && here != *delta)
            reason = "it is not the same place in all cases";
        *delta = here;
    }
    return reason;
}
