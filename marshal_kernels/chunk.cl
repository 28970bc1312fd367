/* SPDX-License-Identifier: MIT */
/* 010! by barrier-sync for GPUs, as in tile.cl but with all lengths known when it is
 * built: chunks of whole tiles, 16-byte vectors between global memory and registers, and
 * local memory padded against bank conflicts. */
#ifndef DL_REST
#include "rest.cl"
#endif

#ifndef ROWS
#define ROWS 32u /* structs in a tile */
#endif
#ifndef BATCH
#define BATCH 3u /* tiles in a chunk, so that a chunk is whole vectors */
#endif
#ifndef GROUP
#define GROUP 128u /* work-items */
#endif
#ifndef MAP
#define MAP 3 /* 1: padded, 2: exclusive-or, 3: diagonal */
#endif
#ifndef PAD
#define PAD 1 /* elements left free after 128 bytes; 0: none */
#endif

#define TILE (ROWS * COLUMNS)
#define CHUNK (TILE * BATCH)
#define PARTS (16u / ELEMENT_BYTES) /* elements in a vector */
#define VECTORS_A_CHUNK (CHUNK / PARTS)
#define ITEMS ((VECTORS_A_CHUNK + GROUP - 1u) / GROUP)
#define LINE (128u / ELEMENT_BYTES) /* elements that fill the banks once */
/* Where element e waits in local memory, so that a column's elements are not all in one
 * bank: with PAD elements left free after each line, or, without waste, with a line's
 * elements exchanged by exclusive-or or rotated by the line's number (Khan et al.). */
#if MAP == 2
#define PLACE(e) ((e) ^ ((e) / LINE % LINE))
#elif MAP == 3
#define PLACE(e) ((e) / LINE * LINE + ((e) + (e) / LINE) % LINE)
#else
#define PLACE(e) ((e) + (e) / LINE * PAD)
#endif
#define PLACES (MAP >= 2 ? (CHUNK + LINE - 1u) / LINE * LINE : PLACE(CHUNK - 1u) + 1u)

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

/* `array` is a chunk, aligned to vectors. */
void chunk_move(__global uint4 *array, __local element_t *tile)
{
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

/* The tiles that are left over, behind the chunks, and one of rest_rows behind them have
 * the first work-groups, which take longest; then there is a chunk a work-group. `base`
 * is a multiple of 16. A work-group that stayed for many chunks, the next one's loads on
 * the way while it stores, was slower on an H200. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_chunk(__global uchar *mem, ulong base, ulong chunks, ulong left, ulong rest_rows)
{
    __local element_t tile[PLACES];
    size_t g = get_group_id(0), first = left + (rest_rows > 0);

    if (g < first) {
        tile_any((__global element_t *)(mem + base) +
                     (chunks * BATCH + g) * ROWS * COLUMNS,
                 g < left ? ROWS : (uint)rest_rows, tile);
    } else {
        chunk_move((__global uint4 *)(mem + base) + (g - first) * VECTORS_A_CHUNK, tile);
    }
}
