/* 010! and 100! by following cycles, PTTWAC (Sung 2013, algorithm 1): for arrays beyond local
 * memory. Work-items start at every element and push values along the cycle; a flag an element
 * says that its new value is on the way.
 *
 * Two reads here are speculative. A value is read before the flag that says whether it was still
 * the old one is tested or taken, and it is used only if that flag was clear: the order read,
 * fence, flag is what makes the algorithm right. The thesis prints the first pair the other way
 * round (test done[i], then read A[i]); between the two another work-item may then take i and
 * overwrite it.
 *
 * Both directions follow the forward map: forward pushes along it; inverse runs backwards, which
 * needs the inverse map. */
#ifndef DL_STEP
#include "step.cl"
#endif

#ifndef FLAGS_A_WORD
#define FLAGS_A_WORD 32u /* 32 / spreading factor (Sung 2013, 4.5.1) */
#endif

#if INVERSE
/* Where the inverse conversion puts the element at d. */
index_t cycle_next(index_t rows, index_t d)
{
    uint q = (uint)(d / rows);
#ifdef LEAF_TABLE
    uint o = leaf_first[q], w = leaf_width[q];
#else
    uint w = LEAF_COLUMNS, o = q - q % w;
#endif
    index_t rest = d - rows * o, j = rest / w;

    return j * COLUMNS + o + (rest - j * w);
}
#else
#define cycle_next step_target
#endif

#define FLAG_WORD(i) ((i) / FLAGS_A_WORD)
#define FLAG_BIT(i) (1u << (uint)((i) % FLAGS_A_WORD))

/* One array a work-group, its flags in local memory. */
__kernel void dl_cycle_local(__global uchar *mem, ulong base, ulong rows, __local uint *flags)
{
    uint elements = (uint)rows * COLUMNS;
    __global element_t *array =
        (__global element_t *)(mem + base) + (size_t)get_group_id(0) * elements;

    for (uint w = get_local_id(0); w <= FLAG_WORD(elements - 1); w += get_local_size(0))
        flags[w] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < elements; i += get_local_size(0)) {
        uint d = (uint)cycle_next((index_t)rows, i);
        element_t value, next;
        if (d == i)
            continue;
        value = array[i];
        mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        if (atomic_or(&flags[FLAG_WORD(i)], 0u) & FLAG_BIT(i))
            continue;
        for (;;) {
            next = array[d];
            mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
            if (atomic_or(&flags[FLAG_WORD(d)], FLAG_BIT(d)) & FLAG_BIT(d))
                break;
            array[d] = value;
            value = next;
            d = (uint)cycle_next((index_t)rows, d);
        }
    }
}

/* One array for all work-groups, its flags in global memory and clear. */
__kernel void dl_cycle_global(__global uchar *mem, ulong base, ulong rows,
                              __global uint *flags)
{
    __global element_t *array = (__global element_t *)(mem + base);
    index_t elements = (index_t)rows * COLUMNS;

    for (index_t i = get_global_id(0); i < elements; i += get_global_size(0)) {
        index_t d = cycle_next((index_t)rows, i);
        element_t value, next;
        if (d == i)
            continue;
        value = array[i];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        if (atomic_or(&flags[FLAG_WORD(i)], 0u) & FLAG_BIT(i))
            continue;
        for (;;) {
            next = array[d];
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            if (atomic_or(&flags[FLAG_WORD(d)], FLAG_BIT(d)) & FLAG_BIT(d))
                break;
            array[d] = value;
            value = next;
            d = cycle_next((index_t)rows, d);
        }
    }
}

/* Clears `words` flags without a round trip to the host. */
__kernel void dl_cycle_clear(__global uint *flags, ulong words)
{
    for (size_t w = get_global_id(0); w < words; w += get_global_size(0))
        flags[w] = 0;
}
