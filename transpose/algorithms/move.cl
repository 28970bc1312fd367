/* SPDX-License-Identifier: MIT */
/* The other pass of the panel algorithm: whole blocks to their places, 100! in place.
 *
 * As in marshal_kernels/cut.cl the permutation is broken into stretches whose places are
 * known ahead by arithmetic, so that each stretch is moved by one group of lanes that
 * keeps AHEAD loads in flight, without flags or atomics. Two things break it: the blocks
 * in the hole, which nobody overwrites, and the cuts, one of every so many places at a
 * hashed offset, whose blocks lie in the workspace: the first pass has put them there, or
 * the last one will read them there (panel.cl). Blocks may lie anywhere (shape.cl), since
 * the map gives an address for each place. What no stretch comes by are a few short
 * cycles, found by searching work-groups and moved whole. The strip lies between the
 * blocks, so that the same launch copies it.
 *
 * Blocks are counted as the first pass leaves them: block x = panel * cols + column is in
 * the hole when x < hole, else at place x - hole. It belongs at place column * blocks +
 * panel. The inverse reads the map the other way. */
#ifndef DL_TRANSPOSE_SHAPE
#include "panel_strip.cl"
#endif

#ifndef VECTOR_BYTES
#define VECTOR_BYTES 16
#endif
#ifndef ELEMENT_BYTES
#define ELEMENT_BYTES 4u
#endif
#ifndef LANES
#define LANES 32u /* of a stretch; a power of two */
#endif
#ifndef PER_LANE
#define PER_LANE                                                                         \
    1u /* vectors of a block that a lane moves; LANES * PER_LANE >= shape.vectors */
#endif
#ifndef UNROLL
#define UNROLL 1 /* of the loops over them; GPUs hold them in registers if it is all */
#endif
#ifndef AHEAD
#define AHEAD 8
#endif
#ifndef SPAN
#define SPAN 2048u /* places that a searching work-group looks at, at most 65536 */
#endif
#ifndef INVERSE
#define INVERSE 0
#endif

#if VECTOR_BYTES == 1
typedef uchar vector_t;
#elif VECTOR_BYTES == 2
typedef ushort vector_t;
#elif VECTOR_BYTES == 4
typedef uint vector_t;
#elif VECTOR_BYTES == 8
typedef uint2 vector_t;
#else
typedef uint4 vector_t;
#endif

#define HAS(p) ((p)*LANES + lane < shape->vectors)
#define SAVED(cut)                                                                       \
    ((__global vector_t *)(work + shape->saved_bytes) + (size_t)(cut)*shape->vectors)
#define HOLE(x)                                                                          \
    ((__global vector_t *)(work + shape->hole_bytes) + (size_t)(x)*shape->vectors)
#define PLACE(element) ((__global vector_t *)(mem + (element)*ELEMENT_BYTES))

/* A bijection, so that the least key of a cycle is one place. */
uint place_key(uint place)
{
    return place * 0x85EBCA77u;
}

/* Column and panel of a block, by its place (forward) or its number (inverse). */
struct at {
    uint t, k;
};

struct at at_place(const struct panel_shape *s, uint place)
{
    struct at at;

    at.t = divide(s->by_blocks, place);
    at.k = place - at.t * s->blocks;
    return at;
}

struct at at_block(const struct panel_shape *s, uint x)
{
    struct at at;

    at.k = divide(s->by_cols, x);
    at.t = x - at.k * s->cols;
    return at;
}

/* Where no first pass has put the cuts aside. */
__kernel void dl_move_save(__global uchar *mem_all, ulong base,
                           struct panel_shape shape_value, __global uchar *work)
{
    const struct panel_shape *shape = &shape_value;
    __global uchar *mem = mem_all + base;
    size_t cut = get_global_id(0) / shape->vectors, v = get_global_id(0) % shape->vectors;

