/* SPDX-License-Identifier: MIT */
/* Between DL's own DA (one tile of `rows` structs, then a tail of `tail` structs) and
 * exact SoA (one tile of both): each array slides by as many elements as the tails of the
 * arrays before it have. Padding in place and in parallel (Sung 2013, 4.1.1), but in one
 * pass: what a work-group would lose to its neighbour, a strip no longer than the tail,
 * is copied aside first, together with the tail.
 *
 * Forward, every element goes up, so that a work-group walks its range of new places from
 * the top down; INVERSE, from the bottom up. A barrier a chunk is all it needs: what is
 * read for a chunk lies at or beyond the chunk on the side not yet written. */
#ifndef DL_STEP
#include "step.cl"
#endif

#ifndef GROUP
#define GROUP 256u /* work-items */
#endif
#ifndef ITEMS
#define ITEMS 4u /* 16-byte vectors that a work-item holds */
#endif
#ifndef LEAVES
#define LEAVES 5u
/* The first column of every leaf, and one past the last. */
__constant uint leaf_start[] = {0, 1, 2, 3, 4, 5};
#endif

#define PARTS (16u / ELEMENT_BYTES) /* elements in a vector */
#define CHUNK (GROUP * ITEMS * PARTS)
/* Arrays of unrolled loops can lie in registers, as far as a device has so many. */
#ifndef UNROLLED
#define UNROLLED ITEMS
#define PARTS_UNROLLED PARTS
#endif

typedef union {
    uint4 vector;
    element_t elements[PARTS];
} pack_t;

/* The rows of the arrays where they are to go. */
#if INVERSE
#define TO_ROWS(rows, tail) (rows)
#else
#define TO_ROWS(rows, tail) ((rows) + (tail))
#endif

typedef struct {
    index_t rows, tail;
    index_t low, high; /* this work-group's new places */
    __global const element_t *array, *strip, *tails;
} slide_t;

/* The array that place x is in, going up from array `leaf`; LEAVES: the tail of DL's own
 * DA. */
uint leaf_at(index_t to_rows, uint leaf, index_t x)
{
    while (leaf < LEAVES && x >= to_rows * leaf_start[leaf + 1])
        leaf++;
    return leaf;
}

/* The value that belongs at place x of array `leaf`. */
element_t slide_source(const slide_t *s, uint leaf, index_t x)
{
#if INVERSE
    if (leaf == LEAVES)
        return s->tails[x - s->rows * COLUMNS];
    x += s->tail * leaf_start[leaf];
    return x >= s->high ? s->strip[x - s->high] : s->array[x];
#else
    index_t first = leaf_start[leaf], past = leaf_start[leaf + 1];
    index_t body = (s->rows + s->tail) * first + s->rows * (past - first);

    if (x >= body)
        return s->tails[s->tail * first + (x - body)];
    x -= s->tail * first;
    return x < s->low ? s->strip[s->tail * COLUMNS - (s->low - x)] : s->array[x];
#endif
}

/* The vector that starts `bytes` bytes into `low`, followed by `high`. All work-items
 * agree on `bytes`. */
uint4 vector_shift(uint4 low, uint4 high, uint bytes)
{
    if (bytes & 8) {
        low = (uint4)(low.zw, high.xy);
        high = (uint4)(high.zw, 0, 0);
    }
    if (bytes & 4) {
        low = (uint4)(low.yzw, high.x);
        high = (uint4)(high.yzw, 0);
    }
#if ELEMENT_BYTES < 4
    if (bytes & 3) {
        uint down = (bytes & 3) * 8, up = 32 - down;
        low = low >> down | (uint4)(low.yzw, high.x) << up;
    }
#endif
    return low;
}

/* Copies the tail, in the form it has as a tile of its own, and each of `groups` strips.
 * `start` is the first place that changes, `range` how many a work-group has. */
__kernel void dl_slide_save(__global const uchar *mem, ulong base, ulong rows_wide,
                            __global element_t *saved, ulong tail_wide, ulong start,
                            ulong range, ulong groups)
{
    __global const element_t *array = (__global const element_t *)(mem + base);
    index_t rows = (index_t)rows_wide, tail = (index_t)tail_wide, strip = tail * COLUMNS;
    index_t places = (rows + tail) * COLUMNS;

    for (size_t i = get_global_id(0); i < (groups + 1) * strip; i += get_global_size(0)) {
        size_t group = i / strip;
        index_t at = (index_t)(i - group * strip), from;
        if (group == groups) {
#if INVERSE
            uint leaf = leaf_at(tail, 0, at), first = leaf_start[leaf];
            from = at - tail * first + (rows + tail) * first +
                   rows * (leaf_start[leaf + 1] - first);
#else
            from = rows * COLUMNS + at;
#endif
        } else {
#if INVERSE
            from = (index_t)(start + (group + 1) * range) + at;
#else
            if (group == 0) /* nothing comes from below the first */
                continue;
            from = (index_t)(start + group * range) - strip + at;
#endif
            if (from >= places)
                continue;
        }
        saved[i] = array[from];
    }
}

