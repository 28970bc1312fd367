/* A team of 32 exchanges by shuffles where a struct is in few registers, or its quads are
 * a power of two, for rotations by other numbers take longer than local memory. */
#define DL_GROUP_SHUFFLED(dl_words)                                                      \
    (DL_GROUP_TEAMED(dl_words) && ((dl_words) <= 32 || (dl_words) == 64) &&              \
     DL_GROUP_ROOM(dl_words) == 32)
/* The quad of the team's member `dl_from`. */
static DL_INLINE uint4 dl_group_shuffle(uint4 dl_v, unsigned int dl_from,
                                        __local dl_quad *dl_l)
{
#ifdef __NV_CL_C_VERSION
#define DL_GROUP_SHUFFLE(dl_c)                                                           \
    __asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;"                     \
                   : "=r"(dl_r.dl_c)                                                     \
                   : "r"(dl_v.dl_c), "r"(dl_from))
    uint4 dl_r;

    DL_GROUP_SHUFFLE(x);
    DL_GROUP_SHUFFLE(y);
    DL_GROUP_SHUFFLE(z);
    DL_GROUP_SHUFFLE(w);
    return dl_r;
#else
    barrier(CLK_LOCAL_MEM_FENCE);
    dl_l[dl_group_me() % 32].dl_v = dl_v;
    barrier(CLK_LOCAL_MEM_FENCE);
    return dl_l[dl_from].dl_v;
#endif
}
/* x[y] = x[(y + dl_by) % dl_q], dl_by < dl_q. */
static void dl_group_turn(__private uint4 *dl_x, unsigned int dl_q, unsigned int dl_by)
{
#pragma unroll
    for (unsigned int dl_bit = 1; dl_bit < 16; dl_bit *= 2) {
        uint4 dl_y[16];

        if (dl_bit >= dl_q)
            continue;
#pragma unroll
        for (unsigned int dl_k = 0; dl_k < 16; dl_k++)
            if (dl_k < dl_q)
                dl_y[dl_k] = dl_by & dl_bit ? dl_x[(dl_k + dl_bit) % dl_q] : dl_x[dl_k];
#pragma unroll
        for (unsigned int dl_k = 0; dl_k < 16; dl_k++)
            if (dl_k < dl_q)
                dl_x[dl_k] = dl_y[dl_k];
    }
}
/* The register in which member `t` has what it gives or takes in step j, by (t - j) % q.
 */
#define DL_GROUP_GCD(dl_q)                                                               \
    ((dl_q) % 16 == 0  ? 16                                                              \
     : (dl_q) % 8 == 0 ? 8                                                               \
     : (dl_q) % 4 == 0 ? 4                                                               \
     : (dl_q) % 2 == 0 ? 2                                                               \
                       : 1)
static unsigned int dl_group_inverse(unsigned int dl_q)
{
    const unsigned int dl_g = DL_GROUP_GCD(dl_q), dl_r = dl_q / dl_g;
    const unsigned int dl_h = (dl_r + 1) / 2, dl_2 = dl_h * dl_h % dl_r;

    return dl_g == 16  ? dl_h % dl_r
           : dl_g == 8 ? dl_2
           : dl_g == 4 ? dl_2 * dl_h % dl_r
           : dl_g == 2 ? dl_2 * dl_2 % dl_r
                       : dl_2 * dl_2 % dl_r * dl_h % dl_r;
}
#define DL_GROUP_REGISTER(dl_q, dl_y)                                                    \
    ((dl_y) % DL_GROUP_GCD(dl_q) * ((dl_q) / DL_GROUP_GCD(dl_q)) +                       \
     ((dl_q) / DL_GROUP_GCD(dl_q) - (dl_y) / DL_GROUP_GCD(dl_q)) *                       \
         dl_group_inverse(dl_q) % ((dl_q) / DL_GROUP_GCD(dl_q)))
/* A quad that is not aligned. */
static uint4 dl_group_from_words(unsigned long dl_p)
{
    return (uint4)(((__global const dl_word *)dl_p)[0].dl_v,
                   ((__global const dl_word *)dl_p)[1].dl_v,
                   ((__global const dl_word *)dl_p)[2].dl_v,
                   ((__global const dl_word *)dl_p)[3].dl_v);
}
static void dl_group_to_words(unsigned long dl_p, uint4 dl_v)
{
    ((__global dl_word *)dl_p)[0].dl_v = dl_v.x;
    ((__global dl_word *)dl_p)[1].dl_v = dl_v.y;
    ((__global dl_word *)dl_p)[2].dl_v = dl_v.z;
    ((__global dl_word *)dl_p)[3].dl_v = dl_v.w;
}
/* Catanzaro 2014, 6.2, of quads: a rotation by the member's number, a shuffle for each,
 * another rotation. */
