/* SPDX-License-Identifier: MIT */
/* 100! on super-elements by cut cycles: no flags, no atomics on the way, no races.
 *
 * The permutation's cycles are cut at known places. Of every CUT consecutive
 * super-elements one is a cut, at an offset hashed from the block's number; dl_cut_save
 * copies the cuts aside. Then each stretch of a cycle from one cut to the next can move
 * by itself: nobody else reads or writes its places, its last value is the saved copy,
 * and where it ends is arithmetic. Since the places ahead depend on no data, AHEAD loads
 * are in flight at once, which a flag taken at every place forbids. Stretches average CUT
 * places and there are very many, so long cycles are shared evenly.
 *
 * Cycles without a cut are mostly short. Searchers, work-groups among the movers, find
 * the least place of each (by a scrambled order, to spread them evenly) and move it
 * whole: arithmetic that hides behind the movers' memory accesses, on places that no
 * mover touches.
 *
 * Work-items move the same vectors of every super-element they come to and never need one
 * another, so a super-element may have any number of vectors.
 *
 * With ROW, super-elements that are not whole lines of the cache are moved by rows of ROW
 * elements that are aligned where they go: one store fills a whole line but at the two
 * ends. A lane then reads what another one is about to overwrite, so that a barrier a
 * round stands between loads and stores. */
#ifndef DL_STEP
#include "step.cl"
#endif

#ifndef VECTORS
#define VECTORS 8u /* element_t in a super-element */
#endif
#ifndef PER_ITEM
#define PER_ITEM 1u /* vectors that a work-item moves of each super-element */
#endif
#ifndef CUT
#define CUT 34u
#endif
#ifndef AHEAD
#define AHEAD 4
#endif
#ifndef STRETCHES
#define STRETCHES 2u /* that a work-item moves, one after the other */
#endif
#ifndef SPAN
#define SPAN 2048u /* places that a searching work-group looks at, at most 65536 */
#endif

#ifdef ROW
#define LANES ROW
#else
#define LANES ((VECTORS + PER_ITEM - 1u) / PER_ITEM)
#endif
#ifndef BASE_ELEMENTS
#define BASE_ELEMENTS 0u /* of the array's start, for its alignment */
#endif
/* Does this lane have a p-th vector? Constant for all but the last. */
#define HAS(p) (((p) + 1u) * LANES <= VECTORS || (p)*LANES + lane < VECTORS)

/* The block's cut, among its CUT places. */
uint cut_offset(index_t block)
{
    return mul_hi((uint)block * 0x9E3779B1u, CUT);
}

bool is_cut(index_t place)
{
    index_t block = place / CUT;

    return (uint)(place - block * CUT) == cut_offset(block);
}

/* A bijection, so that the least key of a cycle is one place. */
index_t place_key(index_t place)
{
    return place * (index_t)0x85EBCA77u;
}

/* The place whose value belongs at `place`. */
index_t place_before(rows_t r, index_t place)
{
    return INVERSE ? step_target(r.rows, place) : step_source(r, place);
}

/* The instance's places and its cuts' copies. */
#define ARRAY(mem, base, places)                                                         \
    ((__global element_t *)((mem) + (base)) + (size_t)get_global_id(1) * (places)*VECTORS)
#define SAVED(saved, places)                                                             \
    ((saved) + (size_t)get_global_id(1) * (((places) + CUT - 1) / CUT) * VECTORS)

__kernel void dl_cut_save(__global uchar *mem, ulong base, ulong rows,
                          __global element_t *saved)
{
    index_t places = (index_t)rows * COLUMNS;
    size_t block = get_global_id(0) / VECTORS, v = get_global_id(0) % VECTORS;
    size_t place = block * CUT + cut_offset((index_t)block);

    if (place < places)
        *(SAVED(saved, places) + block * VECTORS + v) =
            ARRAY(mem, base, places)[place * VECTORS + v];
}

/* ---- moving ---- */

/* Moves this lane's share of the cycle of `home`, which has no cut. A place pulls the
 * value that belongs there, so that a round's loads are all of places that it has not
 * stored to. Pushing along the other map needs no division, but was slower on an H200 for
 * all that. */
void cycle_move(__global element_t *array, rows_t r, index_t home, uint lane)
{
    element_t value[AHEAD][PER_ITEM], first[PER_ITEM];
    index_t to[AHEAD], at = home;
    bool more = true;

#pragma unroll
    for (uint p = 0; p < PER_ITEM; p++)
        if (HAS(p))
            first[p] = array[(size_t)home * VECTORS + lane + p * LANES];
    while (more) {
        int count = 0;
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            to[k] = at;
            if (more) {
                at = place_before(r, at);
                more = at != home;
#pragma unroll
                for (uint p = 0; p < PER_ITEM; p++)
                    if (HAS(p))
                        value[k][p] = more
                                          ? array[(size_t)at * VECTORS + lane + p * LANES]
                                          : first[p];
                count = k + 1;
            }
        }
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            if (k < count)
#pragma unroll
                for (uint p = 0; p < PER_ITEM; p++)
                    if (HAS(p))
                        array[(size_t)to[k] * VECTORS + lane + p * LANES] = value[k][p];
    }
}

#ifdef ROW
#define PARTS ((VECTORS + 2u * ROW - 2u) / ROW) /* rows that it can touch */
#define ELEMENT(p, place)                                                                \
    ((p)*ROW + lane - (uint)(((place)*VECTORS + BASE_ELEMENTS) % ROW))
