/* SPDX-License-Identifier: MIT */
/* Arithmetic on the way: alpha times each number, conjugated or not, out of place plus
 * beta times what the target had. Out of place a work-group takes a tile of two axes, as
 * out_axes.cl does. */
#ifndef DL_TRANSPOSE_SHAPE
#include "shape.cl"
#endif

#ifndef REAL_BYTES
#define REAL_BYTES 4 /* of a number, or its real part: 2, 4 or 8 */
#endif
#ifndef COMPLEX
#define COMPLEX 0
#endif
#ifndef CONJUGATE
#define CONJUGATE 0
#endif
#ifndef SCALES
#define SCALES 1 /* 0: signs change alone, in any number's own bits */
#endif
#ifndef TILE_ROWS
#define TILE_ROWS 32u
#endif
#ifndef TILE_COLS
#define TILE_COLS 32u
#endif
#ifndef TURNS
#define TURNS 1 /* 0: rows are neighbours on both sides, or nowhere */
#endif
#ifndef GROUP
#define GROUP 256u
#endif

/* A product that is rounded is the same on every device. */
#pragma OPENCL FP_CONTRACT OFF

#if SCALES
#if REAL_BYTES == 8
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real_t;
typedef double2 pair_t;
#define REAL_OF(bits) as_double(bits)
#else
typedef float real_t;
typedef float2 pair_t;
#define REAL_OF(bits) as_float((uint)(bits))
#endif
#if COMPLEX
typedef pair_t number_t;
#else
typedef real_t number_t;
#endif
#elif REAL_BYTES == 2
typedef uint number_t;
#elif REAL_BYTES == 4
typedef uint2 number_t;
#else
typedef uint4 number_t;
#endif

#if SCALES && REAL_BYTES == 2
typedef half stored_t;
#if COMPLEX
#define NUMBER_LOAD(from, at) vload_half2(at, from)
#define NUMBER_STORE(number, to, at) vstore_half2_rte(number, at, to)
#else
#define NUMBER_LOAD(from, at) vload_half(at, from)
#define NUMBER_STORE(number, to, at) vstore_half_rte(number, at, to)
#endif
#else
typedef number_t stored_t;
#define NUMBER_LOAD(from, at) ((from)[at])
#define NUMBER_STORE(number, to, at) ((to)[at] = (number))
#endif

#if SCALES
number_t number_times(number_t number, const ulong *by)
{
#if COMPLEX
    real_t re = REAL_OF(by[0]), im = REAL_OF(by[1]);

    /* Infinite times 0 is no number. */
    return im == 0
               ? number * re
               : (number_t)(number.x * re - number.y * im, number.x * im + number.y * re);
#else
    return number * REAL_OF(by[0]);
#endif
}

bool is_zero(const ulong *by)
{
#if COMPLEX
    return REAL_OF(by[0]) == 0 && REAL_OF(by[1]) == 0;
#else
    return REAL_OF(by[0]) == 0;
#endif
}
#endif

number_t number_conjugate(number_t number)
{
#if !CONJUGATE
    return number;
#elif SCALES
    return (number_t)(number.x, -number.y);
#elif REAL_BYTES == 2
    return number ^ 0x80000000u;
#elif REAL_BYTES == 4
    return number ^ (uint2)(0u, 0x80000000u);
#else
    return number ^ (uint4)(0u, 0u, 0u, 0x80000000u);
#endif
}

/* In place. */
__kernel void dl_scale(__global uchar *mem, ulong base, struct scale_shape shape,
                       __global uchar *work)
{
    __global stored_t *numbers = (__global stored_t *)(mem + base);

    for (ulong m = get_global_id(2); m < shape.batch; m += get_global_size(2))
        for (ulong row = get_global_id(1); row < shape.rows; row += get_global_size(1)) {
            ulong begin = m * shape.stride + row * shape.leading;
            for (ulong i = get_global_id(0); i < shape.width; i += get_global_size(0)) {
#if SCALES
                number_t number = 0;
                if (!is_zero(shape.alpha))
                    number = number_times(
                        number_conjugate(NUMBER_LOAD(numbers, begin + i)), shape.alpha);
#else
                number_t number = number_conjugate(NUMBER_LOAD(numbers, begin + i));
#endif
                NUMBER_STORE(number, numbers, begin + i);
            }
        }
}

#if SCALES
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_out_scaled(__global uchar *mem, ulong base, struct scaled_shape shape,
              __global uchar *work)
{
#if TURNS
    __local number_t tile[TILE_COLS * (TILE_ROWS + 1u)];
#endif
    __global const stored_t *from = (__global const stored_t *)(mem + base);
    __global stored_t *to = (__global stored_t *)(work + shape.axes.base_out_bytes);
    uint tiles = shape.axes.tiles_down * shape.axes.tiles_across;
    uint other = (uint)get_group_id(0) / tiles;
    struct tile_place at = axes_place(&shape.axes, (uint)get_group_id(0) - other * tiles);
    ulong row = (ulong)at.row * TILE_ROWS, col = (ulong)at.col * TILE_COLS;
    ulong begin, begin_out;
    bool reads = !is_zero(shape.alpha), adds = !is_zero(shape.beta);

    axes_begin(&shape.axes, other, &begin, &begin_out);
#if TURNS
    for (uint i = get_local_id(0); reads && i < TILE_ROWS * TILE_COLS; i += GROUP) {
        uint r = i / TILE_COLS, c = i % TILE_COLS;
        if (row + r < shape.axes.rows && col + c < shape.axes.cols)
            tile[c * (TILE_ROWS + 1u) + r] =
                NUMBER_LOAD(from, begin + (row + r) * shape.axes.row_from +
                                      (col + c) * shape.axes.col_from);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    for (uint i = get_local_id(0); i < TILE_ROWS * TILE_COLS; i += GROUP) {
#if TURNS
        uint c = i / TILE_ROWS, r = i % TILE_ROWS;
#else
        uint r = i / TILE_COLS, c = i % TILE_COLS;
#endif
        ulong place;
        number_t number = 0;
        if (row + r >= shape.axes.rows || col + c >= shape.axes.cols)
            continue;
        place = begin_out + (row + r) * shape.axes.row_to + (col + c) * shape.axes.col_to;
        if (reads) {
#if TURNS
            number = tile[c * (TILE_ROWS + 1u) + r];
#else
            number = NUMBER_LOAD(from, begin + (row + r) * shape.axes.row_from +
                                           (col + c) * shape.axes.col_from);
#endif
            number = number_times(number_conjugate(number), shape.alpha);
        }
        if (adds)
            number += number_times(NUMBER_LOAD(to, place), shape.beta);
        NUMBER_STORE(number, to, place);
    }
}
#endif
