/* SPDX-License-Identifier: MIT */
/* Indices as sums of products (polynomial.h), through index functions, variables that never change, and
 * pointers that are set once. */
#ifndef DL_ANNOTATE_LINEAR_H
#define DL_ANNOTATE_LINEAR_H

#include "annotate/values/polynomial.h"
#include "annotate/track/place.h"

/* How to read indices of one function. */
struct dl__linear {
    struct dl__unit *unit;
    struct dl__atom *atoms;
    size_t atom_count;
    /* Variables with these in their value are seen through. */
    const struct dl__atom *const *wanted;
    size_t wanted_count;
    /* All that never change are, and of each condition the branch with more ids, or fewer terms, stands for
     * it: what most work-items do. */
    bool deep;
};

/* The sum modulo 2^32, and 2^64 where nothing in it wraps earlier: every name in it has its value where the
 * index stands. False: it can't be read, or an evaluation of a part may do more than give its value. */
bool dl__linear_of_index(struct dl__linear *l, struct dl__node *n,
                         struct dl__polynomial *out);
/* The same of how many elements a pointer is behind the beginning of the buffer, or in a helper behind its
 * parameter. */
bool dl__linear_of_pointer(struct dl__linear *l, struct dl__node *n,
                           struct dl__polynomial *out);
/* What a name is. */
const struct dl__atom *dl__linear_name(struct dl__linear *l, const char *name,
                                       size_t declared_at);

#endif
