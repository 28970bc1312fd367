/* SPDX-License-Identifier: MIT */
/* What is known of values and places, and what is made of them. */
#include "annotate/prove/prove.h"

#include <string.h>

void dl__lose(struct dl__prover *p, const struct dl__node *n, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    p->lost_reason = dl__arena_format_list(p->arena, format, args);
    va_end(args);
    (void)n;
    longjmp(p->lost, 1);
}

const struct dl__type *dl__known_type(struct dl__side_text *t, struct dl__node *n)
{
    if (!n->known_type)
        n->known_type = dl__ast_type(&t->w->ast, n->type);
    return n->known_type;
}

bool dl__is_named(const struct dl__type *type, const char *name)
{
    return type->kind == DL__T_STRUCT && type->name && !strcmp(type->name, name);
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

struct dl__integer dl__zero(void)
{
    return dl__integer_constant(0, 64, true);
}

/* ---- what is known of integers ---- */

struct dl__integer dl__refine(struct dl__prover *p, struct dl__integer a)
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

        if (dl__number_is_small(dl__number_subtract(a.exact, rest->exact), &by) &&
            a.low < rest->low + by && a.high >= rest->high + by) {
            a.low = rest->low + by;
            a.high = rest->high + by;
        } else if (dl__number_is_small(dl__number_add(a.exact, rest->exact), &by) &&
                   a.low <= by - rest->high && a.high >= by - rest->low) {
            a.low = by - rest->high;
            a.high = by - rest->low;
        }
    }
    return a;
}

bool dl__known_width(const struct dl__prover *p, struct dl__integer *a)
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
    if (dl__known_width(p, &a))
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
    return dl__refine(p, dl__integer_sealed(a, p->index_bits));
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

struct dl__known dl__divide(struct dl__prover *p, struct dl__integer a,
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
        d.quotient = dl__integer_share(a, (uint32_t)by);
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
            dl__lose(p, NULL, "a pointer into the buffer goes where it is not followed");
        return dl__draw("place", v->number, v->inner.exact, 0);
    case DL__K_OPAQUE:
        return v->number;
    default:
        dl__lose(p, NULL, "a pointer into the buffer goes where it is not followed");
    }
}

dl__number dl__piece(dl__number whole, uint32_t offset, uint32_t bytes,
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
    a = dl__refine(p, a);
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
    place->steps = dl__integer_combine('+', place->steps, dl__integer_share(all, unit));
    return true;
}

struct dl__known dl__place_moved(struct dl__prover *p, struct dl__known place,
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

struct dl__known dl__place_member(struct dl__prover *p, struct dl__known place,
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
