/* SPDX-License-Identifier: MIT */
/* Random grids, and texts of random kernels on them. */
#ifndef DL_TESTS_GRID_TEXTS_H
#define DL_TESTS_GRID_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KERNELS = 2, DIMS_MAX = 4, TEXT_BYTES = 1 << 15 };

struct random_grid {
    uint32_t dims;
    const char *names[DIMS_MAX]; /* of the dimensions */
    uint32_t extents[DIMS_MAX];
    /* What arguments say of them: an extent is that, or so much more, or twice as much.
     */
    uint32_t bases[DIMS_MAX], more[DIMS_MAX];
    bool has_k;   /* the last is a number in the text */
    bool numbers; /* all are, and pointers to arrays name some elements */
    uint32_t elements, behind;
    const char *type, *member; /* an element's, and what of it is changed */
    size_t bytes;
};

extern struct random_grid grid;
extern char text[TEXT_BYTES];

void draw_grid(void);
/* Kernels k0, k1... of `grid`, which have a work-item for each cell: flat, or by
 * dimensions; and one that is not annotated. */
void draw_text(bool flat);

#endif
