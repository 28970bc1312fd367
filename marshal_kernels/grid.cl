/* SPDX-License-Identifier: MIT */
/* Conversions of grids (layout/grid.h), slice by slice: so many elements, which both layouts have among
 * themselves, go into a workspace in the order of the one that is wanted, and from there back as they are.
 *
 * Knobs beside those of step.cl: the grid, as formula.h wants it, of which COLUMNS parts of ELEMENT_BYTES are
 * one element. Or GRID_ANY: any grid, which comes as an argument. */
#ifndef DL_STEP
#include "step.cl"
#endif
typedef index_t dl_index;
#ifdef GRID_ANY
typedef struct {
    ulong extents[8];
    uint strips[24];
    uint dims, strip_count, columns, unused;
} grid_t;
#undef COLUMNS
#define COLUMNS grid.columns
#define GRID , grid_t grid
#define DL_GRID_FORMAL , const grid_t *dl_g
#define DL_GRID_PASS , dl_g
#define DL_GRID_ROOM 8
#define DL_GRID_DIMS (int)dl_g->dims
#define DL_GRID_STRIPS (int)dl_g->strip_count
#define DL_GRID_EXTENT(dl_d) (dl_index) dl_g->extents[dl_d]
#define DL_GRID_STRIP(dl_s) (int)dl_g->strips[dl_s]
#define RANK_OF(e) dl_grid_rank_of(e, &grid)
#else
#define GRID
#define RANK_OF(e) dl_grid_rank_of(e)
#ifndef DL_GRID_DIMS
#define DL_GRID_DIMS 2
#define DL_X0 6
#define DL_X1 5
#define DL_GRID_STRIPS 3
#define DL_B0 0x10200
#define DL_B1 0
#define DL_B2 0x10002
#endif
#endif
#include "layout/formula.h"

/* From the program's layout, `count` parts from `first` on, into a workspace. */
__kernel void dl_grid_there(__global const element_t *restrict mem, ulong first,
                            ulong count, __global element_t *restrict workspace GRID)
{
    for (ulong p = get_global_id(0); p < count; p += get_global_size(0)) {
        index_t e = (index_t)((first + p) / COLUMNS);
        uint part = (uint)(first + p - (ulong)e * COLUMNS);

        workspace[(ulong)RANK_OF(e) * COLUMNS + part - first] = mem[first + p];
    }
}

/* The same back into the program's layout. */
__kernel void dl_grid_back(__global const element_t *restrict mem, ulong first,
                           ulong count, __global element_t *restrict workspace GRID)
{
    for (ulong p = get_global_id(0); p < count; p += get_global_size(0)) {
        index_t e = (index_t)((first + p) / COLUMNS);
        uint part = (uint)(first + p - (ulong)e * COLUMNS);

        workspace[p] = mem[(ulong)RANK_OF(e) * COLUMNS + part];
    }
}

/* What is in the workspace, to where it came from. */
__kernel void dl_grid_return(__global element_t *restrict mem, ulong first, ulong count,
                             __global const element_t *restrict workspace GRID)
{
    for (ulong p = get_global_id(0); p < count; p += get_global_size(0))
        mem[first + p] = workspace[p];
}
