/* SPDX-License-Identifier: MIT */
/* What is known of an integer, seen from work-items that run side by side.
 *
 * "Side by side" is a matter of most neighbours, not of all: `(x + 1) % n` steps by 1,
 * and what changes once in DL__NEAR work-items or more is the same for them. */
#ifndef DL_ANNOTATE_FACTS_VALUE_H
#define DL_ANNOTATE_FACTS_VALUE_H

#include <stdbool.h>
#include <stdint.h>

enum { DL__NEAR = 32 };

/* By what is known, the most first: joining values goes up. */
enum dl__value_kind {
    DL__V_NOTHING, /* not reached yet */
    DL__V_UNIFORM,
    DL__V_LINEAR,  /* `step` more from one work-item to the next; never 0 */
    DL__V_UNKNOWN, /* made of the work-item's place in some other way */
    DL__V_GATHER   /* made of what was read from memory */
};

struct dl__value {
    enum dl__value_kind kind;
    int64_t step;
    /* Whatever the work-item, it is a multiple of `modulus` and `rest`. 0: it is `rest`;
     * 1: any. */
    int64_t modulus, rest;
};

struct dl__value dl__value_nothing(void);
struct dl__value dl__value_constant(int64_t value);
/* UNIFORM, UNKNOWN or GATHER. */
struct dl__value dl__value_of(enum dl__value_kind kind);
struct dl__value dl__value_linear(int64_t step);
bool dl__value_is_constant(struct dl__value v);
bool dl__value_equals(struct dl__value a, struct dl__value b);

/* Either of two; `divergent`: neighbours may differ in which. */
struct dl__value dl__value_join(struct dl__value a, struct dl__value b, bool divergent);
/* `v` for nearly all, `rare` for the others. */
struct dl__value dl__value_join_rare(struct dl__value v, struct dl__value rare);
/* Made of both in a way that says nothing of steps. */
struct dl__value dl__value_mix(struct dl__value a, struct dl__value b);
struct dl__value dl__value_add(struct dl__value a, struct dl__value b);
struct dl__value dl__value_negate(struct dl__value v);
struct dl__value dl__value_multiply(struct dl__value a, struct dl__value b);
struct dl__value dl__value_divide(struct dl__value a, struct dl__value b);
struct dl__value dl__value_modulo(struct dl__value a, struct dl__value b);
struct dl__value dl__value_and(struct dl__value a, struct dl__value b);
struct dl__value dl__value_or(struct dl__value a, struct dl__value b);
struct dl__value dl__value_shift(struct dl__value v, struct dl__value by, bool left);
/* The smaller, or larger, of two. */
struct dl__value dl__value_limit(struct dl__value a, struct dl__value b, bool smaller);
struct dl__value dl__value_loaded(struct dl__value place);

#endif