    if (cut < shape->cuts && place_of_cut(shape, (uint)cut) < places_used(shape))
        SAVED(cut)[v] = PLACE(place_begin(shape, place_of_cut(shape, (uint)cut)))[v];
}

/* Where a stretch has come to: a place, or, INVERSE, a block's number; and its memory. */
struct way {
#if INVERSE
    uint x;
#else
    struct at at;
#endif
    __global vector_t *target;
};

/* The move to `target`, before the way goes on from there. */
struct hop {
    __global const vector_t *source;
    bool whole; /* the way is back at its beginning: what was there goes to `target` */
    bool more;
};

struct way way_begin(__global uchar *mem, __global uchar *work,
                     const struct panel_shape *shape, uint begin, bool cycle)
{
    struct way way;

#if INVERSE
    uint cut =
        cycle || begin < shape->hole ? NOWHERE : cut_at_place(shape, begin - shape->hole);

    way.x = begin;
    way.target = begin < shape->hole ? HOLE(begin)
                 : cut != NOWHERE    ? SAVED(cut)
                                     : PLACE(place_begin(shape, begin - shape->hole));
#else
    way.at = at_place(shape, begin);
    way.target = PLACE(place_element(shape, way.at.t, way.at.k));
#endif
    return way;
}

struct hop way_hop(__global uchar *mem, __global uchar *work,
                   const struct panel_shape *shape, uint begin, bool cycle,
                   struct way *way)
{
    struct hop hop;
    uint place, cut;

#if INVERSE
    struct at at = at_block(shape, way->x);

    place = at.t * shape->blocks + at.k;
    way->target = PLACE(place_element(shape, at.t, at.k));
    cut = cycle ? NOWHERE : cut_at_place(shape, place);
    hop.source = way->target;
    way->x = place + shape->hole;
    hop.whole = cycle && way->x == begin;
    hop.more = cut == NOWHERE && !hop.whole && place < places_used(shape);
#else
    uint x = way->at.k * shape->cols + way->at.t;
    bool in_hole = !cycle && x < shape->hole;

    place = x - shape->hole;
    cut = cycle || in_hole ? NOWHERE : cut_at_place(shape, place);
    hop.whole = cycle && place == begin;
    way->at = at_place(shape, place);
    way->target = PLACE(place_element(shape, way->at.t, way->at.k));
    hop.source = in_hole ? HOLE(x) : cut != NOWHERE ? SAVED(cut) : way->target;
    hop.more = !in_hole && cut == NOWHERE && !hop.whole;
#endif
    return hop;
}

/* Moves this lane's share of a stretch, pulling values towards its beginning.
 *
 * Forward, `begin` is a place. Its block is in the hole, which ends the stretch, or at
 * another place, which is next; the block of a cut is in the workspace, which ends the
 * stretch too. Inverse, `begin` is a block's number, so that blocks that belong in the
 * hole, or for a cut aside, can begin. It is at a place now, which is next, unless that
 * is a cut's or no block belongs there. With `cycle` nothing ends it but its own
 * beginning. */
void stretch_move(__global uchar *mem, __global uchar *work,
                  const struct panel_shape *shape, uint begin, uint lane, bool cycle)
{
    vector_t value[AHEAD][PER_LANE], first[PER_LANE];
    __global vector_t *to[AHEAD];
    struct way way = way_begin(mem, work, shape, begin, cycle);
    bool more = true;

    if (cycle) {
#pragma unroll UNROLL
        for (uint p = 0; p < PER_LANE; p++)
            if (HAS(p))
                first[p] = way.target[lane + p * LANES];
    }
    while (more) {
        int count = 0;
#pragma unroll
        for (int k = 0; k < AHEAD; k++) {
            if (more) {
                struct hop hop;
                to[k] = way.target;
                hop = way_hop(mem, work, shape, begin, cycle, &way);
                more = hop.more;
#pragma unroll UNROLL
                for (uint p = 0; p < PER_LANE; p++)
                    if (HAS(p))
                        value[k][p] = hop.whole ? first[p] : hop.source[lane + p * LANES];
                count = k + 1;
            }
        }
#pragma unroll
        for (int k = 0; k < AHEAD; k++)
            if (k < count)
#pragma unroll UNROLL
                for (uint p = 0; p < PER_LANE; p++)
                    if (HAS(p))
                        to[k][lane + p * LANES] = value[k][p];
    }
}

