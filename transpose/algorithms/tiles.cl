/* SPDX-License-Identifier: MIT */
/* Tiles of SIDE x SIDE elements on their way through registers and local memory. A
 * work-item holds PER squares of VECTOR x VECTOR elements, read in whole vectors; it
 * transposes each in registers and lays them down as rows of the transposed tile, whose
 * vectors are permuted by an XOR so that neither side meets twice in a bank and the tile
 * needs no padding [Khan et al.: padding-free tiles]. */
#ifndef DL_TRANSPOSE_SHAPE
#include "shape.cl"
#endif

#ifndef ELEMENT_BYTES
#define ELEMENT_BYTES 4 /* 1, 2, 4, 8 or 16 */
#endif
#ifndef VECTOR
#define VECTOR 1 /* elements that are read and written as one: 1, 2 or 4 */
#endif
#ifndef SIDE
#define SIDE 32u /* of a tile; a power of two */
#endif
#ifndef GROUP
#define GROUP 256u /* work-items; a power of two */
#endif
/* Enough for all that a work-item holds, so that it lies in registers. */
#ifndef UNROLL
#define UNROLL 1
#endif
#ifndef CONJUGATE
#define CONJUGATE 0
#endif
#ifndef L2_HINT
#define L2_HINT                                                                          \
    0 /* bytes that a load brings into the second cache: 0 (as it is), 128 or 256 */
#endif

#if ELEMENT_BYTES == 1
#define ELEMENT_BASE uchar
#elif ELEMENT_BYTES == 2
#define ELEMENT_BASE ushort
#elif ELEMENT_BYTES == 4
#define ELEMENT_BASE uint
#else
#define ELEMENT_BASE ulong
#endif

#define JOIN(a, b) a##b
#define JOINED(a, b) JOIN(a, b)
#if ELEMENT_BYTES == 16
typedef ulong2 element_t;
typedef ulong2 vector_t; /* VECTOR is 1 */
#else
typedef ELEMENT_BASE element_t;
#if VECTOR == 1
typedef ELEMENT_BASE vector_t;
#else
typedef JOINED(ELEMENT_BASE, VECTOR) vector_t;
#endif
#endif

#define LINE (SIDE / VECTOR) /* vectors of a tile's row, and squares side by side */
#define PER (LINE * LINE / GROUP)

/* The imaginary part's sign: elements are pairs of half, float or double. */
vector_t vector_conjugate(vector_t vector)
{
#if CONJUGATE && ELEMENT_BYTES == 4
    return vector ^ (vector_t)0x80000000u;
#elif CONJUGATE && ELEMENT_BYTES == 8
    return vector ^ (vector_t)0x8000000000000000ul;
#elif CONJUGATE && ELEMENT_BYTES == 16
    return vector ^ (vector_t)(0ul, 0x8000000000000000ul);
#else
    return vector;
#endif
}

#if defined(__NV_CL_C_VERSION) && L2_HINT && ELEMENT_BYTES >= 4
#define HINT_TEXT2(n) #n
#define HINT_TEXT1(n) HINT_TEXT2(n)
#define HINT_LOAD "ld.global.L2::" HINT_TEXT1(L2_HINT) "B"
vector_t vector_load(__global const vector_t *from)
{
    vector_t v;

#if ELEMENT_BYTES == 4 && VECTOR == 1
    __asm volatile(HINT_LOAD ".u32 %0, [%1];" : "=r"(v) : "l"(from));
#elif ELEMENT_BYTES == 4 && VECTOR == 2
    __asm volatile(HINT_LOAD ".v2.u32 {%0,%1}, [%2];"
                   : "=r"(v.s0), "=r"(v.s1)
                   : "l"(from));
#elif ELEMENT_BYTES == 4
    __asm volatile(HINT_LOAD ".v4.u32 {%0,%1,%2,%3}, [%4];"
                   : "=r"(v.s0), "=r"(v.s1), "=r"(v.s2), "=r"(v.s3)
                   : "l"(from));
#elif ELEMENT_BYTES == 8 && VECTOR == 1
    __asm volatile(HINT_LOAD ".u64 %0, [%1];" : "=l"(v) : "l"(from));
#else
    __asm volatile(HINT_LOAD ".v2.u64 {%0,%1}, [%2];"
                   : "=l"(v.s0), "=l"(v.s1)
                   : "l"(from));
#endif
    return v;
}
#else
#define vector_load(from) (*(from))
#endif

/* Reads the tile that begins at `from`, of which there are so many rows and columns. */
void tile_load(vector_t held[PER][VECTOR], __global const element_t *from, ulong pitch,
               uint rows, uint cols)
{
    bool is_whole = rows >= SIDE && cols >= SIDE;

#pragma unroll UNROLL
    for (uint p = 0; p < PER; p++) {
        uint i = get_local_id(0) + p * GROUP, row = i / LINE * VECTOR,
             col = i % LINE * VECTOR;
#pragma unroll
        for (uint v = 0; v < VECTOR; v++)
            if (is_whole || (row + v < rows && col < cols))
                held[p][v] = vector_load(
                    (__global const vector_t *)(from + (row + v) * pitch + col));
    }
}

/* Lays down what is held as rows of the transposed tile. */
void tile_turn(vector_t held[PER][VECTOR], __local vector_t *tile)
{
#pragma unroll UNROLL
    for (uint p = 0; p < PER; p++) {
        uint i = get_local_id(0) + p * GROUP, down = i / LINE, across = i % LINE;
        __local vector_t *to = tile + across * VECTOR * LINE + (down ^ across);
#if VECTOR == 1
        to[0] = vector_conjugate(held[p][0]);
#elif VECTOR == 2
        vector_t a = held[p][0], b = held[p][1];
        to[0] = vector_conjugate((vector_t)(a.s0, b.s0));
        to[LINE] = vector_conjugate((vector_t)(a.s1, b.s1));
#else
        vector_t a = held[p][0], b = held[p][1], c = held[p][2], d = held[p][3];
        to[0] = vector_conjugate((vector_t)(a.s0, b.s0, c.s0, d.s0));
        to[LINE] = vector_conjugate((vector_t)(a.s1, b.s1, c.s1, d.s1));
        to[2 * LINE] = vector_conjugate((vector_t)(a.s2, b.s2, c.s2, d.s2));
        to[3 * LINE] = vector_conjugate((vector_t)(a.s3, b.s3, c.s3, d.s3));
#endif
    }
}

/* Writes the transposed tile to where it begins, as much of it as there is. */
void tile_store(__local const vector_t *tile, __global element_t *to, ulong pitch,
                uint rows, uint cols)
{
    bool is_whole = rows >= SIDE && cols >= SIDE;

#pragma unroll UNROLL
    for (uint p = 0; p < PER * VECTOR; p++) {
        uint i = get_local_id(0) + p * GROUP, row = i / LINE, across = i % LINE;
        if (is_whole || (row < rows && across * VECTOR < cols))
            *(__global vector_t *)(to + row * pitch + across * VECTOR) =
                tile[row * LINE + (across ^ (row / VECTOR))];
    }
}

/* The rows or columns that a tile has, whose first one is `first`. */
uint tile_extent(ulong all, ulong first)
{
    return all - first < SIDE ? (uint)(all - first) : SIDE;
}
