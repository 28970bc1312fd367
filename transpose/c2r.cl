/* SPDX-License-Identifier: MIT */
/* C2R and R2C in registers: a few whole columns, or a row, are a work-group's; a rotation and a
 * permutation of columns are one operation there. Rows too long for that go through the workspace.
 * Columns too long: c2r_groups.cl. */
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

/* Long rows: `rows` of them from first_row on, to the workspace and back. */
__kernel void dl_c2r_rows_out(__global uchar *mem, ulong base, struct c2r_shape shape,
                              __global uchar *work)
{
    __global const unit_t *array = (__global const unit_t *)(mem + base);
    __global unit_t *out = (__global unit_t *)work;
    size_t all = (size_t)shape.rows * shape.n;

    for (size_t g = get_global_id(0); g < all; g += get_global_size(0)) {
        size_t r = g / shape.n, j = g - r * shape.n, i = shape.first_row + r;
        size_t from = i * shape.n + row_source(&shape, (idx_t)i, (idx_t)j);
        for (uint u = 0; u < UNITS; u++)
            out[g * UNITS + u] = array[from * UNITS + u];
    }
}

__kernel void dl_c2r_rows_back(__global uchar *mem, ulong base, struct c2r_shape shape,
                               __global uchar *work)
{
    __global unit_t *array =
        (__global unit_t *)(mem + base) + (size_t)shape.first_row * shape.n * UNITS;
    __global const unit_t *from = (__global const unit_t *)work;
    size_t all = (size_t)shape.rows * shape.n * UNITS;

    for (size_t u = get_global_id(0); u < all; u += get_global_size(0))
        array[u] = from[u];
}
