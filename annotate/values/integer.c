/* SPDX-License-Identifier: MIT */
/* Integers as sums of products, with their type and range. */
#include "annotate/values/integer.h"

#include <string.h>

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

static struct dl__range range_add(struct dl__range a, struct dl__range b)
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

static struct dl__range range_multiply(struct dl__range a, struct dl__range b)
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

/* ---- Sums of products with whole coefficients, and their division. ---- */

static bool same_atoms(const struct dl__polynomial_term *a,
                       const struct dl__polynomial_term *b)
{
    return a->count == b->count &&
           !memcmp(a->atoms, b->atoms, a->count * sizeof *a->atoms);
}

static bool is_small(int64_t coefficient)
{
    return coefficient <= INT32_MAX && coefficient >= -INT32_MAX;
}

bool dl__polynomial_add_term(struct dl__arena *arena, struct dl__polynomial *to,
                             struct dl__polynomial_term term)
{
    for (size_t t = 0; t < to->terms.count; t++) {
        struct dl__polynomial_term *there = &to->terms.items[t];

        if (!same_atoms(there, &term))
            continue;
        term.coefficient += there->coefficient;
        *there = term.coefficient ? term : to->terms.items[--to->terms.count];
        return is_small(term.coefficient);
    }
    if (!is_small(term.coefficient) || to->terms.count == DL__POLYNOMIAL_TERMS_MAX)
        return false;
    if (term.coefficient)
        DL__PUSH(arena, &to->terms, term);
    return true;
}

static const struct dl__polynomial *scaled(struct dl__arena *arena,
                                           const struct dl__polynomial *p, int64_t factor)
{
    struct dl__polynomial *out = DL__NEW(arena, struct dl__polynomial);

    return dl__polynomial_add(arena, out, p, factor) ? out : NULL;
}

bool dl__polynomial_add(struct dl__arena *arena, struct dl__polynomial *to,
                        const struct dl__polynomial *other, int64_t factor)
{
    for (size_t t = 0; t < other->terms.count; t++) {
        struct dl__polynomial_term term = other->terms.items[t];

        if (__builtin_mul_overflow(term.coefficient, factor, &term.coefficient) ||
            !dl__polynomial_add_term(arena, to, term))
            return false;
    }
    for (size_t c = 0; c < other->choices.count; c++) {
        struct dl__choice choice = other->choices.items[c];

        choice.yes = scaled(arena, choice.yes, factor);
        choice.no = scaled(arena, choice.no, factor);
        if (!choice.yes || !choice.no)
            return false;
        DL__PUSH(arena, &to->choices, choice);
    }
    return true;
}

static bool multiply_terms(const struct dl__polynomial_term *a,
                           const struct dl__polynomial_term *b,
                           struct dl__polynomial_term *out)
{
    *out = *a;
    if (a->count + b->count > DL__DEGREE_MAX ||
        __builtin_mul_overflow(a->coefficient, b->coefficient, &out->coefficient))
        return false;
    for (size_t i = 0; i < b->count; i++) {
        size_t at = out->count++;

        for (; at && out->atoms[at - 1]->number > b->atoms[i]->number; at--)
            out->atoms[at] = out->atoms[at - 1];
        out->atoms[at] = b->atoms[i];
    }
    return true;
}

bool dl__polynomial_multiply(struct dl__arena *arena, const struct dl__polynomial *a,
                             const struct dl__polynomial *b, struct dl__polynomial *out)
{
    const struct dl__polynomial *with = b->choices.count ? b : a,
                                *without = b->choices.count ? a : b;
    struct dl__polynomial_term product;

    if (without->choices.count)
        return false;
    for (size_t i = 0; i < a->terms.count; i++)
        for (size_t k = 0; k < b->terms.count; k++)
            if (!multiply_terms(&a->terms.items[i], &b->terms.items[k], &product) ||
                !dl__polynomial_add_term(arena, out, product))
                return false;
    for (size_t c = 0; c < with->choices.count; c++) {
        struct dl__choice choice = with->choices.items[c];
        struct dl__polynomial *yes = DL__NEW(arena, struct dl__polynomial),
                              *no = DL__NEW(arena, struct dl__polynomial);

        if (!dl__polynomial_multiply(arena, choice.yes, without, yes) ||
            !dl__polynomial_multiply(arena, choice.no, without, no))
            return false;
        choice.yes = yes;
        choice.no = no;
        DL__PUSH(arena, &out->choices, choice);
    }
    return true;
}

bool dl__polynomial_is_zero(const struct dl__polynomial *p)
{
    return !p->terms.count && !p->choices.count;
}

bool dl__polynomial_equal(const struct dl__polynomial *a, const struct dl__polynomial *b)
{
    size_t found = 0;

    for (size_t i = 0; i < a->terms.count; i++)
        for (size_t k = 0; k < b->terms.count; k++)
            found += same_atoms(&a->terms.items[i], &b->terms.items[k]) &&
                     a->terms.items[i].coefficient == b->terms.items[k].coefficient;
    return !a->choices.count && !b->choices.count && a->terms.count == b->terms.count &&
           found == a->terms.count;
}

bool dl__polynomial_is_constant(const struct dl__polynomial *p, int64_t *out)
{
    *out = p->terms.count ? p->terms.items[0].coefficient : 0;
    return !p->choices.count &&
           (!p->terms.count || (p->terms.count == 1 && !p->terms.items[0].count));
}

/* ---- division ---- */

