/* SPDX-License-Identifier: MIT */
/* Tiles that are read by rows and written as runs of columns, each from a row of its own on: so a run can begin
 * with a sector or a line of the target, whatever the side. Elements of 1 and 2 bytes go through registers
 * and local memory by words, as many rows of them in each as there are elements in a word. */
#ifndef DL_TRANSPOSE_SHAPE
#include "shape.cl"
#endif

#ifndef ELEMENT_BYTES
#define ELEMENT_BYTES 4 /* 1, 2, 4, 8 or 16 */
#endif
#ifndef TILE_COLS
#define TILE_COLS 64u /* a multiple of PACK */
#endif
#ifndef TILE_ROWS
#define TILE_ROWS 64u /* elements of a run; a multiple of RUN * PACK */
#endif
#ifndef MORE_ROWS
#define MORE_ROWS 7u /* that a tile reads, since its runs begin at different ones */
#endif
#ifndef RUN /* words that a work-item writes at once: 1, 2 or 4, of 16 bytes at most */
#if ELEMENT_BYTES == 16
#define RUN 1u
#elif ELEMENT_BYTES == 8
#define RUN 2u
#else
#define RUN 4u
#endif
#endif
#ifndef GROUP
#define GROUP 256u
#endif
#ifndef HELD
#define HELD 8u /* squares of PACK x PACK elements that a work-item has on the way */
#endif
#ifndef CONJUGATE
#define CONJUGATE 0
#endif
#ifndef L2_HINT
#define L2_HINT                                                                          \
    0 /* bytes that a load brings into the second cache: 0 (as it is), 128 or 256 */
#endif

#if ELEMENT_BYTES == 16
typedef ulong2 word_t;
typedef ulong2 element_t;
#elif ELEMENT_BYTES == 8
typedef ulong word_t;
typedef ulong element_t;
#else
typedef uint word_t;
#if ELEMENT_BYTES == 4
typedef uint element_t;
#elif ELEMENT_BYTES == 2
typedef ushort element_t;
#else
typedef uchar element_t;
#endif
#endif

#if ELEMENT_BYTES < 4
#define PACK (4u / ELEMENT_BYTES)
#else
#define PACK 1u
#endif
#define RUN_ELEMENTS (RUN * PACK)
#define RUNS (TILE_ROWS / RUN_ELEMENTS)

#define WORDS_DOWN ((TILE_ROWS + MORE_ROWS + PACK - 1u) / PACK)
/* Odd, so that a row's words lie in different banks; one more, since two neighbours make a word. */
#define COLUMN_PITCH ((WORDS_DOWN + 1u) | 1u)
#define WORDS_ACROSS (TILE_COLS / PACK)
#define COLUMN_AT(c) (((c) % PACK * WORDS_ACROSS + (c) / PACK) * COLUMN_PITCH)
#define COLUMNS_WORDS (TILE_COLS * COLUMN_PITCH)

/* The imaginary part's sign: elements are pairs of half, float or double. */
word_t word_conjugate(word_t word)
{
#if CONJUGATE && ELEMENT_BYTES == 4
    return word ^ 0x80000000u;
#elif CONJUGATE && ELEMENT_BYTES == 8
    return word ^ 0x8000000000000000ul;
#elif CONJUGATE && ELEMENT_BYTES == 16
    return word ^ (ulong2)(0ul, 0x8000000000000000ul);
#else
    return word;
#endif
}

#if defined(__NV_CL_C_VERSION) && L2_HINT
#define HINT_TEXT2(n) #n
#define HINT_TEXT1(n) HINT_TEXT2(n)
#define HINT_LOAD "ld.global.L2::" HINT_TEXT1(L2_HINT) "B"
word_t word_load(__global const word_t *from)
{
    word_t word;

#if ELEMENT_BYTES <= 4
    __asm volatile(HINT_LOAD ".u32 %0, [%1];" : "=r"(word) : "l"(from));
#elif ELEMENT_BYTES == 8
    __asm volatile(HINT_LOAD ".u64 %0, [%1];" : "=l"(word) : "l"(from));
#else
    __asm volatile(HINT_LOAD ".v2.u64 {%0,%1}, [%2];"
                   : "=l"(word.s0), "=l"(word.s1)
                   : "l"(from));
#endif
    return word;
}
#else
#define word_load(from) (*(from))
#endif

#if PACK > 1
/* The word of elements from `at` on, of which those up to `row_end` are wanted: by whole words of memory that
 * have a wanted one, or by elements where that would leave the array. */
