/* SPDX-License-Identifier: MIT */
/* Out of place, several axes: every work-group transposes a tile of the two axes that are
 * innermost in the source and in the target, at one place of the others. */
#ifndef DL_TRANSPOSE_SHAPE
#include "tiles.cl"
#endif

/* Which of the others, and which tile: from a line of work-groups, or from a flattened
 * grid, on which `grid` others lie side by side [Chien: transpose 3D]. */
bool tile_find(const struct axes_shape *s, uint *other, struct tile_place *at)
{
    uint tiles = s->tiles_down * s->tiles_across, number = (uint)get_group_id(0);
    uint all = 1;

    if (s->grid == 0) {
        *other = number / tiles;
        *at = axes_place(s, number - *other * tiles);
        return true;
    }
    for (uint o = 0; o < s->others; o++)
        all *= s->extents[o];
    *other = (uint)get_group_id(1) / s->tiles_down * s->grid + number / s->tiles_across;
    at->row = (uint)get_group_id(1) % s->tiles_down;
    at->col = number % s->tiles_across;
    return *other < all;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_out_axes(__global uchar *mem, ulong base, struct axes_shape shape,
            __global uchar *work)
{
    __local vector_t tile[SIDE * LINE];
    vector_t held[PER][VECTOR];
    struct tile_place at;
    ulong row, col, begin, begin_out;
    __global const element_t *from = (__global const element_t *)(mem + base);
    __global element_t *to = (__global element_t *)(work + shape.base_out_bytes);
    uint other, rows, cols;

    if (!tile_find(&shape, &other, &at))
        return; /* all of the work-group */
    axes_begin(&shape, other, &begin, &begin_out);
    row = (ulong)at.row * SIDE;
    col = (ulong)at.col * SIDE;
    rows = tile_extent(shape.rows, row);
    cols = tile_extent(shape.cols, col);
    tile_load(held, from + begin + row * shape.row_from + col, shape.row_from, rows,
              cols);
    tile_turn(held, tile);
    barrier(CLK_LOCAL_MEM_FENCE);
    tile_store(tile, to + begin_out + col * shape.col_to + row, shape.col_to, cols, rows);
}
