/* SPDX-License-Identifier: MIT */
/* The first pass of the panel algorithm, as dl_panel_split (panel.cl), for CPUs: a
 * work-item transposes a tile by itself, in its cache. */
#ifndef DL_TRANSPOSE_SHAPE
#include "units.cl"

#include "panel_tickets.cl"
#endif

#ifndef UNITS
#define UNITS 1u /* in an element */
#endif
#ifndef SKEW
#define SKEW 7u /* rows that a tile reads beyond those it writes */
#endif

typedef struct {
    unit_t units[UNITS];
} element_t;

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
dl_panel_split_blocks(__global uchar *mem_all, ulong base, struct panel_shape shape,
                      __global uchar *workspace)
{
    element_t held[(TILE_ROWS + SKEW) * TILE_COLS];
    __global uchar *mem = mem_all + base;
    struct tile tile =
        tile_of(&shape, atomic_inc(COUNTS(workspace)), TILE_COLS, TILE_ROWS, false);
    ulong row = (ulong)tile.panel * shape.block + tile.y;
    __global const element_t *from =
        (__global const element_t *)mem + row * shape.cols + tile.first;
    uint rows = min(TILE_ROWS, shape.block - tile.y), cols = tile.past - tile.first;
    uint last = (uint)min((ulong)(rows + shape.skew), shape.rows - row), first, past;

    for (uint y = 0; y < last; y++)
        for (uint c = 0; c < cols; c++)
            held[y * TILE_COLS + c] = from[(size_t)y * shape.cols + c];
    /* All of it is read before it counts as read, and others' tiles are before theirs are
     * overwritten. */
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(&COUNTS(workspace)[COUNT_OF(tile.panel)]);
    split_waits_for(&shape, tile, &first, &past);
    counts_wait(COUNTS(workspace), first, past, shape.tiles_across * shape.tiles_down);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    for (uint c = 0; c < cols; c++) {
        __global element_t *to =
            (__global element_t *)block_bytes(mem, workspace, &shape,
                                              tile.panel * shape.cols + tile.first + c,
                                              UNITS * UNIT_BYTES) +
            tile.y;
        uint head = place_head(&shape, tile.first + c);
        for (uint y = 0; y < rows; y++)
            to[y] = held[(y + head) * TILE_COLS + c];
    }
}
