/* SPDX-License-Identifier: MIT */
/* How a kernel's work-items index a grid: the matrix that its accesses have in common
 * (layout/derive.h). */
#ifndef DL_ANNOTATE_PATTERN_H
#define DL_ANNOTATE_PATTERN_H

#include "annotate/track/place.h"
#include "layout/derive.h"

struct dl__pattern {
    bool any;
    struct dl_grid_access access; /* of the first */
    const char *obstacle;         /* why there is none in common; NULL: there is */
    size_t obstacle_at;
};

/* Adds an access to what is known of the grid's. */
void dl__pattern_add(struct dl__unit *u, struct dl__node *n, const struct dl__access *p);

#endif
