/* SPDX-License-Identifier: MIT */
/* 010! for CPUs: a work-item transposes whole tiles by itself, through a copy in its
 * core's cache. Local memory and barriers cost a CPU more than they are worth. Leaves
 * move whole, by accesses as wide as they are, one run of equally wide leaves after the
 * other. */
#ifndef DL_STEP
#include "step.cl"
#endif

#ifndef ROWS
#define ROWS 32u /* structs in a tile */
#endif
#ifndef EACH
#define EACH 16u /* tiles that a work-item transposes */
#endif
#ifndef RUN_MAP
/* X(bytes of a leaf, offset of the first, how many follow each other) */
#define RUN_MAP(X) X(4, 0, COLUMNS)
#endif

#define STRUCT_BYTES (COLUMNS * ELEMENT_BYTES)
#define TILE_BYTES (ROWS * STRUCT_BYTES)

/* A leaf of so many bytes; it need not be aligned. The loops over leaves stay scalar:
 * gathering and scattering by vectors is slower on many CPUs. */
// clang-format off
#define LEAF(bytes) struct __attribute__((packed)) { uchar all[bytes]; }
// clang-format on
#define SCALAR _Pragma("clang loop vectorize(disable) interleave(disable)")

/* There, from structs to arrays, and back. */
#define LEAF_THERE(bytes, leaf)                                                          \
    {                                                                                    \
        typedef LEAF(bytes) leaf_t;                                                      \
        __global leaf_t *to = (__global leaf_t *)(array + ROWS * (leaf));                \
        SCALAR                                                                           \
        for (uint j = 0; j < ROWS; j++)                                                  \
            to[j] = *(const leaf_t *)(tile + j * STRUCT_BYTES + (leaf));                 \
    }
#define LEAF_BACK(bytes, leaf)                                                           \
    {                                                                                    \
        typedef LEAF(bytes) leaf_t;                                                      \
        const leaf_t *from = (const leaf_t *)(tile + ROWS * (leaf));                     \
        SCALAR                                                                           \
        for (uint j = 0; j < ROWS; j++)                                                  \
            *(__global leaf_t *)(array + j * STRUCT_BYTES + (leaf)) = from[j];           \
    }

