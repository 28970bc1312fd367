/* SPDX-License-Identifier: MIT */
/* Conversions of grids (layout/grid.h), slice by slice: so many elements, which both
 * layouts have among themselves, go into a workspace in the order of the one that is
 * wanted, and from there back as they are.
 *
 * Knobs beside those of step.cl: the grid, as grid_formula.h wants it, of which COLUMNS
 * parts of ELEMENT_BYTES are one element. Or GRID_ANY: any grid, which comes as an
 * argument. */
#ifndef DL_STEP
#include "step.cl"
#endif
typedef index_t dl_index;
#ifndef GRID
#include "grid_any.cl"
#endif
#ifdef GRID_ANY
#undef COLUMNS
#define COLUMNS grid.columns
#endif
#ifndef DL_GRID_DIMS
#define DL_GRID_DIMS 2
#define DL_X0 6
#define DL_X1 5
#define DL_GRID_STRIPS 3
#define DL_B0 0x10200
#define DL_B1 0
#define DL_B2 0x10002
#endif
#include "layout/grid_formula.h"

/* From the program's layout, `count` parts from `first` on, into a workspace. */
__kernel void dl_grid_there(__global const element_t *restrict mem, ulong first,
                            ulong count, __global element_t *restrict workspace GRID)
{
    for (ulong p = get_global_id(0); p < count; p += get_global_size(0)) {
        index_t e = (index_t)((first + p) / COLUMNS);
        uint part = (uint)(first + p - (ulong)e * COLUMNS);

        workspace[(ulong)dl_grid_rank_of(e GRID_ARGUMENT) * COLUMNS + part - first] =
            mem[first + p];
    }
}

/* The same back into the program's layout. */
__kernel void dl_grid_back(__global const element_t *restrict mem, ulong first,
                           ulong count, __global element_t *restrict workspace GRID)
{
    for (ulong p = get_global_id(0); p < count; p += get_global_size(0)) {
        index_t e = (index_t)((first + p) / COLUMNS);
        uint part = (uint)(first + p - (ulong)e * COLUMNS);

        workspace[p] = mem[(ulong)dl_grid_rank_of(e GRID_ARGUMENT) * COLUMNS + part];
    }
}

/* Brings the workspace's elements back to where they came from. */
__kernel void dl_grid_return(__global element_t *restrict mem, ulong first, ulong count,
                             __global const element_t *restrict workspace GRID)
{
    for (ulong p = get_global_id(0); p < count; p += get_global_size(0))
        mem[first + p] = workspace[p];
}
