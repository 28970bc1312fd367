/* SPDX-License-Identifier: MIT */
/* Out of place by tiles without padding, after Khan et al., Padding Free Bank Conflict
 * Resolution for CUDA-Based Matrix Transpose: the two algorithms of the paper, as it has
 * them, and what it compares them with. */
#ifndef DL_TRANSPOSE_SHAPE
#include "tiles.cl"
#endif

/* A tile's place in source and target, and what there is of it. */
struct padless_tile {
    __global const element_t *from;
    __global element_t *to;
    uint rows, cols;
};

struct padless_tile padless_tile_of(__global uchar *mem, ulong base,
                                    const struct out_shape *shape, __global uchar *work)
{
    uint tiles = shape->tiles_down * shape->tiles_across, number = (uint)get_group_id(0);
    uint matrix = number / tiles;
    struct tile_place at = out_place(shape, number - matrix * tiles);
    ulong row = (ulong)at.row * SIDE, col = (ulong)at.col * SIDE;
    struct padless_tile tile;

    tile.from = (__global const element_t *)(mem + base + matrix * shape->stride_bytes) +
                row * shape->leading + col;
    tile.to = (__global element_t *)(work + shape->base_out_bytes +
                                     matrix * shape->stride_out_bytes) +
              col * shape->leading_out + row;
    tile.rows = tile_extent(shape->rows, row);
    tile.cols = tile_extent(shape->cols, col);
    return tile;
}

/* Algorithm 1, Selective Copying: rows in, pairs across the diagonal swapped by those
 * work-items that a diagonal map puts below it, rows out. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_out_selective(__global uchar *mem, ulong base, struct out_shape shape,
                 __global uchar *work)
{
    __local element_t tile[SIDE][SIDE];
    struct padless_tile at = padless_tile_of(mem, base, &shape, work);

    for (uint i = get_local_id(0); i < SIDE * SIDE; i += GROUP)
        if (i / SIDE < at.rows && i % SIDE < at.cols)
            tile[i / SIDE][i % SIDE] = at.from[i / SIDE * shape.leading + i % SIDE];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < SIDE * SIDE; i += GROUP) {
        uint x = (i % SIDE + i / SIDE) % SIDE, y = i % SIDE;
        if (y > x) {
            element_t below = tile[y][x], above = tile[x][y];
            tile[x][y] = below;
            tile[y][x] = above;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < SIDE * SIDE; i += GROUP)
        if (i / SIDE < at.cols && i % SIDE < at.rows)
            at.to[i / SIDE * shape.leading_out + i % SIDE] =
                vector_conjugate(tile[i / SIDE][i % SIDE]);
}

/* Algorithm 2, Parallel Write: rows in, laid down along diagonals; a row of the tile is
 * then a column of the source from its diagonal element on. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_out_parallel(__global uchar *mem, ulong base, struct out_shape shape,
                __global uchar *work)
{
    __local element_t tile[SIDE][SIDE];
    struct padless_tile at = padless_tile_of(mem, base, &shape, work);

    for (uint i = get_local_id(0); i < SIDE * SIDE; i += GROUP)
        if (i / SIDE < at.rows && i % SIDE < at.cols)
            tile[i % SIDE][(i % SIDE + i / SIDE) % SIDE] =
                at.from[i / SIDE * shape.leading + i % SIDE];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < SIDE * SIDE; i += GROUP)
        if (i / SIDE < at.cols && i % SIDE < at.rows)
            at.to[i / SIDE * shape.leading_out + i % SIDE] =
                vector_conjugate(tile[i / SIDE][(i % SIDE + i / SIDE) % SIDE]);
}

/* NVIDIA's, as the paper has it: a free column, so that the elements of a column lie in
 * different banks. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_out_padded(__global uchar *mem, ulong base, struct out_shape shape,
              __global uchar *work)
{
    __local element_t tile[SIDE][SIDE + 1];
    struct padless_tile at = padless_tile_of(mem, base, &shape, work);

    for (uint i = get_local_id(0); i < SIDE * SIDE; i += GROUP)
        if (i / SIDE < at.rows && i % SIDE < at.cols)
            tile[i / SIDE][i % SIDE] = at.from[i / SIDE * shape.leading + i % SIDE];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < SIDE * SIDE; i += GROUP)
        if (i / SIDE < at.cols && i % SIDE < at.rows)
            at.to[i / SIDE * shape.leading_out + i % SIDE] =
                vector_conjugate(tile[i % SIDE][i / SIDE]);
}
