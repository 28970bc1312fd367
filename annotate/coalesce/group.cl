/* Structs where they lie, loaded and stored by the work-items of a group together. Each
 * work-item says where its struct is, or 0 where it has none; then neighbours take
 * neighbouring quads of words of all of them. Every work-item of the group must come
 * here. */
#ifndef DL_GROUP
#define DL_GROUP
/* Knobs: the work-items of a group, where all groups have so many (else 0); the words of
 * local memory for structs, as many as the largest struct has or more; quads that a
 * work-item has under way. */
#ifndef DL_GROUP_ITEMS
#define DL_GROUP_ITEMS 0
#endif
#ifndef DL_GROUP_WORDS
#define DL_GROUP_WORDS 4096
#endif
#ifndef DL_GROUP_BATCH
#define DL_GROUP_BATCH 4
#endif
/* Structs of fewer words are accessed plainly, as that is as fast: loads and stores, of
 * neighbours and of scattered ones. On an H200 plain loads of neighbours come from the
 * first cache. */
#ifndef DL_GROUP_LEAST
#define DL_GROUP_LEAST(dl_scattered, dl_stores)                                          \
    ((dl_stores) ? (dl_scattered) ? 2 : 6 : (dl_scattered) ? 6 : 16)
#endif
/* A group's work-items may exchange in teams of so many; 0: all together. Teams of 32 are
 * NVIDIA's sub-groups, where the group is of whole ones, and need no barriers of the
 * group; elsewhere they wait for it, which is for tests. */
#ifndef DL_GROUP_TEAM
#if defined __NV_CL_C_VERSION && DL_GROUP_ITEMS > 0 && DL_GROUP_ITEMS % 32 == 0
#define DL_GROUP_TEAM 32
#else
#define DL_GROUP_TEAM 0
#endif
#endif
#if DL_GROUP_TEAM
#define DL_GROUP_TEAMS (DL_GROUP_ITEMS / DL_GROUP_TEAM)
#else
#define DL_GROUP_TEAMS 1
#endif
/* On an H200 small structs, and those not of whole quads, are as fast by the group; of
 * large ones teams would have too little local memory each. */
#define DL_GROUP_TEAMED(dl_words)                                                        \
    (DL_GROUP_TEAM && (dl_words) % 4 == 0 && (dl_words) >= 16 &&                         \
     DL_GROUP_WORDS / (dl_words) / DL_GROUP_TEAMS >= 8)
/* The structs of so many words that a group, or a team, exchanges at a time, and the
 * quads of local memory for them; and those of all teams. */
#define DL_GROUP_MOST (DL_GROUP_ITEMS ? DL_GROUP_ITEMS : 256)
#define DL_GROUP_ROOM(dl_words)                                                          \
    (DL_GROUP_TEAMED(dl_words)                                                           \
         ? DL_MIN(DL_GROUP_TEAM, DL_GROUP_WORDS / (dl_words) / DL_GROUP_TEAMS)           \
         : DL_MIN(DL_GROUP_MOST, DL_GROUP_WORDS / (dl_words)))
#define DL_GROUP_PART(dl_words)                                                          \
    (DL_SKEWED((DL_GROUP_ROOM(dl_words) * (dl_words) + 3) / 4 - 1, dl_words) + 1)
#define DL_GROUP_QUADS(dl_words)                                                         \
    (DL_GROUP_PART(dl_words) * (DL_GROUP_TEAMED(dl_words) ? DL_GROUP_TEAMS : 1))
#define DL_GROUP_PLACES(dl_words)                                                        \
    (DL_GROUP_ROOM(dl_words) * (DL_GROUP_TEAMED(dl_words) ? DL_GROUP_TEAMS : 1))
/* Structs of whole quads: one is left free now and then, so that what lies a struct apart
 * lies in different banks: after as many as the struct's and the 8 of all banks have for
 * a common multiple. Others lie so by themselves. */
#ifndef DL_SKEWED
#define DL_SKEWED(dl_q, dl_words)                                                        \
    ((dl_words) % 4 ? (dl_q) : (dl_q) + (dl_q) / DL_GROUP_EVERY(dl_words))
#endif
#define DL_GROUP_EVERY(dl_words)                                                         \
    ((dl_words) % 32 == 0   ? (dl_words) / 4                                             \
     : (dl_words) % 16 == 0 ? (dl_words) / 2                                             \
     : (dl_words) % 8 == 0  ? (dl_words)                                                 \
                            : (dl_words)*2)
typedef DL_ALIASED(unsigned int) dl_word;
typedef DL_ALIASED(uint2) dl_pair;
typedef DL_ALIASED(uint4) dl_quad;

