/* SPDX-License-Identifier: MIT */
/* Square matrices: every work-group swaps a pair of tiles across the diagonal, both
 * transposed on their way through local memory. One pass, no workspace; rows may lie
 * apart. Pairs are numbered over a rectangle, so that no work-group idles: its line y has
 * the pairs of tile row y and those of tile row tiles - 1 - y. */
#ifndef DL_TRANSPOSE_SHAPE
#include "units.cl"
#endif

#ifndef UNITS
#define UNITS 1u /* in an element */
#endif
#ifndef SIDE
#define SIDE 32u /* of a tile, in elements */
#endif
#ifndef GROUP
#define GROUP 256u
#endif

#define LINE (SIDE * UNITS)
#define PITCH (LINE | 1u)

/* Reads the tile at (row, col), as much of it as there is. */
void tile_read(__local unit_t *held, __global const unit_t *matrix,
               const struct square_shape *s, ulong row, ulong col)
{
    for (uint i = get_local_id(0); i < SIDE * LINE; i += GROUP) {
        uint y = i / LINE, u = i % LINE;
        if (row + y < s->side && col + u / UNITS < s->side)
            held[y * PITCH + u] = matrix[((row + y) * s->leading + col) * UNITS + u];
    }
}

/* Writes what is held, transposed, to the tile at (row, col). */
void tile_write(__local const unit_t *held, __global unit_t *matrix,
                const struct square_shape *s, ulong row, ulong col)
{
    for (uint i = get_local_id(0); i < SIDE * LINE; i += GROUP) {
        uint y = i / LINE, u = i % LINE, x = u / UNITS;
        if (row + y < s->side && col + x < s->side)
            matrix[((row + y) * s->leading + col) * UNITS + u] =
                held[x * PITCH + y * UNITS + u % UNITS];
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_square_swap(__global uchar *mem, ulong base, struct square_shape shape,
               __global uchar *work)
{
    __local unit_t upper[SIDE * PITCH], lower[SIDE * PITCH];
    __global unit_t *matrix = (__global unit_t *)(mem + base);
    /* An even number of tiles; those of the last may lie outside. */
    uint tiles = 2u * (uint)get_num_groups(1), x = (uint)get_group_id(0);
    uint y = (uint)get_group_id(1);
    ulong row = (ulong)(x > y ? y : tiles - 1u - y) * SIDE;
    ulong col = (ulong)(x > y ? x - 1u : tiles - 1u - x) * SIDE;

    tile_read(upper, matrix, &shape, row, col);
    if (row != col)
        tile_read(lower, matrix, &shape, col, row);
    barrier(CLK_LOCAL_MEM_FENCE);
    tile_write(upper, matrix, &shape, col, row);
    if (row != col)
        tile_write(lower, matrix, &shape, row, col);
}
