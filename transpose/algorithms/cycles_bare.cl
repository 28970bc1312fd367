/* SPDX-License-Identifier: MIT */
/* Cycle following without any memory beside the matrix: in registers a work-item carries
 * one unit of an element, and nothing is remembered of what has been moved.
 *
 * A cycle belongs to its smallest place. A work-item walks from its place until it meets
 * a smaller one, which on average is soon, or comes back, and then moves the cycle. Where
 * neither happens for a while, the whole work-group walks, each work-item a stretch,
 * since the place after e steps is place * rows^e modulo elements - 1; and so it moves
 * the cycle: all hold the unit that their stretch begins with before any writes.
 * Work-groups have cycles of their own and never meet. */
#ifndef DL_TRANSPOSE_SHAPE
#include "units.cl"
#endif

#ifndef GROUP
#define GROUP 256u
#endif
#ifndef WIDE
#define WIDE 1 /* 0: the matrix has less than 2^32 elements */
#endif
#ifndef ALONE
#define ALONE 1024u /* steps that a work-item walks by itself */
#endif
#ifndef STRETCH
#define STRETCH 64u /* steps of a work-item when all walk */
#endif

#if WIDE
typedef ulong place_t;
#else
typedef uint place_t;
#endif

place_t place_next(place_t place, place_t rows, place_t cols)
{
    place_t row = place / cols;

    return (place - row * cols) * rows + row;
}

/* Modulo a number below 2^63. */
place_t multiply(place_t a, place_t b, place_t modulus)
{
#if WIDE
    ulong sum = 0;

    for (; b > 0; b >>= 1) {
        if (b & 1)
            sum = sum >= modulus - a ? sum - (modulus - a) : sum + a;
        a = a >= modulus - a ? a - (modulus - a) : a + a;
    }
    return sum;
#else
    return (uint)((ulong)a * b % modulus);
#endif
}

place_t place_after(place_t place, place_t rows, ulong steps, place_t modulus)
{
    place_t power = rows % modulus;

    for (; steps > 0; steps >>= 1) {
        if (steps & 1)
            place = multiply(place, power, modulus);
        power = multiply(power, power, modulus);
    }
    return place;
}

/* Moves the elements of so many places after `place` to the next one each; `held` has the
 * unit at it. */
void stretch_move(__global unit_t *unit, ulong units, unit_t held, place_t place,
                  ulong steps, place_t rows, place_t cols)
{
    for (ulong s = 1; s < steps; s++) {
        unit_t other;
        place = place_next(place, rows, cols);
        other = unit[place * units];
        unit[place * units] = held;
        held = other;
    }
    unit[place_next(place, rows, cols) * units] = held;
}

/* The steps until the cycle comes back to `first`, 0 when it has a smaller place: all of
 * the group walks. */
ulong length_find(place_t first, place_t rows, place_t cols, __local uint *smaller,
                  __local uint *back)
{
    place_t modulus = rows * cols - 1u;
    place_t place = place_after(first, rows, (ulong)get_local_id(0) * STRETCH, modulus);
    place_t far = place_after(1u, rows, (ulong)GROUP * STRETCH, modulus);

    for (ulong begin = 0;; begin += GROUP * STRETCH) {
        place_t at = place;
        uint step = get_local_id(0) * STRETCH, found, is_smaller;
        if (get_local_id(0) == 0) {
            *smaller = 0;
            *back = UINT_MAX;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint s = 0; s < STRETCH; s++) {
            at = place_next(at, rows, cols);
            if (at < first)
                atomic_or(smaller, 1u);
            else if (at == first)
                atomic_min(back, step + s + 1u);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        found = *back;
        is_smaller = *smaller;
        /* Before the next turn overwrites them. */
        barrier(CLK_LOCAL_MEM_FENCE);
        if (is_smaller)
            return 0;
        if (found != UINT_MAX)
            return begin + found;
        place = multiply(place, far, modulus);
    }
}

/* Moves a cycle, all of the group a stretch each. */
void cycle_move(__global unit_t *matrix, ulong units, place_t first, ulong length,
                place_t rows, place_t cols)
{
    ulong stretch = (length + GROUP - 1u) / GROUP, begin = get_local_id(0) * stretch;
    ulong steps = begin >= length ? 0 : min(stretch, length - begin);
    place_t place = place_after(first, rows, begin, rows * cols - 1u);

    for (ulong u = 0; u < units; u++) {
        unit_t held;
        if (steps > 0)
            held = matrix[place * units + u];
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (steps > 0)
            stretch_move(matrix + u, units, held, place, steps, rows, cols);
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_cycles_bare(__global uchar *mem, ulong base, struct bare_shape shape,
               __global uchar *work)
{
    __local uint smaller, back, count;
    __local place_t pending[GROUP];
    place_t rows = (place_t)shape.rows, cols = (place_t)shape.cols;
    place_t last = rows * cols - 1u;
    __global unit_t *matrix =
        (__global unit_t *)(mem + base + get_group_id(1) * shape.stride_bytes);

    for (ulong begin = get_group_id(0) * GROUP; begin < last;
         begin += get_num_groups(0) * GROUP) {
        ulong place = begin + get_local_id(0);
        if (get_local_id(0) == 0)
            count = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (place > 0 && place < last) {
            place_t first = (place_t)place, at = place_next(first, rows, cols);
            ulong units;
            uint steps = 1;
            for (; at > first && steps < ALONE; steps++)
                at = place_next(at, rows, cols);
            /* Not either this or that: PoCL 5 aborts on a barrier in a loop behind a
             * condition both sides of which end in loops or conditions. */
            units = at == first && steps > 1 ? shape.units : 0;
            for (ulong u = 0; u < units; u++)
                stretch_move(matrix + u, shape.units, matrix[first * shape.units + u],
                             first, steps, rows, cols);
            if (at > first)
                pending[atomic_inc(&count)] = first;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint p = 0; p < count; p++) {
            ulong length = length_find(pending[p], rows, cols, &smaller, &back);
            if (length > 0)
                cycle_move(matrix, shape.units, pending[p], length, rows, cols);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
