/* SPDX-License-Identifier: MIT */
/* Out of place, elements of any size: units of 1 to 16 bytes, several to an element.
 * Every work-group moves a tile of SIDE x SIDE elements from `mem` to `work`, unit by
 * unit of the target's rows: lines of the source that are read in parts are in the cache
 * when their other parts are. */
#ifndef DL_TRANSPOSE_SHAPE
#include "out_side.cl"
#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_out_units(__global uchar *mem, ulong base, struct out_shape shape,
             __global uchar *work)
{
    uint tiles = shape.tiles_down * shape.tiles_across, number = (uint)get_group_id(0);
    uint matrix = number / tiles;
    struct tile_place at = out_place(&shape, number - matrix * tiles);
    ulong row = (ulong)at.row * SIDE, col = (ulong)at.col * SIDE;
    __global const unit_t *from =
        (__global const unit_t *)(mem + base + matrix * shape.stride_bytes);
    __global unit_t *to = (__global unit_t *)(work + shape.base_out_bytes +
                                              matrix * shape.stride_out_bytes);
    uint rows = shape.rows - row < SIDE ? (uint)(shape.rows - row) : SIDE;
    uint cols = shape.cols - col < SIDE ? (uint)(shape.cols - col) : SIDE;

#pragma unroll 4
    for (index_t i = get_local_id(0); i < cols * rows * (index_t)UNITS; i += GROUP) {
        uint e = (uint)(i / (index_t)UNITS);
        uint y = rows == SIDE ? e / SIDE : e / rows, x = e - y * rows;
        index_t part = i - e * (index_t)UNITS;
        to[((col + y) * shape.leading_out + row + x) * UNITS + part] =
            from[((row + x) * shape.leading + col + y) * UNITS + part];
    }
}
