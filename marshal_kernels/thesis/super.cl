/* SPDX-License-Identifier: MIT */
/* 100! by PTTWAC as the thesis has it (Sung 2013, 4.6): a team of work-items a chain of
 * super-elements, one flag each in global memory. For comparison with cut cycles: the
 * chooser takes it only when told to.
 *
 * MODE 0, the baseline: the team is a work-group of as many work-items as a super-element
 * has elements, and meets at barriers. MODE 1, local memory tiling, and MODE 2, register
 * tiling: several teams a work-group, no larger than a warp, whose work-items hold
 * several elements each, in local memory or in registers, and wait for each other alone.
 * Where no work-item can wait for a warp (other drivers than NVIDIA's), there is one team
 * a group, and it meets at barriers.
 *
 * One work-item takes the flag and tells the others. A super-element is read before its
 * flag is taken, and used only if the flag was won. */
#ifndef DL_STEP
#include "../step.cl"
#endif

#ifndef VECTORS
#define VECTORS 33u /* element_t in a super-element */
#endif
#ifndef GROUP
#define GROUP 64u /* work-items */
#endif
#ifndef MODE
#define MODE 2
#endif
/* Work-items that move a super-element: of warps, a power of two up to 32. */
#if MODE > 0 && defined(__NV_CL_C_VERSION)
#ifndef TEAM
#define TEAM 32
#endif
#else
#undef TEAM
#define TEAM GROUP
#endif
#define TEAMS (GROUP / TEAM)

#define PER_ITEM ((VECTORS + TEAM - 1u) / TEAM)
#define HAS(p) (((p) + 1u) * TEAM <= VECTORS || (p)*TEAM + id < VECTORS)
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
#define AT(slot, p) (slot)[(p)*TEAM + id]
#else
#define SLOT element_t *
#define AT(slot, p) (slot)[p]
#endif

index_t super_next(rows_t r, index_t i)
{
    return INVERSE ? step_source(r, i) : step_target(r.rows, i);
}

/* Reads a super-element; `never` is 0, so that the test only waits for the values: a flag
 * taken afterwards is taken after they have arrived. */
void super_read(__global const element_t *from, SLOT slot, uint never,
                __global volatile uint *flags)
{
    uint id = get_local_id(0) % TEAM, any = 0;

#pragma unroll
    for (uint p = 0; p < PER_ITEM; p++) {
        if (HAS(p)) {
            AT(slot, p) = from[p * TEAM + id];
            any |= ANY_WORD(AT(slot, p));
        }
    }
    if (any & never)
        flags[0] = any;
}

void super_write(__global element_t *to, SLOT slot)
{
    uint id = get_local_id(0) % TEAM;

#pragma unroll
    for (uint p = 0; p < PER_ITEM; p++)
        if (HAS(p))
            to[p * TEAM + id] = AT(slot, p);
}

#if MODE > 0 && defined(__NV_CL_C_VERSION)
/* The team's work-items of a warp, as a mask. */
#if TEAM == 32
#define TEAM_MASK 0xffffffffu
#else
#define TEAM_MASK (((1u << TEAM) - 1u) << (get_local_id(0) % 32u / TEAM * TEAM))
#endif
/* All of the team have come here, and what each did before has been done. */
void team_meet(void)
{
    __asm volatile("bar.warp.sync %0;" ::"r"(TEAM_MASK) : "memory");
}

/* The value of the team's first work-item. */
#define team_tell(value, told) team_shuffle(value)
uint team_shuffle(uint value)
{
    uint told;

    __asm volatile("shfl.sync.idx.b32 %0, %1, 0, %2, %3;"
                   : "=r"(told)
                   : "r"(value), "n"((32 - TEAM) << 8 | 0x1f), "r"(TEAM_MASK));
    return told;
}
#else
#define team_meet() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
/* Between two calls the team meets, so that all have read `told` before it is written
 * again. */
uint team_tell(uint value, __local uint *told)
{
    if (get_local_id(0) == 0)
        *told = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    return *told;
}
#endif

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_super(__global uchar *mem, ulong base, ulong rows_wide, __global volatile uint *flags,
         ulong never_wide)
{
#if MODE == 1
    __local element_t all_slots[TEAMS][2][PER_ITEM * TEAM];
    __local element_t(*slots)[PER_ITEM * TEAM] = all_slots[get_local_id(0) / TEAM];
#else
    element_t slots[2][PER_ITEM];
#endif
    __local uint told;
    __global element_t *array = (__global element_t *)(mem + base);
    rows_t r = rows_make((index_t)rows_wide);
    index_t places = r.rows * COLUMNS;
    uint never = (uint)never_wide, id = get_local_id(0) % TEAM;

    for (index_t place = (index_t)get_group_id(0) * TEAMS + get_local_id(0) / TEAM;
         place < places; place += (index_t)get_num_groups(0) * TEAMS) {
        index_t d = super_next(r, place);
        uint go;
        super_read(array + (size_t)place * VECTORS, slots[0], never, flags);
        team_meet();
        go = id == 0 && d != place &&
             !(atomic_or(&flags[place / 32u], 0u) & FLAG_BIT(place));
        go = team_tell(go, &told);
        while (go) {
            super_read(array + (size_t)d * VECTORS, slots[1], never, flags);
            team_meet();
            go = id == 0 && !(atomic_or(&flags[d / 32u], FLAG_BIT(d)) & FLAG_BIT(d));
            go = team_tell(go, &told);
            if (go) {
                super_write(array + (size_t)d * VECTORS, slots[0]);
#pragma unroll
                for (uint p = 0; p < PER_ITEM; p++)
                    if (HAS(p))
                        AT(slots[0], p) = AT(slots[1], p);
            }
            d = super_next(r, d);
        }
    }
}

/* Clears `words` flags without a round trip to the host. */
__kernel void dl_super_clear(__global uint *flags, ulong words)
{
    for (size_t w = get_global_id(0); w < words; w += get_global_size(0))
        flags[w] = 0;
}
