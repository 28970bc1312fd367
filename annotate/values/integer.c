/* SPDX-License-Identifier: MIT */
/* Integers as sums of products: atoms, arithmetic and conversions. */
#include "annotate/values/integer.h"

bool dl__is_integer_type(const struct dl__type *type)
{
    return type->kind == DL__T_SCALAR && (type->scalar == 'i' || type->scalar == 'u');
}

bool dl__is_zero_product(const struct dl__origin *origin)
{
    return origin->of[0] && !origin->range.lo && !origin->range.hi;
}

bool dl__is_conversion_of(const struct dl__origin *origin)
{
    return origin->of[0] && !origin->of[1] && !dl__is_zero_product(origin);
}

const struct dl__integer *dl__integer_number(struct dl__arena *arena, int64_t value)
{
    struct dl__integer *out = DL__NEW(arena, struct dl__integer);
    struct dl__polynomial_term term = {.coefficient = value};

    if (!dl__polynomial_add_term(arena, &out->sum, term))
        return NULL;
    out->range = dl__range_of(value);
    out->is_exact = true;
    return out;
}

const struct dl__integer *dl__integer_atom(struct dl__scope *scope,
                                           const struct dl__origin *origin)
{
    struct dl__arena *arena = scope->unit->tracker->arena;
    struct dl__integer *out = DL__NEW(arena, struct dl__integer);
    struct dl__origin *kept = DL__NEW(arena, struct dl__origin);
    struct dl__atom *atom = DL__NEW(arena, struct dl__atom);
    struct dl__polynomial_term term = {1, {atom}, 1};

    *kept = *origin;
    atom->number = scope->evaluation->atom_count++;
    atom->origin = kept;
    dl__polynomial_add_term(arena, &out->sum, term);
    out->range = origin->range;
    out->is_exact = true;
    return out;
}

struct dl__integer *dl__integer_sum(struct dl__arena *arena, const struct dl__integer *a,
                                    const struct dl__integer *b, int64_t factor)
{
    struct dl__integer *out = DL__NEW(arena, struct dl__integer);

    out->range =
        dl__range_add(a->range, dl__range_multiply(b->range, dl__range_of(factor)));
    out->is_exact = a->is_exact && b->is_exact;
    return dl__polynomial_add(arena, &out->sum, &a->sum, 1) &&
                   dl__polynomial_add(arena, &out->sum, &b->sum, factor)
               ? out
               : NULL;
}

struct dl__integer *dl__integer_product(struct dl__arena *arena,
                                        const struct dl__integer *a,
                                        const struct dl__integer *b)
{
    struct dl__integer *out = DL__NEW(arena, struct dl__integer);

    out->range = dl__range_multiply(a->range, b->range);
    out->is_exact = a->is_exact && b->is_exact;
    return dl__polynomial_multiply(arena, &a->sum, &b->sum, &out->sum) ? out : NULL;
}

bool dl__integer_is_counted(const struct dl__integer *value)
{
    for (size_t t = 0; t < value->sum.terms.count; t++)
        for (size_t a = 0; a < value->sum.terms.items[t].count; a++)
            if (!value->sum.terms.items[t].atoms[a]->origin->is_counted)
                return false;
    return true;
}

/* A number that is not the sum that it was made of any more: an atom. */
static const struct dl__integer *changed(struct dl__scope *scope,
                                         const struct dl__integer *value,
                                         const struct dl__type *to)
{
    struct dl__origin origin = {.declared_at = SIZE_MAX,
                                .parameter = SIZE_MAX,
                                .type = to,
                                .range = value->range,
                                .is_counted = dl__integer_is_counted(value),
                                .of = {value}};

    if (!dl__range_fits(value->range, to))
        origin.range = dl__range_of_type(to);
    return dl__integer_atom(scope, &origin);
}

const struct dl__integer *dl__integer_converted(struct dl__scope *scope,
                                                const struct dl__integer *value,
                                                const struct dl__type *from,
                                                const struct dl__type *to)
{
    bool keeps = dl__range_fits(value->range, to) ||
                 (from->scalar == to->scalar && from->bytes <= to->bytes);
    struct dl__integer *out;

    if (keeps && (value->is_exact || from->bytes == to->bytes))
        return value;
    /* Without a sign it stays the same sum modulo 2^bits, unless that has lost some
     * already. */
    if (from->bytes > to->bytes || (from->bytes < to->bytes && !value->is_exact) ||
        to->scalar == 'i')
        return changed(scope, value, to);
    out = DL__NEW(scope->unit->tracker->arena, struct dl__integer);
    *out = *value;
    out->range = dl__range_of_type(to);
    out->is_exact = false;
    return out;
}
