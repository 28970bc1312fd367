/* SPDX-License-Identifier: MIT */
/* Values as far as they are known: numbers, integers, places. */
#include "annotate/prove/prove.h"

#include <string.h>

#define PRIME (((uint64_t)1 << 61) - 1)
#define MULTIPLE_MAX ((uint32_t)1 << 30)
#define BOUND_MAX ((dl__bound)1 << 100)
#define BUFFER_MAX ((dl__bound)1 << 50) /* no buffer has as many elements */
#define SOUND_MAX ((dl__bound)1 << 62)  /* sums of a few such numbers do not wrap */

dl__number dl__number_of(dl__bound value)
{
    dl__bound rest = value % (dl__bound)PRIME;

    return (dl__number)(rest < 0 ? rest + (dl__bound)PRIME : rest);
}

dl__number dl__number_add(dl__number a, dl__number b)
{
    return (a + b) % PRIME;
}

dl__number dl__number_subtract(dl__number a, dl__number b)
{
    return (a + PRIME - b) % PRIME;
}

dl__number dl__number_multiply(dl__number a, dl__number b)
{
    return (dl__number)((unsigned __int128)a * b % PRIME);
}

bool dl__number_is_small(dl__number a, int64_t *value)
{
    const uint64_t small = (uint64_t)1 << 40;

    if (a > small && PRIME - a > small)
        return false;
    *value = a <= small ? (int64_t)a : -(int64_t)(PRIME - a);
    return true;
}

static uint64_t mix(uint64_t a)
{
    a ^= a >> 30;
    a *= 0xbf58476d1ce4e5b9u;
    a ^= a >> 27;
    a *= 0x94d049bb133111ebu;
    return a ^ a >> 31;
}

dl__number dl__draw(const char *word, dl__number a, dl__number b, dl__number c)
{
    uint64_t h = 0x9e3779b97f4a7c15u;

    for (; *word; word++)
        h = mix(h + (unsigned char)*word);
    h = mix(h + a);
    h = mix((h ^ 0xd6e8feb86659fd93u) + b);
    h = mix((h ^ 0xa5a3564e27f88691u) + c);
    return h % PRIME;
}

dl__number dl__draw_text(const char *word, const char *text, size_t bytes)
{
    dl__number out = bytes;

    for (size_t i = 0; i < bytes; i++)
        out = dl__draw(word, out, (unsigned char)text[i], 0);
    return out;
}

/* ---- integers ---- */

static dl__bound clamp(dl__bound value)
{
    return value > BOUND_MAX ? BOUND_MAX : value < -BOUND_MAX ? -BOUND_MAX : value;
}

void dl__integer_limits(unsigned bits, bool is_signed, dl__bound *low, dl__bound *high)
{
    *low = is_signed ? -((dl__bound)1 << (bits - 1)) : 0;
    *high = ((dl__bound)1 << (is_signed ? bits - 1 : bits)) - 1;
}

static uint32_t multiple_of(dl__bound value)
{
    value = value < 0 ? -value : value;
    return value && value < MULTIPLE_MAX ? (uint32_t)value : 1;
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;

        a = b;
        b = rest;
    }
    return a ? a : 1;
}

/* Of a sum or product. */
static uint32_t multiple_made(char op, const struct dl__integer *a,
                              const struct dl__integer *b)
{
    uint32_t x = a->multiple ? a->multiple : 1, y = b->multiple ? b->multiple : 1;

    if (op == '*')
        return (uint64_t)x * y < MULTIPLE_MAX ? x * y : x;
    /* 0 is a multiple of anything. */
    if (!a->low && !a->high)
        return y;
    if (!b->low && !b->high)
        return x;
    return common_divisor(x, y);
}

