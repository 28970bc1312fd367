/* SPDX-License-Identifier: MIT */
/* 010! by barrier-sync on tiles of any length: a work-group reads a tile, meets at the
 * barrier and writes it transposed. The tile waits in local memory, where the permutation
 * happens; global memory sees only consecutive accesses (Sung 2013, 4.5). For the few
 * tiles that chunk.cl leaves and the short last one, so that it is built without their
 * length. */
#ifndef DL_REST
#include "rest.cl"
#endif

/* Any tiles that local memory holds, one a work-group, and one of rest_rows behind them;
 * `tile` has rows * COLUMNS elements. */
__kernel void dl_tile_any(__global uchar *mem, ulong base, ulong rows, ulong tiles,
                          ulong rest_rows, __local element_t *tile)
{
    size_t t = get_group_id(0);

    tile_any((__global element_t *)(mem + base) + t * rows * COLUMNS,
             (uint)(t < tiles ? rows : rest_rows), tile);
}
