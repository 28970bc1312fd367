/* SPDX-License-Identifier: MIT */
/* The first pass of the panel algorithm, as dl_panel_split (panel.cl), for elements of 1,
 * 2, 4, 8 and 16 bytes: a tile's columns are written as runs of whole words, up to 16
 * bytes by a work-item at once. */
#ifndef DL_TRANSPOSE_SHAPE
#include "panel_tickets.cl"

#include "columns.cl"
#endif

/* A tile's neighbours in its rows are of the same panel: all of that is read before
 * any is overwritten. */
void source_of(struct columns_source *source, __global const uchar *mem,
               const struct panel_shape *s, struct tile tile)
{
    ulong row = (ulong)tile.panel * s->block + tile.y;
    uint rows = min(TILE_ROWS, s->block - tile.y);

    source->from = mem + (row * s->cols + tile.first) * ELEMENT_BYTES;
    source->pitch_bytes = (ulong)s->cols * ELEMENT_BYTES;
    source->first = 0;
    source->past = (uint)min((ulong)(rows + s->skew), s->rows - row);
    source->cols = tile.past - tile.first;
    source->inside = tile.first > 0 && source->cols == TILE_COLS &&
                     (s->cols - tile.past) * ELEMENT_BYTES >= 4u;
}

/* For each column of a tile: where its part of the block goes, and the row that this
 * begins with. */
void tables_make(__global uchar *__local *begins, __local uint *heads,
                 __global uchar *mem, __global uchar *workspace,
                 const struct panel_shape *s, struct tile tile)
{
    for (uint c = get_local_id(0); c < tile.past - tile.first; c += GROUP) {
        begins[c] = block_bytes(mem, workspace, s, tile.panel * s->cols + tile.first + c,
                                ELEMENT_BYTES) +
                    tile.y * ELEMENT_BYTES;
        heads[c] = place_head(s, tile.first + c);
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_panel_split_runs(__global uchar *mem, ulong base, struct panel_shape shape,
                    __global uchar *workspace)
{
    __local word_t columns[COLUMNS_WORDS];
    __global uchar *__local begins[TILE_COLS];
    __local uint heads[TILE_COLS], ticket, first, past;
    struct columns_source source;
    struct tile tile;

    mem += base;
    tile = tile_take(workspace, &shape, false, &ticket);
    tables_make(begins, heads, mem, workspace, &shape, tile);
    if (get_local_id(0) == GROUP - 1u) {
        uint from, to;
        split_waits_for(&shape, tile, &from, &to);
        first = from;
        past = to;
    }
    source_of(&source, mem, &shape, tile);
    columns_read(columns, &source);
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
        if (c < source.cols && u < min(TILE_ROWS, shape.block - tile.y))
            run_write(columns + COLUMN_AT(c), heads[c] + u,
                      begins[c] + (size_t)u * ELEMENT_BYTES);
    }
}
