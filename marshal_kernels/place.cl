/* SPDX-License-Identifier: MIT */
/* Whole arrays and parts of them between the program's layout and any other, by one
 * program a device: the leaves of the structs and the tiling are arguments. Whole arrays
 * go by way of a workspace as large; parts (as part.cl has them) element by element,
 * since they are small.
 *
 * Indices count elements of an array and fit 32 bits. */

#ifdef __clang__ /* gathering and scattering by vectors is slower on many CPUs */
#define PLACE_SCALAR _Pragma("clang loop vectorize(disable) interleave(disable)")
#else
#define PLACE_SCALAR
#endif

/* Bytes of an element whose whole arrays alone it has kernels for, 2: of fewer than 4; 1:
 * parts; 0: all but narrow ones. */
#ifndef PLACE_ONLY
#define PLACE_ONLY 0
#endif

#define PLACE_STARTS 32 /* words of 64 columns */

/* As in marshal.c. */
typedef struct {
    /* a bit for the first column of each leaf, and one past the last */
    ulong starts[PLACE_STARTS];
    uint columns;
    uint width;            /* of all leaves; 0: see starts */
    uint tile, head, tail; /* structs */
    uint each;             /* structs that a work-item moves */
    uint unit;             /* bytes of a column */
    /* of a part: elements in all, the first, and its box as in part.cl */
    uint count, first, box_width, height, row, slice;
} place_t;

/* Bits are counted from `from` on, which is not past the end. */
uint place_next_start(const place_t *place, uint from)
{
    uint word = from / 64u;
    ulong bits = place->starts[word] & (~0UL << from % 64u);

    while (!bits)
        bits = place->starts[++word];
    return word * 64u + 63u - (uint)clz(bits & -bits);
}

uint place_start_of(const place_t *place, uint column)
{
    uint word = column / 64u;
    ulong bits = place->starts[word] & (~0UL >> (63u - column % 64u));

    while (!bits)
        bits = place->starts[--word];
    return word * 64u + 63u - (uint)clz(bits);
}

/* The rows of the struct's tile, and its row in that. */
uint place_rows(const place_t *place, uint i, uint *row)
{
    *row = i < place->head ? i % place->tile : i - place->head;
    return i < place->head ? place->tile : place->tail;
}

/* ---- whole arrays ---- */

/* `move` for each element of the work-item's structs: at `here` in the program's layout,
 * at `there` in the other. Structs of one tile go together, column by column: on a CPU
 * the caches hold what lies between. */
#define PLACE_EACH(move)                                                                 \
    uint i = (uint)get_global_id(0) * place.each, structs = place.head + place.tail;     \
    uint end = min(i + place.each, structs);                                             \
    while (i < end) {                                                                    \
        uint row, rows = place_rows(&place, i, &row), many = min(end - i, rows - row);   \
        uint begin = (i - row) * place.columns;                                          \
        for (uint q = 0; q < place.columns;) {                                           \
            uint past =                                                                  \
                place.width ? q + place.width : place_next_start(&place, q + 1u);        \
            uint width = past - q, first = q;                                            \
            for (; q < past; q++) {                                                      \
                uint here = i * place.columns + q;                                       \
                uint there = begin + rows * first + row * width + (q - first);           \
                PLACE_SCALAR                                                             \
                for (uint j = 0; j < many; j++, here += place.columns, there += width)   \
                    move;                                                                \
            }                                                                            \
        }                                                                                \
        i += many;                                                                       \
    }

#define PLACE_DEFINE(name, type)                                                         \
    __kernel void name##_there(__global type *restrict array, place_t place,             \
                               __global const type *restrict aside){PLACE_EACH(          \
        array[there] =                                                                   \
            aside[here])} __kernel void name##_back(__global const type *restrict array, \
                                                    place_t place,                       \
                                                    __global type *restrict aside)       \
    {                                                                                    \
        PLACE_EACH(aside[here] = array[there])                                           \
    }

#if PLACE_ONLY == 0 || PLACE_ONLY == 4
PLACE_DEFINE(dl_place_4, uint)
#endif
#if PLACE_ONLY == 0 || PLACE_ONLY == 8
PLACE_DEFINE(dl_place_8, uint2)
#endif
#if PLACE_ONLY == 0 || PLACE_ONLY == 16
PLACE_DEFINE(dl_place_16, uint4)
#endif

#if PLACE_ONLY == 2
/* `many` leaves of so many bytes, which need not be aligned, from and to each so many
 * bytes. */
#define PLACE_LEAVES(move)                                                               \
    PLACE_SCALAR                                                                         \
    for (uint j = 0; j < many; j++, from += from_step, to += to_step)                    \
        move;                                                                            \
    break;

