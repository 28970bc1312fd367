/* SPDX-License-Identifier: MIT */
/* 010! and 100! by following cycles, PTTWAC (Sung 2013, algorithm 1): for arrays beyond
 * local memory. Work-items start at every element and push values along the cycle; a flag
 * an element says that its new value is on the way.
 *
 * Two reads here are speculative. A value is read before the flag that says whether it
 * was still the old one is tested or taken, and it is used only if that flag was clear:
 * the order read, fence, flag is what makes the algorithm right. The thesis prints the
 * first pair the other way round (test done[i], then read A[i]); between the two another
 * work-item may then take i and overwrite it. */
#ifndef DL_STEP
#include "step.cl"
#endif

#ifndef FLAGS_A_WORD
#define FLAGS_A_WORD 32u /* 32 / spreading factor (Sung 2013, 4.5.1) */
#endif
#ifndef HELD
#define HELD 2u /* elements that a work-item holds in registers at the start */
#endif
#define SLOTS (HELD ? HELD : 1u)
/* Some drivers let a kernel have more work-items in a group only where it says how many.
 */
#ifdef GROUP
#define OF_GROUP __attribute__((reqd_work_group_size(GROUP, 1, 1)))
#else
#define OF_GROUP
#endif
/* Where an element goes, and where the element that comes there is. */
index_t cycle_next(rows_t r, index_t i)
{
    return INVERSE ? step_source(r, i) : step_target(r.rows, i);
}

index_t cycle_back(rows_t r, index_t i)
{
    return INVERSE ? step_target(r.rows, i) : step_source(r, i);
}

/* Where an element's flag is (Sung 2013, 4.5.1). With FLAG_WORDS, flags are remapped:
 * those of neighbours lie in neighbouring words, as many words as that. Else FLAGS_A_WORD
 * follow each other in a word, the words padded against bank conflicts or not. */
#ifdef FLAG_WORDS
#define FLAG_WORD(i) ((i) % FLAG_WORDS)
#define FLAG_BIT(i) (1u << (uint)((i) / FLAG_WORDS))
/* The flags of word w that belong to elements below `held`. */
#define FLAGS_BELOW(w, held) FLAGS_OF(((held) + FLAG_WORDS - 1u - (w)) / FLAG_WORDS)
#define WORDS(elements) FLAG_WORDS
#define PADDED(w) (w)
#else
#ifdef FLAG_PAD
#define PADDED(w) ((w) + (w) / 32u)
#else
#define PADDED(w) (w)
#endif
#define FLAG_WORD(i) PADDED((i) / FLAGS_A_WORD)
#define FLAG_BIT(i) (1u << (uint)((i) % FLAGS_A_WORD))
#define FLAGS_BELOW(w, held)                                                             \
    ((held) >= ((w) + 1u) * FLAGS_A_WORD ? 0xffffffffu                                   \
     : (held) > (w)*FLAGS_A_WORD         ? (1u << ((held) - (w)*FLAGS_A_WORD)) - 1u      \
                                         : 0u)
#define WORDS(elements) (((elements)-1u) / FLAGS_A_WORD + 1u)
#endif
#define FLAGS_OF(count) ((count) >= 32u ? 0xffffffffu : (1u << (count)) - 1u)

/* Follows a cycle from the place that `carried` belongs at, up to one whose flag is set.
 */
void cycle_follow(__global element_t *array, rows_t r, __local volatile uint *flags,
                  uint d, element_t carried)
{
    element_t old;

    /* A set flag stays set, so seeing one early saves the read; only taking it decides.
     */
    while (!(flags[FLAG_WORD(d)] & FLAG_BIT(d))) {
        old = array[d];
        mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        if (atomic_or(&flags[FLAG_WORD(d)], FLAG_BIT(d)) & FLAG_BIT(d))
            break;
        array[d] = carried;
        carried = old;
        d = (uint)cycle_next(r, d);
    }
}

