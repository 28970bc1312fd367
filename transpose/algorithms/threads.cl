/* SPDX-License-Identifier: MIT */
/* Squares in place, thread-wise (Gorawski and Lorek 2014, "TW" of their 2017 paper):
 * every work-item swaps the pair of elements that V1 gives its number. Neighbours are
 * neighbours in the lower triangle's rows alone. */
#ifndef DL_TRANSPOSE_SHAPE
#include "units.cl"
#endif

#ifndef UNITS
#define UNITS 1u /* in an element */
#endif

__kernel void dl_threads(__global uchar *mem, ulong base, struct square_shape shape,
                         __global uchar *work)
{
    __global unit_t *matrix = (__global unit_t *)(mem + base);
    size_t k = get_global_id(0);
    ulong row, col;

    if (k >= (size_t)(shape.side * (shape.side - 1u) / 2u))
        return;
    row = triangle_row((uint)k) + 1u; /* below the diagonal, which stays */
    col = k - triangle((uint)row - 1u);
    for (uint u = 0; u < UNITS; u++) {
        ulong below = (row * shape.leading + col) * UNITS + u;
        ulong above = (col * shape.leading + row) * UNITS + u;
        unit_t held = matrix[below];
        matrix[below] = matrix[above];
        matrix[above] = held;
    }
}
