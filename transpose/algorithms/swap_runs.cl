/* SPDX-License-Identifier: MIT */
/* Two axes of one extent swapped in place, elements of any size: a few work-items swap a
 * pair of elements across the diagonal, unit by unit. What they need is that an element
 * is as long as a line of memory. */
#ifndef DL_TRANSPOSE_SHAPE
#include "units.cl"
#endif

#ifndef GROUP
#define GROUP 256u
#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_swap_runs(__global uchar *mem, ulong base, struct runs_shape shape,
             __global uchar *work)
{
    ulong number = get_global_id(0) / shape.lanes, square = number / shape.pairs;
    ulong outer = square / shape.middle, middle = square - outer * shape.middle;
    uint pair = (uint)(number - square * shape.pairs), row = triangle_row(pair) + 1u;
    uint col = pair - triangle(row - 1u);
    ulong first = outer * shape.side * shape.middle * shape.side + middle * shape.side;
    ulong pitch = shape.middle * shape.side;
    __global unit_t *below = (__global unit_t *)(mem + base);
    __global unit_t *above = below;

    if (number >= shape.all)
        return;
    below += (first + row * pitch + col) * shape.units;
    above += (first + col * pitch + row) * shape.units;
    for (ulong u = get_global_id(0) % shape.lanes; u < shape.units; u += shape.lanes) {
        unit_t held = below[u];
        below[u] = above[u];
        above[u] = held;
    }
}
