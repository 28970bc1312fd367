/* SPDX-License-Identifier: MIT */
/* C2R and R2C in registers: a few whole columns, or a row, are a work-group's; a rotation
 * and a permutation of columns are one operation there. Rows too long for that go through
 * the workspace, and columns too long where it has no room for c2r_groups.cl. */
#ifndef DL_C2R_INDEX
#include "c2r_index.cl"
#endif

#ifndef PER_ITEM
#define PER_ITEM 8u /* units that a work-item holds in registers */
#endif
#ifndef HELD_COLS
#define HELD_COLS 8u /* columns that a work-group holds in registers */
#endif
#ifndef UNROLL
#define UNROLL 8
#endif

/* ---- whole columns in registers ---- */

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_c2r_columns(__global uchar *mem, ulong base, struct c2r_shape shape,
               __global uchar *work)
{
    __global unit_t *array = (__global unit_t *)(mem + base);
    const ulong first = (ulong)get_group_id(0) * HELD_COLS;
    const uint m = (uint)shape.m;
    unit_t value[PER_ITEM];

#pragma unroll UNROLL
    for (uint p = 0; p < PER_ITEM; p++) {
        uint slot = p * GROUP + (uint)get_local_id(0), i = slot / (HELD_COLS * UNITS);
        uint u = slot % (HELD_COLS * UNITS);
        ulong j = first + u / UNITS;
        if (i < m && j < shape.n)
            value[p] =
                array[(column_source(&shape, i, (idx_t)j) * shape.n + first) * UNITS + u];
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
#pragma unroll UNROLL
    for (uint p = 0; p < PER_ITEM; p++) {
        uint slot = p * GROUP + (uint)get_local_id(0), i = slot / (HELD_COLS * UNITS);
        uint u = slot % (HELD_COLS * UNITS);
        if (i < m && first + u / UNITS < shape.n)
            array[(i * shape.n + first) * UNITS + u] = value[p];
    }
}

/* ---- rows ---- */

/* A row in registers, a work-group each. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_c2r_rows(__global uchar *mem, ulong base, struct c2r_shape shape, __global uchar *work)
{
    const idx_t i = (idx_t)get_group_id(0);
    __global unit_t *row = (__global unit_t *)(mem + base) + (size_t)i * shape.n * UNITS;
    const uint units = (uint)shape.n * UNITS;
    unit_t value[PER_ITEM];

#pragma unroll UNROLL
    for (uint p = 0; p < PER_ITEM; p++) {
        uint u = p * GROUP + (uint)get_local_id(0);
        if (u < units)
            value[p] = row[(size_t)row_source(&shape, i, u / UNITS) * UNITS + u % UNITS];
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
#pragma unroll UNROLL
    for (uint p = 0; p < PER_ITEM; p++) {
        uint u = p * GROUP + (uint)get_local_id(0);
        if (u < units)
            row[u] = value[p];
    }
}

/* ---- through the workspace ---- */

/* Rows and columns that no work-group holds in registers take turns in a place of its own
 * in the workspace: all of them in one launch, a work-group for each place. */

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_c2r_rows_through(__global uchar *mem, ulong base, struct c2r_shape shape,
                    __global uchar *work)
{
    const size_t units = (size_t)shape.n * UNITS;
    __global unit_t *place = (__global unit_t *)work + get_group_id(0) * units;

    for (ulong i = get_group_id(0); i < shape.m; i += get_num_groups(0)) {
        __global unit_t *row = (__global unit_t *)(mem + base) + i * units;
        for (size_t j = get_local_id(0); j < shape.n; j += GROUP) {
            size_t from = row_source(&shape, (idx_t)i, (idx_t)j);
            for (uint u = 0; u < UNITS; u++)
                place[j * UNITS + u] = row[from * UNITS + u];
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        for (size_t u = get_local_id(0); u < units; u += GROUP)
            row[u] = place[u];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

/* Some neighbouring columns at a time, so that what memory moves at once is used. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_c2r_columns_through(__global uchar *mem, ulong base, struct c2r_shape shape,
                       __global uchar *work)
{
    const uint most = shape.turn_cols;
    __global unit_t *array = (__global unit_t *)(mem + base);
    __global unit_t *place =
        (__global unit_t *)work + get_group_id(0) * ((size_t)shape.m * most * UNITS);

    for (ulong first = (ulong)get_group_id(0) * most; first < shape.n;
         first += (ulong)get_num_groups(0) * most) {
        uint cols = shape.n - first < most ? (uint)(shape.n - first) : most;
        uint units = cols * UNITS;
        size_t all = (size_t)shape.m * units;
        for (size_t e = get_local_id(0); e < all; e += GROUP) {
            size_t i = e / units;
            uint u = (uint)(e - i * units);
            size_t from = column_source(&shape, (idx_t)i, (idx_t)(first + u / UNITS));
            place[e] = array[(from * shape.n + first) * UNITS + u];
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        for (size_t e = get_local_id(0); e < all; e += GROUP) {
            size_t i = e / units;
            array[(i * shape.n + first) * UNITS + (e - i * units)] = place[e];
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
