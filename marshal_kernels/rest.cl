/* SPDX-License-Identifier: MIT */
/* One tile of any length by a work-group: read into local memory, a barrier, written
 * transposed. What chunks of whole tiles leave over goes so, in the same launch. The
 * launcher puts this text behind step.cl. */
#ifndef DL_STEP
#include "step.cl"
#endif
#ifndef DL_REST
#define DL_REST

/* Smaller elements go as they are by words where both sides are aligned to them. */
typedef uint __attribute__((may_alias)) word_t;
#define WORDS_IN(elements, array, tile)                                                  \
    (ELEMENT_BYTES < 4 && ((size_t)(array) | (size_t)(tile)) % 4 == 0                    \
         ? (elements)*ELEMENT_BYTES / 4                                                  \
         : 0)

/* `tile` has room for rows * COLUMNS elements. For all work-items of the work-group. It
 * is in the structs' order; neighbours among work-items have one column, whose leaf they
 * look up together, and neighbouring elements of its array. Elements are read by one and
 * written by another. */
void tile_any(__global element_t *array, uint rows, __local element_t *tile)
{
    uint elements = rows * COLUMNS, id = get_local_id(0), group = get_local_size(0);
    uint words = WORDS_IN(elements, array, tile);
    rows_t divisor = rows_make(rows);

#if !INVERSE
#pragma unroll 4
    for (uint w = id; w < words; w += group)
        ((__local word_t *)tile)[w] = ((__global const word_t *)array)[w];
#pragma unroll 4
    for (uint e = words * 4 / ELEMENT_BYTES + id; e < elements; e += group)
        tile[e] = array[e];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif
#pragma unroll 4
    for (uint e = id; e < elements; e += group) {
        uint q = (uint)rows_divide(divisor, e), j = e - q * rows, width;
        uint first = leaf_of(q, &width), there = rows * first + j * width + (q - first);
#if INVERSE
        tile[j * COLUMNS + q] = array[there];
#else
        array[there] = tile[j * COLUMNS + q];
#endif
    }
#if INVERSE
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#pragma unroll 4
    for (uint w = id; w < words; w += group)
        ((__global word_t *)array)[w] = ((__local const word_t *)tile)[w];
#pragma unroll 4
    for (uint e = words * 4 / ELEMENT_BYTES + id; e < elements; e += group)
        array[e] = tile[e];
#endif
}

#endif
