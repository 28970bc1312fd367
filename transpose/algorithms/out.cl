/* SPDX-License-Identifier: MIT */
/* Out of place: every work-group transposes a tile from `mem` to `work`. */
#ifndef DL_TRANSPOSE_SHAPE
#include "tiles.cl"
#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_out(__global uchar *mem, ulong base, struct out_shape shape, __global uchar *work)
{
    __local vector_t tile[SIDE * LINE];
    vector_t held[PER][VECTOR];
    uint tiles = shape.tiles_down * shape.tiles_across, number = (uint)get_group_id(0);
    uint matrix = number / tiles;
    struct tile_place at = out_place(&shape, number - matrix * tiles);
    ulong row = (ulong)at.row * SIDE, col = (ulong)at.col * SIDE;
    __global const element_t *from =
        (__global const element_t *)(mem + base + matrix * shape.stride_bytes);
    __global element_t *to = (__global element_t *)(work + shape.base_out_bytes +
                                                    matrix * shape.stride_out_bytes);
    uint rows = tile_extent(shape.rows, row), cols = tile_extent(shape.cols, col);

    tile_load(held, from + row * shape.leading + col, shape.leading, rows, cols);
    tile_turn(held, tile);
    barrier(CLK_LOCAL_MEM_FENCE);
    tile_store(tile, to + col * shape.leading_out + row, shape.leading_out, cols, rows);
}