/* Four rows by four leaves of 1, 2 or 4 bytes at a time, by vectors. */
#define SQUARE_DEFINE(name, type)                                                        \
    void name(__global uchar *to, uint to_stride, const uchar *from, uint from_stride)   \
    {                                                                                    \
        type##4 a = vload4(0, (const type *)from);                                       \
        type##4 b = vload4(0, (const type *)(from + from_stride));                       \
        type##4 c = vload4(0, (const type *)(from + 2 * from_stride));                   \
        type##4 d = vload4(0, (const type *)(from + 3 * from_stride));                   \
                                                                                         \
        vstore4((type##4)(a.x, b.x, c.x, d.x), 0, (__global type *)to);                  \
        vstore4((type##4)(a.y, b.y, c.y, d.y), 0, (__global type *)(to + to_stride));    \
        vstore4((type##4)(a.z, b.z, c.z, d.z), 0,                                        \
                (__global type *)(to + 2 * to_stride));                                  \
        vstore4((type##4)(a.w, b.w, c.w, d.w), 0,                                        \
                (__global type *)(to + 3 * to_stride));                                  \
    }
SQUARE_DEFINE(square_1, uchar)
SQUARE_DEFINE(square_2, ushort)
SQUARE_DEFINE(square_4, uint)

/* Leaves of each of these widths stay aligned when the struct's size and the run's start
 * are. */
#define HAS_SQUARES(bytes, offset)                                                       \
    (((bytes) == 1 || (bytes) == 2 || (bytes) == 4) && ROWS % 4 == 0 &&                  \
     STRUCT_BYTES % (bytes) == 0 && (offset) % (bytes) == 0)
#define SQUARE_THERE(name, bytes, j, leaf)                                               \
    name(array + ROWS * (leaf) + (j) * (bytes), ROWS * (bytes),                          \
         tile + (j)*STRUCT_BYTES + (leaf), STRUCT_BYTES)
#define SQUARE_BACK(name, bytes, j, leaf)                                                \
    name(array + (j)*STRUCT_BYTES + (leaf), STRUCT_BYTES,                                \
         tile + ROWS * (leaf) + (j) * (bytes), ROWS * (bytes))
#define SQUARE(square_by, bytes, j, leaf)                                                \
    if ((bytes) == 1) {                                                                  \
        square_by(square_1, bytes, j, leaf);                                             \
    } else if ((bytes) == 2) {                                                           \
        square_by(square_2, bytes, j, leaf);                                             \
    } else {                                                                             \
        square_by(square_4, bytes, j, leaf);                                             \
    }

/* All of a run but what squares have moved. */
#define RUN_MOVE(square_by, leaf_by, bytes, offset, count)                               \
    {                                                                                    \
        uint q = 0;                                                                      \
        if (HAS_SQUARES(bytes, offset)) {                                                \
            for (; q + 4 <= (count); q += 4) {                                           \
                for (uint j = 0; j < ROWS; j += 4) {                                     \
                    SQUARE(square_by, bytes, j, (offset) + q * (bytes))                  \
                }                                                                        \
            }                                                                            \
        }                                                                                \
        for (; q < (count); q++)                                                         \
            leaf_by(bytes, (offset) + q * (bytes))                                       \
    }

#define RUN_THERE(bytes, offset, count)                                                  \
    RUN_MOVE(SQUARE_THERE, LEAF_THERE, bytes, offset, count)
#define RUN_BACK(bytes, offset, count)                                                   \
    RUN_MOVE(SQUARE_BACK, LEAF_BACK, bytes, offset, count)

/* The same of the short tile behind the others, of `rows` structs. */
#define REST_MOVE(to, from, to_stride, from_stride, bytes, count)                        \
    for (uint q = 0; q < (count); q++) {                                                 \
        typedef LEAF(bytes) leaf_t;                                                      \
        SCALAR                                                                           \
        for (uint j = 0; j < rows; j++)                                                  \
            *(__global leaf_t *)((to) + j * (to_stride)) =                               \
                *(const leaf_t *)((from) + j * (from_stride));                           \
    }
#define REST_THERE(bytes, offset, count)                                                 \
    REST_MOVE(array + rows * ((offset) + q * (bytes)), tile + (offset) + q * (bytes),    \
              bytes, STRUCT_BYTES, bytes, count)
#define REST_BACK(bytes, offset, count)                                                  \
    REST_MOVE(array + (offset) + q * (bytes), tile + rows * ((offset) + q * (bytes)),    \
              STRUCT_BYTES, bytes, bytes, count)

/* Both ways, and the short tile, in one program: a compiler is asked once. */
#define EACH_DEFINE(name, run_by, rest_by)                                               \
    __kernel void name(__global uchar *mem, ulong base, ulong tiles, ulong rest_rows)    \
    {                                                                                    \
        size_t first = get_global_id(0) * EACH, past = first + EACH;                     \
        uchar tile[TILE_BYTES] __attribute__((aligned(16)));                             \
                                                                                         \
        for (size_t t = first; t < past && t < tiles; t++) {                             \
            __global uchar *array = mem + base + t * TILE_BYTES;                         \
            for (uint e = 0; e < ROWS * COLUMNS; e++)                                    \
                ((element_t *)tile)[e] = ((__global element_t *)array)[e];               \
            RUN_MAP(run_by)                                                              \
        }                                                                                \
        if (rest_rows && first <= tiles && tiles < past) {                               \
            __global uchar *array = mem + base + tiles * TILE_BYTES;                     \
            uint rows = (uint)rest_rows;                                                 \
            for (uint e = 0; e < rows * COLUMNS; e++)                                    \
                ((element_t *)tile)[e] = ((__global element_t *)array)[e];               \
            RUN_MAP(rest_by)                                                             \
        }                                                                                \
    }
EACH_DEFINE(dl_each, RUN_THERE, REST_THERE)
EACH_DEFINE(dl_each_back, RUN_BACK, REST_BACK)
