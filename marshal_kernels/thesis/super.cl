/* SPDX-License-Identifier: MIT */
/* 100! by PTTWAC as the thesis has it (Sung 2013, 4.6): a work-group a chain of super-elements,
 * one flag each in global memory. For comparison with cut cycles: the chooser takes it only when
 * told to.
 *
 * MODE 0, the baseline: as many work-items as a super-element has elements, which meet at
 * barriers. MODE 1, local memory tiling, and MODE 2, register tiling: work-groups of one warp,
 * whose work-items hold several elements each, in local memory or in registers; their barriers
 * cost next to nothing.
 *
 * All work-items decide by the same word, and none writes it again before all have read it. A
 * super-element is read before its flag is taken, and used only if the flag was won. */
#ifndef DL_STEP
#include "../step.cl"
#endif

#ifndef VECTORS
#define VECTORS 33u /* element_t in a super-element */
#endif
#ifndef GROUP
#define GROUP 32u /* work-items */
#endif
#ifndef MODE
#define MODE 2
#endif

#define PER_ITEM ((VECTORS + GROUP - 1u) / GROUP)
#define HAS(p) (((p) + 1u) * GROUP <= VECTORS || (p)*GROUP + id < VECTORS)
#define FLAG_BIT(i) (1u << (uint)((i) % 32u))

#if ELEMENT_BYTES == 8
#define ANY_WORD(value) ((value).x | (value).y)
#elif ELEMENT_BYTES == 16
#define ANY_WORD(value) ((value).x | (value).y | (value).z | (value).w)
#else
#define ANY_WORD(value) ((uint)(value))
#endif

#if MODE == 1
#define SLOT __local element_t *
#define AT(slot, p) (slot)[(p)*GROUP + id]
#else
#define SLOT element_t *
#define AT(slot, p) (slot)[p]
#endif

index_t super_next(rows_t r, index_t i)
{
    return INVERSE ? step_source(r, i) : step_target(r.rows, i);
}

/* Reads a super-element; `never` is 0, so that the test only waits for the values: a flag taken
 * afterwards is taken after they have arrived. */
void super_read(__global const element_t *from, SLOT slot, uint never,
                __global volatile uint *flags)
{
    uint id = get_local_id(0), any = 0;

#pragma unroll
    for (uint p = 0; p < PER_ITEM; p++) {
        if (HAS(p)) {
            AT(slot, p) = from[p * GROUP + id];
            any |= ANY_WORD(AT(slot, p));
        }
    }
    if (any & never)
        flags[0] = any;
}

void super_write(__global element_t *to, SLOT slot)
{
    uint id = get_local_id(0);

#pragma unroll
    for (uint p = 0; p < PER_ITEM; p++)
        if (HAS(p))
            to[p * GROUP + id] = AT(slot, p);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_super(__global uchar *mem, ulong base, ulong rows_wide, __global volatile uint *flags,
         ulong never_wide)
{
    __local uint won;
#if MODE == 1
    __local element_t slots[2][PER_ITEM * GROUP];
#else
    element_t slots[2][PER_ITEM];
#endif
    __global element_t *array = (__global element_t *)(mem + base);
    rows_t r = rows_make((index_t)rows_wide);
    index_t places = r.rows * COLUMNS;
    uint never = (uint)never_wide;

    for (index_t place = (index_t)get_group_id(0); place < places;
         place += (index_t)get_num_groups(0)) {
        index_t d = super_next(r, place);
        bool go;
        super_read(array + (size_t)place * VECTORS, slots[0], never, flags);
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (get_local_id(0) == 0)
            won = d != place && !(atomic_or(&flags[place / 32u], 0u) & FLAG_BIT(place));
        barrier(CLK_LOCAL_MEM_FENCE);
        go = won;
        barrier(CLK_LOCAL_MEM_FENCE);
        while (go) {
            super_read(array + (size_t)d * VECTORS, slots[1], never, flags);
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            if (get_local_id(0) == 0)
                won = !(atomic_or(&flags[d / 32u], FLAG_BIT(d)) & FLAG_BIT(d));
            barrier(CLK_LOCAL_MEM_FENCE);
            go = won;
            if (go) {
                uint id = get_local_id(0);
                super_write(array + (size_t)d * VECTORS, slots[0]);
#pragma unroll
                for (uint p = 0; p < PER_ITEM; p++)
                    if (HAS(p))
                        AT(slots[0], p) = AT(slots[1], p);
            }
            d = super_next(r, d);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
}

/* Clears `words` flags without a round trip to the host. */
__kernel void dl_super_clear(__global uint *flags, ulong words)
{
    for (size_t w = get_global_id(0); w < words; w += get_global_size(0))
        flags[w] = 0;
}