static unsigned int dl_group_me(void)
{
    return (unsigned int)(get_local_id(0) +
                          get_local_size(0) *
                              (get_local_id(1) + get_local_size(1) * get_local_id(2)));
}
static unsigned int dl_group_all(void)
{
    return DL_GROUP_ITEMS ? DL_GROUP_ITEMS
                          : (unsigned int)(get_local_size(0) * get_local_size(1) *
                                           get_local_size(2));
}
/* The place in its team, which is the group where there are none, and how many are in
 * that. */
static unsigned int dl_group_place_in(unsigned int dl_words)
{
    return DL_GROUP_TEAMED(dl_words) ? dl_group_me() % DL_MAX(1, DL_GROUP_TEAM)
                                     : dl_group_me();
}
static unsigned int dl_group_size(unsigned int dl_words)
{
    return DL_GROUP_TEAMED(dl_words) ? DL_GROUP_TEAM : dl_group_all();
}
/* A barrier of the team. NVIDIA's OpenCL C has none for sub-groups. */
static void dl_group_wait(unsigned int dl_words, int dl_global)
{
#if DL_GROUP_TEAM == 32 && defined __NV_CL_C_VERSION
    if (DL_GROUP_TEAMED(dl_words)) {
        __asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
        return;
    }
#endif
    if (dl_global)
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    else
        barrier(CLK_LOCAL_MEM_FENCE);
}
/* The words from dl_w on, that are one or two of a struct. */
static DL_INLINE unsigned long dl_group_place(__local const unsigned long *dl_at,
                                              unsigned int dl_w, unsigned int dl_words)
{
    unsigned long dl_p = dl_at[dl_w / dl_words];

    return dl_p ? dl_p + dl_w % dl_words * 4 : 0;
}
/* True when a quad that is not in one struct lies in one piece. */
static DL_INLINE int dl_group_piece(__local const unsigned long *dl_at, unsigned int dl_w,
                                    unsigned int dl_end, unsigned int dl_words)
{
    const unsigned int dl_s = dl_w / dl_words;

    return dl_w - dl_s * dl_words + 4 <= dl_words ||
           (dl_w + 4 <= dl_end && dl_at[dl_s + 1] == dl_at[dl_s] + dl_words * 4);
}
/* A unit of 1, 2 or 4 words between global and local memory, and what is kept of it on
 * the way. */
static uint4 dl_group_from(unsigned long dl_p, unsigned int dl_unit)
{
    if (dl_unit == 4)
        return ((__global const dl_quad *)dl_p)->dl_v;
    if (dl_unit == 2)
        return (uint4)(((__global const dl_pair *)dl_p)->dl_v, 0, 0);
    return (uint4)(((__global const dl_word *)dl_p)->dl_v, 0, 0, 0);
}
static void dl_group_to(unsigned long dl_p, unsigned int dl_unit, uint4 dl_v)
{
    if (dl_unit == 4)
        ((__global dl_quad *)dl_p)->dl_v = dl_v;
    else if (dl_unit == 2)
        ((__global dl_pair *)dl_p)->dl_v = dl_v.xy;
    else
        ((__global dl_word *)dl_p)->dl_v = dl_v.x;
}
static DL_INLINE uint4 dl_group_take(__local dl_quad *dl_l, unsigned int dl_w,
                                     unsigned int dl_words, unsigned int dl_unit)
{
    if (dl_unit == 4)
        return dl_l[DL_SKEWED(dl_w / 4, dl_words)].dl_v;
    if (dl_unit == 2)
        return (uint4)(((__local dl_pair *)dl_l)[dl_w / 2].dl_v, 0, 0);
    return (uint4)(((__local dl_word *)dl_l)[dl_w].dl_v, 0, 0, 0);
}
static DL_INLINE void dl_group_give(__local dl_quad *dl_l, unsigned int dl_w,
                                    unsigned int dl_words, unsigned int dl_unit,
                                    uint4 dl_v)
{
    if (dl_unit == 4)
        dl_l[DL_SKEWED(dl_w / 4, dl_words)].dl_v = dl_v;
    else if (dl_unit == 2)
        ((__local dl_pair *)dl_l)[dl_w / 2].dl_v = dl_v.xy;
    else
        ((__local dl_word *)dl_l)[dl_w].dl_v = dl_v.x;
}
/* A unit that is not aligned, or not in one piece, word by word. */
static DL_INLINE void dl_group_words(__local dl_quad *dl_l,
                                     __local const unsigned long *dl_at,
                                     unsigned int dl_w, unsigned int dl_end,
                                     unsigned int dl_words, unsigned int dl_unit,
                                     int dl_stores)
{
    __local dl_word *dl_to =
        (__local dl_word *)(dl_l + DL_SKEWED(dl_w / 4, dl_words)) + dl_w % 4;

    for (unsigned int dl_k = 0; dl_k < dl_unit && dl_w + dl_k < dl_end; dl_k++) {
        const unsigned long dl_p = dl_group_place(dl_at, dl_w + dl_k, dl_words);

        if (dl_p && dl_stores)
            ((__global dl_word *)dl_p)->dl_v = dl_to[dl_k].dl_v;
        else if (dl_p)
            dl_to[dl_k].dl_v = ((__global const dl_word *)dl_p)->dl_v;
    }
}
/* Between global and local memory, all of a group's structs. Neighbours take neighbouring
 * units; of large structs several are under way at a time. */
