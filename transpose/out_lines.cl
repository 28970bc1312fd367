/* SPDX-License-Identifier: MIT */
/* Out of place, target rows that begin within sectors: every work-group writes whole lines of memory, so that a
 * tile's part of a target row begins up to ALIGN - 1 elements earlier, and it reads so many rows more. */
#ifndef DL_TRANSPOSE_SHAPE
#include "columns.cl"
#endif

#ifndef ALIGN
#define ALIGN                                                                            \
    8u /* elements; a power of two that divides TILE_ROWS; MORE_ROWS is one less */
#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_out_lines(__global uchar *mem, ulong base, struct out_shape shape,
             __global uchar *work)
{
    __local word_t columns[COLUMNS_WORDS];
    struct columns_source source;
    uint tiles = shape.tiles_down * shape.tiles_across, number = (uint)get_group_id(0);
    uint matrix = number / tiles;
    struct tile_place at = out_place(&shape, number - matrix * tiles);
    ulong row = (ulong)at.row * TILE_ROWS, col = (ulong)at.col * TILE_COLS;
    __global const uchar *from = mem + base + matrix * shape.stride_bytes;
    __global uchar *to = work + shape.base_out_bytes + matrix * shape.stride_out_bytes;
    uint cols = (uint)min((ulong)TILE_COLS, shape.cols - col);
    /* Row 0 of the tile is MORE_ROWS before `row`. */
    uint first = row < MORE_ROWS ? MORE_ROWS : 0u;
    uint past = (uint)min((ulong)(TILE_ROWS + MORE_ROWS), shape.rows + MORE_ROWS - row);

    source.from = from + ((row - MORE_ROWS) * shape.leading + col) * ELEMENT_BYTES;
    source.pitch_bytes = shape.leading * ELEMENT_BYTES;
    source.first = first;
    source.past = past;
    source.cols = cols;
    source.inside =
        col > 0 && cols == TILE_COLS && (shape.cols - col - cols) * ELEMENT_BYTES >= 4u;
    columns_read(columns, &source);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 4
    for (uint i = get_local_id(0); i < TILE_COLS * RUNS; i += GROUP) {
        uint c = i / RUNS, u = i % RUNS * RUN_ELEMENTS;
        __global uchar *begin =
            to + ((col + c) * shape.leading_out + row) * ELEMENT_BYTES;
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