#define IS_ELEMENT(p, e) ((e) < VECTORS)
#else
#define PARTS PER_ITEM
#define ELEMENT(p, place) ((p)*LANES + lane)
#define IS_ELEMENT(p, e) HAS(p)
#endif

/* This lane's share of a super-element, as it is to lie at place `to`, and there. */
void parts_load(element_t *value, __global const element_t *source, index_t to, uint lane)
{
#pragma unroll
    for (uint p = 0; p < PARTS; p++) {
        uint e = ELEMENT(p, to);
        if (IS_ELEMENT(p, e))
            value[p] = source[e];
    }
}

void parts_store(const element_t *value, __global element_t *array, index_t to, uint lane)
{
#pragma unroll
    for (uint p = 0; p < PARTS; p++) {
        uint e = ELEMENT(p, to);
        if (IS_ELEMENT(p, e))
            array[(size_t)to * VECTORS + e] = value[p];
    }
}

/* Moves this lane's share of STRETCHES stretches, each from the place of a cut up to the
 * next cut, whose copy is in `saved`: the cuts of blocks `block`, `block` + step and so
 * on. Stretches are of very different lengths, so that a lane goes on to its next one at
 * once, with its loads in flight. */
void stretches_move(__global element_t *array, __global const element_t *saved, rows_t r,
                    index_t places, index_t blocks, index_t block, index_t step, uint lane
#ifdef ROW
                    ,
                    __local uint *alive
#endif
)
{
    index_t at = 0;
    uint left = STRETCHES;
    bool more = false;
#ifdef ROW
    uint round = 0;
#endif

    for (;;) {
        element_t value[AHEAD][PARTS];
        index_t to[AHEAD];
        bool has[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            if (!more && left > 0) {
                index_t next = block * CUT + cut_offset(block);
                left--;
                more = block < blocks && next < places; /* the last may have no cut */
                if (more)
                    at = next;
                block += step;
            }
            has[k] = more;
            to[k] = at;
            if (more) {
                __global const element_t *source;
                at = place_before(r, at);
                more = !is_cut(at);
                source = more ? array + (size_t)at * VECTORS
                              : saved + (size_t)(at / CUT) * VECTORS;
                parts_load(value[k], source, to[k], lane);
            }
        }
#ifdef ROW
        /* Three words in turn: one is written, one read, one cleared. */
        if (has[0])
            alive[round % 3] = 1;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (!alive[round % 3])
            break;
        round++;
        if (get_local_id(0) == 0)
            alive[(round + 1) % 3] = 0;
#else
        if (!has[0])
            break;
#endif
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            if (has[k])
                parts_store(value[k], array, to[k], lane);
    }
}

/* ---- searchers ---- */

/* Notes the places of [first, first + SPAN) that are the least of a cycle without a cut.
 */
void cycles_find(index_t rows, index_t places, index_t first, __local ushort *found,
                 __local uint *count)
{
    uint s = get_local_id(0);
    index_t place = 0, at = 0;
    bool walking = false;

    /* One loop for all of a work-item's walks: neighbours' lengths differ much. */
    for (;;) {
        if (!walking) {
            if (s >= SPAN || first + s >= places)
                break;
            at = place = first + s;
            walking = !is_cut(place);
            s += get_local_size(0);
        }
        if (walking) {
            index_t next = step_target(rows, at);
            /* Least means least up to the way back; a place that stays is no cycle. */
            if (next == place && at != place)
                found[atomic_inc(count)] = (ushort)(place - first);
            walking =
                next != place && !is_cut(next) && place_key(next) > place_key(place);
            at = next;
        }
    }
}

/* The search and the moves of one searching work-group. */
void cycles_search(__global element_t *array, rows_t r, index_t places, index_t first,
                   __local ushort *found, __local uint *count)
{
    if (get_local_id(0) == 0)
        *count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    cycles_find(r.rows, places, first, found, count);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint t = get_local_id(0); t < *count * LANES; t += get_local_size(0))
        cycle_move(array, r, first + found[t / LANES], t % LANES);
}

/* ---- kernels ---- */

/* `searchers` of the work-groups search, evenly among the others, which move a stretch
 * each. */
__kernel void dl_cut_move(__global uchar *mem, ulong base, ulong rows_wide,
                          __global const element_t *saved_all, ulong searchers)
{
    __local ushort found[SPAN];
    __local uint count;
#ifdef ROW
    __local uint alive[3];
#endif
    rows_t r = rows_make((index_t)rows_wide);
    index_t places = r.rows * COLUMNS;
    __global element_t *array = ARRAY(mem, base, places);
    ulong group = get_group_id(0), groups = get_num_groups(0);
    ulong before =
        group * searchers / groups; /* searchers among the work-groups before */

    if ((group + 1) * searchers / groups != before) {
        cycles_search(array, r, places, (index_t)before * SPAN, found, &count);
    } else {
        size_t item = (size_t)(group - before) * get_local_size(0) + get_local_id(0);
        index_t step = (index_t)((groups - searchers) * get_local_size(0) / LANES);
        index_t block = (index_t)(item / LANES), blocks = (places + CUT - 1) / CUT;
#ifdef ROW
        if (get_local_id(0) < 3)
            alive[get_local_id(0)] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        /* Too few lanes may be left at the end. */
        stretches_move(array, SAVED(saved_all, places), r, places, blocks,
                       block < step ? block : blocks, step, (uint)(item % LANES)
#ifdef ROW
                                                                ,
                       alive
#endif
        );
    }
}
