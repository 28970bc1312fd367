/* SPDX-License-Identifier: MIT */
/* Members beside their structs (layout/members.h): gathers them from the structs into a second buffer, and
 * scatters them back.
 *
 * Each: a work-item has a struct; neighbours write, or read, neighbouring elements of each array. Joined: a
 * work-group has STRUCTS structs, by way of local memory, and neighbours read, or write, neighbouring elements of
 * a struct as well.
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
#ifndef STRUCTS
#define STRUCTS 64u
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

/* Without a common divisor with the banks of local memory. */
#define PITCH (UNITS | 1u)

/* Where element k of those of a whole work-group is, those of an array side by side. A leaf's elements stay
 * together: of STRUCTS * width elements this is number `along`. */
struct place {
    uint i, u;
    ulong at;
};

struct place place_of(uint k, ulong first, ulong count)
{
    struct place place;
    uint u = k / STRUCTS, rest = unit_rest[u], width = unit_width[u];
    uint along = rest * STRUCTS + k % STRUCTS;

    place.i = along / width;
    place.u = u - rest + along % width;
    place.at = dl_members_at(first, unit_before[u], width, count) + along;
    return place;
}

__kernel void dl_members_gather_joined(__global const element_t *structs, ulong count,
                                       __global element_t *beside)
{
    __local element_t part[STRUCTS * PITCH];
    __local uint column[UNITS];
    ulong first = (ulong)get_group_id(0) * STRUCTS;
    uint here = (uint)min(count - first, (ulong)STRUCTS);

    for (uint u = get_local_id(0); u < UNITS; u += get_local_size(0))
        column[u] = unit_column[u];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = get_local_id(0); k < here * UNITS; k += get_local_size(0))
        part[k / UNITS * PITCH + k % UNITS] =
            structs[(first + k / UNITS) * COLUMNS + column[k % UNITS]];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = get_local_id(0); k < STRUCTS * UNITS; k += get_local_size(0)) {
        struct place place = place_of(k, first, count);

        if (place.i < here)
            beside[place.at] = part[place.i * PITCH + place.u];
    }
}

__kernel void dl_members_scatter_joined(__global element_t *structs, ulong count,
                                        __global const element_t *beside)
{
    __local element_t part[STRUCTS * PITCH];
    __local uint column[UNITS];
    ulong first = (ulong)get_group_id(0) * STRUCTS;
    uint here = (uint)min(count - first, (ulong)STRUCTS);

    for (uint u = get_local_id(0); u < UNITS; u += get_local_size(0))
        column[u] = unit_column[u];
    for (uint k = get_local_id(0); k < STRUCTS * UNITS; k += get_local_size(0)) {
        struct place place = place_of(k, first, count);

        if (place.i < here)
            part[place.i * PITCH + place.u] = beside[place.at];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = get_local_id(0); k < here * UNITS; k += get_local_size(0))
        structs[(first + k / UNITS) * COLUMNS + column[k % UNITS]] =
            part[k / UNITS * PITCH + k % UNITS];
}
