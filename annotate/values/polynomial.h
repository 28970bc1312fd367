/* SPDX-License-Identifier: MIT */
/* Sums of products of what an index is made of, with whole coefficients. */
#ifndef DL_ANNOTATE_VALUES_POLYNOMIAL_H
#define DL_ANNOTATE_VALUES_POLYNOMIAL_H

#include "annotate/track/unit.h"

enum { DL__DEGREE_MAX = 6, DL__POLYNOMIAL_TERMS_MAX = 40 };

struct dl__origin;

/* What is not taken apart. */
struct dl__atom {
    size_t number; /* among all of an evaluation, by which those of a term are ordered */
    const struct dl__origin *origin; /* integer.h */
};

struct dl__polynomial_term {
    int64_t coefficient;
    const struct dl__atom *atoms[DL__DEGREE_MAX];
    size_t count;
};

/* `condition ? yes : no` */
struct dl__choice {
    struct dl__node *condition;
    const struct dl__polynomial *yes, *no; /* without choices */
};

struct dl__polynomial {
    struct {
        struct dl__polynomial_term *items;
        size_t count, room;
    } terms; /* all different, no coefficient is 0 */
    struct {
        struct dl__choice *items;
        size_t count, room;
    } choices; /* added to the terms */
};

/* All of these: false where coefficients pass 2^31, or terms or factors are too many. */
bool dl__polynomial_add_term(struct dl__arena *arena, struct dl__polynomial *to,
                             struct dl__polynomial_term term);
/* Adds `factor` times the other. */
bool dl__polynomial_add(struct dl__arena *arena, struct dl__polynomial *to,
                        const struct dl__polynomial *other, int64_t factor);
/* Of which no more than one has choices. */
bool dl__polynomial_multiply(struct dl__arena *arena, const struct dl__polynomial *a,
                             const struct dl__polynomial *b, struct dl__polynomial *out);
bool dl__polynomial_is_zero(const struct dl__polynomial *p);
bool dl__polynomial_equal(const struct dl__polynomial *a, const struct dl__polynomial *b);
/* True of a number, whose value is *out. */
bool dl__polynomial_is_constant(const struct dl__polynomial *p, int64_t *out);
/* p = quotient * by + rest, where the rest is an index below `by` where that can be seen.
 * `by` has no choices and is not 0. */
bool dl__polynomial_divide(struct dl__arena *arena, const struct dl__polynomial *p,
                           const struct dl__polynomial *by,
                           struct dl__polynomial *quotient, struct dl__polynomial *rest);

#endif
