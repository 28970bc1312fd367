/* SPDX-License-Identifier: MIT */
/* Sums of products with whole coefficients, and their division. */
#include "annotate/values/polynomial.h"

#include <string.h>

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
