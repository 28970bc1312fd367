/* SPDX-License-Identifier: MIT */
/* Tiles that are read by rows and written as runs of columns, each from a row of its own
 * on: so a run can begin with a sector or a line of the target, whatever the side.
 * Elements of 1 and 2 bytes go through registers and local memory by words, as many rows
 * of them in each as there are elements in a word. */
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
/* Odd, so that a row's words lie in different banks; one more, since two neighbours make
 * a word. */
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

/* A work-item keeps to its words across; these are the word rows from one of its squares
 * to the next, and how many squares it has. */
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

/* Turns the rows of a square that a work-item holds into columns. */
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
#endif

/* A tile in the source: rows [first, past) of it, `cols` elements of each, row 0
 * beginning at `from`. `inside`: the rows go on for a word on both sides, which may be
 * read and nobody writes. */
struct columns_source {
    __global const uchar *from;
    ulong pitch_bytes;
    uint first, past, cols;
    bool inside;
};

/* The words that a work-item has on the way: of each row of its squares one, or the two
 * words of memory that it lies in. */
struct columns_held {
#if PACK == 1
    word_t words[HELD];
#else
    uint low[HELD][PACK], high[HELD][PACK];
#endif
};

#define ACROSS (get_local_id(0) % WORDS_ACROSS)
#define DOWN (get_local_id(0) / WORDS_ACROSS)

#if PACK > 1
void square_store(__local word_t *to, uint down, const uint rows[PACK])
{
    uint turned[PACK];

    square_turn(rows, turned);
#pragma unroll
    for (uint r = 0; r < PACK; r++)
        if (down < WORDS_DOWN)
            to[r * WORDS_ACROSS * COLUMN_PITCH + down] = turned[r];
}

/* A row of a square by elements, `cols` of them at most. */
uint row_gather(__global const element_t *at, uint cols)
{
    uint element[PACK], row = 0;

#pragma unroll
    for (uint e = 0; e < PACK; e++)
        element[e] = e < cols ? at[e] : 0u;
#pragma unroll
    for (uint e = 0; e < PACK; e++)
        row |= element[e] << e * ELEMENT_BYTES * 8u;
    return row;
}
#endif

/* Loads a work-item's squares from number `begin` on. A condition between two loads would
 * make each wait for the one before, so that where rows end there is another loop. */
void columns_load(struct columns_held *held, const struct columns_source *source,
                  uint begin)
{
    __global const uchar *at = source->from +
                               (DOWN + begin * DOWN_STEP) * PACK * source->pitch_bytes +
                               ACROSS * PACK * ELEMENT_BYTES;
    uint past = ACROSS * PACK < source->cols ? source->past : 0u;
    ulong step = source->pitch_bytes * ((DOWN_STEP - 1u) * PACK);

#pragma unroll
    for (uint h = 0; h < HELD; h++) {
        uint row = (DOWN + (begin + h) * DOWN_STEP) * PACK;
#pragma unroll
        for (uint r = 0; r < PACK; r++) {
            if (row + r >= source->first && row + r < past) {
#if PACK == 1
                held->words[h] = word_load((__global const word_t *)at);
#else
                __global const uint *words =
                    (__global const uint *)((size_t)at & ~(size_t)3u);
                held->low[h][r] = word_load(words);
                held->high[h][r] = word_load(words + 1);
#endif
            }
            at += source->pitch_bytes;
        }
        at += step;
    }
}

/* Stores them. */
void columns_store(__local word_t *columns, const struct columns_held *held,
                   const struct columns_source *source, uint begin)
{
    __local word_t *to = columns + ACROSS * COLUMN_PITCH;
#if PACK > 1
    uint at = (uint)(size_t)source->from +
              (uint)source->pitch_bytes * (DOWN + begin * DOWN_STEP) * PACK;
#endif

#pragma unroll
    for (uint h = 0; h < HELD; h++) {
        uint down = DOWN + (begin + h) * DOWN_STEP;
#if PACK == 1
        if (down < WORDS_DOWN)
            to[down] = word_conjugate(held->words[h]);
#else
        uint rows[PACK];
#pragma unroll
        for (uint r = 0; r < PACK; r++) {
            rows[r] = (uint)(((ulong)held->high[h][r] << 32u | held->low[h][r]) >>
                             8u * (at & 3u));
            at += (uint)source->pitch_bytes;
        }
        at += (uint)source->pitch_bytes * ((DOWN_STEP - 1u) * PACK);
        square_store(to, down, rows);
#endif
    }
}

#if PACK > 1
/* The same by elements. */
void columns_gather(__local word_t *columns, const struct columns_source *source)
{
    __local word_t *to = columns + ACROSS * COLUMN_PITCH;
    uint past = ACROSS * PACK < source->cols ? source->past : 0u;

    for (uint down = DOWN; down < WORDS_DOWN; down += DOWN_STEP) {
        __global const uchar *at = source->from + down * PACK * source->pitch_bytes +
                                   ACROSS * PACK * ELEMENT_BYTES;
        uint rows[PACK];
#pragma unroll
        for (uint r = 0; r < PACK; r++) {
            uint row = down * PACK + r;
            rows[r] = row >= source->first && row < past
                          ? row_gather((__global const element_t *)at,
                                       source->cols - ACROSS * PACK)
                          : 0u;
            at += source->pitch_bytes;
        }
        square_store(to, down, rows);
    }
}
#endif

void columns_read(__local word_t *columns, const struct columns_source *source)
{
#if PACK > 1
    if (!source->inside) {
        columns_gather(columns, source);
        return;
    }
#endif
#pragma unroll
    for (uint begin = 0; begin < DOWN_STEPS; begin += HELD) {
        struct columns_held held;
        columns_load(&held, source, begin);
        columns_store(columns, &held, source, begin);
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

/* Writes the run of a column from row `row` on, all of it; `to` is a multiple of its
 * bytes. */
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