static DL_INLINE void dl_group_pass(__local dl_quad *dl_l,
                                    __local const unsigned long *dl_at,
                                    unsigned int dl_count, unsigned int dl_words,
                                    unsigned int dl_unit, int dl_stores)
{
    const unsigned int dl_end = dl_count * dl_words;
    const unsigned int dl_step = dl_group_size(dl_words) * dl_unit;
    const unsigned int dl_batch = dl_words > 16 ? DL_GROUP_BATCH : 1;

    for (unsigned int dl_w = dl_group_place_in(dl_words) * dl_unit; dl_w < dl_end;
         dl_w += dl_step * dl_batch) {
        unsigned long dl_p[DL_GROUP_BATCH];
        uint4 dl_v[DL_GROUP_BATCH];
        int dl_odd = 0;

#pragma unroll
        for (unsigned int dl_k = 0; dl_k < DL_GROUP_BATCH; dl_k++) {
            const unsigned int dl_x = dl_w + dl_k * dl_step;

            if (dl_k >= dl_batch)
                continue;
            dl_p[dl_k] = dl_x < dl_end ? dl_group_place(dl_at, dl_x, dl_words) : 0;
            dl_odd |= dl_p[dl_k] % (dl_unit * 4) != 0;
            if (dl_unit == 4 && dl_words % 4 && dl_x < dl_end)
                dl_odd |= !dl_p[dl_k] || !dl_group_piece(dl_at, dl_x, dl_end, dl_words);
        }
        if (dl_odd) {
            for (unsigned int dl_k = 0; dl_k < dl_batch; dl_k++)
                dl_group_words(dl_l, dl_at, dl_w + dl_k * dl_step, dl_end, dl_words,
                               dl_unit, dl_stores);
            continue;
        }
#pragma unroll
        for (unsigned int dl_k = 0; dl_k < DL_GROUP_BATCH; dl_k++)
            if (dl_k < dl_batch && dl_p[dl_k])
                dl_v[dl_k] = dl_stores ? dl_group_take(dl_l, dl_w + dl_k * dl_step,
                                                       dl_words, dl_unit)
                                       : dl_group_from(dl_p[dl_k], dl_unit);
#pragma unroll
        for (unsigned int dl_k = 0; dl_k < DL_GROUP_BATCH; dl_k++) {
            if (dl_k >= dl_batch || !dl_p[dl_k])
                continue;
            if (dl_stores)
                dl_group_to(dl_p[dl_k], dl_unit, dl_v[dl_k]);
            else
                dl_group_give(dl_l, dl_w + dl_k * dl_step, dl_words, dl_unit, dl_v[dl_k]);
        }
    }
}
/* As many words as lie in one access of local memory without conflicts: 4, 2 or 1. */
#define DL_GROUP_UNIT(dl_words) ((dl_words) % 4 == 0 ? 4 : (dl_words) % 2 == 0 ? 2 : 1)
/* A unit between local memory and a work-item's own struct. */
static DL_INLINE void dl_group_unit(__local dl_quad *dl_l, __private dl_word *dl_own,
                                    unsigned int dl_at, unsigned int dl_words,
                                    int dl_stores)
{
    if (DL_GROUP_UNIT(dl_words) == 4) {
        __local dl_quad *dl_p = dl_l + DL_SKEWED(dl_at / 4, dl_words);

        if (dl_stores) {
            dl_p->dl_v =
                (uint4)(dl_own[0].dl_v, dl_own[1].dl_v, dl_own[2].dl_v, dl_own[3].dl_v);
        } else {
            const uint4 dl_v = dl_p->dl_v;

            dl_own[0].dl_v = dl_v.x;
            dl_own[1].dl_v = dl_v.y;
            dl_own[2].dl_v = dl_v.z;
            dl_own[3].dl_v = dl_v.w;
        }
    } else if (DL_GROUP_UNIT(dl_words) == 2) {
        __local dl_pair *dl_p = (__local dl_pair *)dl_l + dl_at / 2;

        if (dl_stores) {
            dl_p->dl_v = (uint2)(dl_own[0].dl_v, dl_own[1].dl_v);
        } else {
            const uint2 dl_v = dl_p->dl_v;

            dl_own[0].dl_v = dl_v.x;
            dl_own[1].dl_v = dl_v.y;
        }
    } else {
        __local dl_word *dl_p = (__local dl_word *)dl_l + dl_at;

        if (dl_stores)
            dl_p->dl_v = dl_own->dl_v;
        else
            dl_own->dl_v = dl_p->dl_v;
    }
}
/* All of it. In registers only where the compiler sees each place: unrolled, if it is not
 * large. */