void place_leaves(__global uchar *to, uint to_step, __global const uchar *from,
                  uint from_step, uint bytes, uint many)
{
    switch (bytes) {
    case 1:
        PLACE_LEAVES(*to = *from)
    case 2:
        PLACE_LEAVES(vstore2(vload2(0, from), 0, to))
    case 4:
        PLACE_LEAVES(vstore4(vload4(0, from), 0, to))
    case 8:
        PLACE_LEAVES(vstore8(vload8(0, from), 0, to))
    case 16:
        PLACE_LEAVES(vstore16(vload16(0, from), 0, to))
    default:
        PLACE_LEAVES({
            uint b = 0;
            for (; b + 4u <= bytes; b += 4u)
                vstore4(vload4(0, from + b), 0, to + b);
            for (; b < bytes; b++)
                to[b] = from[b];
        })
    }
}

/* As PLACE_EACH, leaf by leaf. */
void place_narrow(const place_t *place, uint work_item, __global uchar *array,
                  __global uchar *aside, bool back)
{
    uint unit = place->unit, struct_bytes = place->columns * unit;
    uint i = work_item * place->each;
    uint end = min(i + place->each, place->head + place->tail);

    while (i < end) {
        uint row, rows = place_rows(place, i, &row), many = min(end - i, rows - row);
        for (uint q = 0; q < place->columns;) {
            uint past = place->width ? q + place->width : place_next_start(place, q + 1u);
            uint bytes = (past - q) * unit;
            __global uchar *own = aside + i * struct_bytes + q * unit;
            __global uchar *other =
                array + (i - row) * struct_bytes + rows * q * unit + row * bytes;

            if (back)
                place_leaves(own, struct_bytes, other, bytes, bytes, many);
            else
                place_leaves(other, bytes, own, struct_bytes, bytes, many);
            q = past;
        }
        i += many;
    }
}

__kernel void dl_place_narrow_there(__global uchar *restrict array, place_t place,
                                    __global uchar *restrict aside)
{
    place_narrow(&place, (uint)get_global_id(0), array, aside, false);
}

__kernel void dl_place_narrow_back(__global uchar *restrict array, place_t place,
                                   __global uchar *restrict aside)
{
    place_narrow(&place, (uint)get_global_id(0), array, aside, true);
}
#endif

/* As they are; `units` of 4 bytes, `each` in a row by a work-item. */
#define PLACE_COPY(to, from)                                                             \
    for (ulong base = get_global_id(0) * each; base < units;                             \
         base += get_global_size(0) * each)                                              \
        for (ulong u = base; u < min(base + each, units); u++)                           \
            to[u] = from[u];

#if PLACE_ONLY != 1
__kernel void dl_place_aside(__global const uint *restrict array, ulong units, ulong each,
                             __global uint *restrict aside){PLACE_COPY(aside, array)}

__kernel void dl_place_return(__global uint *restrict array, ulong units, ulong each,
                              __global const uint *restrict aside)
{
    PLACE_COPY(array, aside)
}
#endif

/* ---- parts ---- */

/* Where element k of the box is in the array. What lies beyond the whole structs never
 * moves. */
uint place_of_box(const place_t *place, uint k)
{
    uint y =
        place->box_width ? k / place->box_width : 0; /* 0: all of the box is one row */
    uint z = place->box_width ? y / place->height : 0;
    uint e = place->first + z * place->slice + (y - z * place->height) * place->row +
             (k - y * place->box_width);
    uint i = e / place->columns, q = e - i * place->columns, first, width, row, rows;

    if (i >= place->head + place->tail)
        return e;
    first = place->width ? q - q % place->width : place_start_of(place, q);
    width = place->width ? place->width : place_next_start(place, q + 1u) - first;
    rows = place_rows(place, i, &row);
    return (i - row) * place->columns + rows * first + row * width + (q - first);
}

#define PLACE_PART(name, type)                                                           \
    __kernel void name##_gather(__global const type *array, place_t place,               \
                                __global type *staging)                                  \
    {                                                                                    \
        for (uint k = (uint)get_global_id(0); k < place.count;                           \
             k += (uint)get_global_size(0))                                              \
            staging[k] = array[place_of_box(&place, k)];                                 \
    }                                                                                    \
    __kernel void name##_scatter(__global type *array, place_t place,                    \
                                 __global const type *staging)                           \
    {                                                                                    \
        for (uint k = (uint)get_global_id(0); k < place.count;                           \
             k += (uint)get_global_size(0))                                              \
            array[place_of_box(&place, k)] = staging[k];                                 \
    }

#if PLACE_ONLY == 0 || PLACE_ONLY == 1
PLACE_PART(dl_place_part_1, uchar)
PLACE_PART(dl_place_part_4, uint)
#endif
