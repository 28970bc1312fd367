/* SPDX-License-Identifier: MIT */
/* For CPUs, whose cache is their local memory: every work-item transposes a block of SIDE
 * x SIDE elements as a plain loop does, out of place, or swaps it with its partner in
 * place. */
#ifndef DL_TRANSPOSE_SHAPE
#include "shape.cl"
#endif

#ifndef ELEMENT_BYTES
#define ELEMENT_BYTES 4 /* 1, 2, 4, 8 or 16 */
#endif
#ifndef SIDE
#define SIDE 32u
#endif
#ifndef CONJUGATE
#define CONJUGATE 0
#endif

#if ELEMENT_BYTES == 1
typedef uchar element_t;
typedef uchar4 vector_t;
#elif ELEMENT_BYTES == 2
typedef ushort element_t;
typedef ushort4 vector_t;
#elif ELEMENT_BYTES == 4
typedef uint element_t;
typedef uint4 vector_t;
#define SIGN 0x80000000u
#elif ELEMENT_BYTES == 8
typedef ulong element_t;
typedef ulong4 vector_t;
#define SIGN 0x8000000000000000ul
#else
typedef ulong2 element_t;
#define SIGN ((ulong2)(0ul, 0x8000000000000000ul))
#endif

#if CONJUGATE
#define RESULT(element) ((element) ^ SIGN)
#else
#define RESULT(element) (element)
#endif

uint block_extent(ulong all, ulong first)
{
    return all - first < SIDE ? (uint)(all - first) : SIDE;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
dl_out_blocks(__global uchar *mem, ulong base, struct out_shape shape,
              __global uchar *work)
{
    uint tiles = shape.tiles_down * shape.tiles_across, number = (uint)get_group_id(0);
    uint matrix = number / tiles;
    struct tile_place at = out_place(&shape, number - matrix * tiles);
    ulong row = (ulong)at.row * SIDE, col = (ulong)at.col * SIDE;
    __global const element_t *restrict from =
        (__global const element_t *)(mem + base + matrix * shape.stride_bytes) +
        row * shape.leading + col;
    __global element_t *restrict to =
        (__global element_t *)(work + shape.base_out_bytes +
                               matrix * shape.stride_out_bytes) +
        col * shape.leading_out + row;
    uint rows = block_extent(shape.rows, row), cols = block_extent(shape.cols, col);
    ulong leading = shape.leading, leading_out = shape.leading_out;

    uint y = 0;
#if ELEMENT_BYTES < 16
    /* Squares of 4 x 4 through registers. */
    for (; y + 4u <= cols; y += 4) {
        uint x = 0;
        for (; x + 4u <= rows; x += 4) {
            __global const element_t *square = from + x * leading + y;
            vector_t a = vload4(0, square), b = vload4(0, square + leading);
            vector_t c = vload4(0, square + 2 * leading);
            vector_t d = vload4(0, square + 3 * leading);
            __global element_t *turned = to + y * leading_out + x;
            vstore4(RESULT((vector_t)(a.s0, b.s0, c.s0, d.s0)), 0, turned);
            vstore4(RESULT((vector_t)(a.s1, b.s1, c.s1, d.s1)), 0, turned + leading_out);
            vstore4(RESULT((vector_t)(a.s2, b.s2, c.s2, d.s2)), 0,
                    turned + 2 * leading_out);
            vstore4(RESULT((vector_t)(a.s3, b.s3, c.s3, d.s3)), 0,
                    turned + 3 * leading_out);
        }
        for (; x < rows; x++)
            for (uint r = y; r < y + 4u; r++)
                to[r * leading_out + x] = RESULT(from[x * leading + r]);
    }
#endif
    for (; y < cols; y++)
        for (uint x = 0; x < rows; x++)
            to[y * leading_out + x] = RESULT(from[x * leading + y]);
}

void elements_swap(__global element_t *a, __global element_t *b)
{
    element_t held = *a;

    *a = *b;
    *b = held;
}

#if ELEMENT_BYTES < 16
/* A square of 4 x 4 below the diagonal with its partner above. */
void squares_swap(__global element_t *low, __global element_t *high, ulong leading)
{
    vector_t a = vload4(0, low), b = vload4(0, low + leading);
    vector_t c = vload4(0, low + 2 * leading), d = vload4(0, low + 3 * leading);
    vector_t e = vload4(0, high), f = vload4(0, high + leading);
    vector_t g = vload4(0, high + 2 * leading), h = vload4(0, high + 3 * leading);

    vstore4((vector_t)(a.s0, b.s0, c.s0, d.s0), 0, high);
    vstore4((vector_t)(a.s1, b.s1, c.s1, d.s1), 0, high + leading);
    vstore4((vector_t)(a.s2, b.s2, c.s2, d.s2), 0, high + 2 * leading);
    vstore4((vector_t)(a.s3, b.s3, c.s3, d.s3), 0, high + 3 * leading);
    vstore4((vector_t)(e.s0, f.s0, g.s0, h.s0), 0, low);
    vstore4((vector_t)(e.s1, f.s1, g.s1, h.s1), 0, low + leading);
    vstore4((vector_t)(e.s2, f.s2, g.s2, h.s2), 0, low + 2 * leading);
    vstore4((vector_t)(e.s3, f.s3, g.s3, h.s3), 0, low + 3 * leading);
}
#endif

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
dl_square_blocks(__global uchar *mem, ulong base, struct swap_shape shape,
                 __global uchar *work)
{
    uint number = (uint)get_group_id(0), instance = number / shape.numbers;
    struct tile_place at = swap_place(&shape, number - instance * shape.numbers);
    ulong row = (ulong)at.row * SIDE, col = (ulong)at.col * SIDE, leading = shape.leading;
    uint rows = block_extent(shape.side, row), cols = block_extent(shape.side, col);
    __global element_t *matrix =
        (__global element_t *)(mem + base + instance * shape.stride_bytes);
    __global element_t *below = matrix + row * leading + col;
    __global element_t *above = matrix + col * leading + row;
    bool is_middle = at.row == at.col;

    for (uint y = 0; y < rows; y += 4)
        for (uint x = 0; x < cols && !(is_middle && x > y); x += 4) {
            uint past_y = min(y + 4u, rows), past_x = min(x + 4u, cols);
#if ELEMENT_BYTES < 16
            if (past_y - y == 4u && past_x - x == 4u && !(is_middle && x == y)) {
                squares_swap(below + y * leading + x, above + x * leading + y, leading);
                continue;
            }
#endif
            for (uint i = y; i < past_y; i++)
                for (uint j = x; j < past_x && !(is_middle && j >= i); j++)
                    elements_swap(below + i * leading + j, above + j * leading + i);
        }
}
