/* SPDX-License-Identifier: MIT */
/* The fluid in place on one grid, whose elements a function of the kernel's text finds
 * (function.cl). */
#ifndef LBM_FUNCTION_H
#define LBM_FUNCTION_H

#include "lbm/reference.h"

struct lbm_function_settings {
    const char *device, *kernel_file;
    const char *form; /* cells, arrays or tiles */
    bool halves, profile;
    int step_count;
    struct lbm_grid grid;
};

/* False after a message: settings that it can't take. */
bool lbm_function_check(const struct lbm_function_settings *settings);
/* Runs from the state in `cells`, [lbm_grid_cells][LBM_CELL_FLOATS], and leaves the last
 * one there.
 *   steps   out; one goes ahead of those that are timed, and counts
 *   errors  false after a message; `cells` may be anything then */
bool lbm_function_run(const struct lbm_function_settings *settings, float *cells,
                      int *steps, double *wall_s, double *device_s);

#endif
