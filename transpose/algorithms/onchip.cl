/* SPDX-License-Identifier: MIT */
/* A matrix that local memory holds, by a work-group that is alone with it: as many
 * work-items as there can be read all of it before any writes. Whole lines are read and
 * written; in local memory a unit is left free after each 128 bytes, so that what a
 * column has is not all in one bank. */
#ifndef DL_TRANSPOSE_SHAPE
#include "units.cl"
#endif

#ifndef GROUP
#define GROUP 1024u
#endif
#ifndef ROOM
#define ROOM 1024u /* units of the largest matrix */
#endif

#define LINE (128u / UNIT_BYTES)
#define FREE (UNIT_BYTES < 4 ? 4u / UNIT_BYTES : 1u)
#define PLACE(unit) ((unit) + (unit) / LINE * FREE)

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_onchip(__global uchar *mem, ulong base, struct bare_shape shape, __global uchar *work)
{
    __local unit_t held[PLACE(ROOM) + 1u];
    __global unit_t *matrix =
        (__global unit_t *)(mem + base + get_group_id(0) * shape.stride_bytes);
    uint units = (uint)shape.units, cols = (uint)shape.cols;
    uint line = (uint)shape.rows * units, all = line * cols; /* of the target */
    uint col = get_local_id(0) / line, rest = get_local_id(0) % line;
    uint col_step = GROUP / line, rest_step = GROUP % line;

#pragma unroll 8
    for (uint u = get_local_id(0); u < all; u += GROUP)
        held[PLACE(u)] = matrix[u];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (uint u = get_local_id(0); u < all; u += GROUP) {
        uint from = units == 1 ? rest * cols + col
                               : (rest / units * cols + col) * units + rest % units;
        matrix[u] = held[PLACE(from)];
        rest += rest_step;
        col += col_step + (rest >= line ? 1u : 0u);
        rest -= rest >= line ? line : 0u;
    }
}
