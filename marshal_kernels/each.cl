/* 010! for CPUs: a work-item transposes whole tiles by itself, through a copy in its core's cache.
 * Local memory and barriers cost a CPU more than they are worth. */
#ifndef DL_STEP
#include "step.cl"
#endif

#ifndef ROWS
#define ROWS 32u /* structs in a tile */
#endif
#ifndef EACH
#define EACH 16u /* tiles that a work-item transposes */
#endif

#define TILE (ROWS * COLUMNS)

__kernel void dl_each(__global uchar *mem, ulong base, ulong tiles)
{
    size_t first = get_global_id(0) * EACH, past = min(first + EACH, (size_t)tiles);
    element_t tile[TILE];

    for (size_t t = first; t < past; t++) {
        __global element_t *array = (__global element_t *)(mem + base) + t * TILE;
        for (uint e = 0; e < TILE; e++)
            tile[e] = array[e];
        for (uint q = 0; q < COLUMNS; q++) {
            uint width, leaf = leaf_of(q, &width), to = ROWS * leaf + (q - leaf);
            for (uint j = 0; j < ROWS; j++) {
#if INVERSE
                array[j * COLUMNS + q] = tile[to + j * width];
#else
                array[to + j * width] = tile[j * COLUMNS + q];
#endif
            }
        }
    }
}
