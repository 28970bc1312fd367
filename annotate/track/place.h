/* SPDX-License-Identifier: MIT */
/* What an expression denotes: a pointer into a buffer, a struct, or a part of one. */
#ifndef DL_ANNOTATE_PLACE_H
#define DL_ANNOTATE_PLACE_H

#include "annotate/track/unit.h"

enum { DL__STEPS_MAX = 32 };

/* An expression that denotes a struct of a buffer, or a part of one. */
struct dl__access {
    struct dl__root *root;
    struct dl__node *pointer;    /* the element pointer it starts from */
    struct dl__node *index;      /* `pointer[index]`; NULL: *pointer */
    struct dl__node *index_host; /* the subscript that `index` belongs to */
    /* Of pointers to arrays, `pointer[z][y][x]`: the indices, and how many elements each
     * steps over. */
    struct dl__node *array_index[DL_GRID_DIMS_MAX], *array_host[DL_GRID_DIMS_MAX];
    uint64_t array_step[DL_GRID_DIMS_MAX];
    size_t array_count;
    struct dl__step steps[DL__STEPS_MAX];
    /* Of array steps: the index, NULL for a constant 0, and its subscript. */
    struct dl__node *step_index[DL__STEPS_MAX];
    struct dl__node *step_host[DL__STEPS_MAX];
    size_t step_count;
    const struct dl__type *type;
};

/* True when the program's pointers into the buffer point to this type. */
bool dl__is_element(const struct dl__root *root, const struct dl__type *type);
/* The root of an expression that points to an element of a tracked buffer; NULL for
 * others. */
struct dl__root *dl__root_of(struct dl__unit *u, struct dl__node *n);
/* A buffer parameter itself, which stands at index 0. */
bool dl__is_base(struct dl__unit *u, struct dl__node *n);
bool dl__find_place(struct dl__unit *u, struct dl__node *n, struct dl__access *out);
/* The place `pointer[index]`, or `*pointer`. */
bool dl__start_place(struct dl__unit *u, struct dl__node *pointer, struct dl__node *host,
                     struct dl__node *index, struct dl__access *out);

#endif
