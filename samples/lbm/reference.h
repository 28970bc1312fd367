/* SPDX-License-Identifier: MIT */
/* The lattice on the host: its first state and a scalar reference in double precision. */
#ifndef LBM_REFERENCE_H
#define LBM_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

enum { LBM_DIRECTIONS = 19, LBM_FLAGS = 19, LBM_CELL_FLOATS = 20 };
enum { LBM_FLUID = 0, LBM_SOLID = 1, LBM_LID = 2 };

struct lbm_grid {
    int size[3]; /* cells along x, y and z */
    float omega; /* 1 / relaxation time */
    float lid;   /* the lid's speed along x, in cells a step */
};

size_t lbm_grid_cells(const struct lbm_grid *grid);
/* Fills cells[lbm_grid_cells][LBM_CELL_FLOATS]: a box of solid walls with a moving lid
 * under its top and a solid ball in its middle; the fluid rests, but for noise. */
void lbm_grid_fill(const struct lbm_grid *grid, float *cells);
/* The same of one plane, cells[size[1]][size[0]][LBM_CELL_FLOATS]. */
void lbm_grid_fill_plane(const struct lbm_grid *grid, int z, float *cells);
/* Compares `cells` with `step_count` steps of the reference from the first state.
 *   error_max  out; the largest relative error of any value
 *   returns    false after a message: out of memory, or an error over SAMPLE_ERROR_MAX */
bool lbm_reference_check(const struct lbm_grid *grid, int step_count, const float *cells,
                         double *error_max);

#endif
