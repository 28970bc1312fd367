/* SPDX-License-Identifier: MIT */
/* The value of an expression of either text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/prove/prove.h"
#include "annotate/text/lex.h"

/* ---- rows and rests ---- */

/* A pointer that has become a row and a rest, both modulo 2^R. An accessor takes the
 * rest for a place in the row when it is smaller than the width. It is one then unless
 * the rest passes 2^32: so long as row * width + rest is the element's index in the whole
 * numbers, the row is one of the buffer's.
 *
 * So the rest has to be bounded, wherever the variable may be set. Where it steps in a
 * loop it is not; but then the row stays what it was when the pointer, which lies in the
 * buffer, was near it; and so the rest is bounded where an element is reached. */

enum { CHANGES_MAX = 4 };
#define FAR ((dl__bound)1 << 61)

/* True when it is a whole number of at most 2^40 in size; that is then in *value. */
static bool number_is_small(dl__number a, int64_t *value)
{
    const uint64_t small = (uint64_t)1 << 40;

    if (a > small && DL__PRIME - a > small)
        return false;
    *value = a <= small ? (int64_t)a : -(int64_t)(DL__PRIME - a);
    return true;
}

/* A variable whose row is this, some rows further at most. */
static const struct dl__variable_known *
row_of(const struct dl__prover *p, const struct dl__integer *row, int64_t most)
{
    for (size_t i = 0; i < p->old_text.variables.count; i++) {
        const struct dl__variable_known *v = p->old_text.variables.items[i];
        int64_t by;

        if (!v->row || !v->buffer || !v->split.is_exact || !v->split.is_near)
            continue;
        if (number_is_small(
                dl__number_subtract(row->exact,
                                    dl__draw("now", v->row->number, v->row->at, 0)),
                &by) &&
            by <= most && by >= -most)
            return v;
    }
    return NULL;
}

