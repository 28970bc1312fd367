/* SPDX-License-Identifier: MIT */
/* 0010! and 1000! of the four stages in one pass: super-elements of rows x cols elements
 * move along the cycles of down x across, and each is transposed on its way through local
 * memory.
 *
 * A stretch of a cycle, from one saved cut to the next (see move.cl), is a work-group's:
 * every super-element on it is read whole before the one behind it is written into its
 * place. Cycles without a cut are found by the work-group that has their least place. */
#ifndef DL_TRANSPOSE_SHAPE
#include "units.cl"
#endif

#ifndef UNITS
#define UNITS 1u /* in an element */
#endif
/* Of local memory for a super-element: at least rows * PITCH. */
#ifndef HELD_UNITS
#define HELD_UNITS 1056u
#endif
#ifndef GROUP
#define GROUP 256u
#endif

/* Units of a super-element, and between its rows in local memory. */
#define TILE_UNITS(s) ((s)->by_rows.number * (s)->by_line.number)
#define PITCH(s) ((s)->by_line.number | 1u)
#define PLACE(place) ((__global unit_t *)(mem + base) + (size_t)(place)*TILE_UNITS(s))
#define SAVED(cut) ((__global unit_t *)work + (size_t)(cut)*TILE_UNITS(s))

uint cut_place(const struct fuse_shape *s, uint cut)
{
    return cut * s->by_cut.number + mul_hi(cut * 0x9E3779B1u, s->by_cut.number);
}

bool is_cut(const struct fuse_shape *s, uint place)
{
    return cut_place(s, divide(s->by_cut, place)) == place;
}

uint places_all(const struct fuse_shape *s)
{
    return s->by_down.number * s->across;
}

uint cuts_all(const struct fuse_shape *s)
{
    return (places_all(s) + s->by_cut.number - 1) / s->by_cut.number;
}

/* Where the super-element that belongs at a place is: at (i, j) of down x across when the
 * place is (j, i) of across x down. */
uint place_before(const struct fuse_shape *s, uint place)
{
    uint j = divide(s->by_down, place), i = place - j * s->by_down.number;

    return i * s->across + j;
}

__kernel void dl_fuse_save(__global uchar *mem, ulong base, struct fuse_shape shape,
                           __global uchar *work)
{
    const struct fuse_shape *s = &shape;
    size_t all = (size_t)cuts_all(s) * TILE_UNITS(s);

    for (size_t i = get_global_id(0); i < all; i += get_global_size(0)) {
        uint cut = (uint)(i / TILE_UNITS(s)), u = (uint)(i % TILE_UNITS(s));
        if (cut_place(s, cut) < places_all(s))
            SAVED(cut)[u] = PLACE(cut_place(s, cut))[u];
    }
}

/* Reads a super-element into local memory. */
void held_read(const struct fuse_shape *s, __local unit_t *held,
               __global const unit_t *from)
{
    for (uint u = get_local_id(0); u < TILE_UNITS(s); u += GROUP) {
        uint row = divide(s->by_line, u);
        held[row * PITCH(s) + u - row * s->by_line.number] = from[u];
    }
}

/* Writes what is held, transposed. */
void held_write(const struct fuse_shape *s, __local const unit_t *held,
                __global unit_t *to)
{
    for (uint u = get_local_id(0); u < TILE_UNITS(s); u += GROUP) {
        uint e = u / UNITS, part = u % UNITS, column = divide(s->by_rows, e);
        to[u] = held[(e - column * s->by_rows.number) * PITCH(s) + column * UNITS + part];
    }
}

/* Moves the stretch that begins at `begin`: up to a cut; or, when `cycle`, all the way
 * round, with the first super-element held apart. */
void stretch_move(__global uchar *mem, ulong base, __global uchar *work,
                  const struct fuse_shape *s, uint begin, bool cycle,
                  __local unit_t *held, __local unit_t *first)
{
    uint at = begin;
    bool more = true;

    if (cycle) {
        held_read(s, first, PLACE(begin));
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
    while (more) {
        uint from = place_before(s, at);
        bool cut = !cycle && is_cut(s, from), whole = cycle && from == begin;
        if (!whole)
            held_read(s, held, cut ? SAVED(divide(s->by_cut, from)) : PLACE(from));
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        held_write(s, whole ? first : held, PLACE(at));
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        at = from;
        more = !cut && !whole;
    }
}

/* Is this place the least of a cycle without a cut? Every work-item finds the same. */
bool is_leader(const struct fuse_shape *s, uint place)
{
    uint at = place;

    do {
        if (is_cut(s, at))
            return false;
        at = place_before(s, at);
    } while (at > place);
    return at == place;
}

/* The first work-groups move a stretch each, the others look at SPAN places each. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_fuse_move(__global uchar *mem, ulong base, struct fuse_shape shape,
             __global uchar *work)
{
    __local unit_t held[HELD_UNITS], first[HELD_UNITS];
    __local uint found[GROUP];
    __local uint count;
    uint places = places_all(&shape), cuts = cuts_all(&shape);
    uint group = (uint)get_group_id(0);

    if (group < cuts) {
        if (cut_place(&shape, group) < places)
            stretch_move(mem, base, work, &shape, cut_place(&shape, group), false, held,
                         first);
    } else {
        uint place = (group - cuts) * GROUP + (uint)get_local_id(0);
        if (get_local_id(0) == 0)
            count = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (place < places && is_leader(&shape, place))
            found[atomic_inc(&count)] = place;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint f = 0; f < count; f++)
            stretch_move(mem, base, work, &shape, found[f], true, held, first);
    }
}
