/* 010! by barrier-sync: a work-group reads tiles, meets at the barrier and writes them transposed.
 * The tiles wait in local memory, where the permutation happens; global memory sees only
 * consecutive accesses (Sung 2013, 4.5). */
#ifndef DL_STEP
#include "step.cl"
#endif

#ifndef ROWS
#define ROWS 32u /* structs in a tile of dl_tile_chunk */
#endif
#ifndef BATCH
#define BATCH 3u /* tiles in a chunk, so that a chunk is whole vectors */
#endif
#ifndef GROUP
#define GROUP 128u /* work-items */
#endif
#ifndef PAD
#define PAD 1 /* elements left free after 128 bytes; 0: none */
#endif

/* ---- any tile ---- */

/* Any tile that local memory holds, one a work-group; `tile` has rows * COLUMNS elements. */
__kernel void dl_tile_any(__global uchar *mem, ulong base, ulong rows, __local element_t *tile)
{
    uint elements = (uint)rows * COLUMNS;
    __global element_t *array =
        (__global element_t *)(mem + base) + (size_t)get_group_id(0) * elements;

    for (uint e = get_local_id(0); e < elements; e += get_local_size(0)) {
#if INVERSE
        tile[e] = array[e];
#else
        tile[step_target((index_t)rows, e)] = array[e];
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint e = get_local_id(0); e < elements; e += get_local_size(0)) {
#if INVERSE
        array[e] = tile[step_target((index_t)rows, e)];
#else
        array[e] = tile[e];
#endif
    }
}

/* ---- chunks of whole tiles ---- */

#define TILE (ROWS * COLUMNS)
#define CHUNK (TILE * BATCH)
#define PARTS (16u / ELEMENT_BYTES) /* elements in a vector */
#define VECTORS_A_CHUNK (CHUNK / PARTS)
#define ITEMS ((VECTORS_A_CHUNK + GROUP - 1u) / GROUP)
#define LINE (128u / ELEMENT_BYTES) /* elements that fill the banks once */
#define PLACE(e) ((e) + (e) / LINE * PAD)

/* Does this work-item have a k-th vector? Constant for all but the last. */
#define HAS(k) (((k) + 1u) * GROUP <= VECTORS_A_CHUNK || (k)*GROUP + id < VECTORS_A_CHUNK)

typedef union {
    uint4 vector;
    element_t elements[PARTS];
} pack_t;

/* Where element e of a chunk of AoS lies in the chunk of tiles. */
uint chunk_target(uint e)
{
    uint tile = e / TILE;

    return tile * TILE + (uint)step_target((index_t)ROWS, (index_t)(e - tile * TILE));
}

/* A chunk a work-group. `base` is a multiple of 16. A work-group that stayed for many chunks, the
 * next one's loads on the way while it stores, was slower on an H200. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_tile_chunk(__global uchar *mem, ulong base, ulong chunks)
{
    __local element_t tile[PLACE(CHUNK - 1u) + 1u];
    __global uint4 *array = (__global uint4 *)(mem + base) + get_group_id(0) * VECTORS_A_CHUNK;
    uint id = get_local_id(0);
    pack_t pack[ITEMS];

#pragma unroll
    for (uint k = 0; k < ITEMS; k++)
        if (HAS(k))
            pack[k].vector = array[k * GROUP + id];
#pragma unroll
    for (uint k = 0; k < ITEMS; k++) {
        if (HAS(k)) {
#pragma unroll
            for (uint p = 0; p < PARTS; p++) {
                uint e = (k * GROUP + id) * PARTS + p;
#if !INVERSE
                e = chunk_target(e);
#endif
                tile[PLACE(e)] = pack[k].elements[p];
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < ITEMS; k++) {
        if (HAS(k)) {
#pragma unroll
            for (uint p = 0; p < PARTS; p++) {
                uint e = (k * GROUP + id) * PARTS + p;
#if INVERSE
                e = chunk_target(e);
#endif
                pack[k].elements[p] = tile[PLACE(e)];
            }
            array[k * GROUP + id] = pack[k].vector;
        }
    }
}
