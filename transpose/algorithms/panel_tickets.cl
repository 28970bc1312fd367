/* SPDX-License-Identifier: MIT */
/* How the work-groups of a panel's pass take their tiles and wait for one another.
 *
 * One launch does all panels. A work-group takes a ticket, and with it the next tile in
 * order; reads the tile into local memory; says so; waits until every tile whose elements
 * it is about to overwrite has been read too; and writes. It waits for tickets given out
 * earlier only, thus for work-groups that run already and that wait for still earlier
 * ones: there is always one that can go on, however few run at a time. Nobody reads what
 * another has written. A tile counts as read once its values are in local memory and its
 * work-group has passed a barrier, so that the count can't come before the reads. */
#ifndef DL_TRANSPOSE_SHAPE
#include "shape.cl"
#endif

#ifndef TILE_COLS
#define TILE_COLS 64u
#endif
#ifndef TILE_ROWS
#define TILE_ROWS 64u
#endif

void counts_wait(__global volatile uint *counts, uint first, uint past, uint tiles)
{
    for (uint k = first; k < past; k++)
        while (atomic_or(&counts[COUNT_OF(k)], 0u) < tiles)
            ;
}

/* Where block x is between the passes. The mover neither finds nor leaves a cut's at its
 * place. */
__global uchar *block_bytes(__global uchar *mem, __global uchar *workspace,
                            const struct panel_shape *s, uint x, uint element_bytes)
{
    ulong bytes = (ulong)s->block * element_bytes;
    uint cut;

    if (x < s->hole)
        return workspace + s->hole_bytes + x * bytes;
    cut = cut_at_place(s, x - s->hole);
    if (cut != NOWHERE)
        return workspace + s->saved_bytes + cut * bytes;
    return mem + place_begin(s, x - s->hole) * element_bytes;
}

/* Takes the next ticket. */
struct tile tile_take(__global uchar *workspace, const struct panel_shape *s,
                      bool joining, __local uint *ticket)
{
    if (get_local_id(0) == 0)
        *ticket = atomic_inc(COUNTS(workspace));
    barrier(CLK_LOCAL_MEM_FENCE);
    return tile_of(s, *ticket, TILE_COLS, TILE_ROWS, joining);
}
