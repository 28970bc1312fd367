/* SPDX-License-Identifier: MIT */
/* Out of place, several axes, elements of any size: as out_units.cl, at one place of the
 * other axes. */
#ifndef DL_TRANSPOSE_SHAPE
#include "out_side.cl"
#endif

#ifndef CONJUGATE
#define CONJUGATE 0 /* 1: a unit is a complex number */
#endif

#if UNIT_BYTES == 4
#define SIGN 0x80000000u
#elif UNIT_BYTES == 8
#define SIGN ((uint2)(0u, 0x80000000u))
#else
#define SIGN ((uint4)(0u, 0u, 0u, 0x80000000u))
#endif

#if CONJUGATE
#define RESULT(unit) ((unit) ^ SIGN)
#else
#define RESULT(unit) (unit)
#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_out_axes_units(__global uchar *mem, ulong base, struct axes_shape shape,
                  __global uchar *work)
{
    uint tiles = shape.tiles_down * shape.tiles_across, number = (uint)get_group_id(0);
    uint other = number / tiles;
    struct tile_place at = axes_place(&shape, number - other * tiles);
    ulong row = (ulong)at.row * SIDE, col = (ulong)at.col * SIDE, begin, begin_out;
    uint rows = shape.rows - row < SIDE ? (uint)(shape.rows - row) : SIDE;
    uint cols = shape.cols - col < SIDE ? (uint)(shape.cols - col) : SIDE;
    bool is_tail = shape.tail > 0 && at.col == shape.tiles_across - 1u;
    index_t all = (index_t)UNITS * cols * rows;
    __global const unit_t *from = (__global const unit_t *)(mem + base);
    __global unit_t *to = (__global unit_t *)(work + shape.base_out_bytes);

    axes_begin(&shape, other, &begin, &begin_out);
    from += begin + row * shape.row_from + col * shape.col_from;
    to += begin_out + row * shape.row_to + col * shape.col_to;
    if (is_tail)
        all = shape.tail;
#pragma unroll 4
    for (index_t i = get_local_id(0); i < all; i += GROUP) {
        uint e = (uint)(i / (index_t)UNITS);
        uint y = rows == SIDE ? e / SIDE : e / rows, x = e - y * rows;
        index_t part = i - e * (index_t)UNITS;
        to[y * shape.col_to + x * shape.row_to + part] =
            RESULT(from[y * shape.col_from + x * shape.row_from + part]);
    }
}