/* One array a work-group, its flags in local memory.
 *
 * The first HELD elements of every work-item are its own from the start: their flags are
 * set before anyone looks, and a barrier stands between reading and writing them, so that
 * they need no atomics and neighbours read and write together. Every work-item then
 * follows the cycles of those elements on, and starts at the elements that are left. With
 * none, it is the thesis's. */
__kernel OF_GROUP void dl_cycle_local(__global uchar *mem, ulong base, ulong rows,
                                      __local volatile uint *flags)
{
    uint elements = (uint)rows * COLUMNS, size = get_local_size(0), id = get_local_id(0);
    uint held = min(elements, size * HELD);
    rows_t r = rows_make((index_t)rows);
    __global element_t *array =
        (__global element_t *)(mem + base) + (size_t)get_group_id(0) * elements;
    element_t value[SLOTS], next[SLOTS];

#pragma unroll
    for (uint k = 0; k < HELD; k++) {
        uint d = k * size + id;
        if (d < held) {
            value[k] = array[(uint)cycle_back(r, d)];
            if (held < elements)
                next[k] = array[d];
        }
    }
    if (held < elements) {
        for (uint w = id; w < WORDS(elements); w += size)
            flags[PADDED(w)] = FLAGS_BELOW(w, held);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < HELD; k++)
        if (k * size + id < held)
            array[k * size + id] = value[k];
    if (held == elements)
        return;
    for (uint t = id; t < elements; t += size) {
        uint d = t;
        element_t carried;
        if (t < held) {
            carried = next[0];
#pragma unroll
            for (uint k = 1; k < HELD; k++)
                if (t == k * size + id)
                    carried = next[k];
            d = (uint)cycle_next(r, t);
            if (d == t)
                continue;
        } else {
            /* Started from where it goes, a neighbour's first store is a neighbour's. */
            uint i = (uint)cycle_back(r, t);
            if (d == i)
                continue;
            carried = array[i];
            mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
            if (flags[FLAG_WORD(i)] & FLAG_BIT(i))
                continue;
        }
        cycle_follow(array, r, flags, d, carried);
    }
}

#if ELEMENT_BYTES == 8
#define ANY_WORD(value) ((value).x | (value).y)
#elif ELEMENT_BYTES == 16
#define ANY_WORD(value) ((value).x | (value).y | (value).z | (value).w)
#else
#define ANY_WORD(value) ((uint)(value))
#endif

/* One array for all work-groups, its flags in global memory and clear.
 *
 * mem_fence orders accesses for the work-group alone, and on an H200 a flag was seen
 * clear before the value read ahead of it had arrived. `never` is 0, which the compiler
 * can't know: an address that depends on the value makes the flag wait for it. */
__kernel void dl_cycle_global(__global uchar *mem, ulong base, ulong rows,
                              __global volatile uint *flags, ulong never_wide)
{
    uint never = (uint)never_wide;
    __global element_t *array = (__global element_t *)(mem + base);
    index_t elements = (index_t)rows * COLUMNS;
    rows_t r = rows_make((index_t)rows);

    for (size_t t = get_global_id(0); t < elements; t += get_global_size(0)) {
        index_t d = (index_t)t, i = cycle_back(r, d);
        element_t value, next;
        if (d == i)
            continue;
        value = array[i];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        /* A plain read could be an old one from this multiprocessor's cache. */
        if (atomic_or(&flags[FLAG_WORD(i) + (ANY_WORD(value) & never)], 0u) & FLAG_BIT(i))
            continue;
        while (!(flags[FLAG_WORD(d)] & FLAG_BIT(d))) {
            next = array[d];
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            if (atomic_or(&flags[FLAG_WORD(d) + (ANY_WORD(next) & never)], FLAG_BIT(d)) &
                FLAG_BIT(d))
                break;
            array[d] = value;
            value = next;
            d = cycle_next(r, d);
        }
    }
}

/* Clears `words` flags without a round trip to the host. */
__kernel void dl_cycle_clear(__global uint *flags, ulong words)
{
    for (size_t w = get_global_id(0); w < words; w += get_global_size(0))
        flags[w] = 0;
}
