/* SPDX-License-Identifier: MIT */
/* The first pass of the panel algorithm, and the last of its inverse: every panel of
 * `block` rows is transposed, out of place, into the space that panels read earlier have
 * left.
 *
 * One launch does all panels (panel_tickets.cl). */
#ifndef DL_TRANSPOSE_SHAPE
#include "panel_tickets.cl"

#include "units.cl"
#endif

#ifndef UNITS
#define UNITS 1u /* in an element */
#endif
#ifndef SKEW
#define SKEW 7u /* at least shape.skew */
#endif
#ifndef COL_SKEW
#define COL_SKEW 7u /* shape.col_skew */
#endif
#ifndef GROUP
#define GROUP 256u
#endif

#ifndef UNROLL
#define UNROLL 8
#endif

#define ROW_UNITS (TILE_COLS * UNITS)
#define BLOCK_UNITS (TILE_ROWS * UNITS)

__global unit_t *block_units(__global uchar *mem, __global uchar *workspace,
                             const struct panel_shape *s, uint panel, uint j)
{
    return (__global unit_t *)block_bytes(mem, workspace, s, panel * s->cols + j,
                                          UNITS * UNIT_BYTES);
}

/* Goes over the units of a tile row by row, so that neighbours are neighbours in the
 * array. */
#define FOR_ROWS(i, y, u, rows)                                                          \
    for (uint i = get_local_id(0), y = i / ROW_UNITS, u = i % ROW_UNITS;                 \
         i < (rows)*ROW_UNITS; i += GROUP, y = i / ROW_UNITS, u = i % ROW_UNITS)
/* ... and block by block: unit u of column c's part of a block. */
#define FOR_BLOCKS(i, c, u, cols)                                                        \
    for (uint i = get_local_id(0), c = i / BLOCK_UNITS, u = i % BLOCK_UNITS;             \
         i < (cols)*BLOCK_UNITS; i += GROUP, c = i / BLOCK_UNITS, u = i % BLOCK_UNITS)

/* An odd pitch: a column's units lie in different banks. */
#define SPLIT_PITCH (ROW_UNITS | 1u)

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_panel_split(__global uchar *mem, ulong base, struct panel_shape shape,
               __global uchar *workspace)
{
    __local unit_t held[(TILE_ROWS + SKEW) * SPLIT_PITCH];
    /* For each column: where its part of the block goes, and where it begins in `held`.
     */
    __global unit_t *__local begins[TILE_COLS];
    __local uint helds[TILE_COLS];
    __local uint ticket;
    struct tile tile;
    uint columns, rows;

    mem += base;
    tile = tile_take(workspace, &shape, false, &ticket);
    columns = tile.past - tile.first;
    rows = min(TILE_ROWS, shape.block - tile.y);
    for (uint c = get_local_id(0); c < columns; c += GROUP) {
        begins[c] = block_units(mem, workspace, &shape, tile.panel, tile.first + c) +
                    tile.y * UNITS;
        helds[c] = place_head(&shape, tile.first + c) * SPLIT_PITCH + c * UNITS;
    }
    {
        ulong row = (ulong)tile.panel * shape.block + tile.y;
        uint last = (uint)min((ulong)(rows + shape.skew), shape.rows - row);
        size_t pitch = (size_t)shape.cols * UNITS;
        __global const unit_t *from =
            (__global const unit_t *)mem + row * pitch + tile.first * UNITS;
#pragma unroll UNROLL
        FOR_ROWS (i, y, u, TILE_ROWS + SKEW)
            if (y < last && u < columns * UNITS)
                held[y * SPLIT_PITCH + u] = from[y * pitch + u];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        uint first, past;
        atomic_inc(&COUNTS(workspace)[COUNT_OF(tile.panel)]);
        split_waits_for(&shape, tile, &first, &past);
        counts_wait(COUNTS(workspace), first, past,
                    shape.tiles_across * shape.tiles_down);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll UNROLL
    FOR_BLOCKS (i, c, u, TILE_COLS)
        if (c < columns && u < rows * UNITS)
            begins[c][u] = held[helds[c] + u / UNITS * SPLIT_PITCH + u % UNITS];
}

#define JOIN_COLS (TILE_COLS + COL_SKEW)
#define JOIN_PITCH ((JOIN_COLS * UNITS) | 1u)

/* The same backwards, last panel first: blocks into rows. Rows are written in whole
 * sectors where they can be, so that a tile's columns begin up to COL_SKEW further left.
 */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_panel_join(__global uchar *mem, ulong base, struct panel_shape shape,
              __global uchar *workspace)
{
    __local unit_t held[TILE_ROWS * JOIN_PITCH];
    /* For each column: its block, from the tile's first row on, and the rows before that.
     */
    __global const unit_t *__local begins[JOIN_COLS];
    __local uint heads[JOIN_COLS];
    __local uint ticket;
    struct tile tile;

    mem += base;
    tile = tile_take(workspace, &shape, true, &ticket);
    for (uint c = get_local_id(0); c < JOIN_COLS; c += GROUP) {
        uint j = tile.first + c - COL_SKEW, head;
        if (j < shape.cols) {
            head = place_head(&shape, j);
            begins[c] = block_units(mem, workspace, &shape, tile.panel, j) +
                        (long)((int)tile.y - (int)head) * (long)UNITS;
            heads[c] = head;
        } else {
            heads[c] = 0x80000000u; /* no row is in such a block */
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll UNROLL
    FOR_BLOCKS (i, c, u, JOIN_COLS)
        if (tile.y + u / UNITS - heads[c] < shape.block)
            held[u / UNITS * JOIN_PITCH + c * UNITS + u % UNITS] = begins[c][u];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        uint first, past;
        atomic_inc(&COUNTS(workspace)[COUNT_OF(tile.panel)]);
        join_waits_for(&shape, tile, TILE_ROWS, &first, &past);
        counts_wait(COUNTS(workspace), first, past,
                    shape.tiles_across * shape.tiles_down);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    {
        ulong row = (ulong)tile.panel * shape.block + tile.y;
        size_t pitch = (size_t)shape.cols * UNITS;
        __global unit_t *to = (__global unit_t *)mem + row * pitch;
#pragma unroll UNROLL
        FOR_ROWS (i, y, u, TILE_ROWS) {
            uint c = u / UNITS + COL_SKEW;
#if COL_SKEW > 0
            c -= join_shift(&shape, row + y, tile.first);
#endif
            if (tile.y + y - heads[c] < shape.block)
                to[y * pitch + (tile.first + c - COL_SKEW) * UNITS + u % UNITS] =
                    held[y * JOIN_PITCH + c * UNITS + u % UNITS];
        }
    }
}
