/* SPDX-License-Identifier: MIT */
/* C2R's and R2C's operations on columns that no work-group can hold (4.6, 4.7 of the
 * paper), on groups of columns about a cache line wide. A rotation is a fine one, by less
 * than the width of a group, in blocks through local memory, and a coarse one of whole
 * groups along the cycles of a rotation; rows are permuted by groups along the cycles of
 * q. Long cycles are shared out: cut at saved places, as in move.cl. */
#ifndef DL_C2R_INDEX
#include "c2r_index.cl"
#endif

#ifndef WIDTH
#define WIDTH 8u /* columns of a group, at most BLOCK_ROWS */
#endif
#ifndef LANES
#define LANES 8u /* a power of two, at least WIDTH * UNITS, at most GROUP */
#endif
#ifndef BLOCK_ROWS
#define BLOCK_ROWS 64u /* that are rotated in local memory at a time */
#endif

/* A work-item's unit of a sub-row, of column group get_group_id(1): a work-group is of
 * one. */
struct lane {
    size_t at;   /* units from the beginning of a row */
    ulong first; /* column of the group */
    uint u;      /* unit in the sub-row */
    bool is_used;
};

struct lane lane_make(const struct c2r_shape *s)
{
    struct lane lane;

    lane.first = (ulong)get_group_id(1) * WIDTH;
    lane.u = (uint)get_local_id(0) % LANES;
    lane.at = lane.first * UNITS + lane.u;
    lane.is_used = lane.u < WIDTH * UNITS && lane.first + lane.u / UNITS < s->n;
    return lane;
}

/* The part of a group's rotation that all its columns share: what is left to each is from
 * 0 to less than WIDTH. */
idx_t shared_rotation(const struct c2r_shape *s, ulong first)
{
    ulong last = min(first + WIDTH, s->n) - 1u;

    return rotation(s,
                    (idx_t)(s->op == C2R_BEFORE || s->op == C2R_COLUMNS ? first : last));
}

uint own_rotation(const struct c2r_shape *s, ulong first, idx_t j)
{
    idx_t all = rotation(s, j), shared = shared_rotation(s, first);

    return (uint)(all >= shared ? all - shared : all + (idx_t)s->m - shared);
}

/* Saves the first WIDTH rows of every range. */
__kernel void dl_c2r_fine_save(__global uchar *mem, ulong base, struct c2r_shape shape,
                               __global uchar *work)
{
    __global const unit_t *array = (__global const unit_t *)(mem + base);
    __global unit_t *saved = (__global unit_t *)(work + shape.saved_bytes);
    size_t pitch = (size_t)shape.n * UNITS, all = pitch * WIDTH * shape.ranges;

    for (size_t g = get_global_id(0); g < all; g += get_global_size(0)) {
        size_t r = g / pitch, u = g - r * pitch;
        size_t row = r / WIDTH * shape.range_rows + r % WIDTH;
        saved[g] = array[row * pitch + u];
    }
}

/* Rotates each column by its own part, a work-group a range of a group's rows: down the
 * range, BLOCK_ROWS at a time, with the WIDTH rows that come next held as well. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_c2r_fine(__global uchar *mem, ulong base, struct c2r_shape shape, __global uchar *work)
{
    __local unit_t held[(BLOCK_ROWS + WIDTH) * LANES];
    __global unit_t *array = (__global unit_t *)(mem + base);
    __global const unit_t *saved = (__global const unit_t *)(work + shape.saved_bytes);
    const size_t pitch = (size_t)shape.n * UNITS;
    const struct lane lane = lane_make(&shape);
    const uint slot = (uint)get_local_id(0) / LANES, slots = GROUP / LANES;
    const uint range = (uint)get_group_id(0),
               next = range + 1u < shape.ranges ? range + 1u : 0;
    const ulong begin = (ulong)range * shape.range_rows;
    const ulong end = next ? begin + shape.range_rows : shape.m;
    uint by = lane.is_used
                  ? own_rotation(&shape, lane.first, (idx_t)(lane.first + lane.u / UNITS))
                  : 0;

    for (uint r = slot; r < WIDTH; r += slots)
        if (lane.is_used)
            held[r * LANES + lane.u] = array[(begin + r) * pitch + lane.at];
    for (ulong row = begin; row < end; row += BLOCK_ROWS) {
        for (uint r = slot; r < BLOCK_ROWS; r += slots) {
            ulong from = row + WIDTH + r;
            if (lane.is_used && from < end + WIDTH)
                held[(WIDTH + r) * LANES + lane.u] =
                    from < end
                        ? array[from * pitch + lane.at]
                        : saved[((ulong)next * WIDTH + (from - end)) * pitch + lane.at];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint r = slot; r < BLOCK_ROWS; r += slots)
            if (lane.is_used && row + r < end)
                array[(row + r) * pitch + lane.at] = held[(r + by) * LANES + lane.u];
        barrier(CLK_LOCAL_MEM_FENCE);
        /* BLOCK_ROWS >= WIDTH: no two of these overlap. */
        for (uint r = slot; r < WIDTH; r += slots)
            if (lane.is_used)
                held[r * LANES + lane.u] = held[(BLOCK_ROWS + r) * LANES + lane.u];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* The cycles of a group's shared rotation: `cycles` of `length` rows, each in `parts`
 * parts. */
