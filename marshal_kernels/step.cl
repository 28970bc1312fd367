/* The permutation that every family follows, and its knobs. The launcher puts this text before a
 * family's; a family compiled alone includes it.
 *
 * An array of rows x COLUMNS elements goes to its transpose, leaves kept together: the element at
 * p = j * COLUMNS + q, in the leaf that starts at column o and is w columns wide, goes to
 * rows * o + j * w + (q - o). The inverse conversion is the same map read backwards, so that no
 * kernel divides by a run-time number of rows. */
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

/* With LEAF_TABLE the launcher defines leaf_first and leaf_width for each column. */

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

index_t step_target(index_t rows, index_t p)
{
    index_t j = p / COLUMNS;
    uint q = (uint)(p - j * COLUMNS);
#ifdef LEAF_TABLE
    uint o = leaf_first[q];
    return rows * o + j * leaf_width[q] + (q - o);
#else
    uint o = q - q % LEAF_COLUMNS;
    return rows * o + j * LEAF_COLUMNS + (q - o);
#endif
}

#endif