word_t word_gather(__global const uchar *at, __global const uchar *row_end,
                   __global const uchar *end)
{
    uint shift = (uint)((size_t)at & 3u);
    __global const uint *words = (__global const uint *)(at - shift);
    ulong both = 0;

    if ((__global const uchar *)(words + 2) > end) {
        for (uint b = 0; b < 4u && at + b < row_end; b++)
            both |= (ulong)at[b] << 8u * b;
        return (uint)both;
    }
    both = word_load(words);
    if (shift && (__global const uchar *)(words + 1) < row_end)
        both |= (ulong)word_load(words + 1) << 32u;
    return (uint)(both >> 8u * shift);
}
#endif

/* What a work-item holds of each square: its rows, and the same turned. */
void square_turn(const word_t rows[PACK], word_t cols[PACK])
{
#if PACK == 4
    uchar4 a = as_uchar4(rows[0]), b = as_uchar4(rows[1]), c = as_uchar4(rows[2]),
           d = as_uchar4(rows[3]);
    cols[0] = as_uint((uchar4)(a.s0, b.s0, c.s0, d.s0));
    cols[1] = as_uint((uchar4)(a.s1, b.s1, c.s1, d.s1));
    cols[2] = as_uint((uchar4)(a.s2, b.s2, c.s2, d.s2));
    cols[3] = as_uint((uchar4)(a.s3, b.s3, c.s3, d.s3));
#elif PACK == 2
    cols[0] = (rows[0] & 0xffffu) | rows[1] << 16u;
    cols[1] = rows[0] >> 16u | (rows[1] & 0xffff0000u);
#else
    cols[0] = word_conjugate(rows[0]);
#endif
}

/* Reads rows [first, past) of a tile, `cols` elements of each; `from` is where its row 0 would begin, `end` where
 * the array ends. */
void columns_read(__local word_t *columns, __global const uchar *from, ulong pitch_bytes,
                  uint first, uint past, uint cols, __global const uchar *end)
{
    for (uint begin = get_local_id(0); begin < WORDS_DOWN * WORDS_ACROSS;
         begin += HELD * GROUP) {
        word_t held[HELD][PACK], turned[PACK];
#pragma unroll
        for (uint h = 0; h < HELD; h++) {
            uint i = begin + h * GROUP, down = i / WORDS_ACROSS,
                 across = i % WORDS_ACROSS;
#pragma unroll
            for (uint r = 0; r < PACK; r++) {
                uint row = down * PACK + r;
                __global const uchar *line = from + row * pitch_bytes;
                __global const uchar *at = line + across * PACK * ELEMENT_BYTES;
                if (row >= first && row < past && across * PACK < cols)
#if PACK > 1
                    held[h][r] = word_gather(at, line + cols * ELEMENT_BYTES, end);
#else
                    held[h][r] = word_load((__global const word_t *)at);
#endif
            }
        }
#pragma unroll
        for (uint h = 0; h < HELD; h++) {
            uint i = begin + h * GROUP, down = i / WORDS_ACROSS,
                 across = i % WORDS_ACROSS;
            square_turn(held[h], turned);
#pragma unroll
            for (uint r = 0; r < PACK; r++)
                if (i < WORDS_DOWN * WORDS_ACROSS)
                    columns[(r * WORDS_ACROSS + across) * COLUMN_PITCH + down] =
                        turned[r];
        }
    }
}

/* The word of a column that begins with row `row`. */
word_t column_word(__local const word_t *column, uint row)
{
#if PACK > 1
    uint k = row / PACK, shift = row % PACK * ELEMENT_BYTES * 8u;

    return (uint)(((ulong)column[k + 1u] << 32u | column[k]) >> shift);
#else
    return column[row];
#endif
}

/* Writes the run of a column from row `row` on, all of it; `to` is a multiple of its bytes. */
void run_write(__local const word_t *column, uint row, __global uchar *to)
{
#if RUN == 4
    *(__global uint4 *)to =
        (uint4)(column_word(column, row), column_word(column, row + PACK),
                column_word(column, row + 2u * PACK),
                column_word(column, row + 3u * PACK));
#elif RUN == 2 && ELEMENT_BYTES == 8
    *(__global ulong2 *)to =
        (ulong2)(column_word(column, row), column_word(column, row + 1u));
#elif RUN == 2
    *(__global uint2 *)to =
        (uint2)(column_word(column, row), column_word(column, row + PACK));
#else
    *(__global word_t *)to = column_word(column, row);
#endif
}

/* The same of elements [first, past) alone. */
void run_write_part(__local const word_t *column, uint row, __global uchar *to,
                    uint first, uint past)
{
    for (uint e = first; e < past; e++)
#if ELEMENT_BYTES == 16
        ((__global element_t *)to)[e] = column_word(column, row + e);
#else
        ((__global element_t *)to)[e] = (element_t)column_word(column, row + e);
#endif
}
