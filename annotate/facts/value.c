/* SPDX-License-Identifier: MIT */
/* Arithmetic on what is known of integers. */
#include "annotate/facts/frame.h"

#include <stdlib.h>

/* What is larger is not followed. */
enum { SIZE_BITS = 40 };
static const int64_t size_max = (int64_t)1 << SIZE_BITS;

struct dl__value dl__value_nothing(void)
{
    return (struct dl__value){DL__V_NOTHING, 0, 0, 0};
}

struct dl__value dl__value_of(enum dl__value_kind kind)
{
    return (struct dl__value){kind, 0, 1, 0};
}

struct dl__value dl__value_constant(int64_t value)
{
    if (value > size_max || value < -size_max)
        return dl__value_of(DL__V_UNIFORM);
    return (struct dl__value){DL__V_UNIFORM, 0, 0, value};
}

struct dl__value dl__value_linear(int64_t step)
{
    return (struct dl__value){DL__V_LINEAR, step, 1, 0};
}

bool dl__value_is_constant(struct dl__value v)
{
    return v.kind == DL__V_UNIFORM && !v.modulus;
}

bool dl__value_equals(struct dl__value a, struct dl__value b)
{
    return a.kind == b.kind && a.step == b.step && a.modulus == b.modulus &&
           a.rest == b.rest;
}

static int64_t divisor_of(int64_t a, int64_t b)
{
    a = llabs(a);
    b = llabs(b);
    while (b) {
        int64_t t = a % b;

        a = b;
        b = t;
    }
    return a;
}

/* With the rest in [0, modulus), and nothing too large. */
static struct dl__value settled(struct dl__value v)
{
    if (v.kind == DL__V_NOTHING)
        return dl__value_nothing();
    if (llabs(v.step) > size_max)
        v.kind = v.kind == DL__V_GATHER ? v.kind : DL__V_UNKNOWN;
    if (v.kind == DL__V_LINEAR && !v.step)
        v.kind = DL__V_UNIFORM;
    if (v.kind != DL__V_LINEAR)
        v.step = 0;
    if (v.modulus > size_max || llabs(v.rest) > size_max ||
        (!v.modulus && v.kind != DL__V_UNIFORM))
        v.modulus = 1;
    if (v.modulus) {
        v.rest %= v.modulus;
        v.rest += v.rest < 0 ? v.modulus : 0;
    }
    return v;
}

static enum dl__value_kind larger(struct dl__value a, struct dl__value b)
{
    return a.kind > b.kind ? a.kind : b.kind;
}

static bool any_is_nothing(struct dl__value a, struct dl__value b)
{
    return a.kind == DL__V_NOTHING || b.kind == DL__V_NOTHING;
}

struct dl__value dl__value_join(struct dl__value a, struct dl__value b, bool divergent)
{
    struct dl__value v = {larger(a, b), a.step ? a.step : b.step,
                          divisor_of(divisor_of(a.modulus, b.modulus), a.rest - b.rest),
                          a.rest};

    if (any_is_nothing(a, b))
        return a.kind == DL__V_NOTHING ? b : a;
    if (v.kind == DL__V_LINEAR && (a.kind != b.kind || a.step != b.step))
        v.kind = DL__V_UNKNOWN;
    if (divergent && v.kind < DL__V_UNKNOWN &&
        !(dl__value_is_constant(a) && dl__value_equals(a, b)))
        v.kind = DL__V_UNKNOWN;
    return settled(v);
}

struct dl__value dl__value_join_rare(struct dl__value v, struct dl__value rare)
{
    struct dl__value both = dl__value_join(v, rare, false);

    if (any_is_nothing(v, rare))
        return both;
    if (v.kind == DL__V_LINEAR && rare.kind == DL__V_LINEAR && v.step != rare.step)
        return both;
    both.kind = v.kind;
    both.step = v.step;
    return settled(both);
}

struct dl__value dl__value_mix(struct dl__value a, struct dl__value b)
{
    enum dl__value_kind kind = larger(a, b);

    if (any_is_nothing(a, b))
        return dl__value_nothing();
    return dl__value_of(kind == DL__V_LINEAR ? DL__V_UNKNOWN : kind);
}

struct dl__value dl__value_add(struct dl__value a, struct dl__value b)
{
    struct dl__value v = {larger(a, b), a.step + b.step, divisor_of(a.modulus, b.modulus),
                          a.rest + b.rest};

    return any_is_nothing(a, b) ? dl__value_nothing() : settled(v);
}

struct dl__value dl__value_negate(struct dl__value v)
{
    v.step = -v.step;
    v.rest = -v.rest;
    return settled(v);
}

struct dl__value dl__value_multiply(struct dl__value a, struct dl__value b)
{
    struct dl__value v = dl__value_mix(a, b);
    int64_t both, left, right;

    if (v.kind == DL__V_NOTHING)
        return v;
    if (__builtin_mul_overflow(a.modulus, b.modulus, &both) ||
        __builtin_mul_overflow(a.modulus, b.rest, &left) ||
        __builtin_mul_overflow(b.modulus, a.rest, &right) ||
        __builtin_mul_overflow(a.rest, b.rest, &v.rest))
        return v;
    v.modulus = divisor_of(divisor_of(both, left), right);
    if (dl__value_is_constant(a) && b.kind == DL__V_LINEAR &&
        !__builtin_mul_overflow(a.rest, b.step, &v.step))
        v.kind = DL__V_LINEAR;
    if (dl__value_is_constant(b) && a.kind == DL__V_LINEAR &&
        !__builtin_mul_overflow(b.rest, a.step, &v.step))
        v.kind = DL__V_LINEAR;
    return settled(v);
}