/* ---- searchers ---- */

/* The next place on the way, or NOWHERE when the way is a stretch's. */
uint cycle_next(const struct panel_shape *s, uint place)
{
    const uint hole = s->hole;
#if INVERSE
    struct at at = at_block(s, place + hole);
    uint next = at.t * s->blocks + at.k;

    return next < places_used(s) && cut_at_place(s, next) == NOWHERE ? next : NOWHERE;
#else
    struct at at = at_place(s, place);
    uint x = at.k * s->cols + at.t;

    return x >= hole && cut_at_place(s, x - hole) == NOWHERE ? x - hole : NOWHERE;
#endif
}

/* Notes the places of [first, first + SPAN) that are the least of a cycle that nothing
 * breaks. */
void cycles_find(const struct panel_shape *s, uint first, __local ushort *found,
                 __local uint *count)
{
    uint i = get_local_id(0), place = 0, at = 0, used = places_used(s);
    bool walking = false;

    /* One loop for all of a work-item's walks: neighbours' lengths differ much. */
    for (;;) {
        if (!walking) {
            if (i >= SPAN || first + i >= used)
                break;
            at = place = first + i;
            walking = cut_at_place(s, place) == NOWHERE;
            i += get_local_size(0);
        }
        if (walking) {
            uint next = cycle_next(s, at);
            /* Least means least up to the way back; a place that stays is no cycle. */
            if (next == place && at != place)
                found[atomic_inc(count)] = (ushort)(place - first);
            walking =
                next != NOWHERE && next != place && place_key(next) > place_key(place);
            at = next;
        }
    }
}

/* The first work-groups copy the strip; `searchers` of the others search, evenly among
 * those that move stretches. */
__kernel void dl_move(__global uchar *mem_all, ulong base, struct panel_shape shape_value,
                      __global uchar *work)
{
    __local ushort found[SPAN];
    __local uint count;
    const struct panel_shape *shape = &shape_value;
    __global uchar *mem = mem_all + base;
    const uint hole = shape->hole, used = places_used(shape);
    ulong group = get_group_id(0) - shape->strippers,
          groups = get_num_groups(0) - shape->strippers;
    ulong before = group * shape->searchers / groups; /* searchers among those before */

    if (get_group_id(0) < shape->strippers) {
        size_t first = get_global_id(0),
               step = (size_t)shape->strippers * get_local_size(0);
        if (INVERSE)
            strip_from_places(mem, shape, work, first, step);
        else
            strip_to_places(mem, shape, work, first, step);
    } else if ((group + 1) * shape->searchers / groups != before) {
        uint first = (uint)before * SPAN;
        if (get_local_id(0) == 0)
            count = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        cycles_find(shape, first, found, &count);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = get_local_id(0); i < count * LANES; i += get_local_size(0))
            stretch_move(mem, work, shape,
                         first + found[i / LANES] + (INVERSE ? hole : 0u), i % LANES,
                         true);
    } else {
        size_t item = (size_t)(group - before) * get_local_size(0) + get_local_id(0);
        uint number = (uint)(item / LANES), lane = (uint)(item % LANES), begin = NOWHERE;
        if (number < hole) {
            /* Places that no block lies in; blocks that belong in the hole. */
            begin = INVERSE ? number : used + number;
        } else if (number - hole < shape->cuts) {
            begin = place_of_cut(shape, number - hole);
            begin = begin < used ? begin + (INVERSE ? hole : 0u) : NOWHERE;
        }
        if (begin != NOWHERE)
            stretch_move(mem, work, shape, begin, lane, false);
    }
}
