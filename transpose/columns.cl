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
#define TILE_COLS 64u /* a power of two, at least PACK and at most GROUP * PACK */
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
#define HELD                                                                             \
    8u /* squares of PACK x PACK elements that a work-item loads before it stores any */
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

/* A work-item keeps to its words across; these are the word rows from one of its squares to the next, and how many
 * squares it has. */
#define DOWN_STEP (GROUP / WORDS_ACROSS)
#define DOWN_STEPS ((WORDS_DOWN + DOWN_STEP - 1u) / DOWN_STEP)

#if PACK > 1
#if PACK == 4 && defined(__NV_CL_C_VERSION)
uint bytes_pick(uint a, uint b, uint which)
{
    uint word;

    __asm("prmt.b32 %0, %1, %2, %3;" : "=r"(word) : "r"(a), "r"(b), "r"(which));
    return word;
}
#define PAIRS_EVEN(a, b) bytes_pick(a, b, 0x6240u)
#define PAIRS_ODD(a, b) bytes_pick(a, b, 0x7351u)
#else
#define PAIRS_EVEN(a, b) (((a)&0x00ff00ffu) | ((b)&0x00ff00ffu) << 8u)
#define PAIRS_ODD(a, b) (((a) >> 8u & 0x00ff00ffu) | ((b)&0xff00ff00u))
#endif
#define HALVES_LOW(a, b) (((a)&0xffffu) | (b) << 16u)
#define HALVES_HIGH(a, b) ((a) >> 16u | ((b)&0xffff0000u))

/* What a work-item holds of a square: its rows, and the same turned. */
void square_turn(const uint rows[PACK], uint cols[PACK])
{
#if PACK == 4
    uint even = PAIRS_EVEN(rows[0], rows[1]), odd = PAIRS_ODD(rows[0], rows[1]);
    uint even_below = PAIRS_EVEN(rows[2], rows[3]),
         odd_below = PAIRS_ODD(rows[2], rows[3]);

    cols[0] = HALVES_LOW(even, even_below);
    cols[1] = HALVES_LOW(odd, odd_below);
    cols[2] = HALVES_HIGH(even, even_below);
    cols[3] = HALVES_HIGH(odd, odd_below);
#else
    cols[0] = HALVES_LOW(rows[0], rows[1]);
    cols[1] = HALVES_HIGH(rows[0], rows[1]);
#endif
}

/* The rows of a square from byte address `at` on, of which those from `first` to `past` are wanted; by whole
 * words of memory, two for each, all loaded before any is used. */
void square_load(uint low[PACK], uint high[PACK], __global const uchar *at,
                 ulong pitch_bytes, uint row, uint first, uint past)
{
#pragma unroll
    for (uint r = 0; r < PACK; r++) {
        if (row + r >= first && row + r < past) {
            __global const uint *words =
                (__global const uint *)((size_t)at & ~(size_t)3u);
            low[r] = word_load(words);
            high[r] = word_load(words + 1);
        }
        at += pitch_bytes;
    }
}

void square_shift(uint rows[PACK], const uint low[PACK], const uint high[PACK],
                  __global const uchar *at, ulong pitch_bytes)
{
#pragma unroll
    for (uint r = 0; r < PACK; r++) {
        rows[r] =
            (uint)(((ulong)high[r] << 32u | low[r]) >> 8u * ((uint)(size_t)at & 3u));
        at += pitch_bytes;
    }
}

/* The same by elements, `cols` of them at most. */
void square_gather(uint rows[PACK], __global const uchar *at, ulong pitch_bytes, uint row,
                   uint first, uint past, uint cols)
{
#pragma unroll
    for (uint r = 0; r < PACK; r++) {
        uint element[PACK];
#pragma unroll
        for (uint e = 0; e < PACK; e++)
            element[e] = row + r >= first && row + r < past && e < cols
                             ? ((__global const element_t *)at)[e]
                             : 0u;
        rows[r] = element[0];
#pragma unroll
        for (uint e = 1; e < PACK; e++)
            rows[r] |= element[e] << e * ELEMENT_BYTES * 8u;
        at += pitch_bytes;
    }
}

void square_store(__local word_t *to, uint down, const uint rows[PACK])
{
    uint turned[PACK];

    square_turn(rows, turned);
#pragma unroll
    for (uint r = 0; r < PACK; r++)
        if (down < WORDS_DOWN)
            to[r * WORDS_ACROSS * COLUMN_PITCH + down] = turned[r];
}
#endif

/* Reads rows [first, past) of a tile, `cols` elements of each; `from` is where its row 0 would begin. `inside`: the
 * rows go on for a word on both sides, which may be read and nobody writes. */
void columns_read(__local word_t *columns, __global const uchar *from, ulong pitch_bytes,
                  uint first, uint past, uint cols, bool inside)
{
    uint across = get_local_id(0) % WORDS_ACROSS, down = get_local_id(0) / WORDS_ACROSS;
    __local word_t *to = columns + across * COLUMN_PITCH;
    ulong step = pitch_bytes * (DOWN_STEP * PACK);

    from += down * PACK * pitch_bytes + across * PACK * ELEMENT_BYTES;
    if (across * PACK >= cols)
        past = 0;
#if PACK == 1
#pragma unroll
    for (uint begin = 0; begin < DOWN_STEPS; begin += HELD) {
        word_t held[HELD];
#pragma unroll
        for (uint h = 0; h < HELD; h++) {
            uint row = down + (begin + h) * DOWN_STEP;
            if (row >= first && row < past)
                held[h] = word_load((__global const word_t *)from);
            from += step;
        }
#pragma unroll
        for (uint h = 0; h < HELD; h++) {
            uint row = down + (begin + h) * DOWN_STEP;
            if (row >= first && row < past)
                to[row] = word_conjugate(held[h]);
        }
    }
#else
    if (inside) {
#pragma unroll
        for (uint begin = 0; begin < DOWN_STEPS; begin += HELD) {
            uint low[HELD][PACK], high[HELD][PACK], rows[PACK];
#pragma unroll
            for (uint h = 0; h < HELD; h++)
                square_load(low[h], high[h], from + h * step, pitch_bytes,
                            (down + (begin + h) * DOWN_STEP) * PACK, first, past);
#pragma unroll
            for (uint h = 0; h < HELD; h++) {
                square_shift(rows, low[h], high[h], from + h * step, pitch_bytes);
                square_store(to, down + (begin + h) * DOWN_STEP, rows);
            }
            from += HELD * step;
        }
    } else {
        for (uint h = 0; h < DOWN_STEPS; h++) {
            uint rows[PACK], below = down + h * DOWN_STEP;
            square_gather(rows, from, pitch_bytes, below * PACK, first, past,
                          cols - across * PACK);
            square_store(to, below, rows);
            from += step;
        }
    }
#endif
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