/* A chunk whose values lie one after the other, `bytes` bytes into the vectors from
 * `source` on. */
void chunk_load(pack_t *pack, __global const uint4 *source, uint bytes)
{
    if (bytes == 0) {
#pragma unroll
        for (uint k = 0; k < ITEMS; k++)
            pack[k].vector = source[k * GROUP];
    } else {
        uint4 next[ITEMS];
#pragma unroll
        for (uint k = 0; k < ITEMS; k++) {
            pack[k].vector = source[k * GROUP];
            next[k] = source[k * GROUP + 1];
        }
#pragma unroll
        for (uint k = 0; k < ITEMS; k++)
            pack[k].vector = vector_shift(pack[k].vector, next[k], bytes);
    }
}

/* The chunk's new place, from x on. */
void chunk_store(const pack_t *pack, __global element_t *array, index_t x, index_t high)
{
    __global uint4 *vectors = (__global uint4 *)array;
    uint id = get_local_id(0);

#pragma unroll UNROLLED
    for (uint k = 0; k < ITEMS; k++) {
        index_t at = x + (k * GROUP + id) * PARTS;
        if (at + PARTS <= high) {
            vectors[at / PARTS] = pack[k].vector;
        } else {
#pragma unroll PARTS_UNROLLED
            for (uint p = 0; p < PARTS; p++)
                if (at + p < high)
                    array[at + p] = pack[k].elements[p];
        }
    }
}

/* `start` and `range` are multiples of CHUNK and the array is aligned to vectors, so that
 * a chunk's new place is too. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_slide_move(__global uchar *mem, ulong base, ulong rows,
              __global const element_t *saved, ulong tail, ulong start, ulong range,
              ulong groups)
{
    __global element_t *array = (__global element_t *)(mem + base);
    __global uint4 *vectors = (__global uint4 *)array;
    index_t places = (index_t)(rows + tail) * COLUMNS, strip = (index_t)tail * COLUMNS;
    index_t to_rows = (index_t)TO_ROWS(rows, tail);
    index_t low = (index_t)(start + get_group_id(0) * range);
    index_t high = min((index_t)(low + range), places);
    uint chunks = (uint)((high - low + CHUNK - 1u) / CHUNK), id = get_local_id(0);
    slide_t s = {(index_t)rows,
                 (index_t)tail,
                 low,
                 high,
                 array,
                 saved + get_group_id(0) * (size_t)strip,
                 saved + groups * strip};

    for (uint n = 0; n < chunks; n++) {
        index_t x = low + (index_t)(INVERSE ? n : chunks - 1 - n) * CHUNK;
        uint leaf = leaf_at(to_rows, 0, x);
        pack_t pack[ITEMS];
        /* Plain: all of one array, none of it in the strip, nor of the vectors around it.
         */
#if INVERSE
        bool body = leaf < LEAVES && x + CHUNK <= to_rows * leaf_start[leaf + 1];
        index_t from = body ? x + s.tail * leaf_start[leaf] : x;
        bool plain = body && from + CHUNK + PARTS - 1 <= high;
#else
        index_t past = to_rows * leaf_start[leaf + 1] -
                       s.tail * (leaf_start[leaf + 1] - leaf_start[leaf]);
        index_t from = x - s.tail * leaf_start[leaf];
        bool plain = x + CHUNK <= past && from >= low;
#endif
        if (plain) {
            chunk_load(pack, vectors + from / PARTS + id,
                       (uint)(from % PARTS) * ELEMENT_BYTES);
        } else {
#pragma unroll UNROLLED
            for (uint k = 0; k < ITEMS; k++) {
#pragma unroll PARTS_UNROLLED
                for (uint p = 0; p < PARTS; p++) {
                    index_t at = x + (k * GROUP + id) * PARTS + p;
                    if (at < high)
                        pack[k].elements[p] =
                            slide_source(&s, leaf_at(to_rows, leaf, at), at);
                }
            }
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        chunk_store(pack, array, x, high);
    }
}