struct wheel {
    ulong by, cycles, length, parts, part_rows;
};

struct wheel wheel_make(const struct c2r_shape *s, ulong first)
{
    struct wheel wheel;
    ulong x = s->m, y;

    wheel.by = y = shared_rotation(s, first);
    while (y) {
        ulong rest = x % y;
        x = y;
        y = rest;
    }
    wheel.cycles = x;
    wheel.length = s->m / x;
    wheel.parts = x < s->parts ? (s->parts + x - 1) / x : 1;
    if (wheel.parts > wheel.length)
        wheel.parts = wheel.length;
    wheel.part_rows = (wheel.length + wheel.parts - 1) / wheel.parts;
    return wheel;
}

/* Saved sub-rows of a group: at most 2 * parts. */
#define HEAD(s, part) (((ulong)(part)*pitch) + lane.at)

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_c2r_coarse_save(__global uchar *mem, ulong base, struct c2r_shape shape,
                   __global uchar *work)
{
    __global const unit_t *array = (__global const unit_t *)(mem + base);
    __global unit_t *saved = (__global unit_t *)(work + shape.saved_bytes);
    const size_t pitch = (size_t)shape.n * UNITS;
    const struct lane lane = lane_make(&shape);
    const struct wheel wheel = wheel_make(&shape, lane.first);

    if (wheel.by == 0 || wheel.parts == 1 || !lane.is_used)
        return;
    for (ulong w = get_global_id(0) / LANES; w < wheel.cycles * wheel.parts;
         w += get_global_size(0) / LANES) {
        ulong y = w / wheel.parts, part = w - y * wheel.parts;
        ulong x = part * wheel.part_rows,
              row = (y + x % wheel.length * wheel.by) % shape.m;
        if (x < wheel.length)
            saved[HEAD(&shape, w)] = array[row * pitch + lane.at];
    }
}

/* Every work-item moves its unit along a part of a cycle. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_c2r_coarse(__global uchar *mem, ulong base, struct c2r_shape shape,
              __global uchar *work)
{
    __global unit_t *array = (__global unit_t *)(mem + base);
    __global const unit_t *saved = (__global const unit_t *)(work + shape.saved_bytes);
    const size_t pitch = (size_t)shape.n * UNITS;
    const struct lane lane = lane_make(&shape);
    const struct wheel wheel = wheel_make(&shape, lane.first);

    if (wheel.by == 0 || !lane.is_used)
        return;
    for (ulong w = get_global_id(0) / LANES; w < wheel.cycles * wheel.parts;
         w += get_global_size(0) / LANES) {
        ulong y = w / wheel.parts, part = w - y * wheel.parts;
        ulong x = part * wheel.part_rows, past = min(x + wheel.part_rows, wheel.length);
        ulong row = (y + x * wheel.by) % shape.m;
        unit_t last;
        if (x >= wheel.length)
            continue;
        if (wheel.parts == 1)
            last = array[row * pitch + lane.at];
        else /* the next part's head, or the first's */
            last = saved[HEAD(&shape, past < wheel.length ? w + 1u : y * wheel.parts)];
        while (x < past) {
            unit_t value[4];
            ulong at = row;
            uint count = (uint)min((ulong)4, past - x);
#pragma unroll
            for (uint k = 0; k < 4; k++) {
                at += wheel.by;
                if (at >= shape.m)
                    at -= shape.m;
                if (k < count)
                    value[k] = x + k + 1u < past ? array[at * pitch + lane.at] : last;
            }
            at = row;
#pragma unroll
            for (uint k = 0; k < 4; k++) {
                if (k < count)
                    array[at * pitch + lane.at] = value[k];
                at += wheel.by;
                if (at >= shape.m)
                    at -= shape.m;
            }
            for (uint k = 0; k < count; k++) {
                row += wheel.by;
                if (row >= shape.m)
                    row -= shape.m;
            }
            x += count;
        }
    }
}

