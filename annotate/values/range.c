/* SPDX-License-Identifier: MIT */
/* Ranges: what passes 64 bits has no bound there. */
#include "annotate/values/range.h"

struct dl__range dl__range_of(int64_t value)
{
    return (struct dl__range){value, value};
}

struct dl__range dl__range_of_type(const struct dl__type *type)
{
    bool is_signed = type->scalar == 'i';
    unsigned bits = 8 * type->bytes;

    if (type->scalar == 'b')
        return (struct dl__range){0, 1};
    if (bits >= 64)
        return (struct dl__range){is_signed ? INT64_MIN : 0, INT64_MAX};
    return is_signed ? (struct dl__range){-(INT64_C(1) << (bits - 1)),
                                          (INT64_C(1) << (bits - 1)) - 1}
                     : (struct dl__range){0, (INT64_C(1) << bits) - 1};
}

bool dl__range_is_within(struct dl__range inner, struct dl__range outer)
{
    return inner.lo >= outer.lo && inner.hi <= outer.hi;
}

bool dl__range_fits(struct dl__range r, const struct dl__type *type)
{
    return r.lo != INT64_MIN && r.hi != INT64_MAX &&
           dl__range_is_within(r, dl__range_of_type(type));
}

struct dl__range dl__range_join(struct dl__range a, struct dl__range b)
{
    return (struct dl__range){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

struct dl__range dl__range_meet(struct dl__range a, struct dl__range b)
{
    return (struct dl__range){a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}

struct dl__range dl__range_add(struct dl__range a, struct dl__range b)
{
    struct dl__range out;

    if (a.lo == INT64_MIN || b.lo == INT64_MIN ||
        __builtin_add_overflow(a.lo, b.lo, &out.lo))
        out.lo = INT64_MIN;
    if (a.hi == INT64_MAX || b.hi == INT64_MAX ||
        __builtin_add_overflow(a.hi, b.hi, &out.hi))
        out.hi = INT64_MAX;
    return out;
}

static bool is_bounded(struct dl__range r)
{
    return r.lo != INT64_MIN && r.hi != INT64_MAX;
}

struct dl__range dl__range_multiply(struct dl__range a, struct dl__range b)
{
    struct dl__range out = {INT64_MAX, INT64_MIN};
    const int64_t of_a[] = {a.lo, a.hi}, of_b[] = {b.lo, b.hi};

    if (!is_bounded(a) || !is_bounded(b))
        return (struct dl__range){a.lo >= 0 && b.lo >= 0 ? 0 : INT64_MIN, INT64_MAX};
    for (size_t i = 0; i < 4; i++) {
        int64_t product;

        if (__builtin_mul_overflow(of_a[i / 2], of_b[i % 2], &product))
            return (struct dl__range){a.lo >= 0 && b.lo >= 0 ? 0 : INT64_MIN, INT64_MAX};
        out = dl__range_join(out, dl__range_of(product));
    }
    return out;
}

struct dl__range dl__range_divide(struct dl__range r, int64_t by)
{
    return (struct dl__range){r.lo == INT64_MIN ? r.lo : r.lo / by,
                              r.hi == INT64_MAX ? r.hi : r.hi / by};
}

struct dl__range dl__range_remainder(struct dl__range r, int64_t by)
{
    if (r.lo >= 0 && r.hi < by)
        return r;
    return (struct dl__range){r.lo >= 0 ? 0 : 1 - by, r.hi <= 0 ? 0 : by - 1};
}
