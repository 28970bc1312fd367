/* SPDX-License-Identifier: MIT */
/* The first pass of the panel algorithm, as dl_panel_split (panel.cl), for elements of 1, 2, 4, 8 and 16 bytes: a
 * tile's columns are written as runs of whole words, up to 16 bytes by a work-item at once. */
#ifndef DL_TRANSPOSE_SHAPE
#include "panel_tickets.cl"

#include "columns.cl"
#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_panel_split_runs(__global uchar *mem, ulong base, struct panel_shape shape,
                    __global uchar *workspace)
{
    __local word_t columns[COLUMNS_WORDS];
    /* For each column: where its part of the block goes, and the row that this begins with. */
    __global uchar *__local begins[TILE_COLS];
    __local uint heads[TILE_COLS];
    __local uint ticket, first, past;
    struct tile tile;
    uint cols, rows;

    mem += base;
    tile = tile_take(workspace, &shape, false, &ticket);
    cols = tile.past - tile.first;
    rows = min(TILE_ROWS, shape.block - tile.y);
    for (uint c = get_local_id(0); c < cols; c += GROUP) {
        begins[c] = block_bytes(mem, workspace, &shape,
                                tile.panel * shape.cols + tile.first + c, ELEMENT_BYTES) +
                    tile.y * ELEMENT_BYTES;
        heads[c] = place_head(&shape, tile.first + c);
    }
    if (get_local_id(0) == GROUP - 1u) {
        uint from, to;
        split_waits_for(&shape, tile, &from, &to);
        first = from;
        past = to;
    }
    {
        /* What lies beside the tile in its rows is of the same panel: all of that is read before any is overwritten. */
        ulong row = (ulong)tile.panel * shape.block + tile.y;
        columns_read(columns, mem + (row * shape.cols + tile.first) * ELEMENT_BYTES,
                     (ulong)shape.cols * ELEMENT_BYTES, 0,
                     (uint)min((ulong)(rows + shape.skew), shape.rows - row), cols,
                     tile.first > 0 && cols == TILE_COLS &&
                         (shape.cols - tile.past) * ELEMENT_BYTES >= 4u);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        atomic_inc(&COUNTS(workspace)[COUNT_OF(tile.panel)]);
        counts_wait(COUNTS(workspace), first, past,
                    shape.tiles_across * shape.tiles_down);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 4
    for (uint i = get_local_id(0); i < TILE_COLS * RUNS; i += GROUP) {
        uint c = i / RUNS, u = i % RUNS * RUN_ELEMENTS;
        if (c < cols && u < rows)
            run_write(columns + COLUMN_AT(c), heads[c] + u,
                      begins[c] + (size_t)u * ELEMENT_BYTES);
    }
}
