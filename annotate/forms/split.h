/* SPDX-License-Identifier: MIT */
/* Indices into grids, split into the grid's dimensions where they stand: `x + nx * (y +
 * ny * z)` is z, y and x, and nothing is divided when the kernel runs. */
#ifndef DL_ANNOTATE_SPLIT_H
#define DL_ANNOTATE_SPLIT_H

#include "annotate/track/place.h"
#include "annotate/values/integer.h"
#include "layout/derive.h"

struct dl__split {
    size_t count;
    struct dl__polynomial
        parts[DL_GRID_DIMS_MAX]; /* of each dimension, the slowest first */
    /* The sum of the parts is the index only where the extents are what the names in it
     * suggest. */
    bool is_guess;
};

/* Splits the index of a place in a grid. With `deep`, its variables are seen through as
 * far as they never change. False: it can't be, and *reason says why. */
bool dl__split_place(struct dl__unit *u, const struct dl__access *p, bool deep,
                     struct dl__split *out, const char **reason);
/* The parts as arguments, each after a comma. */
const char *dl__split_text(struct dl__unit *u, const struct dl__split *split);

/* How a kernel's work-items index a grid: the matrix that its accesses have in common
 * (layout/derive.h). */
struct dl__pattern {
    bool any;
    struct dl_grid_access access; /* of the first */
    const char *obstacle;         /* why there is none in common; NULL: there is */
};

/* Adds an access to what is known of the grid's. */
void dl__pattern_add(struct dl__unit *u, const struct dl__access *p);

#endif