/* ---- rows permuted alike ---- */

/* The row that comes to row i. */
idx_t permute_source(const struct c2r_shape *s, idx_t i)
{
    return s->op == C2R_COLUMNS ? permuted(s, i) : permuted_back(s, i);
}

ulong cut_row(const struct c2r_shape *s, uint cut)
{
    return (ulong)cut * s->cut_rows + mul_hi(cut * 0x9E3779B1u, s->cut_rows);
}

uint cut_at(const struct c2r_shape *s, idx_t row)
{
    uint cut = (uint)(row / s->cut_rows);

    return cut_row(s, cut) == row ? cut : 0xffffffffu;
}

/* A count and the least rows of the cycles without a cut. */
#define LEADERS(work) ((__global volatile uint *)((work) + shape.list_bytes))

__kernel void dl_c2r_permute_save(__global uchar *mem, ulong base, struct c2r_shape shape,
                                  __global uchar *work)
{
    __global const unit_t *array = (__global const unit_t *)(mem + base);
    __global unit_t *saved = (__global unit_t *)(work + shape.saved_bytes);
    size_t pitch = (size_t)shape.n * UNITS, all = pitch * shape.cuts;

    if (get_global_id(0) == 0)
        LEADERS(work)[0] = 0;
    for (size_t g = get_global_id(0); g < all; g += get_global_size(0)) {
        size_t cut = g / pitch;
        ulong row = cut_row(&shape, (uint)cut);
        if (row < shape.m)
            saved[g] = array[row * pitch + (g - cut * pitch)];
    }
}

__kernel void dl_c2r_permute_find(__global uchar *mem, ulong base, struct c2r_shape shape,
                                  __global uchar *work)
{
    for (size_t g = get_global_id(0); g < shape.m; g += get_global_size(0)) {
        idx_t row = (idx_t)g, at = row;
        do {
            if (cut_at(&shape, at) != 0xffffffffu)
                break;
            at = permute_source(&shape, at);
        } while (at > row);
        if (at == row && cut_at(&shape, at) == 0xffffffffu &&
            permute_source(&shape, row) != row)
            LEADERS(work)[1u + atomic_inc(&LEADERS(work)[0])] = (uint)row;
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_c2r_permute(__global uchar *mem, ulong base, struct c2r_shape shape,
               __global uchar *work)
{
    __global unit_t *array = (__global unit_t *)(mem + base);
    __global const unit_t *saved = (__global const unit_t *)(work + shape.saved_bytes);
    const size_t pitch = (size_t)shape.n * UNITS;
    const struct lane lane = lane_make(&shape);
    const ulong ways = shape.cuts + LEADERS(work)[0];

    if (!lane.is_used)
        return;
    for (ulong w = get_global_id(0) / LANES; w < ways; w += get_global_size(0) / LANES) {
        bool cycle = w >= shape.cuts, more = true;
        ulong begin =
            cycle ? LEADERS(work)[1u + (uint)(w - shape.cuts)] : cut_row(&shape, (uint)w);
        idx_t row = (idx_t)begin;
        unit_t first;
        if (begin >= shape.m)
            continue;
        if (cycle)
            first = array[row * pitch + lane.at];
        while (more) {
            unit_t value[4];
            idx_t to[4];
            uint count = 0;
#pragma unroll
            for (uint k = 0; k < 4; k++) {
                if (more) {
                    uint cut;
                    to[k] = row;
                    row = permute_source(&shape, row);
                    cut = cycle ? 0xffffffffu : cut_at(&shape, row);
                    if (cycle && row == (idx_t)begin) {
                        value[k] = first;
                        more = false;
                    } else if (cut != 0xffffffffu) {
                        value[k] = saved[(ulong)cut * pitch + lane.at];
                        more = false;
                    } else {
                        value[k] = array[row * pitch + lane.at];
                    }
                    count = k + 1u;
                }
            }
#pragma unroll
            for (uint k = 0; k < 4; k++)
                if (k < count)
                    array[to[k] * pitch + lane.at] = value[k];
        }
    }
}
