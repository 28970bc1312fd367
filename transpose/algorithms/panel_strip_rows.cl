/* SPDX-License-Identifier: MIT */
/* The strip of the panel algorithm on the side of the rows: the launch before the first
 * panel, and the one after the last. On the side of the places the mover copies it
 * (move.cl). */
#ifndef DL_TRANSPOSE_SHAPE
#include "panel_strip.cl"
#endif

/* Takes it aside and clears the ticket and the counts. */
__kernel void dl_panel_strip_from_rows(__global uchar *mem, ulong base,
                                       struct panel_shape shape, __global uchar *work)
{
    __global const unit_t *array = (__global const unit_t *)(mem + base);
    ulong row;

    counts_clear(&shape, work, get_global_id(0), get_global_size(0));
    for (size_t i = get_global_id(0); i < strip_units(&shape); i += get_global_size(0)) {
        struct strip_unit at = strip_by_rows(&shape, i);
        if (strip_row(&shape, at.y, at.j, &row))
            STRIP_UNITS(work, &shape)
        [i] = array[(row * shape.cols + at.j) * UNITS + at.u];
    }
}

__kernel void dl_panel_strip_to_rows(__global uchar *mem, ulong base,
                                     struct panel_shape shape, __global uchar *work)
{
    __global unit_t *array = (__global unit_t *)(mem + base);
    ulong row;

    for (size_t i = get_global_id(0); i < strip_units(&shape); i += get_global_size(0)) {
        struct strip_unit at = strip_by_rows(&shape, i);
        if (strip_row(&shape, at.y, at.j, &row))
            array[(row * shape.cols + at.j) * UNITS + at.u] =
                STRIP_UNITS(work, &shape)[i];
    }
}