/* The split of a place that has become a row and a rest. */
static struct dl__split split_known(struct dl__prover *p,
                                    const struct dl__known *old_place,
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

/* A row or a rest as it may be wherever the variable is looked at. */
static struct dl__integer split_integer(struct dl__prover *p, dl__number number,
                                        dl__bound low, dl__bound high)
{
    struct dl__integer out = dl__integer_opaque(number, p->index_bits, false);

    out.low = low;
    out.high = high;
    out.may_wrap = true;
    return out;
}

/* ---- what is known of values ---- */

void dl__lose(struct dl__prover *p, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    p->lost_reason = dl__arena_format_list(p->arena, format, args);
    va_end(args);
    longjmp(p->lost, 1);
}

const struct dl__type *dl__known_type(struct dl__side_text *t, struct dl__node *n)
{
    if (!n->known_type)
        n->known_type = dl__ast_type(&t->w->ast, n->type);
    return n->known_type;
}

dl__number dl__type_number(const struct dl__type *type)
{
    dl__number inner =
        type->element && type->kind != DL__T_POINTER ? dl__type_number(type->element) : 0;
    const char *name = type->kind == DL__T_STRUCT && type->name ? type->name : "";

    return dl__draw("type",
                    (dl__number)type->kind << 8 | (unsigned char)type->scalar |
                        (dl__number)type->is_volatile << 20,
                    type->bytes, dl__draw_text("name", name, strlen(name)) ^ inner);
}

struct dl__known dl__know_opaque(dl__number number)
{
    return (struct dl__known){.kind = DL__K_OPAQUE, .number = number};
}

struct dl__known dl__know_integer(struct dl__integer integer)
{
    return (struct dl__known){.kind = DL__K_INTEGER, .integer = integer};
}

static bool is_integer(const struct dl__type *type)
{
    return type->kind == DL__T_SCALAR && type->scalar != 'f' && type->bytes;
}

struct dl__known dl__know_typed(dl__number number, const struct dl__type *type)
{
    if (is_integer(type))
        return dl__know_integer(
            dl__integer_opaque(number, type->bytes * 8, type->scalar == 'i'));
    if (type->kind == DL__T_POINTER)
        return (struct dl__known){
            .kind = DL__K_PLACE, .number = number, .inner = dl__zero()};
    return dl__know_opaque(number);
}

/* ---- what is known of integers ---- */

/* A smaller interval, where one is known. */
static struct dl__integer refine(struct dl__prover *p, struct dl__integer a)
{
    for (size_t i = 0; i < p->facts.count; i++) {
        const struct dl__fact *f = &p->facts.items[i];
        int64_t bound;

        if (!dl__integer_is_constant(f->right, &bound))
            continue;
        if (f->left.exact == a.exact && f->is_less && a.high >= bound)
            a.high = bound - 1;
        if (f->left.exact == a.exact && !f->is_less && a.low < bound)
            a.low = bound;
        /* ~left */
        if (dl__number_add(f->left.exact, a.exact) == dl__number_of(-1) && f->is_less &&
            a.low < -bound)
            a.low = -bound;
    }
    for (size_t i = 0; i < p->divisions.count; i++) {
        const struct dl__integer *rest = &p->divisions.items[i].rest;
        int64_t by;

        if (number_is_small(dl__number_subtract(a.exact, rest->exact), &by) &&
            a.low < rest->low + by && a.high >= rest->high + by) {
            a.low = rest->low + by;
            a.high = rest->high + by;
        } else if (number_is_small(dl__number_add(a.exact, rest->exact), &by) &&
                   a.low <= by - rest->high && a.high >= by - rest->low) {
            a.low = by - rest->high;
            a.high = by - rest->low;
        }
    }
    return a;
}

/* True when it is the width of some rows, which *a is then said to be. */
static bool known_width(const struct dl__prover *p, struct dl__integer *a)
{
    for (size_t i = 0; i < p->buffers.count; i++) {
        const struct dl__proved_buffer *b = p->buffers.items[i];

        if (b->note->width && a->exact == b->width.exact) {
            a->ring = b->width.ring;
            a->low = b->width.low;
            a->high = b->width.high;
            a->may_wrap = false;
            return true;
        }
    }
    return false;
}

struct dl__integer dl__seal(struct dl__prover *p, struct dl__integer a)
{
    if (known_width(p, &a))
        return a;
    /* A remainder that is found by multiplying back. */
    for (size_t i = 0; a.may_wrap && i < p->divisions.count; i++) {
        const struct dl__division *d = &p->divisions.items[i];

        if (d->raw_rest == a.exact ||
            (a.bits <= p->index_bits && d->rest.ring == a.ring)) {
            unsigned bits = a.bits;

            a = d->rest;
            a.bits = bits;
            a.is_signed = a.may_wrap = false;
            return a;
        }
    }
    return refine(p, dl__integer_sealed(a, p->index_bits));
}

static dl__number inverse(dl__number a)
{
    dl__number out = 1;

    for (uint64_t power = DL__PRIME - 2; power; power >>= 1) {
        if (power & 1)
            out = dl__number_multiply(out, a);
        a = dl__number_multiply(a, a);
    }
    return out;
}

static dl__bound floor_of(dl__bound a, dl__bound b)
{
    return a / b - (a % b < 0);
}

/* That of which `a` is a multiple, divided by it: the value is what is left. */
static struct dl__integer integer_share(struct dl__integer a, uint32_t divisor)
{
    a.exact = a.ring = a.word =
        dl__number_multiply(a.exact, inverse(dl__number_of(divisor)));
    a.low = -floor_of(-a.low, divisor);
    a.high = floor_of(a.high, divisor);
    a.multiple /= divisor;
    return a;
}

static void draw_quotient(struct dl__division *d)
{
    const struct dl__integer a = d->dividend, b = d->divisor;

    d->quotient = dl__integer_opaque(dl__draw("quotient", a.exact, b.exact, 0), a.bits,
                                     a.is_signed);
    if (a.low >= 0 && b.low > 0) {
        d->quotient.low = 0;
        d->quotient.high = a.high / b.low;
    }
    d->rest = dl__integer_combine('*', d->quotient, b);
    d->raw_rest = dl__number_subtract(d->raw_rest, d->rest.exact);
    d->rest = dl__integer_combine('-', a, d->rest);
    d->rest.may_wrap = false;
    dl__integer_limits(a.bits, a.is_signed, &d->rest.low, &d->rest.high);
    if (a.low >= 0) { /* it has the dividend's sign */
        d->rest.low = 0;
        d->rest.high = a.high < d->rest.high ? a.high : d->rest.high;
    }
    if (b.low > 0 && b.high <= d->rest.high) {
        d->rest.low = a.low >= 0 ? 0 : -(b.high - 1);
        d->rest.high = b.high - 1;
    }
}

static struct dl__known divide(struct dl__prover *p, struct dl__integer a,
                               struct dl__integer b, bool wants_rest)
{
    struct dl__division d = {.raw_rest = a.exact};
    int64_t by;

    a = dl__seal(p, a);
    b = dl__seal(p, b);
    d.dividend = a;
    d.divisor = b;
    if (dl__integer_is_constant(b, &by) && by > 1 && by < DL__NEAR && a.multiple &&
        !a.may_wrap && a.multiple % by == 0) {
        d.quotient = integer_share(a, (uint32_t)by);
        d.rest = dl__integer_constant(0, a.bits, a.is_signed);
        d.raw_rest = 0;
    } else {
        draw_quotient(&d);
    }
    if (a.low >= 0)
        DL__PUSH(p->arena, &p->divisions, d);
    return dl__know_integer(wants_rest ? d.rest : d.quotient);
}

dl__number dl__key(struct dl__prover *p, const struct dl__known *v)
{
    switch (v->kind) {
    case DL__K_INTEGER:
        return dl__seal(p, v->integer).exact;
    case DL__K_PLACE:
        if (v->buffer)
            dl__lose(p, "a pointer into the buffer goes where it is not followed");
        return dl__draw("place", v->number, v->inner.exact, 0);
    case DL__K_OPAQUE:
        return v->number;
    default:
        dl__lose(p, "a pointer into the buffer goes where it is not followed");
    }
}

/* The number of a part of what has a number. */
static dl__number piece(dl__number whole, uint32_t offset, uint32_t bytes,
                        uint32_t whole_bytes)
{
    return !offset && bytes == whole_bytes ? whole
                                           : dl__draw("piece", whole, offset, bytes);
}

/* ---- places ---- */

static bool same_type(const struct dl__type *a, const struct dl__type *b)
{
    if (a->kind != b->kind || a->bytes != b->bytes)
        return false;
    if (a->kind == DL__T_STRUCT)
        return a->identity == b->identity;
    if (a->kind == DL__T_ARRAY || a->kind == DL__T_VECTOR)
        return a->count == b->count && same_type(a->element, b->element);
    return a->kind == DL__T_SCALAR;
}

void dl__offsets_of_type(struct dl__prover *p, const struct dl__type *in, uint32_t base,
                         const struct dl__type *type, struct dl__offsets *out)
{
    if (out->count > 4096)
        return;
    if (same_type(in, type)) {
        DL__PUSH(p->arena, out, base);
    } else if (in->kind == DL__T_ARRAY) {
        for (uint64_t i = 0; i < in->count; i++)
            dl__offsets_of_type(p, in->element, base + (uint32_t)i * in->element->bytes,
                                type, out);
    } else if (in->kind == DL__T_STRUCT) {
        for (size_t i = 0; i < in->identity->field_count; i++)
            dl__offsets_of_type(p, in->identity->fields[i].type,
                                base + in->identity->fields[i].offset_bytes, type, out);
    }
}

static struct dl__integer times(struct dl__prover *p, struct dl__integer a,
                                uint32_t bytes)
{
    a = refine(p, a);
    a.bits = 64;
    a.is_signed = true;
    return dl__integer_combine('*', a, dl__integer_constant(bytes, 64, true));
}

/* In the rewritten text: what comes on top of a tiled address, or of an element's. */
static void move_spots(struct dl__prover *p, struct dl__known *place,
                       struct dl__integer by, uint32_t bytes)
{
    struct dl__reached *spots =
        dl__arena_alloc(p->arena, place->spot_count * sizeof *spots);

    for (size_t i = 0; i < place->spot_count; i++) {
        spots[i] = place->spots[i];
        spots[i].extra =
            dl__integer_combine('+', spots[i].extra, times(p, dl__seal(p, by), bytes));
    }
    place->spots = spots;
}

/* A pointer to something smaller that is moved by whole structs, or elements. */
static bool move_structs(struct dl__prover *p, struct dl__known *place,
                         struct dl__integer by, uint32_t bytes)
{
    uint32_t unit = place->buffer->unit_bytes;
    struct dl__integer all = times(p, by, bytes);

    if ((!all.low && !all.high) || unit == bytes || !all.multiple || all.multiple % unit)
        return false;
    place->steps = dl__integer_combine('+', place->steps, integer_share(all, unit));
    return true;
}

static struct dl__known place_moved(struct dl__prover *p, struct dl__known place,
                                    struct dl__integer by, const struct dl__type *pointee)
{
    uint32_t bytes = pointee->bytes;
    int64_t constant;

    by = dl__seal(p, by);
    by.bits = 64;
    by.is_signed = true;
    if (place.variable && place.variable->type->kind != DL__T_STRUCT &&
        place.variable->type->kind != DL__T_ARRAY)
        place.variable = NULL;
    if (place.spot_count) {
        move_spots(p, &place, by, bytes);
        return place;
    }
    if (!place.buffer) {
        place.inner = dl__integer_combine('+', place.inner, times(p, by, bytes));
        return place;
    }
    if (bytes == place.buffer->unit_bytes &&
        dl__integer_is_constant(place.inner, &constant) && !constant &&
        !place.array_bytes && same_type(pointee, place.buffer->element)) {
        place.steps = dl__integer_combine('+', place.steps, by);
        return place;
    }
    if (!place.array_bytes && move_structs(p, &place, by, bytes))
        return place;
    place.inner = dl__integer_combine('+', place.inner, times(p, by, bytes));
    if (dl__integer_is_constant(by, &constant) && !constant)
        return place;
    if (place.array_bytes >= bytes && bytes && place.array_bytes / bytes <= 1024 &&
        place.offsets.count * (place.array_bytes / bytes) <= 4096) {
        struct dl__offsets all = {0};

        for (size_t i = 0; i < place.offsets.count; i++)
            for (uint32_t at = 0; at + bytes <= place.array_bytes; at += bytes)
                if (!dl__integer_is_constant(by, &constant) ||
                    constant * (int64_t)bytes == at)
                    DL__PUSH(p->arena, &all, place.offsets.items[i] + at);
        place.offsets = all;
    } else {
        place.offsets = (struct dl__offsets){0};
        dl__offsets_of_type(p, place.buffer->element, 0, pointee, &place.offsets);
    }
    place.array_bytes = 0;
    return place;
}

static struct dl__known place_member(struct dl__prover *p, struct dl__known place,
                                     uint32_t offset_bytes)
{
    struct dl__offsets all = {0};

    if (place.spot_count) {
        move_spots(p, &place, dl__integer_constant(offset_bytes, 64, true), 1);
        return place;
    }
    place.inner = dl__integer_combine('+', place.inner,
                                      dl__integer_constant(offset_bytes, 64, true));
    for (size_t i = 0; i < place.offsets.count; i++)
        DL__PUSH(p->arena, &all, place.offsets.items[i] + offset_bytes);
    place.offsets = all;
    place.array_bytes = 0;
    return place;
}

/* ---- accesses of one text looked for in the other ---- */

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
             row_of(p, &s->index, DL__NEAR / DL_FLAT_WIDTH_MAX)))
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
               number_is_small(
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
    return number_is_small(dl__number_subtract(to, from), delta);
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

/* Sets how far the program's place is before that of the rewritten text; false: not a
 * constant. */
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
    if (number_is_small(dl__number_subtract(exact, begin), delta))
        return true;
    /* Structs: the index counts modulo 2^R, for it is a struct of the buffer. */
    if (!b->is_flat && old_place->steps.ring == s->index.ring &&
        number_is_small(
            dl__number_subtract(dl__number_add(s->offset.exact, s->extra.exact),
                                old_place->inner.exact),
            delta))
        return true;
    if (distance_of_short(old_place, s, delta))
        return true;
    /* An array's index, which is in the array: neither does it wrap. */
    if (!b->is_flat && old_place->steps.ring == s->index.ring &&
        number_is_small(dl__number_subtract(dl__number_add(s->offset.ring, s->extra.ring),
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
    return b->is_flat && number_is_small(dl__number_subtract(ring, begin_ring), delta) &&
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

        return number_is_small(dl__number_subtract(to, from), delta) && *delta >= 0 &&
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
        return number_is_small(
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

/* NULL: the place of the rewritten text is the program's, moved by *delta bytes, and lies
 * in a leaf; else why not. */
static const char *reach(const struct dl__prover *p, const struct dl__known *old_place,
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

/* The accesses of the rewritten text, reads and writes, are looked for among the
 * program's. */

/* ---- effects ---- */

static void add_effect(struct dl__prover *p, struct dl__side_text *t, dl__number key)
{
    struct dl__effect effect = {.kind = DL__E_PLAIN, .key = key};

    if (p->in_accessor)
        return;
    if (!t->is_new) {
        DL__PUSH(p->arena, &p->effects, effect);
        return;
    }
    if (p->next_effect >= p->effects.count ||
        p->effects.items[p->next_effect].kind != DL__E_PLAIN ||
        p->effects.items[p->next_effect].key != key)
        dl__lose(p, "the rewritten text does something else here, or in another order");
    p->next_effect++;
}

static size_t epoch_of(const struct dl__prover *p, const struct dl__side_text *t)
{
    return t->is_new ? p->next_effect : p->effects.count;
}

/* ---- reading ---- */

/* Of what the bytes are; 0 for a struct's. */
static dl__number kind_of(const struct dl__type *type)
{
    const struct dl__type *in = type->kind == DL__T_VECTOR ? type->element : type;

    return in->kind == DL__T_SCALAR ? dl__type_number(in) : 0;
}

/* The same for what is read at one place at one time. */
static dl__number access_piece(const struct dl__prover *p,
                               const struct dl__access_old *access, uint32_t offset,
                               uint32_t bytes)
{
    const struct dl__known *place = &access->place;
    dl__number unit = dl__number_of(place->buffer->unit_bytes);
    /* The bytes that it reaches lie in the buffer: they are told from others by its index
     * modulo 2^R, or modulo 2^32 where it is not larger. */
    bool is_short = place->steps.high <= UINT32_MAX;
    dl__number at = dl__number_add(
        dl__number_multiply(is_short ? place->steps.word : place->steps.ring, unit),
        is_short ? place->inner.word : place->inner.ring);

    at = dl__number_add(at, dl__number_of(offset));
    return dl__draw("access", dl__draw("at", place->buffer->number, at, p->clock),
                    dl__draw("bytes", bytes, kind_of(access->type),
                             access->type->kind == DL__T_OTHER),
                    access->number);
}

/* Several mentions of one place are one. */
static void mark_reached(struct dl__prover *p, const struct dl__access_old *access)
{
    for (size_t i = 0; i < p->accesses.count; i++)
        if (p->accesses.items[i].key == access->key &&
            (p->accesses.items[i].epoch == SIZE_MAX) == (access->epoch == SIZE_MAX))
            p->accesses.items[i].is_reached = true;
}

static size_t add_access(struct dl__prover *p, struct dl__node *n, struct dl__known place,
                         const struct dl__type *type, bool stores)
{
    struct dl__access_old access = {.node = n,
                                    .place = place,
                                    .type = type,
                                    .epoch = stores ? SIZE_MAX : p->effects.count,
                                    .number = p->effects.count};

    access.key = access_piece(p, &access, 0, type->bytes);
    DL__PUSH(p->arena, &p->accesses, access);
    return p->accesses.count - 1;
}

static bool same_kind(const struct dl__type *old_type, const struct dl__type *new_type)
{
    const struct dl__type *a = old_type, *b = new_type;

    if (a->kind == DL__T_STRUCT || a->kind == DL__T_OTHER)
        return true; /* bytes are copied */
    a = a->kind == DL__T_VECTOR ? a->element : a;
    b = b->kind == DL__T_VECTOR ? b->element : b;
    return a->kind == b->kind && a->scalar == b->scalar && a->bytes == b->bytes;
}

/* Each volatile access is one of the program's, in the program's order. */
static void load_volatile(struct dl__prover *p, struct dl__side_text *t,
                          const struct dl__access_old *access)
{
    add_effect(p, t, dl__draw("volatile", access->key, 0, 0));
}

static struct dl__known load_new(struct dl__prover *p, const struct dl__known *place,
                                 const struct dl__type *type, dl__number lanes)
{
    const char *reason = "the program reads nothing here", *said;

    for (size_t i = 0; i < p->accesses.count; i++) {
        struct dl__access_old *access = &p->accesses.items[i];
        int64_t delta;

        if (access->epoch != epoch_of(p, &p->new_text))
            continue;
        said = !same_kind(access->type, type) ||
                       access->type->is_volatile != type->is_volatile
                   ? "it is read as another type"
                   : reach(p, &access->place, access->type->bytes, place, type->bytes,
                           &delta);
        if (said) {
            /* That of another buffer is not meant. */
            reason = access->place.buffer == place->buffer || i == 0 ? said : reason;
            continue;
        }
        mark_reached(p, access);
        if (type->is_volatile)
            load_volatile(p, &p->new_text, access);
        return dl__know_typed(
            access_piece(p, access, (uint32_t)delta, type->bytes) ^ lanes, type);
    }
    dl__lose(p, "%s", reason);
}

static bool is_covered(const struct dl__type *type, const unsigned char *covered)
{
    return !memchr(covered, 0, type->bytes);
}

/* A variable of an accessor, or a struct that it was given. */
static struct dl__known load_local(struct dl__prover *p, const struct dl__known *place,
                                   const struct dl__type *type)
{
    struct dl__variable_known *v = place->variable;
    int64_t at;

    if (!dl__integer_is_constant(place->inner, &at) || v->value.kind != DL__K_OPAQUE)
        dl__lose(p, "an accessor's variable is not followed");
    if (v->allowed.count && type->bytes == v->type->bytes) {
        unsigned char *covered = dl__arena_alloc(p->arena, v->type->bytes);

        for (uint32_t i = 0; i < v->type->bytes; i++)
            covered[i] = v->allowed.items[i] != 0;
        if (!is_covered(v->type, covered))
            dl__lose(p, "not all of a struct is read");
    }
    return dl__know_typed(
        piece(v->value.number, (uint32_t)at, type->bytes, v->type->bytes), type);
}

static struct dl__known load_known(struct dl__prover *p, struct dl__side_text *t,
                                   struct dl__node *n, struct dl__known place,
                                   const struct dl__type *type, dl__number lanes)
{
    struct dl__known out;

    if (place.buffer && t->is_new)
        return load_new(p, &place, type, lanes);
    if (place.buffer) {
        size_t at = add_access(p, n, place, type, false);

        if (type->is_volatile)
            load_volatile(p, t, &p->accesses.items[at]);
        out = dl__know_typed(p->accesses.items[at].key ^ lanes, type);
        return out;
    }
    if (place.variable && place.variable->relation == DL__R_VALUE && t->is_new)
        return load_local(p, &place, type);
    return dl__know_typed(
        dl__draw("load",
                 dl__draw("at", place.number, place.inner.exact, dl__type_number(type)),
                 p->in_accessor ? p->clock : p->clock ^ epoch_of(p, t), lanes),
        type);
}

/* ---- writing ---- */

static void store_new(struct dl__prover *p, const struct dl__known *place,
                      const struct dl__type *type, dl__number lanes,
                      struct dl__known value)
{
    struct dl__effect *e = &p->effects.items[p->next_effect];
    struct dl__access_old *access;
    const char *reason;
    int64_t delta;

    if (p->next_effect >= p->effects.count || e->kind != DL__E_STORE)
        dl__lose(p, "the program writes nothing here, or in another order");
    access = &p->accesses.items[e->access];
    reason =
        !same_kind(access->type, type) || access->type->is_volatile != type->is_volatile
            ? "it is written as another type"
            : reach(p, &access->place, access->type->bytes, place, type->bytes, &delta);
    if (reason)
        dl__lose(p, "%s", reason);
    if (lanes != e->key || piece(dl__key(p, &e->value), (uint32_t)delta, type->bytes,
                                 access->type->bytes) != dl__key(p, &value))
        dl__lose(p, "another value is written");
    access->is_reached = true;
    memset(e->covered + delta, 1, type->bytes);
    if (is_covered(access->type, e->covered))
        p->next_effect++;
}

static void store_local(struct dl__prover *p, const struct dl__known *place,
                        const struct dl__type *type, struct dl__known value)
{
    struct dl__variable_known *v = place->variable;
    dl__number key = dl__key(p, &value);
    int64_t at;

    if (!dl__integer_is_constant(place->inner, &at))
        dl__lose(p, "an accessor's variable is not followed");
    if (!p->in_accessor && at == 0 && type->bytes == v->type->bytes) {
        v->value = dl__know_opaque(key);
        return;
    }
    for (size_t i = 0; i < p->accesses.count; i++) {
        const struct dl__access_old *access = &p->accesses.items[i];

        if (access->type->bytes != v->type->bytes ||
            access_piece(p, access, (uint32_t)at, type->bytes) != key ||
            (v->value.kind == DL__K_OPAQUE && v->value.number != access->key))
            continue;
        v->value = dl__know_opaque(access->key);
        if (!v->allowed.count)
            for (uint32_t k = 0; k < v->type->bytes; k++)
                DL__PUSH(p->arena, &v->allowed, 0);
        for (uint32_t k = 0; k < type->bytes; k++)
            v->allowed.items[(uint32_t)at + k] = 1;
        return;
    }
    dl__lose(p, "a struct is not read member by member");
}

static void store_known(struct dl__prover *p, struct dl__side_text *t, struct dl__node *n,
                        struct dl__known place, const struct dl__type *type,
                        dl__number lanes, struct dl__known value)
{
    struct dl__effect e = {.kind = DL__E_STORE, .key = lanes, .value = value};

    if (place.buffer && t->is_new) {
        store_new(p, &place, type, lanes, value);
    } else if (place.buffer) {
        e.access = add_access(p, n, place, type, true);
        e.covered = dl__arena_alloc(p->arena, type->bytes + 1);
        e.value = dl__know_opaque(dl__key(p, &value));
        DL__PUSH(p->arena, &p->effects, e);
    } else if (place.variable && place.variable->relation == DL__R_VALUE && t->is_new) {
        store_local(p, &place, type, value);
    } else {
        add_effect(p, t,
                   dl__draw("store",
                            dl__draw("at", place.number, place.inner.exact,
                                     dl__type_number(type)),
                            dl__key(p, &value), lanes));
    }
}

/* ---- addresses ---- */

/* A pointer on its way to something that reads or writes `bytes` behind it. */
static dl__number address_key(struct dl__prover *p, struct dl__side_text *t,
                              struct dl__node *n, struct dl__known place, uint32_t bytes)
{
    const char *reason = "the program takes no address here";

    if (!place.buffer) {
        struct dl__known v = place;

        return dl__key(p, &v);
    }
    if (!t->is_new) {
        struct dl__type *type = DL__NEW(p->arena, struct dl__type);
        size_t at;

        type->kind = DL__T_OTHER;
        type->bytes = bytes;
        at = add_access(p, n, place, type, false);
        return p->accesses.items[at].key;
    }
    for (size_t i = 0; i < p->accesses.count; i++) {
        struct dl__access_old *access = &p->accesses.items[i];
        int64_t delta = 0;

        if (access->epoch != epoch_of(p, t) || access->type->kind != DL__T_OTHER)
            continue;
        reason = reach(p, &access->place, access->type->bytes, &place, bytes, &delta);
        if (reason || delta)
            continue;
        mark_reached(p, access);
        return access->key;
    }
    dl__lose(p, "%s", reason ? reason : "another address is taken");
}

/* ---- pointers ---- */

static dl__number null_number(void)
{
    return dl__draw("null", 0, 0, 0);
}

static struct dl__known know_null(void)
{
    return (struct dl__known){
        .kind = DL__K_PLACE, .number = null_number(), .inner = dl__zero()};
}

static bool is_zero(struct dl__integer a)
{
    int64_t value;

    return dl__integer_is_constant(a, &value) && !value;
}

static bool known_is_null(const struct dl__known *v)
{
    return v->kind == DL__K_PLACE && !v->buffer && v->number == null_number() &&
           is_zero(v->inner);
}

/* DL_NULL: an index that no buffer has. */
static dl__bound null_index(const struct dl__prover *p)
{
    return (dl__bound)1 << (p->index_bits - 1);
}

/* True for DL_NULL. */
static bool is_index_null(const struct dl__prover *p, const struct dl__known *v)
{
    return v->kind == DL__K_INTEGER && v->integer.low == v->integer.high &&
           v->integer.low == null_index(p);
}

/* True for a place in a buffer that is told by its index alone. */
static bool is_tracked(const struct dl__known *v)
{
    return v->kind == DL__K_PLACE && v->buffer && !v->spot_count;
}

/* Structs of one type, or elements of one type in rows as wide. */
static bool are_of_a_type(const struct dl__proved_buffer *a,
                          const struct dl__proved_buffer *b)
{
    if (a->is_flat)
        return !a->note->width && !b->note->width && a->unit_bytes == b->unit_bytes &&
               a->element->name && b->element->name &&
               !strcmp(a->element->name, b->element->name);
    return a->element->kind == DL__T_STRUCT && b->element->kind == DL__T_STRUCT &&
           a->element->identity == b->element->identity;
}

/* True when what is known of one holds for the other. */
static bool is_like(const struct dl__proved_buffer *a, const struct dl__proved_buffer *b)
{
    const struct dl_leaf_table *x = &a->note->leaves, *y = &b->note->leaves;

    if (a->is_flat != b->is_flat || !are_of_a_type(a, b) ||
        x->struct_bytes != y->struct_bytes || x->leaf_count != y->leaf_count)
        return false;
    for (size_t i = 0; i < x->leaf_count; i++)
        if (x->leaves[i].offset_bytes != y->leaves[i].offset_bytes ||
            x->leaves[i].width_bytes != y->leaves[i].width_bytes)
            return false;
    return true;
}

static const struct dl__proved_buffer *either_buffer(struct dl__prover *p,
                                                     dl__number number,
                                                     const struct dl__proved_buffer *like)
{
    struct dl__proved_buffer *b;

    number = dl__draw("like", number, like->number, 0);
    for (size_t i = 0; i < p->either.count; i++)
        if (p->either.items[i]->number == number)
            return p->either.items[i];
    b = DL__NEW(p->arena, struct dl__proved_buffer);
    *b = *like;
    b->number = number;
    b->head = dl__integer_opaque(dl__draw("head", number, 0, 0), p->index_bits, false);
    b->tail = dl__integer_opaque(dl__draw("tail", number, 0, 0), p->index_bits, false);
    b->head.high = b->tail.high = b->head.high / 2;
    b->structs = dl__number_add(b->head.exact, b->tail.exact);
    DL__PUSH(p->arena, &p->either, b);
    return b;
}

/* A buffer that is told from others by a number, and is like one of the kernel's. */
static bool is_either(const struct dl__prover *p, const struct dl__proved_buffer *b)
{
    for (size_t i = 0; i < p->either.count; i++)
        if (p->either.items[i] == b)
            return true;
    return false;
}

/* Bytes that a pointer into it steps over: a struct's, or an element's of rows. */
static uint32_t step_bytes(const struct dl__proved_buffer *b)
{
    return b->is_flat ? b->unit_bytes : b->note->leaves.struct_bytes;
}

/* Returns the byte of the struct or element with that index. */
static struct dl__integer place_number(const struct dl__proved_buffer *b,
                                       struct dl__integer index, uint32_t bytes)
{
    return dl__integer_opaque(
        dl__draw("place", b->number, index.ring, dl__number_of(bytes)), 64, false);
}

/* ---- conditions ---- */

struct dl__known dl__truth(struct dl__known v)
{
    struct dl__integer out;

    if (known_is_null(&v))
        return dl__know_integer(dl__integer_constant(0, 32, true));
    if (!is_tracked(&v))
        return v;
    out = dl__integer_opaque(dl__draw("there is", v.buffer->number,
                                      v.is_base ? v.integer.ring : v.steps.ring, 0),
                             32, true);
    out.low = 0;
    out.high = 1;
    return dl__know_integer(out);
}

static struct dl__known negated(struct dl__prover *p, struct dl__known v,
                                const struct dl__type *type)
{
    return dl__know_typed(dl__draw("!", dl__key(p, &v), dl__type_number(type), 1), type);
}

/* ---- chosen by a condition ---- */

static dl__number ring_of(const struct dl__prover *p, const struct dl__known *v)
{
    if (known_is_null(v) || (v->kind == DL__K_FAR && !v->buffer))
        return dl__number_of(null_index(p));
    return v->kind == DL__K_FAR ? v->integer.ring : v->steps.ring;
}

static const struct dl__proved_buffer *choose_buffer(struct dl__prover *p, dl__number key,
                                                     const struct dl__known *a,
                                                     const struct dl__known *b)
{
    if (!a->buffer || !b->buffer || a->buffer == b->buffer)
        return a->buffer ? a->buffer : b->buffer;
    if (!is_like(a->buffer, b->buffer))
        dl__lose(p, "a pointer is chosen from buffers that are not alike");
    return either_buffer(p, dl__draw("either", key, a->buffer->number, b->buffer->number),
                         a->buffer);
}

/* `key ? a : b` of pointers, or of what became of them; false: it is something else. */
static bool choose_pointer(struct dl__prover *p, dl__number key,
                           const struct dl__known *a, const struct dl__known *b,
                           struct dl__known *out)
{
    bool is_far = a->kind == DL__K_FAR && b->kind == DL__K_FAR;
    dl__number chosen;

    if (!is_far &&
        !((is_tracked(a) || known_is_null(a)) && (is_tracked(b) || known_is_null(b))))
        return false;
    if (!a->buffer && !b->buffer) {
        *out = *a;
        return true;
    }
    chosen = dl__draw("?:", key, ring_of(p, a), ring_of(p, b));
    *out = a->buffer ? *a : *b;
    out->is_base = false;
    out->buffer = choose_buffer(p, key, a, b);
    if (is_far) {
        out->integer = dl__integer_opaque(chosen, p->index_bits, false);
        return true;
    }
    out->steps = dl__integer_opaque(chosen, 64, true);
    if (a->inner.exact != b->inner.exact)
        out->inner = dl__integer_opaque(
            dl__draw("?:", key, a->inner.exact, b->inner.exact), 64, true);
    if (a->buffer && b->buffer)
        for (size_t i = 0; i < b->offsets.count; i++)
            DL__PUSH(p->arena, &out->offsets, b->offsets.items[i]);
    return true;
}

/* ---- variables ---- */

/* No work-item lives long enough to count further by small steps. */
#define CLIMB_MAX ((dl__bound)1 << 50)

struct dl__variable_known *dl__find_known(struct dl__side_text *t, size_t declared_at)
{
    for (size_t i = t->variables.count; i > 0 && declared_at != SIZE_MAX; i--)
        if (t->variables.items[i - 1]->at == declared_at)
            return t->variables.items[i - 1];
    return NULL;
}

struct dl__variable_known *dl__declare_known(struct dl__prover *p,
                                             struct dl__side_text *t, const char *name,
                                             size_t at, const struct dl__type *type)
{
    struct dl__variable_known *v = DL__NEW(p->arena, struct dl__variable_known);

    v->name = name;
    v->at = at;
    v->type = type;
    v->number = dl__draw_text(t->is_new ? "new" : "variable", name, strlen(name)) ^
                dl__draw("declared", at, 0, 0);
    if (t->is_new)
        for (size_t i = p->old_text.variables.count; i > 0; i--) {
            const struct dl__variable_known *twin = p->old_text.variables.items[i - 1];

            if (strcmp(twin->name, name))
                continue;
            v->number = twin->number;
            v->is_changed = twin->is_changed;
            v->is_fixed = twin->is_fixed;
            v->fixed = twin->fixed;
            v->climbs = twin->climbs;
            v->is_counted = twin->is_counted;
            v->low = twin->low;
            v->high = twin->high;
            break;
        }
    DL__PUSH(p->arena, &t->variables, v);
    return v;
}

void dl__set_variable(struct dl__prover *p, struct dl__side_text *t,
                      struct dl__variable_known *v, struct dl__known value)
{
    if (v->relation == DL__R_COMMON) {
        add_effect(p, t, dl__draw("set", v->number, dl__key(p, &value), 0));
        v->version++;
        return;
    }
    if (v->is_kept || (p->in_branch && !p->in_accessor))
        dl__lose(p, "what a pointer became is changed where it can't be followed");
    if (v->buffer && value.kind == DL__K_PLACE && !known_is_null(&value) &&
        value.buffer != v->buffer &&
        (v->relation != DL__R_FAR || !value.buffer || !is_like(value.buffer, v->buffer)))
        dl__lose(p, "a pointer into one buffer is set to another's");
    v->value = value;
    v->is_set = true;
}

static struct dl__known read_variable(struct dl__prover *p, struct dl__variable_known *v)
{
    struct dl__known out;

    if (v->relation != DL__R_COMMON) {
        out = v->value;
        if (out.kind == DL__K_INTEGER && p->in_accessor)
            out.integer = refine(p, out.integer);
        return out;
    }
    if (v->is_fixed)
        return dl__know_integer(v->fixed);
    out = dl__know_typed(v->version || (v->is_changed && p->has_begun)
                             ? dl__draw("version", v->number, v->version, p->has_begun)
                             : v->number,
                         v->type);
    if (v->climbs)
        out.integer.high = CLIMB_MAX;
    if (v->is_counted && !v->version) {
        out.integer.low = v->low;
        out.integer.high = v->high;
    }
    return out;
}

/* ---- tokens ---- */

dl__number dl__own_tokens(struct dl__side_text *t, const struct dl__node *n)
{
    const struct dl__ast *ast = &t->w->ast;
    struct dl__lexer lexer = {.text = ast->text, .bytes = n->end, .offset = n->begin};
    dl__number out = 1;
    struct dl__token token;

    for (;;) {
        bool inside = false;

        lexer.offset = dl__text_skip(ast->text, n->end, lexer.offset);
        for (size_t i = 0; i < n->child_count && !inside; i++)
            if (lexer.offset >= n->children[i]->begin &&
                lexer.offset < n->children[i]->end) {
                lexer.offset = n->children[i]->end;
                inside = true;
                out = dl__draw("a child", out, 0, 0);
            }
        if (inside)
            continue;
        token = dl__lex_next(&lexer);
        if (token.kind == DL__END || token.offset >= n->end)
            return out;
        if (token.kind != DL__NEWLINE)
            out = dl__draw_text("token", token.text, token.bytes) ^
                  dl__draw("then", out, 0, 0);
    }
}

/* True when all of it is its child's text. */
static bool is_wrapper(struct dl__side_text *t, const struct dl__node *n)
{
    return n->kind == DL__N_IMPLICIT && n->child_count == 1 &&
           dl__own_tokens(t, n) == dl__draw("a child", 1, 0, 0);
}

/* ---- conversions ---- */

struct dl__known dl__convert_known(struct dl__prover *p, struct dl__known v,
                                   const struct dl__type *type)
{
    bool is_integer = type->kind == DL__T_SCALAR && type->scalar != 'f' && type->bytes;

    if (v.kind == DL__K_INTEGER && is_integer && type->scalar != 'b') {
        v.integer =
            dl__integer_convert(v.integer.may_wrap && (type->scalar == 'i' ||
                                                       type->bytes * 8 > v.integer.bits)
                                    ? dl__seal(p, v.integer)
                                    : v.integer,
                                type->bytes * 8, type->scalar == 'i', p->index_bits);
        return v;
    }
    if (type->kind == DL__T_POINTER && v.kind == DL__K_PLACE)
        return v;
    if (type->kind == DL__T_POINTER && v.kind == DL__K_INTEGER && v.integer.low == 0 &&
        v.integer.high == 0)
        return know_null();
    if (type->kind == DL__T_STRUCT || type->kind == DL__T_OTHER ||
        (v.kind != DL__K_INTEGER && v.kind != DL__K_OPAQUE))
        return v;
    return dl__know_typed(dl__draw("convert", dl__key(p, &v), dl__type_number(type), 0),
                          type);
}

/* ---- What operators make of what is known. ---- */

static bool points_into(const struct dl__known *v)
{
    return v->kind == DL__K_PLACE && v->buffer;
}

/* A comparison of two integers; `op` is one of C's. */
static struct dl__known compare(struct dl__prover *p, const char *op,
                                struct dl__integer a, struct dl__integer b)
{
    struct dl__integer out;
    dl__number difference;

    if (op[0] == '=' || op[0] == '!') {
        bool in_ring = a.bits == p->index_bits && !a.is_signed;

        if (!in_ring) {
            a = dl__seal(p, a);
            b = dl__seal(p, b);
        }
        difference = in_ring ? dl__number_subtract(a.ring, b.ring)
                             : dl__number_subtract(a.exact, b.exact);
        out = dl__integer_opaque(
            dl__draw(op, dl__number_multiply(difference, difference), 0, 0), 32, true);
    } else {
        a = dl__seal(p, a);
        b = dl__seal(p, b);
        out = dl__integer_opaque(dl__draw(op, a.exact, b.exact, 0), 32, true);
    }
    out.low = 0;
    out.high = 1;
    return dl__know_integer(out);
}

/* Returns the index or offset that a pointer into a buffer may become, as it is compared.
 */
static struct dl__integer position(struct dl__prover *p, struct dl__integer at,
                                   bool is_signed)
{
    struct dl__integer out = at;
    int64_t value;

    if (!dl__integer_is_constant(out, &value)) {
        out = dl__integer_convert(out, p->index_bits, false, p->index_bits);
        out.may_wrap = true;
        out.low = -((dl__bound)1 << 70); /* it is taken as an index in any case */
    } else {
        out.bits = p->index_bits;
        out.is_signed = false;
    }
    return is_signed
               ? dl__integer_convert(dl__seal(p, out), p->index_bits, true, p->index_bits)
               : out;
}

static struct dl__integer subtract(struct dl__prover *p, struct dl__integer from,
                                   struct dl__integer to)
{
    from = dl__integer_combine('-', position(p, from, false), position(p, to, false));
    from.low = -((dl__bound)1 << 70);
    from = dl__integer_convert(from, p->index_bits, true, p->index_bits);
    from.bits = 64;
    return from;
}

/* True where two parts, or pointers to them, are the same. */
static struct dl__known same_part(struct dl__prover *p, const struct dl__integer a[2],
                                  const struct dl__integer b[2])
{
    dl__number i = dl__number_subtract(a[0].ring, b[0].ring);
    dl__number o = dl__number_subtract(a[1].ring, b[1].ring);
    struct dl__integer out = dl__integer_opaque(
        dl__draw("same part", dl__number_multiply(i, i), dl__number_multiply(o, o), 0),
        32, true);

    if (is_zero(a[1]) && is_zero(b[1]))
        return compare(p, "==", position(p, a[0], false), position(p, b[0], false));
    out.low = 0;
    out.high = 1;
    return dl__know_integer(out);
}

/* Whether two dl_part are the same, and how many bytes they are apart. */
static struct dl__known compare_parts(struct dl__prover *p, const struct dl__known *a,
                                      const struct dl__known *b)
{
    const struct dl__integer x[2] = {a->integer, a->inner}, y[2] = {b->integer, b->inner};

    return same_part(p, x, y);
}

/* Pointers to members: of one struct where they are not compared for being the same. */
static struct dl__known members(struct dl__prover *p, const char *op, struct dl__known *a,
                                struct dl__known *b, const struct dl__type *pointee,
                                const struct dl__type *type)
{
    const struct dl__integer x[2] = {a->steps, a->inner}, y[2] = {b->steps, b->inner};

    if (!strcmp(op, "=="))
        return same_part(p, x, y);
    if (!strcmp(op, "!="))
        return negated(p, same_part(p, x, y), type);
    if (strcmp(op, "-"))
        return compare(p, op, subtract(p, a->inner, b->inner),
                       dl__integer_constant(0, 64, true));
    return divide(p, subtract(p, a->inner, b->inner),
                  dl__integer_constant(pointee->bytes, 32, true), false);
}

static struct dl__known pointers(struct dl__prover *p, const char *op,
                                 struct dl__known *a, struct dl__known *b)
{
    bool equality = op[0] == '=' || op[0] == '!';

    if (!strcmp(op, "-"))
        return dl__know_integer(subtract(p, a->steps, b->steps));
    return compare(p, op, position(p, a->steps, !equality),
                   position(p, b->steps, !equality));
}

/* By where they are: the rewritten text has dl_far_place. */
static struct dl__known places(struct dl__prover *p, const char *op,
                               const struct dl__known *a, const struct dl__known *b)
{
    uint32_t bytes = step_bytes(a->buffer);
    struct dl__integer x = place_number(a->buffer, a->steps, bytes),
                       y = place_number(b->buffer, b->steps, bytes);

    if (strcmp(op, "-"))
        return compare(p, op, x, y);
    x = dl__integer_convert(dl__integer_combine('-', x, y), 64, true, p->index_bits);
    return divide(p, x, dl__integer_constant(bytes, 64, true), false);
}

static struct dl__known tracked(struct dl__prover *p, struct dl__side_text *t,
                                struct dl__node *n, const char *op, struct dl__known *a,
                                struct dl__known *b, const struct dl__type *type)
{
    if (a->is_base || b->is_base ||
        (a->buffer != b->buffer && !is_like(a->buffer, b->buffer)))
        dl__lose(p, "pointers into two buffers are compared");
    if (is_zero(a->inner) && is_zero(b->inner) &&
        (a->buffer != b->buffer || is_either(p, a->buffer)))
        return places(p, op, a, b);
    return is_zero(a->inner) && is_zero(b->inner)
               ? pointers(p, op, a, b)
               : members(p, op, a, b, dl__known_type(t, n->children[0])->element, type);
}

/* `p == 0` */
static struct dl__known with_null(struct dl__prover *p, const char *op,
                                  struct dl__known *v, const struct dl__type *type)
{
    struct dl__known out = dl__truth(*v);

    if (strcmp(op, "==") && strcmp(op, "!="))
        dl__lose(p, "a pointer is compared with null");
    return *op == '!' ? out : negated(p, out, type);
}

static bool is_comparison(const char *op)
{
    return !strcmp(op, "<") || !strcmp(op, ">") || !strcmp(op, "<=") ||
           !strcmp(op, ">=") || !strcmp(op, "==") || !strcmp(op, "!=");
}

static bool is_none(const struct dl__known *v)
{
    return known_is_null(v) || (v->kind == DL__K_INTEGER && is_zero(v->integer));
}

/* A constant moved by bits. */
static bool shift(const struct dl__integer *a, const struct dl__integer *by,
                  struct dl__known *out)
{
    dl__bound low, high, value;
    int64_t bits;

    if (a->low != a->high || !dl__integer_is_constant(*by, &bits) || bits < 0 ||
        bits >= a->bits || a->low < 0)
        return false;
    dl__integer_limits(a->bits, false, &low, &high);
    value = (a->low << bits) & high;
    dl__integer_limits(a->bits, a->is_signed, &low, &high);
    if (value > high)
        value -= (dl__bound)1 << a->bits;
    *out = dl__know_integer(dl__integer_constant(value, a->bits, a->is_signed));
    return true;
}

/* Applies an operator of C's to two values. */
static struct dl__known combine(struct dl__prover *p, struct dl__side_text *t,
                                struct dl__node *n, const char *op, struct dl__known a,
                                struct dl__known b, const struct dl__type *type)
{
    struct dl__known out;

    if (points_into(&a) && points_into(&b))
        return tracked(p, t, n, op, &a, &b, type);
    if (points_into(&a) && is_none(&b) && is_comparison(op))
        return with_null(p, op, &a, type);
    if (points_into(&b) && is_none(&a) && is_comparison(op))
        return with_null(p, op, &b, type);
    if (b.kind == DL__K_PLACE && a.kind != DL__K_PLACE && op[0] == '+') {
        struct dl__known swap = a;

        a = b;
        b = swap;
    }
    if (a.kind == DL__K_PLACE && b.kind == DL__K_TILED && op[0] == '+') {
        int64_t zero;

        if (!a.buffer || a.spot_count || !dl__integer_is_constant(a.steps, &zero) || zero)
            dl__lose(p, "the formula is applied to something else than a buffer");
        if (b.spots->head != a.buffer->head.exact ||
            b.spots->tail != a.buffer->tail.exact)
            dl__lose(p, "the formula is given another buffer's tiles");
        b.buffer = a.buffer;
        b.kind = DL__K_PLACE;
        return b;
    }
    if (a.kind == DL__K_PLACE && b.kind == DL__K_INTEGER && type->kind == DL__T_POINTER &&
        type->element->bytes && (op[0] == '+' || op[0] == '-')) {
        if (op[0] == '-')
            b.integer = dl__integer_combine('-', dl__integer_constant(0, 64, true),
                                            dl__seal(p, b.integer));
        b.integer.may_wrap = b.integer.may_wrap && op[0] == '+';
        return place_moved(p, a, b.integer, type->element);
    }
    if (a.kind == DL__K_INTEGER && b.kind == DL__K_INTEGER) {
        if (is_comparison(op))
            return compare(p, op, a.integer, b.integer);
        if (!op[1] && strchr("+-*", op[0]) && type->kind == DL__T_SCALAR) {
            a = dl__convert_known(p, a, type);
            b = dl__convert_known(p, b, type);
            return dl__know_integer(dl__integer_combine(op[0], a.integer, b.integer));
        }
        if (!strcmp(op, "<<") && shift(&a.integer, &b.integer, &out))
            return out;
        if (!op[1] && strchr("/%", op[0]))
            return divide(p, a.integer, b.integer, op[0] == '%');
    }
    return dl__know_typed(
        dl__draw(op, dl__key(p, &a), dl__key(p, &b), dl__type_number(type)), type);
}

/* ---- Calls of what the prelude defines: its text is the one that is tested. ---- */

/* True when both are the same index. */
static bool is_equal(struct dl__prover *p, const struct dl__known *v,
                     struct dl__integer wanted)
{
    return v->kind == DL__K_INTEGER && dl__seal(p, v->integer).ring == wanted.ring;
}

static struct dl__known far_at(struct dl__prover *p, const struct dl__known *a)
{
    struct dl__known out = {.kind = DL__K_FAR};
    int64_t zero;

    if (is_index_null(p, &a[1]))
        return out;
    if (a[0].kind != DL__K_PLACE || !a[0].buffer || a[0].spot_count || a[0].is_base ||
        !dl__integer_is_constant(a[0].steps, &zero) || zero ||
        !dl__integer_is_constant(a[0].inner, &zero) || zero || a[1].kind != DL__K_INTEGER)
        dl__lose(p, "a pointer into one of several buffers is made of something else");
    if (p->is_tiled && (!is_equal(p, &a[2], a[0].buffer->head) ||
                        !is_equal(p, &a[3], a[0].buffer->tail)))
        dl__lose(p, "it is given another buffer's tiles");
    out.buffer = a[0].buffer;
    out.integer = a[1].integer;
    return out;
}

/* A pointer that is not null as a number. */
static struct dl__known far_place(struct dl__prover *p, const struct dl__known *a)
{
    int64_t bytes;

    if (a[0].kind != DL__K_FAR || !a[0].buffer || a[1].kind != DL__K_INTEGER ||
        !dl__integer_is_constant(a[1].integer, &bytes) ||
        bytes != (int64_t)step_bytes(a[0].buffer))
        dl__lose(p, "where a pointer into one of several buffers is, is not understood");
    return dl__know_integer(place_number(a[0].buffer, a[0].integer, (uint32_t)bytes));
}

static bool run_far(struct dl__prover *p, struct dl__node *n, const struct dl__known *a,
                    struct dl__known *out)
{
    bool beyond = !strcmp(n->name, "dl_far_beyond");

    if (!strcmp(n->name, "dl_far_none")) {
        *out = (struct dl__known){.kind = DL__K_FAR};
        return true;
    }
    if (!strcmp(n->name, "dl_far_at")) {
        *out = far_at(p, a);
        return true;
    }
    if (!strcmp(n->name, "dl_far_place")) {
        *out = far_place(p, a);
        return true;
    }
    if (!strcmp(n->name, "dl_far_set")) {
        *out = a[0];
        if (out->kind != DL__K_FAR || !out->buffer || a[1].kind != DL__K_INTEGER)
            dl__lose(p, "a pointer into one of several buffers is not understood");
        out->integer = a[1].integer;
        return true;
    }
    if (!beyond && strcmp(n->name, "dl_far_moved"))
        return false;
    *out = a[beyond];
    if (out->kind != DL__K_FAR || !out->buffer || a[!beyond].kind != DL__K_INTEGER)
        dl__lose(p, "a pointer into one of several buffers is not understood");
    out->integer = dl__integer_combine('+', out->integer, a[!beyond].integer);
    return true;
}

/* Of an offset that is in the struct, as the program has it: the struct is the same, and
 * so is the offset. */
static struct dl__known owned(struct dl__prover *p, struct dl__node *n,
                              const struct dl__known *a)
{
    const struct dl__known *out = &a[n->name[3] == 'o' ? 0 : 2];
    bool is_of_one = false;
    int64_t bytes;

    if (out->kind != DL__K_INTEGER || a[1].kind != DL__K_INTEGER ||
        !dl__integer_is_constant(a[1].integer, &bytes))
        dl__lose(p, "an offset in a struct is not understood");
    for (size_t b = 0; b < p->buffers.count; b++)
        is_of_one |= p->buffers.items[b]->note->leaves.struct_bytes == bytes;
    if (!is_of_one)
        dl__lose(p, "an offset is taken for that in a struct of another size");
    return *out;
}

/* The value of a call of what the prelude defines; false: it is of something else. */
static bool prove_prelude(struct dl__prover *p, struct dl__node *n,
                          const struct dl__known *a, size_t count, struct dl__known *out)
{
    struct dl__reached *s;

    if (!strcmp(n->name, "dl_owner") || !strcmp(n->name, "dl_rest")) {
        *out = owned(p, n, a);
        return true;
    }
    if (!strcmp(n->name, "dl_byte") || !strcmp(n->name, "dl_byte_of_row")) {
        for (size_t i = 0; i < count; i++)
            if (a[i].kind != DL__K_INTEGER)
                dl__lose(p, "the formula's arguments are not understood");
        s = DL__NEW(p->arena, struct dl__reached);
        s->is_tiled = true;
        s->index = a[0].integer;
        s->row = a[1].integer;
        s->offset = refine(p, a[2].integer);
        s->width = a[3].integer;
        s->extra = dl__zero();
        s->head = a[4].integer.exact;
        s->tail = a[5].integer.exact;
        *out = (struct dl__known){
            .kind = DL__K_TILED, .spots = s, .spot_count = 1, .inner = dl__zero()};
        return true;
    }
    if (run_far(p, n, a, out))
        return true;
    if (!strcmp(n->name, "dl_same") || !strcmp(n->name, "dl_apart")) {
        if (a[0].kind != DL__K_PART || a[1].kind != DL__K_PART)
            dl__lose(p, "a part is not understood");
        *out = n->name[3] == 's' ? compare_parts(p, &a[0], &a[1])
                                 : dl__know_integer(subtract(p, a[0].inner, a[1].inner));
        return true;
    }
    if (!strcmp(n->name, "dl_part_at")) {
        if (a[0].kind != DL__K_INTEGER || a[1].kind != DL__K_INTEGER)
            dl__lose(p, "a part is not understood");
        *out = (struct dl__known){
            .kind = DL__K_PART, .integer = a[0].integer, .inner = a[1].integer};
        return true;
    }
    if (!strcmp(n->name, "dl_moved") || !strcmp(n->name, "dl_beyond")) {
        bool beyond = n->name[3] == 'b';

        *out = a[beyond];
        if (out->kind != DL__K_PART || a[!beyond].kind != DL__K_INTEGER)
            dl__lose(p, "a part is not understood");
        out->inner = dl__integer_combine('+', out->inner, a[!beyond].integer);
        return true;
    }
    return false;
}

/* ---- What a pointer has become, and where it comes from. ---- */

enum { ORIGIN_DEPTH_MAX = 8 };

static size_t origin(struct dl__prover *p, struct dl__function *f, struct dl__node *n,
                     unsigned depth);

static size_t parameter_at(const struct dl__function *f, size_t declared_at)
{
    for (size_t i = 0; i < f->parameter_count; i++)
        if (f->parameters[i].name_at == declared_at)
            return i;
    return SIZE_MAX;
}

static bool is_name_of(const struct dl__node *n, size_t declared_at)
{
    while (n->child_count == 1 && (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT))
        n = n->children[0];
    return n->kind == DL__N_NAME && n->declared_at == declared_at;
}

/* Of what a variable is set to, somewhere in `n`. */
static size_t origin_of_variable(struct dl__prover *p, struct dl__function *f,
                                 struct dl__node *n, size_t declared_at, unsigned depth)
{
    size_t out = SIZE_MAX;

    if (n->kind == DL__N_VARIABLE && n->declared_at == declared_at && n->child_count)
        out = origin(p, f, n->children[n->child_count - 1], depth);
    if (n->kind == DL__N_BINARY && !strcmp(n->op, "=") &&
        is_name_of(n->children[0], declared_at))
        out = origin(p, f, n->children[1], depth);
    for (size_t i = 0; i < n->child_count && out == SIZE_MAX; i++)
        out = origin_of_variable(p, f, n->children[i], declared_at, depth);
    return out;
}

static size_t origin_of_return(struct dl__prover *p, struct dl__function *f,
                               struct dl__node *n, unsigned depth)
{
    size_t out = SIZE_MAX;

    if (n->kind == DL__N_RETURN && n->child_count)
        out = origin(p, f, n->children[0], depth);
    for (size_t i = 0; i < n->child_count && out == SIZE_MAX; i++)
        out = origin_of_return(p, f, n->children[i], depth);
    return out;
}

static size_t origin_of_call(struct dl__prover *p, struct dl__function *f,
                             struct dl__node *n, unsigned depth)
{
    struct dl__function *g = dl__ast_callee(&p->old_text.w->ast, n);
    size_t at = SIZE_MAX;

    if (g && g->is_defined)
        at = origin_of_return(p, g, dl__ast_body(&p->old_text.w->ast, g), depth);
    return at < SIZE_MAX && at + 1 < n->child_count
               ? origin(p, f, n->children[at + 1], depth)
               : SIZE_MAX;
}

static size_t origin(struct dl__prover *p, struct dl__function *f, struct dl__node *n,
                     unsigned depth)
{
    size_t out = SIZE_MAX;

    if (depth >= ORIGIN_DEPTH_MAX)
        return SIZE_MAX;
    if (n->kind == DL__N_NAME) {
        out = parameter_at(f, n->declared_at);
        return out < SIZE_MAX || n->declared_at == SIZE_MAX
                   ? out
                   : origin_of_variable(p, f, dl__ast_body(&p->old_text.w->ast, f),
                                        n->declared_at, depth + 1);
    }
    if (n->kind == DL__N_CALL)
        return origin_of_call(p, f, n, depth + 1);
    for (size_t i = n->kind == DL__N_CONDITIONAL; i < n->child_count; i++) {
        const struct dl__type *type = dl__known_type(&p->old_text, n->children[i]);

        if (type->kind != DL__T_SCALAR && out == SIZE_MAX)
            out = origin(p, f, n->children[i], depth);
    }
    return out;
}

/* The parameter that a returned pointer comes from; SIZE_MAX: none is found. */
static size_t returned_parameter(struct dl__prover *p, struct dl__function *f)
{
    if (!f->is_defined || f->result->kind != DL__T_POINTER)
        return SIZE_MAX;
    return origin_of_return(p, f, dl__ast_body(&p->old_text.w->ast, f), 0);
}

static const struct dl__proved_buffer *origin_of(struct dl__prover *p,
                                                 const struct dl__variable_known *v)
{
    const struct dl__pair *pair = p->pairs.items[p->at_pair];
    struct dl__function *f = pair->old_function;
    size_t at = origin_of_variable(p, f, dl__ast_body(&p->old_text.w->ast, f), v->at, 0);

    return at < SIZE_MAX ? pair->buffers[at] : NULL;
}

/* A pointer of the program's has become an index, a row and an index, or a part. */

static bool is_within(const struct dl__offsets *some, const struct dl__offsets *all)
{
    for (size_t i = 0; i < some->count; i++) {
        bool found = false;

        for (size_t j = 0; j < all->count && !found; j++)
            found = all->items[j] == some->items[i];
        if (!found)
            return false;
    }
    return some->count > 0;
}

static const char *null_fault(struct dl__prover *p, const struct dl__known *index,
                              const struct dl__known *row)
{
    struct dl__known of_part = dl__know_integer(index->integer);
    int64_t inner;

    if (index->kind == DL__K_FAR ? !index->buffer
        : index->kind == DL__K_PART
            ? is_index_null(p, &of_part) &&
                  dl__integer_is_constant(index->inner, &inner) && !inner
            : !row && is_index_null(p, index))
        return NULL;
    return "a null pointer has become something else";
}

const char *dl__relation_fault(struct dl__prover *p, const struct dl__known *old_place,
                               const struct dl__known *index, const struct dl__known *row,
                               const struct dl__offsets *allowed)
{
    dl__number at = old_place->steps.ring;

    if (known_is_null(old_place))
        return null_fault(p, index, row);
    if (old_place->kind != DL__K_PLACE || !old_place->buffer)
        return "a pointer is set to what is not in the buffer";
    if (index->kind == DL__K_FAR)
        return index->buffer == old_place->buffer && index->integer.ring == at &&
                       old_place->inner.exact == 0
                   ? NULL
                   : "a pointer into one of several buffers has become another place";
    if (index->kind == DL__K_PART) {
        if (index->integer.ring != at || index->inner.ring != old_place->inner.ring)
            return "a pointer to a member has become another place";
        return is_within(&old_place->offsets, allowed)
                   ? NULL
                   : "a pointer to a member may be to another member";
    }
    if (index->kind != DL__K_INTEGER || (row && row->kind != DL__K_INTEGER))
        return "a pointer has become something that is not understood";
    if (old_place->inner.exact != 0)
        return "a pointer to a member has become an index";
    if (!row)
        return index->integer.ring == at ? NULL : "a pointer has become another index";
    return dl__number_add(
               dl__number_multiply(row->integer.ring, old_place->buffer->width.ring),
               index->integer.ring) == at
               ? NULL
               : "a pointer has become another row and index";
}

static struct dl__integer any_index(struct dl__prover *p,
                                    const struct dl__variable_known *v)
{
    return dl__integer_opaque(dl__draw("now", v->number, v->at, 0), p->index_bits, false);
}

static void forget_row(struct dl__prover *p, struct dl__variable_known *v)
{
    struct dl__integer *steps = &v->value.steps, index = v->index->value.integer;
    struct dl__integer row = any_index(p, v->row);

    steps->ring =
        dl__number_add(dl__number_multiply(row.ring, v->buffer->width.ring), index.ring);
    steps->word = steps->ring;
    steps->exact =
        v->split.is_exact ? steps->ring : dl__draw("element", steps->ring, 0, 0);
    dl__integer_limits(64, true, &steps->low, &steps->high);
    steps->is_vast = v->split.is_vast;
    if (v->split.is_exact) {
        index = split_integer(p, index.exact, v->split.low, v->split.high);
        row = split_integer(p, row.exact, INT64_MIN, INT64_MAX);
    }
    v->index->value = dl__know_integer(index);
    v->row->value = dl__know_integer(row);
    v->row->is_set = false;
}

void dl__relation_forget(struct dl__prover *p, struct dl__variable_known *v)
{
    struct dl__integer index = any_index(p, v->index);

    v->value = (struct dl__known){.kind = DL__K_PLACE,
                                  .buffer = v->buffer,
                                  .steps = index,
                                  .inner = dl__zero(),
                                  .offsets = v->allowed};
    v->is_set = v->index->is_set = false;
    if (v->relation == DL__R_FAR) {
        v->value.buffer = either_buffer(
            p, dl__draw("now in", v->index->number, v->index->at, 0), v->buffer);
        v->index->value = (struct dl__known){
            .kind = DL__K_FAR, .buffer = v->value.buffer, .integer = index};
    } else if (v->relation == DL__R_PART) {
        struct dl__integer inner = dl__integer_opaque(
            dl__draw("inner", v->index->number, v->index->at, 0), p->index_bits, false);

        v->index->value =
            (struct dl__known){.kind = DL__K_PART, .integer = index, .inner = inner};
        v->value.inner = inner;
    } else {
        v->index->value = dl__know_integer(index);
    }
    if (v->row)
        forget_row(p, v);
    v->value.steps.bits = v->value.inner.bits = 64;
    v->value.steps.is_signed = v->value.inner.is_signed = true;
}

void dl__relations_check(struct dl__prover *p)
{
    for (size_t i = 0; i < p->old_text.variables.count; i++) {
        struct dl__variable_known *v = p->old_text.variables.items[i];
        const char *fault;

        v->version = 0;
        if (!v->index || !(v->is_set || v->index->is_set || (v->row && v->row->is_set)))
            continue;
        v->buffer = v->buffer                  ? v->buffer
                    : known_is_null(&v->value) ? origin_of(p, v)
                                               : v->value.buffer;
        if (v->relation == DL__R_PART && !v->allowed.count && v->buffer) {
            if (v->type->kind == DL__T_POINTER)
                dl__offsets_of_type(p, v->buffer->element, 0, v->type->element,
                                    &v->allowed);
        }
        if (v->relation != DL__R_PART && !v->allowed.count)
            DL__PUSH(p->arena, &v->allowed, 0);
        fault = dl__relation_fault(p, &v->value, &v->index->value,
                                   v->row ? &v->row->value : NULL, &v->allowed);
        if (!fault && v->row)
            v->split = dl__split_join(p, v->at,
                                      split_known(p, &v->value, &v->index->value.integer,
                                                  &v->row->value.integer));
        if (!fault && !v->buffer)
            fault = "which buffer a null pointer is of is not known";
        if (v->buffer)
            dl__relation_forget(p, v);
        if (fault)
            dl__lose(p, "%s", fault);
    }
    for (size_t i = 0; i < p->new_text.variables.count; i++) {
        struct dl__variable_known *v = p->new_text.variables.items[i];

        v->version = 0;
        if (v->is_set && !v->is_kept)
            dl__lose(p, "'%s' is set, but stands for nothing of the program's", v->name);
    }
}

/* ---- expressions ---- */

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
    struct dl__known half = *op ? combine(p, t, n, op, before, by, type) : by;
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
    if (host->kind == DL__N_IMPLICIT && host->child_count == 1 && !is_wrapper(t, host)) {
        lanes = dl__own_tokens(t, host);
        host = host->children[0];
    }
    place = prove_place(p, t, host);
    value = by;
    if (*op) {
        before = place.variable && place.variable->type->kind != DL__T_STRUCT && !lanes
                     ? read_variable(p, place.variable)
                     : load_known(p, t, host, place, dl__known_type(t, host), lanes);
        value =
            combine(p, t, n, op, before, by,
                    type->kind == DL__T_SCALAR && type->scalar != 'f' && type->bytes < 4
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
        store_known(p, t, host, place, dl__known_type(t, host), lanes, value);
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
    place = place_moved(
        p, *pointer,
        dl__integer_combine('*', by->integer,
                            dl__integer_constant((dl__bound)vector->count, 64, true)),
        vector->element);
    keep_runs(p, &place, vector);
    if (!stores)
        return load_known(p, t, n, place, type, 0);
    store_known(p, t, n, place, type, 0, a[0]);
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
    place = dl__integer_is_constant(by, &zero) && !zero ? a[at]
                                                        : place_moved(p, a[at], by, type);
    if (stores) {
        value = a[0];
        store_known(p, t, n, place, type, 0,
                    dl__know_opaque(dl__draw_text(n->name, "half", 4) ^
                                    dl__draw("half", dl__key(p, &value), 0, 0)));
        *out = dl__know_opaque(0);
        return true;
    }
    value = load_known(p, t, n, place, type, 0);
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
            key = address_key(p, t, n->children[i + 1], a[i], type->element->bytes);
        } else {
            key = dl__key(p, &a[i]);
        }
        number = dl__draw("argument", number, key, 0);
    }
    if (!has_effect)
        return of_launch(n->name, dl__know_typed(number, dl__known_type(t, n)));
    add_effect(p, t, number);
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

static bool is_number(const struct dl__type *type)
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
        return !n->child_count && is_number(dl__known_type(t, n));
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
    case DL__N_CAST:
        break;
    default:
        return false;
    }
    if (!is_number(dl__known_type(t, n)))
        return false;
    for (size_t i = first; i < n->child_count; i++)
        if (!is_sum(t, f, n->children[i], depth))
            return false;
    return true;
}

static bool is_pure(struct dl__side_text *t, struct dl__function *f, unsigned depth)
{
    struct dl__node *value;

    if (depth > SUM_DEPTH_MAX || !f->is_defined || f->is_kernel || !is_number(f->result))
        return false;
    for (size_t i = 0; i < f->parameter_count; i++)
        if (!is_number(f->parameters[i].type) || !*f->parameters[i].name)
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
    if ((with[3] && !is_equal(p, with[3], b->head)) ||
        (with[4] && !is_equal(p, with[4], b->tail)) ||
        (with[5] && !is_equal(p, with[5], b->width)))
        dl__lose(p, "a helper's copy is given another buffer's tiles");
    *allowed = old_place->offsets;
    if (!with[1])
        return;
    fault = dl__relation_fault(p, old_place, with[1], with[2], allowed);
    if (fault)
        dl__lose(p, "%s", fault);
    if (with[2])
        *split = split_known(p, old_place, &with[1]->integer, &with[2]->integer);
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
    return dl__integer_is_constant(as.integer, &value) || known_width(p, &as.integer)
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
    size_t at = returned_parameter(p, f);

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
    struct dl__effect e = {.kind = DL__E_CALL, .callee = f, .arguments = a};
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
    if (t->is_new && prove_prelude(p, n, a, n->child_count - 1, &out))
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
    add_effect(p, t, dl__draw(what, 0, 0, 0));
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
    if (!is_index_null(p, &null) || !is_tracked(&base) || !is_zero(base.steps) ||
        !is_zero(base.inner))
        return false;
    *out = dl__prove_value(p, t, right->children[0]);
    if (out->kind != DL__K_INTEGER || p->next_effect != next)
        dl__lose(p, "whether a pointer is null is asked of something else");
    base.steps = out->integer;
    *out = dl__truth(base);
    if (!is_there)
        *out = negated(p, *out, dl__known_type(t, n));
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
    out = combine(p, t, n, n->op, a, b, dl__known_type(t, n));
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
        return load_known(p, t, n, v, type, 0);
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
        return negated(p, dl__truth(v), type);
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

    while (n->child_count == 1 && (n->kind == DL__N_PAREN || is_wrapper(t, n)))
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
        return place_moved(p, out, (swapped ? a : b).integer, dl__known_type(t, n));
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
        out = place_member(p, out, offset_bytes);
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
    if (choose_pointer(p, key, &a, &b, &out))
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
        return know_null();
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
               pieces[same] == access_piece(p, access, (uint32_t)same * bytes, bytes))
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

        return type->kind == DL__T_ARRAY ? place : load_known(p, t, n, place, type, 0);
    }
    return read_variable(p, v);
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
        *out = know_null();
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
    *out = dl__know_typed(piece(dl__key(p, &v), (uint32_t)at * in->element->bytes,
                                in->element->bytes, in->bytes),
                          dl__known_type(t, n));
    return true;
}

static struct dl__known evaluate_implicit(struct dl__prover *p, struct dl__side_text *t,
                                          struct dl__node *n)
{
    struct dl__known v;

    if (!is_wrapper(t, n))
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
        return load_known(p, t, n, v, type, 0);
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
