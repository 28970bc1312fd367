/* SPDX-License-Identifier: MIT */
/* The least and the greatest that an integer can be. */
#ifndef DL_ANNOTATE_VALUES_RANGE_H
#define DL_ANNOTATE_VALUES_RANGE_H

#include "annotate/tree/ast.h"

/* INT64_MIN and INT64_MAX: there is no such bound, or it lies beyond 64 bits with a sign.
 */
struct dl__range {
    int64_t lo, hi;
};

/* All that an integer type can hold. */
struct dl__range dl__range_of_type(const struct dl__type *type);
struct dl__range dl__range_of(int64_t value);
bool dl__range_is_within(struct dl__range inner, struct dl__range outer);
/* True when every value of the range is one of the type's. */
bool dl__range_fits(struct dl__range r, const struct dl__type *type);
struct dl__range dl__range_join(struct dl__range a, struct dl__range b);
struct dl__range dl__range_meet(struct dl__range a, struct dl__range b);
struct dl__range dl__range_add(struct dl__range a, struct dl__range b);
struct dl__range dl__range_multiply(struct dl__range a, struct dl__range b);
/* By a constant above 0, as C divides. */
struct dl__range dl__range_divide(struct dl__range r, int64_t by);
struct dl__range dl__range_remainder(struct dl__range r, int64_t by);

#endif