static int64_t floor_of(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* By a number. A constant is rounded to the nearest multiple where there is more below
 * it: 63 of 64 is one more of the next dimension and one less of this. */
static bool divide_by_number(struct dl__arena *arena, const struct dl__polynomial *p,
                             int64_t by, struct dl__polynomial *quotient,
                             struct dl__polynomial *rest, bool has_rest)
{
    int64_t constant = 0;

    for (size_t t = 0; t < p->terms.count; t++) {
        struct dl__polynomial_term term = p->terms.items[t];
        bool divides = term.coefficient % by == 0;

        if (!term.count) {
            constant = term.coefficient;
            continue;
        }
        term.coefficient /= divides ? by : 1;
        has_rest |= !divides;
        if (!dl__polynomial_add_term(arena, divides ? quotient : rest, term))
            return false;
    }
    if (constant) {
        int64_t whole = floor_of(constant + (has_rest ? by / 2 : 0), by);

        return dl__polynomial_add_term(arena, quotient,
                                       (struct dl__polynomial_term){whole, {NULL}, 0}) &&
               dl__polynomial_add_term(
                   arena, rest,
                   (struct dl__polynomial_term){constant - whole * by, {NULL}, 0});
    }
    return true;
}

/* True when the term is a multiple of the other: of what. */
static bool divide_term(const struct dl__polynomial_term *term,
                        const struct dl__polynomial_term *by,
                        struct dl__polynomial_term *out)
{
    size_t found = 0;

    *out = (struct dl__polynomial_term){term->coefficient / by->coefficient, {NULL}, 0};
    if (term->coefficient % by->coefficient)
        return false;
    for (size_t i = 0; i < term->count; i++)
        if (found < by->count && term->atoms[i] == by->atoms[found])
            found++;
        else
            out->atoms[out->count++] = term->atoms[i];
    return found == by->count;
}

/* n - 1 is no next row's -1. */
static bool fold(struct dl__arena *arena, const struct dl__polynomial *by,
                 struct dl__polynomial *quotient, struct dl__polynomial *rest)
{
    static const struct dl__polynomial_term less = {-1, {NULL}, 0};
    int64_t below;

    if (!dl__polynomial_is_constant(rest, &below) || below >= 0)
        return true;
    for (size_t t = 0; t < quotient->terms.count; t++)
        if (!quotient->terms.items[t].count && quotient->terms.items[t].coefficient > 0)
            return dl__polynomial_add(arena, rest, by, 1) &&
                   dl__polynomial_add_term(arena, quotient, less);
    return true;
}

static bool divide_by_sum(struct dl__arena *arena, const struct dl__polynomial *p,
                          const struct dl__polynomial *by,
                          struct dl__polynomial *quotient, struct dl__polynomial *rest)
{
    const struct dl__polynomial_term *first = by->terms.items;
    struct dl__polynomial_term factor;

    for (size_t t = 1; t < by->terms.count; t++)
        first = by->terms.items[t].count > first->count ? &by->terms.items[t] : first;
    if (!dl__polynomial_add(arena, rest, p, 1))
        return false;
    for (unsigned steps = 0; steps < 2 * DL__POLYNOMIAL_TERMS_MAX; steps++) {
        struct dl__polynomial product = {{0}, {0}}, one = {{0}, {0}};
        size_t t = 0;

        while (t < rest->terms.count &&
               !divide_term(&rest->terms.items[t], first, &factor))
            t++;
        if (t == rest->terms.count)
            return fold(arena, by, quotient, rest);
        if (!dl__polynomial_add_term(arena, quotient, factor) ||
            !dl__polynomial_add_term(arena, &one, factor) ||
            !dl__polynomial_multiply(arena, &one, by, &product) ||
            !dl__polynomial_add(arena, rest, &product, -1))
            return false;
    }
    return false;
}

static bool divide_terms(struct dl__arena *arena, const struct dl__polynomial *p,
                         const struct dl__polynomial *by, bool has_rest,
                         struct dl__polynomial *quotient, struct dl__polynomial *rest)
{
    struct dl__polynomial terms = {.terms = p->terms};
    int64_t number;

    return dl__polynomial_is_constant(by, &number)
               ? divide_by_number(arena, &terms, number, quotient, rest, has_rest)
               : divide_by_sum(arena, &terms, by, quotient, rest);
}

static void choose(struct dl__arena *arena, const struct dl__choice *choice,
                   const struct dl__polynomial *yes, const struct dl__polynomial *no,
                   struct dl__polynomial *out)
{
    struct dl__choice made = {choice->condition, yes, no};

    if (dl__polynomial_equal(yes, no))
        dl__polynomial_add(arena, out, yes, 1);
    else
        DL__PUSH(arena, &out->choices, made);
}

bool dl__polynomial_divide(struct dl__arena *arena, const struct dl__polynomial *p,
                           const struct dl__polynomial *by,
                           struct dl__polynomial *quotient, struct dl__polynomial *rest)
{
    bool has_rest;

    if (!divide_terms(arena, p, by, p->choices.count > 0, quotient, rest))
        return false;
    has_rest = !dl__polynomial_is_zero(rest);
    for (size_t c = 0; c < p->choices.count; c++) {
        const struct dl__choice *choice = &p->choices.items[c];
        struct dl__polynomial *made = dl__arena_alloc(arena, 4 * sizeof *made);

        if (!divide_terms(arena, choice->yes, by, has_rest, &made[0], &made[1]) ||
            !divide_terms(arena, choice->no, by, has_rest, &made[2], &made[3]))
            return false;
        choose(arena, choice, &made[0], &made[2], quotient);
        choose(arena, choice, &made[1], &made[3], rest);
    }
    return true;
}

/* ---- Integers as sums of products: atoms, arithmetic and conversions. ---- */

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

    out->range = range_add(a->range, range_multiply(b->range, dl__range_of(factor)));
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

    out->range = range_multiply(a->range, b->range);
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