/* True when so many neighbours or more are within `by` of each other. */
static bool is_wide(struct dl__value v, struct dl__value by)
{
    if (dl__value_is_constant(by))
        return llabs(v.step) <= llabs(by.rest) / DL__NEAR;
    return by.kind == DL__V_UNIFORM && llabs(v.step) == 1;
}

struct dl__value dl__value_divide(struct dl__value a, struct dl__value b)
{
    struct dl__value v = dl__value_mix(a, b);
    int64_t by = b.rest;

    if (a.kind == DL__V_LINEAR && b.kind == DL__V_UNIFORM && is_wide(a, b))
        return dl__value_of(DL__V_UNIFORM);
    if (!dl__value_is_constant(b) || !by)
        return v;
    if (dl__value_is_constant(a))
        return dl__value_constant(a.rest / by);
    /* The quotient of a multiple of `by` and a rest below it. */
    if (by > 0 && a.modulus % by == 0 && a.rest >= 0 && a.kind < DL__V_UNKNOWN) {
        v = (struct dl__value){a.kind, a.step / by, a.modulus / by, a.rest / by};
        return settled(v);
    }
    return v;
}

struct dl__value dl__value_modulo(struct dl__value a, struct dl__value b)
{
    struct dl__value v = dl__value_mix(a, b);
    int64_t by = llabs(b.rest);

    if (v.kind == DL__V_NOTHING)
        return v;
    if (dl__value_is_constant(b) && by) {
        v.modulus = divisor_of(a.modulus, by);
        v.rest = a.rest;
        if (a.modulus % by == 0) /* of a constant, too */
            return dl__value_constant(a.rest % by);
    }
    if (a.kind == DL__V_LINEAR && b.kind == DL__V_UNIFORM &&
        (is_wide(a, b) || !dl__value_is_constant(b))) {
        v.kind = DL__V_LINEAR;
        v.step = a.step;
    }
    return settled(v);
}

/* 2^k for a mask of the low k bits; 0 for others. */
static int64_t low_mask(int64_t mask)
{
    return mask > 0 && !(mask & (mask + 1)) ? mask + 1 : 0;
}

struct dl__value dl__value_and(struct dl__value a, struct dl__value b)
{
    struct dl__value v = dl__value_mix(a, b);

    if (dl__value_is_constant(a) && dl__value_is_constant(b))
        return dl__value_constant(a.rest & b.rest);
    if (!dl__value_is_constant(b) &&
        (dl__value_is_constant(a) || a.kind < b.kind)) { /* the mask second */
        struct dl__value t = a;

        a = b;
        b = t;
    }
    if (a.kind != DL__V_LINEAR || b.kind != DL__V_UNIFORM)
        return v;
    if (!dl__value_is_constant(b)) /* a mask that wraps around */
        return dl__value_linear(a.step);
    if (low_mask(b.rest))
        return dl__value_modulo(a, dl__value_constant(low_mask(b.rest)));
    if (b.rest < 0 && low_mask(~b.rest) &&
        llabs(a.step) <= low_mask(~b.rest) / DL__NEAR) /* the low bits go */
        return (struct dl__value){DL__V_UNIFORM, 0, low_mask(~b.rest), 0};
    return v;
}

struct dl__value dl__value_or(struct dl__value a, struct dl__value b)
{
    struct dl__value v = dl__value_mix(a, b);

    if (dl__value_is_constant(a) && dl__value_is_constant(b))
        return dl__value_constant(a.rest | b.rest);
    /* Bits beside bits: a sum. */
    if (v.kind == DL__V_UNKNOWN && ((a.kind == DL__V_UNIFORM && a.modulus >= DL__NEAR &&
                                     !(a.modulus & (a.modulus - 1)) && !a.rest) ||
                                    (b.kind == DL__V_UNIFORM && b.modulus >= DL__NEAR &&
                                     !(b.modulus & (b.modulus - 1)) && !b.rest)))
        return dl__value_add(a, b);
    return v;
}

struct dl__value dl__value_shift(struct dl__value v, struct dl__value by, bool left)
{
    struct dl__value power;

    if (!dl__value_is_constant(by) || by.rest < 0 || by.rest >= 32)
        return dl__value_mix(v, by);
    power = dl__value_constant((int64_t)1 << by.rest);
    return left ? dl__value_multiply(v, power) : dl__value_divide(v, power);
}

struct dl__value dl__value_limit(struct dl__value a, struct dl__value b, bool smaller)
{
    struct dl__value limit = a, other = b;

    if (any_is_nothing(a, b))
        return dl__value_nothing();
    if (b.kind == DL__V_UNIFORM) {
        limit = b;
        other = a;
    }
    if (other.kind != DL__V_LINEAR || limit.kind != DL__V_UNIFORM)
        return dl__value_join(a, b, false);
    /* Most places are above a small bound, and below any other; those that fall may be
     * anywhere. */
    if ((dl__value_is_constant(limit) &&
         smaller == (llabs(limit.rest) < DL__NEAR * llabs(other.step))) ||
        (!smaller && other.step < 0))
        return dl__value_of(DL__V_UNKNOWN);
    return dl__value_join_rare(other, limit);
}

struct dl__value dl__value_loaded(struct dl__value place)
{
    if (place.kind == DL__V_NOTHING)
        return place;
    return dl__value_of(place.kind == DL__V_UNIFORM ? DL__V_UNIFORM : DL__V_GATHER);
}
