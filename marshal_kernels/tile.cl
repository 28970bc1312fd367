/* 010! by barrier-sync on tiles of any length: a work-group reads a tile, meets at the barrier and
 * writes it transposed. The tile waits in local memory, where the permutation happens; global
 * memory sees only consecutive accesses (Sung 2013, 4.5). For the few tiles that chunk.cl leaves
 * and the short last one, so that it is built without their length. */
#ifndef DL_STEP
#include "step.cl"
#endif

/* Any tile that local memory holds, one a work-group; `tile` has rows * COLUMNS elements. */
__kernel void dl_tile_any(__global uchar *mem, ulong base, ulong rows,
                          __local element_t *tile)
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