static DL_INLINE void dl_group_own(__local dl_quad *dl_l, __private dl_word *dl_own,
                                   unsigned int dl_mine, unsigned int dl_words,
                                   int dl_stores)
{
    if (dl_words <= 64) {
#pragma unroll
        for (unsigned int dl_c = 0; dl_c < dl_words; dl_c += DL_GROUP_UNIT(dl_words))
            dl_group_unit(dl_l, dl_own + dl_c, dl_mine * dl_words + dl_c, dl_words,
                          dl_stores);
    } else {
        for (unsigned int dl_c = 0; dl_c < dl_words; dl_c += DL_GROUP_UNIT(dl_words))
            dl_group_unit(dl_l, dl_own + dl_c, dl_mine * dl_words + dl_c, dl_words,
                          dl_stores);
    }
}
#if DL_GROUP_TEAM == 32
#include "annotate/coalesce/shuffle.cl"
#endif
/* One struct for each work-item, as many at a time as the local memory holds. The first
 * barrier ends what the group did before, to the structs and to the local memory; behind
 * the last a work-item may write what the group has read for it, and sees what the group
 * has stored. Places are read between the two alone, so they may be written in front of
 * them. The last stands in the loop: of a loop of barriers with one directly behind it
 * PoCL 6.0 has lost the end.
 *   dl_scattered  the structs are not expected to be neighbours: whole units of them are
 *                 in one piece, quads may not be */
static DL_INLINE void dl_group_exchange(unsigned long dl_p, __private dl_word *dl_own,
                                        __local dl_quad *dl_l,
                                        __local unsigned long *dl_at,
                                        unsigned int dl_words, int dl_scattered,
                                        int dl_stores)
{
    const unsigned int dl_unit = dl_scattered ? DL_GROUP_UNIT(dl_words) : 4;
    const unsigned int dl_me = dl_group_place_in(dl_words);
    const unsigned int dl_all = dl_group_size(dl_words);
    const unsigned int dl_room = DL_GROUP_ROOM(dl_words);

    if (DL_GROUP_TEAMED(dl_words)) {
        dl_l += dl_group_me() / dl_all * DL_GROUP_PART(dl_words);
        dl_at += dl_group_me() / dl_all * dl_room;
    }
#if DL_GROUP_TEAM == 32
    if (DL_GROUP_SHUFFLED(dl_words)) {
        dl_at[dl_me] = dl_p;
        dl_group_wait(dl_words, 1);
        if (dl_stores)
            dl_group_shuffle_out(dl_own, dl_l, dl_at, dl_words);
        else
            dl_group_shuffle_in(dl_p, dl_own, dl_l, dl_at, dl_words);
        dl_group_wait(dl_words, 1);
        return;
    }
#endif
    for (unsigned int dl_first = 0; dl_first < dl_all; dl_first += dl_room) {
        const unsigned int dl_mine = dl_me - dl_first;

        if (dl_mine < dl_room)
            dl_at[dl_mine] = dl_p;
        dl_group_wait(dl_words, 1);
        if (dl_stores) {
            if (dl_mine < dl_room && dl_p)
                dl_group_own(dl_l, dl_own, dl_mine, dl_words, 1);
            dl_group_wait(dl_words, 0);
        }
        dl_group_pass(dl_l, dl_at, DL_MIN(dl_room, dl_all - dl_first), dl_words, dl_unit,
                      dl_stores);
        dl_group_wait(dl_words, 1);
        if (!dl_stores && dl_mine < dl_room && dl_p)
            dl_group_own(dl_l, dl_own, dl_mine, dl_words, 0);
    }
}
#endif
