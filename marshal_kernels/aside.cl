/* SPDX-License-Identifier: MIT */
/* Any transposition of a small array, out of place: into a workspace, and back as it is.
 */
#ifndef DL_STEP
#include "step.cl"
#endif

#ifndef UNIT_BYTES
#define UNIT_BYTES 16 /* of a vector on the way back, or of an element */
#endif

#if UNIT_BYTES == 16
typedef uint4 unit_t;
#else
typedef element_t unit_t;
#endif
#define PARTS ((ulong)(UNIT_BYTES / ELEMENT_BYTES)) /* elements in a unit */

/* The instances are of `rows` each; one of rest_rows may follow. Writes are consecutive:
 * a sector that is read in parts stays in a cache, one that is written in parts costs
 * more. */
__kernel void dl_aside_there(__global const uchar *restrict mem, ulong base, ulong rows,
                             __global uchar *restrict workspace, ulong instances,
                             ulong rest_rows)
{
    ulong first = get_global_id(1) * rows * COLUMNS;
    index_t my_rows = (index_t)(get_global_id(1) < instances ? rows : rest_rows);
    index_t elements = my_rows * COLUMNS;
    __global const element_t *from = (__global const element_t *)(mem + base) + first;
    __global element_t *to = (__global element_t *)workspace + first;
#if !INVERSE
    rows_t divisor = rows_make(my_rows);
#endif

#pragma unroll 4
    for (index_t d = get_global_id(0); d < elements; d += get_global_size(0)) {
#if INVERSE
        to[d] = from[step_target(my_rows, d)];
#else
        to[d] = from[step_source(divisor, d)];
#endif
    }
}

__kernel void dl_aside_back(__global uchar *restrict mem, ulong base, ulong elements,
                            __global const uchar *restrict workspace)
{
    __global unit_t *units = (__global unit_t *)(mem + base);
    __global const unit_t *source_units = (__global const unit_t *)workspace;
    size_t id = get_global_id(0);
    ulong whole = elements / PARTS * PARTS;

#pragma unroll 4
    for (size_t u = id; u < elements / PARTS; u += get_global_size(0))
        units[u] = source_units[u];
    /* Elements that are no whole unit. */
    if (id < elements - whole)
        ((__global element_t *)(mem + base))[whole + id] =
            ((__global const element_t *)workspace)[whole + id];
}
