/* SPDX-License-Identifier: MIT */
/* Brings rows nearer to one another, or further apart, in place: elements slide left or
 * right by growing distances, in one pass. Nothing between the rows is written.
 *
 * As in panel.cl, work-groups take chunks of all rows' elements by ticket, hold theirs in
 * local memory, and write only when all chunks that they overwrite are held as well.
 * Bringing together goes from the first chunk to the last, spreading from the last to the
 * first, so that those come earlier. */
#ifndef DL_TRANSPOSE_SHAPE
#include "units.cl"
#endif

#ifndef CHUNK
#define CHUNK 2048u /* units */
#endif
#ifndef GROUP
#define GROUP 256u
#endif

/* The ticket, then a flag for each chunk held. */
#define FLAGS(work) ((__global volatile uint *)((work) + shape.flags_bytes))

__kernel void dl_pack_clear(__global uchar *mem, ulong base, struct pack_shape shape,
                            __global uchar *work)
{
    for (size_t i = get_global_id(0); i <= shape.chunks; i += get_global_size(0))
        FLAGS(work)[i] = 0;
}

void flags_wait(__global volatile uint *flags, uint first, uint past)
{
    for (uint c = first; c < past; c++)
        while (!atomic_or(&flags[1u + c], 0u))
            ;
}

uint ticket_take(__global volatile uint *flags, __local uint *ticket)
{
    if (get_local_id(0) == 0)
        *ticket = atomic_inc(flags);
    barrier(CLK_LOCAL_MEM_FENCE);
    return *ticket;
}

#ifndef NARROW
#define NARROW 1 /* 0: rows have GROUP units and more */
#endif

/* The way of a work-item along all rows, GROUP units a step. */
struct line_walk {
    ulong unit, row, rest; /* of all; the row that it is in, and where there */
};

struct line_walk walk_begin(const struct pack_shape *s, ulong begin)
{
    struct line_walk at;

    at.unit = begin + get_local_id(0);
    at.row = at.unit / s->width;
    at.rest = at.unit - at.row * s->width;
    return at;
}

void walk_on(const struct pack_shape *s, struct line_walk *at)
{
    at->unit += GROUP;
#if NARROW
    at->row = at->unit / s->width;
#else
    bool is_next = at->rest + GROUP >= s->width;
    at->rest += is_next ? GROUP - s->width : GROUP;
    at->row += is_next;
#endif
}

/* Where the unit is when rows are so far apart. */
ulong walk_place(const struct pack_shape *s, ulong distance, const struct line_walk *at)
{
    return at->unit + at->row * (distance - s->width);
}

void chunk_load(const struct pack_shape *s, __global const unit_t *line, ulong begin,
                uint units, __local unit_t *held)
{
    struct line_walk at = walk_begin(s, begin);

    if (s->from == s->width) {
        for (uint u = get_local_id(0); u < units; u += GROUP)
            held[u] = line[begin + u];
        return;
    }
#pragma unroll 8
    for (uint u = get_local_id(0); u < units; u += GROUP) {
        held[u] = line[walk_place(s, s->from, &at)];
        walk_on(s, &at);
    }
}

void chunk_store(const struct pack_shape *s, __global unit_t *line, ulong begin,
                 uint units, __local const unit_t *held)
{
    struct line_walk at = walk_begin(s, begin);

    if (s->to == s->width) {
        for (uint u = get_local_id(0); u < units; u += GROUP)
            line[begin + u] = held[u];
        return;
    }
#pragma unroll 8
    for (uint u = get_local_id(0); u < units; u += GROUP) {
        line[walk_place(s, s->to, &at)] = held[u];
        walk_on(s, &at);
    }
}

/* Units that a chunk has. */
uint chunk_units(const struct pack_shape *s, uint chunk)
{
    ulong rest = s->rows * s->width - (ulong)chunk * CHUNK;

    return rest < CHUNK ? (uint)rest : CHUNK;
}

/* The n-th chunk to go: the first of those that slide together, the last of those that
 * slide apart. */
uint chunk_number(const struct pack_shape *s, uint n)
{
    return s->to < s->from ? n : s->chunks - 1u - n;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_pack(__global uchar *mem, ulong base, struct pack_shape shape, __global uchar *work)
{
    __local unit_t held[CHUNK];
    __local uint ticket;
    __global unit_t *line = (__global unit_t *)(mem + base);
    uint chunk = chunk_number(&shape, ticket_take(FLAGS(work), &ticket));
    uint units = chunk_units(&shape, chunk);
    ulong begin = (ulong)chunk * CHUNK;

    chunk_load(&shape, line, begin, units, held);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        uint first, past;
        atomic_or(&FLAGS(work)[1u + chunk], 1u);
        if (shape.to < shape.from)
            pack_together_waits_for(&shape, chunk, CHUNK, &first, &past);
        else
            pack_spread_waits_for(&shape, chunk, CHUNK, &first, &past);
        flags_wait(FLAGS(work), first, past);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    chunk_store(&shape, line, begin, units, held);
}

/* The same by one work-group, chunk after chunk, without flags. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_pack_alone(__global uchar *mem, ulong base, struct pack_shape shape,
              __global uchar *work)
{
    __local unit_t held[CHUNK];
    __global unit_t *line = (__global unit_t *)(mem + base);

    for (uint n = 0; n < shape.chunks; n++) {
        uint chunk = chunk_number(&shape, n), units = chunk_units(&shape, chunk);
        ulong begin = (ulong)chunk * CHUNK;
        chunk_load(&shape, line, begin, units, held);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        chunk_store(&shape, line, begin, units, held);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
}
