/* SPDX-License-Identifier: MIT */
/* Numbers and integers, as far as their values are known. */
#include "annotate/prove/value.h"

#define MULTIPLE_MAX ((uint32_t)1 << 30)
#define BOUND_MAX ((dl__bound)1 << 100)
#define BUFFER_MAX ((dl__bound)1 << 50) /* no buffer has as many elements */
#define SOUND_MAX ((dl__bound)1 << 62)  /* sums of a few such numbers do not wrap */

dl__number dl__number_of(dl__bound value)
{
    dl__bound rest = value % (dl__bound)DL__PRIME;

    return (dl__number)(rest < 0 ? rest + (dl__bound)DL__PRIME : rest);
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
    return h % DL__PRIME;
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

/* A value of the type that is the residue of `a`, as far as `out` does not say it. */
static struct dl__integer as_residue(struct dl__integer out, struct dl__integer a,
                                     unsigned index_bits)
{
    if (out.bits >= index_bits)
        out.ring = a.ring;
    if (out.bits >= 32)
        out.word = a.word;
    return out;
}

static struct dl__integer residue(struct dl__integer a, unsigned bits, bool is_signed,
                                  unsigned index_bits)
{
    /* The residue hangs on the value modulo 2^bits, which `ring` tells when R bits do. */
    dl__number from = bits <= 32 ? a.word : bits <= index_bits ? a.ring : a.exact;
    dl__number drawn = dl__draw(is_signed ? "signed residue" : "residue", from, bits, 0);

    return as_residue(dl__integer_opaque(drawn, bits, is_signed), a, index_bits);
}

struct dl__integer dl__integer_sealed(struct dl__integer a, unsigned index_bits)
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
            return as_residue(dl__integer_constant(a.low & high, a.bits, false), a,
                              index_bits);
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
        a = dl__integer_sealed(a, index_bits);
    dl__integer_limits(bits, is_signed, &low, &high);
    if (!is_signed) {
        a.bits = bits;
        a.is_signed = false;
        a.may_wrap = a.may_wrap || a.low < low || a.high > high;
        return a;
    }
    if (a.low == a.high && a.low > high && a.low <= 2 * high + 1)
        return as_residue(dl__integer_constant(a.low - 2 * (high + 1), bits, true), a,
                          index_bits);
    if (a.low < low || a.high > high)
        return residue(a, bits, true, index_bits);
    a.bits = bits;
    a.is_signed = true;
    return a;
}

static dl__number number_made(char op, dl__number a, dl__number b)
{
    return op == '+'   ? dl__number_add(a, b)
           : op == '-' ? dl__number_subtract(a, b)
                       : dl__number_multiply(a, b);
}

/* The bounds of a product; those of 64 bits and more are not multiplied. */
static void product_bounds(const struct dl__integer *a, const struct dl__integer *b,
                           struct dl__integer *out)
{
    dl__bound x[4] = {clamp(a->low), clamp(a->low), clamp(a->high), clamp(a->high)};
    bool is_wide = x[0] < INT64_MIN || x[0] > INT64_MAX || x[2] < INT64_MIN ||
                   x[2] > INT64_MAX || b->low < INT64_MIN || b->high > INT64_MAX;

    out->low = -BOUND_MAX;
    out->high = BOUND_MAX;
    for (int i = 0; i < 4 && !is_wide; i++) {
        dl__bound product = x[i] * (i % 2 ? b->high : b->low);

        out->low = !i || product < out->low ? product : out->low;
        out->high = !i || product > out->high ? product : out->high;
    }
}

struct dl__integer dl__integer_combine(char op, struct dl__integer a,
                                       struct dl__integer b)
{
    /* A signed residue times or plus another is exact again: nothing overflows. */
    struct dl__integer out = {.exact = number_made(op, a.exact, b.exact),
                              .ring = number_made(op, a.ring, b.ring),
                              .word = number_made(op, a.word, b.word),
                              .low = op == '+' ? a.low + b.low : a.low - b.high,
                              .high = op == '+' ? a.high + b.high : a.high - b.low,
                              .bits = a.bits,
                              .is_signed = a.is_signed,
                              .multiple = multiple_made(op, &a, &b)};
    dl__bound low, high;

    if (op == '*')
        product_bounds(&a, &b, &out);
    out.low = clamp(out.low);
    out.high = clamp(out.high);
    out.is_vast = a.is_vast || b.is_vast || out.low > BUFFER_MAX ||
                  out.high < -BUFFER_MAX ||
                  (!out.is_signed && out.bits == 64 && out.high > SOUND_MAX);
    out.may_wrap = !out.is_signed;
    if (out.is_signed) { /* no overflow */
        dl__integer_limits(out.bits, true, &low, &high);
        out.low = out.low < low ? low : out.low;
        out.high = out.high > high ? high : out.high;
    }
    return out;
}
