/* SPDX-License-Identifier: MIT */
/* Squares in place: a work-group swaps a pair of tiles across the diagonal. Both are in
 * registers before any is written; they go one after the other through one tile of local
 * memory. */
#ifndef DL_TRANSPOSE_SHAPE
#include "tiles.cl"
#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_swap(__global uchar *mem, ulong base, struct swap_shape shape, __global uchar *work)
{
    __local vector_t tile[SIDE * LINE];
    vector_t lower[PER][VECTOR], upper[PER][VECTOR];
    uint number = (uint)get_group_id(0), instance = number / shape.numbers;
    uint outer = instance / shape.inner;
    struct tile_place at = swap_place(&shape, number - instance * shape.numbers);
    ulong row = (ulong)at.row * SIDE, col = (ulong)at.col * SIDE;
    __global element_t *matrix =
        (__global element_t *)(mem + base + outer * shape.stride_bytes +
                               (instance - outer * shape.inner) * shape.inner_bytes);
    __global element_t *below = matrix + row * shape.leading + col;
    __global element_t *above = matrix + col * shape.leading + row;
    uint rows, cols;

    if (at.col > at.row || at.row >= shape.tiles)
        return; /* all of the work-group: the number stands for no pair */
    rows = tile_extent(shape.side, row);
    cols = tile_extent(shape.side, col);
    tile_load(lower, below, shape.leading, rows, cols);
    if (at.row != at.col)
        tile_load(upper, above, shape.leading, cols, rows);
    tile_turn(lower, tile);
    /* The global one, too: what others have read must have been read before it is
     * overwritten. */
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    tile_store(tile, above, shape.leading, cols, rows);
    if (at.row == at.col)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
    tile_turn(upper, tile);
    barrier(CLK_LOCAL_MEM_FENCE);
    tile_store(tile, below, shape.leading, rows, cols);
}
