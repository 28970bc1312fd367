// group: 4
// run: go structs structs words:1 n
/* Whole structs go to local memory and back through pointers to other types, by offsets in these that are whole structs;
 * from before the pointer, too. */
typedef struct {
    float x, y;
    char c;
    int n;
} point;

//DL: AoS: p[n] AOS2ASTA_point, q[n] AOS2ASTA_point
//DL-table: 2
/* prelude */
static DL_INLINE event_t dl_point_async_work_group_copy(__local char *dl_l, __global const point *dl_f, dl_part dl_p DL_FORMALS, dl_index dl_n, event_t dl_event)
{
#ifndef DL_TILING
    return async_work_group_copy(dl_l, (__global const char *)((__global unsigned char *)(dl_f + dl_p.dl_i) + dl_p.dl_o), dl_n, dl_event);
#else
    dl_index dl_t = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
    dl_index dl_z = get_local_size(0) * get_local_size(1) * get_local_size(2);
    dl_index dl_units = dl_n * 1;
    dl_index dl_turns = dl_units >= dl_z * 16 ? 16 : 1;

    for (dl_index dl_c = 0; dl_c < dl_turns; dl_c++) {
        for (dl_index dl_k = dl_c + dl_t * dl_turns; dl_k < dl_units; dl_k += dl_z * dl_turns) {
            dl_index dl_b = dl_p.dl_o + (dl_k) * 1;
            dl_index dl_o = dl_b % 16;
            dl_index dl_w = dl_o < 8 ? 4 : dl_o < 10 ? 1 : dl_o < 12 ? 2 : 4;
            dl_index dl_r = (dl_o - (dl_o < 8 ? 0 : dl_o < 10 ? 8 : dl_o < 12 ? 10 : 12)) % dl_w;
            ((__local DL_ALIASED(unsigned char) *)dl_l)[dl_k].dl_v = ((__global DL_ALIASED(unsigned char) *)(DL_AT(unsigned char, dl_f, dl_p.dl_i + dl_b / 16, 16, dl_o - dl_r, dl_w) + dl_r))->dl_v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return async_work_group_copy(dl_l, (__global const char *)dl_f, 0, dl_event);
#endif
}
static __global char *dl_point_c(__global const point *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(char, dl_f, dl_i, 16, 8, 1);
}
static DL_INLINE event_t dl_point_async_work_group_copy_2(__global const point *dl_f, dl_part dl_p DL_FORMALS, __local const int *dl_l, dl_index dl_n, event_t dl_event)
{
#ifndef DL_TILING
    return async_work_group_copy((__global int *)((__global unsigned char *)(dl_f + dl_p.dl_i) + dl_p.dl_o), dl_l, dl_n, dl_event);
#else
    dl_index dl_t = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
    dl_index dl_z = get_local_size(0) * get_local_size(1) * get_local_size(2);
    dl_index dl_units = dl_n * 4;
    dl_index dl_turns = dl_units >= dl_z * 16 ? 16 : 1;

    for (dl_index dl_c = 0; dl_c < dl_turns; dl_c++) {
        for (dl_index dl_k = dl_c + dl_t * dl_turns; dl_k < dl_units; dl_k += dl_z * dl_turns) {
            dl_index dl_b = dl_p.dl_o + (dl_k) * 1;
            dl_index dl_o = dl_b % 16;
            dl_index dl_w = dl_o < 8 ? 4 : dl_o < 10 ? 1 : dl_o < 12 ? 2 : 4;
            dl_index dl_r = (dl_o - (dl_o < 8 ? 0 : dl_o < 10 ? 8 : dl_o < 12 ? 10 : 12)) % dl_w;
            ((__global DL_ALIASED(unsigned char) *)(DL_AT(unsigned char, dl_f, dl_p.dl_i + dl_b / 16, 16, dl_o - dl_r, dl_w) + dl_r))->dl_v = ((__local const DL_ALIASED(unsigned char) *)dl_l)[dl_k].dl_v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return async_work_group_copy((__global int *)dl_f, dl_l, 0, dl_event);
#endif
}
//DL-kernel: go 4
//DL-sums: exact
//DL-buffer: p arg 0 read aos bytes 16 line 11 type point
//DL-leaves: 0+4*2 8+1*2 10+2 12+4
//DL-structs: arg(3, i4, 0)
//DL-buffer: q arg 1 write aos bytes 16 line 11 type point
//DL-leaves: 0+4*2 8+1*2 10+2 12+4
//DL-structs: arg(3, i4, 0)
//DL-gaps: 9+1 10+2
//DL-end: go
#line 12
__kernel void go(__global const point *p, __global point *q, __global int *out, int n DL_PARAMS(p) DL_PARAMS(q))
{
    __local point l[4];
    size_t size = get_local_size(0), group = get_group_id(0), id = get_local_id(0);
    int back = 1, first = group * size, count = min(4, n - first);
    dl_index behind = ((first + 1));
    event_t e = dl_point_async_work_group_copy(
        (__local char *)l, p, dl_part_at((dl_index)0 + (dl_index)((long)(group * size * sizeof(point)) >> 4), 0) DL_ARGS(p),
        count * sizeof(point), 0);

    wait_group_events(1, &e);
    if (id < count) {
        out[get_global_id(0)] = l[id].n + (*dl_point_c(p, get_global_id(0) DL_ARGS(p)));
        l[id].n ^= 5;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    e = dl_point_async_work_group_copy_2(q, dl_part_at((dl_index)behind + (dl_index)((long)(-back * 4) >> 2), 0) DL_ARGS(q), (__local int *)l,
                              4 * count, 0);
    wait_group_events(1, &e);
}
