/* SPDX-License-Identifier: MIT */
/* Sums of products of what an index is made of, with whole coefficients. */
#ifndef DL_ANNOTATE_VALUES_POLYNOMIAL_H
#define DL_ANNOTATE_VALUES_POLYNOMIAL_H

#include "annotate/track/unit.h"

enum { DL__DEGREE_MAX = 6, DL__POLYNOMIAL_TERMS_MAX = 40 };

struct dl__origin;

/* What is not taken apart. One of a name is one object. */
struct dl__atom {
    const char *text;   /* as a C expression that needs no parentheses */
    size_t declared_at; /* of a name; SIZE_MAX: something else */
    struct dl__node
        *id;       /* of a call of get_global_id and its like; NULL: something else */
    size_t number; /* among all, by which those of a term are ordered */
    struct dl__atom *next;
    const struct dl__origin *origin; /* of one of an evaluation (integer.h) */
};

struct dl__polynomial_term {
    int64_t coefficient;
    const struct dl__atom *atoms[DL__DEGREE_MAX];
    size_t count;
};

/* `condition ? yes : no` */
struct dl__choice {
    const char *condition;
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
/* p = quotient * by + rest, where the rest is an index below `by` where that can be seen. `by` has no
 * choices and is not 0. */
bool dl__polynomial_divide(struct dl__arena *arena, const struct dl__polynomial *p,
                           const struct dl__polynomial *by,
                           struct dl__polynomial *quotient, struct dl__polynomial *rest);
/* As a C expression of type dl_index, or a number. */
const char *dl__polynomial_text(struct dl__arena *arena, const struct dl__polynomial *p);

#endif