static DL_INLINE void dl_group_shuffle_in(unsigned long dl_p, __private dl_word *dl_own,
                                          __local dl_quad *dl_l,
                                          __local const unsigned long *dl_at,
                                          unsigned int dl_words)
{
    const unsigned int dl_q = dl_words / 4, dl_t = dl_group_me() % 32;
    const unsigned int dl_b = dl_t * DL_GROUP_GCD(dl_q) / 32;
    uint4 dl_v[16], dl_x[16];

#pragma unroll
    for (unsigned int dl_k = 0; dl_k < 16; dl_k++) {
        const unsigned long dl_to =
            dl_k < dl_q ? dl_group_place(dl_at, (dl_k * 32 + dl_t) * 4, dl_words) : 0;

        dl_v[dl_k] = (uint4)(0);
        if (dl_to % 16)
            dl_v[dl_k] = dl_group_from_words(dl_to);
        else if (dl_to)
            dl_v[dl_k] = dl_group_from(dl_to, 4);
    }
#pragma unroll
    for (unsigned int dl_k = 0; dl_k < 16; dl_k++)
        if (dl_k < dl_q)
            dl_x[dl_k] = dl_v[DL_GROUP_REGISTER(dl_q, dl_k)];
    dl_group_turn(dl_x, dl_q, dl_t % dl_q);
#pragma unroll
    for (unsigned int dl_j = 0; dl_j < 16; dl_j++)
        if (dl_j < dl_q)
            dl_v[dl_j] =
                dl_group_shuffle(dl_x[(dl_q - dl_j) % dl_q],
                                 (dl_t * dl_q + (dl_j + dl_b) % dl_q) % 32, dl_l);
    dl_group_turn(dl_v, dl_q, (dl_q - dl_b % dl_q) % dl_q);
#pragma unroll
    for (unsigned int dl_k = 0; dl_k < 16; dl_k++) {
        if (dl_k >= dl_q || !dl_p)
            continue;
        dl_own[dl_k * 4].dl_v = dl_v[dl_k].x;
        dl_own[dl_k * 4 + 1].dl_v = dl_v[dl_k].y;
        dl_own[dl_k * 4 + 2].dl_v = dl_v[dl_k].z;
        dl_own[dl_k * 4 + 3].dl_v = dl_v[dl_k].w;
    }
}
static DL_INLINE void dl_group_shuffle_out(__private const dl_word *dl_own,
                                           __local dl_quad *dl_l,
                                           __local const unsigned long *dl_at,
                                           unsigned int dl_words)
{
    const unsigned int dl_q = dl_words / 4, dl_g = DL_GROUP_GCD(dl_q), dl_m = 32 / dl_g;
    const unsigned int dl_t = dl_group_me() % 32, dl_b = dl_t / dl_m, dl_o = dl_q / dl_g;
    const unsigned int dl_i = dl_o * (2 - dl_o * dl_o); /* the odd part's inverse */
    uint4 dl_v[16], dl_x[16];

#pragma unroll
    for (unsigned int dl_k = 0; dl_k < 16; dl_k++)
        if (dl_k < dl_q)
            dl_x[dl_k] = (uint4)(dl_own[dl_k * 4].dl_v, dl_own[dl_k * 4 + 1].dl_v,
                                 dl_own[dl_k * 4 + 2].dl_v, dl_own[dl_k * 4 + 3].dl_v);
    dl_group_turn(dl_x, dl_q, dl_b % dl_q);
#pragma unroll
    for (unsigned int dl_j = 0; dl_j < 16; dl_j++) {
        const unsigned int dl_h = (dl_t + 32 * dl_q - dl_j) % dl_g;
        const unsigned int dl_a = (dl_t + 16 - (dl_j + dl_h) % dl_q) / dl_g - 16 / dl_g;

        if (dl_j < dl_q)
            dl_v[(dl_q - dl_j) % dl_q] =
                dl_group_shuffle(dl_x[dl_j], dl_a * dl_i % dl_m + dl_h * dl_m, dl_l);
    }
    dl_group_turn(dl_v, dl_q, (dl_q - dl_t % dl_q) % dl_q);
#pragma unroll
    for (unsigned int dl_k = 0; dl_k < 16; dl_k++)
        if (dl_k < dl_q)
            dl_x[DL_GROUP_REGISTER(dl_q, dl_k)] = dl_v[dl_k];
#pragma unroll
    for (unsigned int dl_k = 0; dl_k < 16; dl_k++) {
        const unsigned long dl_to =
            dl_k < dl_q ? dl_group_place(dl_at, (dl_k * 32 + dl_t) * 4, dl_words) : 0;

        if (dl_to % 16)
            dl_group_to_words(dl_to, dl_x[dl_k]);
        else if (dl_to)
            dl_group_to(dl_to, 4, dl_x[dl_k]);
    }
}
