// run: go structs words:8
/* Padding goes along: in a group's copy to local memory and back, and where the members have other types. */
typedef struct {
    char kind;
    float x;
} cell;

//DL: AoS: f[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static DL_INLINE event_t dl_cell_async_work_group_copy(__local int *dl_l, __global const cell *dl_f, dl_part dl_p DL_FORMALS, dl_index dl_n, event_t dl_event)
{
#ifndef DL_TILING
    return async_work_group_copy(dl_l, (__global const int *)((__global unsigned char *)(dl_f + dl_p.dl_i) + dl_p.dl_o), dl_n, dl_event);
#else
    dl_index dl_t = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
    dl_index dl_z = get_local_size(0) * get_local_size(1) * get_local_size(2);
    dl_index dl_units = dl_n * 4;
    dl_index dl_turns = dl_units >= dl_z * 8 ? 8 : 1;

    for (dl_index dl_c = 0; dl_c < dl_turns; dl_c++) {
        for (dl_index dl_k = dl_c + dl_t * dl_turns; dl_k < dl_units; dl_k += dl_z * dl_turns) {
            dl_index dl_b = dl_p.dl_o + (dl_k) * 1;
            dl_index dl_o = dl_b % 8;
            dl_index dl_w = dl_o < 2 ? 1 : dl_o < 4 ? 2 : 4;
            dl_index dl_r = (dl_o - (dl_o < 2 ? 0 : dl_o < 4 ? 2 : 4)) % dl_w;
            ((__local DL_ALIASED(unsigned char) *)dl_l)[dl_k].dl_v = ((__global DL_ALIASED(unsigned char) *)(DL_AT(unsigned char, dl_f, dl_p.dl_i + dl_b / 8, 8, dl_o - dl_r, dl_w) + dl_r))->dl_v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return async_work_group_copy(dl_l, (__global const int *)dl_f, 0, dl_event);
#endif
}
static DL_INLINE event_t dl_cell_async_work_group_copy_2(__global const cell *dl_f, dl_part dl_p DL_FORMALS, __local const int *dl_l, dl_index dl_n, event_t dl_event)
{
#ifndef DL_TILING
    return async_work_group_copy((__global int *)((__global unsigned char *)(dl_f + dl_p.dl_i) + dl_p.dl_o), dl_l, dl_n, dl_event);
#else
    dl_index dl_t = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
    dl_index dl_z = get_local_size(0) * get_local_size(1) * get_local_size(2);
    dl_index dl_units = dl_n * 4;
    dl_index dl_turns = dl_units >= dl_z * 8 ? 8 : 1;

    for (dl_index dl_c = 0; dl_c < dl_turns; dl_c++) {
        for (dl_index dl_k = dl_c + dl_t * dl_turns; dl_k < dl_units; dl_k += dl_z * dl_turns) {
            dl_index dl_b = dl_p.dl_o + (dl_k) * 1;
            dl_index dl_o = dl_b % 8;
            dl_index dl_w = dl_o < 2 ? 1 : dl_o < 4 ? 2 : 4;
            dl_index dl_r = (dl_o - (dl_o < 2 ? 0 : dl_o < 4 ? 2 : 4)) % dl_w;
            ((__global DL_ALIASED(unsigned char) *)(DL_AT(unsigned char, dl_f, dl_p.dl_i + dl_b / 8, 8, dl_o - dl_r, dl_w) + dl_r))->dl_v = ((__local const DL_ALIASED(unsigned char) *)dl_l)[dl_k].dl_v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return async_work_group_copy((__global int *)dl_f, dl_l, 0, dl_event);
#endif
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 8 type cell
//DL-leaves: 0+1*2 2+2 4+4
//DL-structs: global_size(0)
//DL-gaps: 1+1 2+2
//DL-end: go
#line 9
__kernel void go(__global cell *f, __global int *out DL_PARAMS(f))
{
    __local int l[2];
    int i = get_global_id(0);
    event_t e = dl_cell_async_work_group_copy(l, f, dl_part_at((i), 0) DL_ARGS(f), 2, 0);

    wait_group_events(1, &e);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = l[1];
    l[0] ^= 0x5a00a5;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = dl_cell_async_work_group_copy_2(f, dl_part_at((i), 0) DL_ARGS(f), l, 2, 0);
    wait_group_events(1, &e);
}
