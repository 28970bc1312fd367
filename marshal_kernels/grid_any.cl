/* SPDX-License-Identifier: MIT */
/* With GRID_ANY, a grid that is an argument of the kernel: grid_formula.h finds it there.
 * What uses that formula has GRID as its last parameter; it hands GRID_VALUE on to others
 * that have, and GRID_ARGUMENT to the formula. */
#ifndef GRID
#ifdef GRID_ANY
typedef struct {
    ulong extents[8];
    uint strips[24];
    uint dims, strip_count, columns, unused;
} grid_t;
#define GRID , grid_t grid
#define GRID_VALUE , grid
#define GRID_ARGUMENT , &grid
#define DL_GRID_FORMAL , const grid_t *dl_g
#define DL_GRID_PASS , dl_g
#define DL_GRID_ROOM 8
#define DL_GRID_DIMS (int)dl_g->dims
#define DL_GRID_STRIPS (int)dl_g->strip_count
#define DL_GRID_EXTENT(dl_d) (dl_index) dl_g->extents[dl_d]
#define DL_GRID_STRIP(dl_s) (int)dl_g->strips[dl_s]
#else
#define GRID
#define GRID_VALUE
#define GRID_ARGUMENT
#endif
#endif
