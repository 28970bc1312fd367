/* SPDX-License-Identifier: MIT */
/* Out of place, several axes, of which the innermost are short: a work-group takes a tile
 * whose sides are several axes each, so that it reads long runs and writes long runs.
 * Where runs begin on both sides, and where in local memory an element of a run of the
 * target is, the work-group looks up in tables that it makes first; all extents and
 * distances are known when the kernel is built. An axis may belong to both sides; the
 * last of each may be in parts. */
#ifndef DL_TRANSPOSE_SHAPE
#include "tiles.cl"
#endif

#ifndef ACROSS
#define ACROSS                                                                           \
    12u /* elements of a run of the source: the last axis' part times all within */
#define ACROSS_INNER 4u
#define ACROSS_EXTENT 7u /* the last axis, and its part */
#define ACROSS_PART 3u
#define DOWN 10u /* the same of the target */
#define DOWN_INNER 2u
#define DOWN_EXTENT 5u
#define DOWN_PART 5u
#define LINES 10u /* runs of the source in a tile; for one of the target's last axis */
#define LINES_INNER 2u
#define LINES_OUT 12u /* runs of the target; for one of the source's last axis */
#define LINES_OUT_INNER 4u
#define PITCH 13u /* of a run in local memory */
#define HELD 8u   /* elements that a work-item has on the way at once */
#define AT_ONCE 0 /* 1: the two last axes are one */
/* X(extent, what one more adds in local memory, what it adds on the run's own side), the
 * fastest first */
#define LINE_AXES(X) X(2u, 13u, 28ul) X(5u, 26ul, 56ul)
#define DOWN_AXES(X) X(2u, 13u, 0ul) X(5u, 26u, 0ul)
#define LINE_OUT_AXES(X) X(4u, 1u, 10ul) X(3u, 4u, 40ul)
/* X(extent, source, target, which last axis it has the parts of: across, down or no) */
#define OTHERS(X) X(3u, 12ul, 120ul, across)
#endif

#define ADD_NEAR(extent, local_step, step)                                               \
    near += rest % extent * local_step;                                                  \
    rest /= extent;

#define ADD_FAR(extent, local_step, step)                                                \
    far += (ulong)(rest % extent) * step;                                                \
    rest /= extent;

#define ADD_OTHER(extent, step, step_out, which)                                         \
    place = rest % extent;                                                               \
    rest /= extent;                                                                      \
    which##_at = place;                                                                  \
    from += place * step;                                                                \
    to += place * step_out;

/* The length of part `at` of a last axis. */
uint part_of(uint extent, uint part, uint at)
{
    return min(part, extent - at * part);
}

/* Where in local memory a unit of a target's run is. */
uint down_place(uint rest)
{
    uint near = 0;

    DOWN_AXES(ADD_NEAR)
    return near;
}

/* Long runs are found as quickly without a table. */
#define DOWN_TABLE (DOWN <= 256u)

void tables_make(__local ulong *from_table, __local uint *down_table,
                 __local uint *out_table, __local ulong *to_table)
{
    for (uint i = get_local_id(0); i < LINES; i += GROUP) {
        uint rest = i;
        ulong far = 0;
        LINE_AXES(ADD_FAR)
        from_table[i] = far;
    }
    for (uint i = get_local_id(0); DOWN_TABLE && i < DOWN; i += GROUP)
        down_table[i] = down_place(i);
    for (uint i = get_local_id(0); i < LINES_OUT; i += GROUP) {
        uint near = 0, rest = i;
        ulong far = 0;
        LINE_OUT_AXES(ADD_NEAR)
        rest = i;
        LINE_OUT_AXES(ADD_FAR)
        out_table[i] = near;
        to_table[i] = far;
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_out_sides(__global uchar *mem, ulong base, ulong base_out, __global uchar *work)
{
    __local element_t tile[LINES * PITCH];
    __local ulong from_table[LINES], to_table[LINES_OUT];
    /* One array: PoCL 5 and 6 abort on local memory that a kernel does not use. */
    __local uint out_table[LINES_OUT + (DOWN_TABLE ? DOWN : 0u)];
    __local uint *down_table = out_table + LINES_OUT;
    __global const element_t *from = (__global const element_t *)(mem + base);
    __global element_t *to = (__global element_t *)(work + base_out);
    uint rest = (uint)get_group_id(0), place, no_at = 0, across_at = 0, down_at = 0;
    uint across, down, lines = LINES, lines_out = LINES_OUT;

    OTHERS(ADD_OTHER)
    (void)no_at;
    if (AT_ONCE)
        down_at = across_at;
    across = ACROSS_INNER * part_of(ACROSS_EXTENT, ACROSS_PART, across_at);
    down = DOWN_INNER * part_of(DOWN_EXTENT, DOWN_PART, down_at);
    if (!AT_ONCE) {
        lines = LINES_INNER ? LINES_INNER * (down / DOWN_INNER) : LINES;
        lines_out =
            LINES_OUT_INNER ? LINES_OUT_INNER * (across / ACROSS_INNER) : LINES_OUT;
    }
    tables_make(from_table, down_table, out_table, to_table);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint first = get_local_id(0); first < LINES * ACROSS; first += HELD * GROUP) {
        element_t held[HELD];
#pragma unroll
        for (uint h = 0; h < HELD; h++) {
            uint i = first + h * GROUP, line = i / ACROSS, at = i - line * ACROSS;
            if (line < lines && at < across)
                held[h] = vector_load(from + from_table[line] + at);
        }
#pragma unroll
        for (uint h = 0; h < HELD; h++) {
            uint i = first + h * GROUP, line = i / ACROSS, at = i - line * ACROSS;
            if (line < lines && at < across)
                tile[line * PITCH + at] = vector_conjugate(held[h]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 4
    for (uint i = get_local_id(0); i < LINES_OUT * DOWN; i += GROUP) {
        uint line = i / DOWN, at = i - line * DOWN;
        if (line < lines_out && at < down)
            to[to_table[line] + at] =
                tile[out_table[line] + (DOWN_TABLE ? down_table[at] : down_place(at))];
    }
}
