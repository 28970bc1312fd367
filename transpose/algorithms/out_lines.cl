/* SPDX-License-Identifier: MIT */
/* Out of place, target rows that begin within sectors: every work-group writes whole
 * lines of memory, so that a tile's part of a target row begins up to ALIGN - 1 elements
 * earlier, and it reads so many rows more. */
#ifndef DL_TRANSPOSE_SHAPE
#include "columns.cl"
#endif

#ifndef ALIGN
#define ALIGN                                                                            \
    8u /* elements; a power of two that divides TILE_ROWS; MORE_ROWS is one less */
#endif

/* A tile: row 0 of its source is MORE_ROWS before `row`, whose place in the target's
 * first line is at `to`. */
struct lines_tile {
    struct columns_source source;
    __global uchar *to;
};

void lines_of(struct lines_tile *tile, __global const uchar *from, __global uchar *to,
              const struct out_shape *s, uint number)
{
    uint tiles = s->tiles_down * s->tiles_across, matrix = number / tiles;
    struct tile_place at = out_place(s, number - matrix * tiles);
    ulong row = (ulong)at.row * TILE_ROWS, col = (ulong)at.col * TILE_COLS;
    struct columns_source *source = &tile->source;

    source->from = from + matrix * s->stride_bytes +
                   ((row - MORE_ROWS) * s->leading + col) * ELEMENT_BYTES;
    source->pitch_bytes = s->leading * ELEMENT_BYTES;
    source->first = row < MORE_ROWS ? MORE_ROWS : 0u;
    source->past = (uint)min((ulong)(TILE_ROWS + MORE_ROWS), s->rows + MORE_ROWS - row);
    source->cols = (uint)min((ulong)TILE_COLS, s->cols - col);
    source->inside = col > 0 && source->cols == TILE_COLS &&
                     (s->cols - col - TILE_COLS) * ELEMENT_BYTES >= 4u;
    tile->to =
        to + matrix * s->stride_out_bytes + (col * s->leading_out + row) * ELEMENT_BYTES;
}

void lines_write(__local const word_t *columns, __global uchar *to, ulong pitch_bytes,
                 uint first, uint past, uint cols)
{
#pragma unroll 4
    for (uint i = get_local_id(0); i < TILE_COLS * RUNS; i += GROUP) {
        uint c = i / RUNS, u = i % RUNS * RUN_ELEMENTS;
        __global uchar *begin = to + c * pitch_bytes;
        uint shift = (uint)((size_t)begin / ELEMENT_BYTES) & (ALIGN - 1u);
        uint held = MORE_ROWS - shift + u;
        __global uchar *target = begin + ((long)u - (long)shift) * ELEMENT_BYTES;

        if (c >= cols)
            continue;
        if (held >= first && held + RUN_ELEMENTS <= past)
            run_write(columns + COLUMN_AT(c), held, target);
        else if (held + RUN_ELEMENTS > first && held < past)
            run_write_part(columns + COLUMN_AT(c), held, target,
                           held < first ? first - held : 0u,
                           min(RUN_ELEMENTS, past - held));
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_out_lines(__global uchar *mem, ulong base, struct out_shape shape,
             __global uchar *work)
{
    __local word_t columns[COLUMNS_WORDS];
    struct lines_tile tile;

    lines_of(&tile, mem + base, work + shape.base_out_bytes, &shape,
             (uint)get_group_id(0));
    columns_read(columns, &tile.source);
    barrier(CLK_LOCAL_MEM_FENCE);
    lines_write(columns, tile.to, shape.leading_out * ELEMENT_BYTES, tile.source.first,
                tile.source.past, tile.source.cols);
}
