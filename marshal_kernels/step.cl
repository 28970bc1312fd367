/* SPDX-License-Identifier: MIT */
/* The permutation that every family follows, and its knobs. The launcher puts this text
 * before a family's; a family compiled alone includes it.
 *
 * An array of rows x COLUMNS elements goes to its transpose, leaves kept together: the
 * element at p = j * COLUMNS + q, in the leaf that starts at column o and is w columns
 * wide, goes to rows * o + j * w + (q - o). The inverse conversion is the same map read
 * backwards. */
#ifndef DL_STEP
#define DL_STEP

#ifndef COLUMNS
#define COLUMNS 5u /* elements in a row */
#endif
#ifndef ELEMENT_BYTES
#define ELEMENT_BYTES 4 /* 1, 2, 4, 8 or 16 */
#endif
#ifndef LEAF_COLUMNS
#define LEAF_COLUMNS 1u /* when all leaves are equally wide */
#endif
#ifndef INVERSE
#define INVERSE 0
#endif

/* Leaves of several widths come in two forms. LEAF_STARTS has a bit for the first column
 * of every leaf and one past the last column: fewer than 32 or 64 columns, answered by
 * arithmetic. With LEAF_TABLE the launcher defines leaf_first and leaf_width for each
 * column. */

#ifdef INDEX_64
typedef ulong index_t;
#else
typedef uint index_t;
#endif

#if ELEMENT_BYTES == 1
typedef uchar element_t;
#elif ELEMENT_BYTES == 2
typedef ushort element_t;
#elif ELEMENT_BYTES == 4
typedef uint element_t;
#elif ELEMENT_BYTES == 8
typedef uint2 element_t;
#else
typedef uint4 element_t;
#endif

/* The first column and the width of the leaf that column q belongs to. */
uint leaf_of(uint q, uint *width)
{
#if defined LEAF_STARTS
#ifdef LEAF_STARTS_64
#define LEAF_BITS 63u
    ulong upto = LEAF_STARTS & (~0UL >> (63u - q)), past = LEAF_STARTS >> q >> 1;
#else
#define LEAF_BITS 31u
    uint upto = LEAF_STARTS & (~0u >> (31u - q)), past = LEAF_STARTS >> q >> 1;
#endif
    uint first = LEAF_BITS - (uint)clz(upto);
    *width = q - first + 1u + LEAF_BITS - (uint)clz(past & -past);
    return first;
#elif defined LEAF_TABLE
    *width = leaf_width[q];
    return leaf_first[q];
#else
    *width = LEAF_COLUMNS;
    return q - q % LEAF_COLUMNS;
#endif
}

index_t step_target(index_t rows, index_t p)
{
    index_t j = p / COLUMNS;
    uint q = (uint)(p - j * COLUMNS), width, first = leaf_of(q, &width);

    return rows * first + j * width + (q - first);
}

/* Dividing by the number of rows: by a constant where the launcher knows it, else by a
 * reciprocal that is found once and used often. */
#ifdef KNOWN_ROWS
typedef struct {
    index_t rows;
} rows_t;

rows_t rows_make(index_t rows)
{
    rows_t r = {KNOWN_ROWS};
    return r;
}

index_t rows_divide(rows_t r, index_t number)
{
    return number / KNOWN_ROWS;
}
#elif defined INDEX_64
typedef struct {
    ulong rows;
} rows_t;

rows_t rows_make(index_t rows)
{
    rows_t r = {rows};
    return r;
}

index_t rows_divide(rows_t r, index_t number)
{
    return number / r.rows;
}
#else
typedef struct {
    uint rows, reciprocal, shift;
} rows_t;

rows_t rows_make(index_t rows)
{
    rows_t r = {rows, 0, 31u - clz(rows)};
    r.reciprocal = (uint)min((1UL << (32u + r.shift)) / rows, 0xffffffffUL);
    return r;
}

/* The reciprocal is a little too small, so that the first guess may be one too small. */
index_t rows_divide(rows_t r, index_t number)
{
    uint guess = mul_hi(number, r.reciprocal) >> r.shift;

    return guess + (number - guess * r.rows >= r.rows);
}
#endif

/* The inverse of step_target. */
index_t step_source(rows_t r, index_t d)
{
    uint width, first = leaf_of((uint)rows_divide(r, d), &width);
    index_t rest = d - r.rows * first, j = rest / width;

    return j * COLUMNS + first + (rest - j * width);
}

#endif