static dl__number inverse(dl__number a)
{
    dl__number out = 1;

    for (uint64_t power = PRIME - 2; power; power >>= 1) {
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

struct dl__integer dl__integer_constant(dl__bound value, unsigned bits, bool is_signed)
{
    dl__number number = dl__number_of(value);

    return (struct dl__integer){.exact = number,
                                .ring = number,
                                .word = number,
                                .low = value,
                                .high = value,
                                .multiple = multiple_of(value),
                                .bits = bits,
                                .is_signed = is_signed};
}

struct dl__integer dl__integer_opaque(dl__number number, unsigned bits, bool is_signed)
{
    struct dl__integer out = {.exact = number,
                              .ring = number,
                              .word = number,
                              .bits = bits,
                              .is_signed = is_signed};

    dl__integer_limits(bits, is_signed, &out.low, &out.high);
    return out;
}

bool dl__integer_is_constant(struct dl__integer a, int64_t *value)
{
    if (a.low != a.high || a.low > INT64_MAX || a.low < INT64_MIN)
        return false;
    *value = (int64_t)a.low;
    return true;
}

/* A value that is the residue of `a` in the type. */
static struct dl__integer residue(struct dl__integer a, unsigned bits, bool is_signed,
                                  unsigned index_bits)
{
    /* The residue hangs on the value modulo 2^bits, which `ring` tells when R bits do. */
    dl__number from = bits <= 32 ? a.word : bits <= index_bits ? a.ring : a.exact;
    dl__number drawn = dl__draw(is_signed ? "signed residue" : "residue", from, bits, 0);
    struct dl__integer out = dl__integer_opaque(drawn, bits, is_signed);

    if (bits >= index_bits)
        out.ring = a.ring;
    if (bits >= 32)
        out.word = a.word;
    return out;
}

/* The same of a constant, which is `value` then. */
static struct dl__integer constant_residue(struct dl__integer a, dl__bound value,
                                           unsigned bits, bool is_signed,
                                           unsigned index_bits)
{
    struct dl__integer out = dl__integer_constant(value, bits, is_signed);

    if (bits >= index_bits)
        out.ring = a.ring;
    if (bits >= 32)
        out.word = a.word;
    return out;
}

/* Its value, with `exact` and `ring` to be compared and drawn from. `index_bits` is R. */
static struct dl__integer integer_sealed(struct dl__integer a, unsigned index_bits)
{
    dl__bound low, high;

    dl__integer_limits(a.bits, a.is_signed, &low, &high);
    if (a.may_wrap && a.bits == 64) {
        /* Not an index's: no buffer is that long. */
        if (a.low < low || a.high > high) {
            a.low = low;
            a.high = high;
        }
    } else if (a.may_wrap && (a.low < low || a.high > high)) {
        if (a.low == a.high && !a.is_signed)
            return constant_residue(a, a.low & high, a.bits, false, index_bits);
        return residue(a, a.bits, a.is_signed, index_bits);
    }
    a.may_wrap = false;
    return a;
}

struct dl__integer dl__integer_convert(struct dl__integer a, unsigned bits,
                                       bool is_signed, unsigned index_bits)
{
    dl__bound low, high;

    /* A value that wraps at 2^bits twice wraps once. */
    if (!a.may_wrap || is_signed || bits > a.bits)
        a = integer_sealed(a, index_bits);
    dl__integer_limits(bits, is_signed, &low, &high);
    if (!is_signed) {
        a.bits = bits;
        a.is_signed = false;
        a.may_wrap = a.may_wrap || a.low < low || a.high > high;
        return a;
    }
    if (a.low == a.high && a.low > high && a.low <= 2 * high + 1)
        return constant_residue(a, a.low - 2 * (high + 1), bits, true, index_bits);
    if (a.low < low || a.high > high)
        return residue(a, bits, true, index_bits);
    a.bits = bits;
    a.is_signed = true;
    return a;
}

struct dl__integer dl__integer_combine(char op, struct dl__integer a,
                                       struct dl__integer b)
{
    struct dl__integer out = {
        .bits = a.bits, .is_signed = a.is_signed, .multiple = multiple_made(op, &a, &b)};
    dl__bound p[4] = {clamp(a.low), clamp(a.low), clamp(a.high), clamp(a.high)};

    /* A signed residue times or plus another is exact again: nothing overflows. */
    if (op == '+') {
        out.exact = dl__number_add(a.exact, b.exact);
        out.ring = dl__number_add(a.ring, b.ring);
        out.word = dl__number_add(a.word, b.word);
        out.low = clamp(a.low + b.low);
        out.high = clamp(a.high + b.high);
    } else if (op == '-') {
        out.exact = dl__number_subtract(a.exact, b.exact);
        out.ring = dl__number_subtract(a.ring, b.ring);
        out.word = dl__number_subtract(a.word, b.word);
        out.low = clamp(a.low - b.high);
        out.high = clamp(a.high - b.low);
    } else {
        bool is_wide = false;

        out.exact = dl__number_multiply(a.exact, b.exact);
        out.ring = dl__number_multiply(a.ring, b.ring);
        out.word = dl__number_multiply(a.word, b.word);
        for (int i = 0; i < 4; i++)
            is_wide |= p[i] > INT64_MAX || p[i] < INT64_MIN;
        is_wide |= b.low < INT64_MIN || b.high > INT64_MAX;
        out.low = -BOUND_MAX;
        out.high = BOUND_MAX;
        for (int i = 0; i < 4 && !is_wide; i++) {
            dl__bound product = p[i] * (i % 2 ? b.high : b.low);

            out.low = !i || product < out.low ? product : out.low;
            out.high = !i || product > out.high ? product : out.high;
        }
        out.low = clamp(out.low);
        out.high = clamp(out.high);
    }
    out.is_vast = a.is_vast || b.is_vast || out.low > BUFFER_MAX ||
                  out.high < -BUFFER_MAX ||
                  (!out.is_signed && out.bits == 64 && out.high > SOUND_MAX);
    if (!out.is_signed) {
        out.may_wrap = true;
        return out;
    }
    /* No signed overflow. */
    dl__bound low, high;

    dl__integer_limits(out.bits, true, &low, &high);
    out.low = out.low < low ? low : out.low;
    out.high = out.high > high ? high : out.high;
    return out;
}

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

/* ---- What is known of values and places, and what is made of them. ---- */

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
    return dl__refine(p, integer_sealed(a, p->index_bits));
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
    place->steps = dl__integer_combine('+', place->steps, integer_share(all, unit));
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
