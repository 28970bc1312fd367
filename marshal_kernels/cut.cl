/* 100! on super-elements by cut cycles: no flags, no atomics, no races.
 *
 * The permutation's cycles are cut at known places. Of every CUT consecutive super-elements one is
 * a cut, at an offset hashed from the block's number; dl_cut_save copies the cuts aside. Then each
 * stretch of a cycle from one cut to the next can move by itself: nobody else reads or writes its
 * places, its first (or last) value is the saved copy, and where it ends is arithmetic. Since
 * the places ahead depend on no data, AHEAD loads are in flight at once, which a flag taken at
 * every place forbids. Stretches average CUT places and there are very many, so long cycles are
 * shared evenly.
 *
 * Cycles without a cut are mostly short; dl_cut_short finds the least place of each (by a
 * scrambled order, to spread them evenly) and moves it whole.
 *
 * Work-items move one vector of a super-element each and never need one another, so a
 * super-element may have any number of vectors. */
#ifndef DL_STEP
#include "step.cl"
#endif

#ifndef VECTORS
#define VECTORS 8u /* element_t in a super-element */
#endif
#ifndef CUT
#define CUT 64u /* a power of two */
#endif
#ifndef AHEAD
#define AHEAD 4
#endif
#ifndef SPAN
#define SPAN 1024u /* places that a work-group of dl_cut_short looks at */
#endif

/* The block's cut, among its CUT places. */
uint cut_offset(index_t block)
{
    uint h = (uint)block * 0x9E3779B1u;

    return ((h ^ (h >> 15)) * 0x85EBCA77u >> 20) % CUT;
}

bool is_cut(index_t place)
{
    return (uint)(place % CUT) == cut_offset(place / CUT);
}

/* A bijection, so that the least key of a cycle is one place. */
index_t place_key(index_t place)
{
    return place * (index_t)0x9E3779B1u;
}

/* The instance's places and its cuts' copies. */
#define ARRAY(mem, base, places)                                                              \
    ((__global element_t *)((mem) + (base)) + (size_t)get_global_id(1) * (places)*VECTORS)
#define SAVED(saved, places)                                                                  \
    ((saved) + (size_t)get_global_id(1) * (((places) + CUT - 1) / CUT) * VECTORS)

__kernel void dl_cut_save(__global uchar *mem, ulong base, ulong rows, __global element_t *saved)
{
    index_t places = (index_t)rows * COLUMNS;
    size_t block = get_global_id(0) / VECTORS, v = get_global_id(0) % VECTORS;
    size_t place = block * CUT + cut_offset((index_t)block);

    if (place < places)
        SAVED(saved, places)[block * VECTORS + v] =
            ARRAY(mem, base, places)[place * VECTORS + v];
}

/* get_global_size(0) / VECTORS stretches at a time, so that many work-items as vectors. */
__kernel void dl_cut_move(__global uchar *mem, ulong base, ulong rows,
                          __global const element_t *saved_all)
{
    index_t places = (index_t)rows * COLUMNS;
    __global element_t *array = ARRAY(mem, base, places);
    __global const element_t *saved = SAVED(saved_all, places);
    size_t v = get_global_id(0) % VECTORS;
    index_t block = (index_t)(get_global_id(0) / VECTORS);
    index_t blocks = (places + CUT - 1) / CUT;
    index_t stride = (index_t)(get_global_size(0) / VECTORS);
    index_t at;
    bool more = block < blocks && block < stride;

    if (!more)
        return;
    at = block * CUT + cut_offset(block);
    if (at >= places) /* the last, short block may have no cut */
        return;
#if INVERSE
    /* Pull: the place takes the value of the place after it, up to the next cut's copy. */
    while (more) {
        element_t value[AHEAD];
        index_t to[AHEAD];
        bool valid[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            valid[k] = more;
            to[k] = at;
            if (more) {
                index_t from = step_target((index_t)rows, at);
                bool end = is_cut(from);
                value[k] = end ? saved[(size_t)(from / CUT) * VECTORS + v]
                               : array[(size_t)from * VECTORS + v];
                at = from;
                if (end) {
                    block += stride;
                    at = block * CUT + cut_offset(block);
                    more = block < blocks && at < places;
                }
            }
        }
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            if (valid[k])
                array[(size_t)to[k] * VECTORS + v] = value[k];
    }
#else
    /* Push: the place after takes the value; a stretch begins with a cut's copy. The load of
     * what the last store of a round overwrites belongs to the round too. */
    element_t carried = saved[(size_t)block * VECTORS + v];
    while (more) {
        element_t value[AHEAD];
        index_t to[AHEAD];
        bool valid[AHEAD];
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            valid[k] = more;
            if (more) {
                bool end;
                to[k] = at = step_target((index_t)rows, at);
                end = is_cut(at);
                if (end) {
                    block += stride;
                    at = block * CUT + cut_offset(block);
                    more = block < blocks && at < places;
                }
                if (more)
                    value[k] = end ? saved[(size_t)block * VECTORS + v]
                                   : array[(size_t)at * VECTORS + v];
            }
        }
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            if (valid[k])
                array[(size_t)to[k] * VECTORS + v] = carried;
            carried = value[k];
        }
    }
#endif
}

/* Moves the cycles without a cut that start among this work-group's SPAN places. */
__kernel void dl_cut_short(__global uchar *mem, ulong base, ulong rows)
{
    __local uint found[SPAN];
    __local uint count;
    index_t places = (index_t)rows * COLUMNS;
    __global element_t *array = ARRAY(mem, base, places);
    index_t first = (index_t)get_group_id(0) * SPAN;

    if (get_local_id(0) == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = get_local_id(0); s < SPAN; s += get_local_size(0)) {
        index_t place = first + s, next;
        if (place >= places || is_cut(place))
            continue;
        next = step_target((index_t)rows, place);
        if (next == place)
            continue;
        while (next != place && !is_cut(next) && place_key(next) > place_key(place))
            next = step_target((index_t)rows, next);
        if (next == place)
            found[atomic_inc(&count)] = s;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint t = get_local_id(0); t < count * VECTORS; t += get_local_size(0)) {
        index_t place = first + found[t / VECTORS], at = place, next;
        uint v = t % VECTORS;
        element_t value = array[(size_t)place * VECTORS + v], old;
#if INVERSE
        while ((next = step_target((index_t)rows, at)) != place) {
            array[(size_t)at * VECTORS + v] = array[(size_t)next * VECTORS + v];
            at = next;
        }
        array[(size_t)at * VECTORS + v] = value;
#else
        do {
            next = step_target((index_t)rows, at);
            old = array[(size_t)next * VECTORS + v];
            array[(size_t)next * VECTORS + v] = value;
            value = old;
            at = next;
        } while (at != place);
#endif
    }
}
