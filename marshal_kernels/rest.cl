/* One tile of any length by a work-group: read into local memory, a barrier, written transposed. What
 * chunks of whole tiles leave over goes so, in the same launch. The launcher puts this text behind
 * step.cl. */
#ifndef DL_STEP
#include "step.cl"
#endif
#ifndef DL_REST
#define DL_REST

/* `tile` has room for rows * COLUMNS elements. For all work-items of the work-group. */
void tile_any(__global element_t *array, uint rows, __local element_t *tile)
{
    uint elements = rows * COLUMNS, id = get_local_id(0), group = get_local_size(0);

    for (uint e = id; e < elements; e += group) {
#if INVERSE
        tile[e] = array[e];
#else
        tile[step_target((index_t)rows, e)] = array[e];
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint e = id; e < elements; e += group) {
#if INVERSE
        array[e] = tile[step_target((index_t)rows, e)];
#else
        array[e] = tile[e];
#endif
    }
}

#endif
