/* SPDX-License-Identifier: MIT */
/* 010! on tiles of structs of any shape, which are arguments: one program a device, for
 * when the kernel for a shape is not built yet. As tile.cl, a work-group reads a tile
 * into local memory and writes it transposed; leaves are looked up in a table that it
 * makes first. Groups of one work-item, as CPUs like them, take leaf by leaf and have
 * nobody to meet. */
#ifndef DL_STEP
#include "step.cl"
#endif

#ifndef ALONE
#define ALONE 0 /* 1: groups have one work-item */
#endif

#define ANY_STARTS 16 /* words of 64 columns */

/* As in any.c. */
typedef struct {
    ulong starts[ANY_STARTS]; /* a bit for the first column of each leaf, and one past the
                                 last */
    uint columns;
    uint width; /* of all leaves; 0: see starts */
    uint inverse;
    uint each; /* tiles of a work-group; 1 of one of several work-items */
} any_shape_t;

/* Barriers in a loop, behind a condition whose both sides end in loops, are more than
 * PoCL 5 can compile. */
#if ALONE
#define ANY_TILES(t)                                                                     \
    for (ulong t = (ulong)get_group_id(0) * shape.each,                                  \
               past = min(t + shape.each, tiles + (rest_rows > 0));                      \
         t < past; t++)
#define ANY_MEET
#define ANY_ID 0u
#define ANY_GROUP 1u
/* Gathering and scattering by vectors is slower on many CPUs. */
#define ANY_SCALAR _Pragma("clang loop vectorize(disable) interleave(disable)")
#else
#define ANY_TILES(t) const ulong t = get_group_id(0);
#define ANY_MEET barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#define ANY_ID (uint) get_local_id(0)
#define ANY_GROUP (uint) get_local_size(0)
#endif

/* Bits are counted from `from` on, which is not past the end. */
uint any_next_start(const any_shape_t *shape, uint from)
{
    uint word = from / 64u;
    ulong bits = shape->starts[word] & (~0UL << from % 64u);

    while (!bits)
        bits = shape->starts[++word];
    return word * 64u + 63u - (uint)clz(bits & -bits);
}

/* For each column its leaf's first and width. For all work-items of the work-group. */
void any_leaves(const any_shape_t *shape, __local ushort2 *leaves)
{
    uint id = ANY_ID, group = ANY_GROUP;

    for (uint q = id; shape->width && q < shape->columns; q += group)
        leaves[q] = (ushort2)((ushort)(q - q % shape->width), (ushort)shape->width);
    for (uint q = id; !shape->width && q < shape->columns; q += group) {
        uint past, first = q;

        while (!(shape->starts[first / 64u] >> first % 64u & 1UL))
            first--;
        past = any_next_start(shape, q + 1u);
        leaves[q] = (ushort2)((ushort)first, (ushort)(past - first));
    }
}

/* Smaller elements go as they are by words where both sides are aligned to them. */
typedef uint __attribute__((may_alias)) any_word_t;
#define ANY_WORDS(bytes)                                                                 \
    (bytes < 4 && ((size_t)array | (size_t)tile) % 4 == 0 ? elements * bytes / 4u : 0u)

#define ANY_IN(bytes)                                                                    \
    for (uint w = id; w < words; w += group)                                             \
        ((__local any_word_t *)tile)[w] = ((__global const any_word_t *)array)[w];       \
    for (uint e = words * 4u / bytes + id; e < elements; e += group)                     \
        tile[e] = array[e];
#define ANY_OUT(bytes)                                                                   \
    for (uint w = id; w < words; w += group)                                             \
        ((__global any_word_t *)array)[w] = ((__local const any_word_t *)tile)[w];       \
    for (uint e = words * 4u / bytes + id; e < elements; e += group)                     \
        array[e] = tile[e];

/* `move` with the element at `here` in the structs and `there` in the tile. */
#if ALONE
#define ANY_EACH(move)                                                                   \
    for (uint q = 0; q < columns; q++) {                                                 \
        uint first = leaves[q].x, width = leaves[q].y;                                   \
        uint here = q, there = rows * first + (q - first);                               \
        ANY_SCALAR                                                                       \
        for (uint j = 0; j < rows; j++, here += columns, there += width)                 \
            move;                                                                        \
    }
#else
#define ANY_EACH(move)                                                                   \
    rows_t divisor = rows_make(rows);                                                    \
    for (uint e = id; e < elements; e += group) {                                        \
        uint q = (uint)rows_divide(divisor, e), j = e - q * rows;                        \
        uint first = leaves[q].x, width = leaves[q].y;                                   \
        uint here = j * columns + q, there = rows * first + j * width + (q - first);     \
        move;                                                                            \
    }
#endif

/* Both halves ask which way it goes, and meet in between: some compilers for CPUs lose
 * their way where barriers stand in branches. */
#define ANY_DEFINE(name, type, bytes)                                                    \
    void name##_read(__global const type *array, uint rows, uint columns, uint inverse,  \
                     __local const ushort2 *leaves, __local type *tile)                  \
    {                                                                                    \
        uint elements = rows * columns, id = ANY_ID, group = ANY_GROUP;                  \
        uint words = ANY_WORDS(bytes);                                                   \
                                                                                         \
        if (inverse) {                                                                   \
            ANY_EACH(tile[here] = array[there])                                          \
        } else {                                                                         \
            ANY_IN(bytes)                                                                \
        }                                                                                \
    }                                                                                    \
                                                                                         \
    void name##_write(__global type *array, uint rows, uint columns, uint inverse,       \
                      __local const ushort2 *leaves, __local const type *tile)           \
    {                                                                                    \
        uint elements = rows * columns, id = ANY_ID, group = ANY_GROUP;                  \
        uint words = ANY_WORDS(bytes);                                                   \
                                                                                         \
        if (inverse) {                                                                   \
            ANY_OUT(bytes)                                                               \
        } else {                                                                         \
            ANY_EACH(array[there] = tile[here])                                          \
        }                                                                                \
    }                                                                                    \
                                                                                         \
    __kernel void name(__global uchar *mem, ulong base, ulong rows, ulong tiles,         \
                       ulong rest_rows, any_shape_t shape, __local ushort2 *leaves,      \
                       __local type *tile)                                               \
    {                                                                                    \
        any_leaves(&shape, leaves);                                                      \
        ANY_TILES(t)                                                                     \
        {                                                                                \
            __global type *array =                                                       \
                (__global type *)(mem + base) + t * rows * shape.columns;                \
            uint own_rows = (uint)(t < tiles ? rows : rest_rows);                        \
                                                                                         \
            ANY_MEET                                                                     \
            name##_read(array, own_rows, shape.columns, shape.inverse, leaves, tile);    \
            ANY_MEET                                                                     \
            name##_write(array, own_rows, shape.columns, shape.inverse, leaves, tile);   \
        }                                                                                \
    }

ANY_DEFINE(dl_any_1, uchar, 1)
ANY_DEFINE(dl_any_2, ushort, 2)
ANY_DEFINE(dl_any_4, uint, 4)
ANY_DEFINE(dl_any_8, uint2, 8)
ANY_DEFINE(dl_any_16, uint4, 16)
