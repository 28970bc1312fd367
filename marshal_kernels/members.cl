/* SPDX-License-Identifier: MIT */
/* Members beside their structs (layout/members.h): gathers them from the structs into a second buffer, and
 * scatters them back. A work-item has a struct; neighbours write, or read, neighbouring elements of each
 * array.
 *
 * Knobs beside those of step.cl: UNITS elements of a struct are moved, and of each of them the launcher
 * defines, in elements, where it is in the struct (unit_column), what is before its member's array
 * (unit_before), how wide that is (unit_width) and where in it the element is (unit_rest). */
#ifndef DL_STEP
#include "step.cl"
#endif
typedef ulong dl_index;
#include "layout/formula.h"
#ifndef UNITS
#define UNITS 2u
__constant uint unit_column[] = {1, 3}, unit_before[] = {0, 1}, unit_width[] = {1, 1},
                unit_rest[] = {0, 0};
#endif

__kernel void dl_members_gather(__global const element_t *structs, ulong count,
                                __global element_t *beside)
{
    for (ulong i = get_global_id(0); i < count; i += get_global_size(0))
        for (uint u = 0; u < UNITS; u++)
            beside[dl_members_at(i, unit_before[u], unit_width[u], count) +
                   unit_rest[u]] = structs[i * COLUMNS + unit_column[u]];
}

__kernel void dl_members_scatter(__global element_t *structs, ulong count,
                                 __global const element_t *beside)
{
    for (ulong i = get_global_id(0); i < count; i += get_global_size(0))
        for (uint u = 0; u < UNITS; u++)
            structs[i * COLUMNS + unit_column[u]] =
                beside[dl_members_at(i, unit_before[u], unit_width[u], count) +
                       unit_rest[u]];
}
