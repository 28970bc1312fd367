// Blocks of structs copied by a work-group, to local memory and back, and prefetched.
typedef struct {
    float x, y;
    int n[4];
    float2 v;
} cell;
typedef struct {
    uchar kind, age;
    ushort at;
    float w;
} mixed;

#define PER(type) (sizeof(cell) / sizeof(type))

//DL: AoS: f[n] AOS2ASTA_cell, g[n] AOS2ASTA_cell, m[n] AOS2ASTA_mixed
//DL-table: 2
/* prelude */
static DL_INLINE event_t dl_cell_async_work_group_copy(__local float *dl_l, __global const cell *dl_f, dl_part dl_p DL_FORMALS, dl_index dl_n, event_t dl_event)
{
#ifndef DL_TILING
    return async_work_group_copy(dl_l, (__global const float *)((__global unsigned char *)(dl_f + dl_p.dl_i) + dl_p.dl_o), dl_n, dl_event);
#else
    dl_index dl_t = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
    dl_index dl_z = get_local_size(0) * get_local_size(1) * get_local_size(2);
    dl_index dl_units = dl_n * 1;
    dl_index dl_turns = dl_units >= dl_z * 8 ? 8 : 1;

    for (dl_index dl_c = 0; dl_c < dl_turns; dl_c++) {
        for (dl_index dl_k = dl_c + dl_t * dl_turns; dl_k < dl_units; dl_k += dl_z * dl_turns) {
            dl_index dl_b = dl_p.dl_o + (dl_k) * 4;
            dl_index dl_o = dl_b % 32;
            dl_index dl_w = dl_o < 24 ? 4 : 8;
            dl_index dl_r = (dl_o - (dl_o < 24 ? 0 : 24)) % dl_w;
            ((__local DL_ALIASED(unsigned int) *)dl_l)[dl_k].dl_v = ((__global DL_ALIASED(unsigned int) *)(DL_AT(unsigned char, dl_f, dl_p.dl_i + dl_b / 32, 32, dl_o - dl_r, dl_w) + dl_r))->dl_v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return async_work_group_copy(dl_l, (__global const float *)dl_f, 0, dl_event);
#endif
}
static DL_INLINE event_t dl_mixed_async_work_group_copy(__local uint2 *dl_l, __global const mixed *dl_f, dl_part dl_p DL_FORMALS, dl_index dl_n, event_t dl_event)
{
#ifndef DL_TILING
    return async_work_group_copy(dl_l, (__global const uint2 *)((__global unsigned char *)(dl_f + dl_p.dl_i) + dl_p.dl_o), dl_n, dl_event);
#else
    dl_index dl_t = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
    dl_index dl_z = get_local_size(0) * get_local_size(1) * get_local_size(2);
    dl_index dl_units = dl_n * 8;
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
    return async_work_group_copy(dl_l, (__global const uint2 *)dl_f, 0, dl_event);
#endif
}
static DL_INLINE event_t dl_cell_async_work_group_strided_copy(__local float *dl_l, __global const cell *dl_f, dl_part dl_p DL_FORMALS, dl_index dl_n, dl_index dl_stride, event_t dl_event)
{
#ifndef DL_TILING
    return async_work_group_strided_copy(dl_l, (__global const float *)((__global unsigned char *)(dl_f + dl_p.dl_i) + dl_p.dl_o), dl_n, dl_stride, dl_event);
#else
    dl_index dl_t = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
    dl_index dl_z = get_local_size(0) * get_local_size(1) * get_local_size(2);
    dl_index dl_units = dl_n * 1;
    dl_index dl_turns = dl_units >= dl_z * 1 ? 1 : 1;

    for (dl_index dl_c = 0; dl_c < dl_turns; dl_c++) {
        for (dl_index dl_k = dl_c + dl_t * dl_turns; dl_k < dl_units; dl_k += dl_z * dl_turns) {
            dl_index dl_b = dl_p.dl_o + (dl_k / 1 * dl_stride * 1 + dl_k % 1) * 4;
            dl_index dl_o = dl_b % 32;
            dl_index dl_w = dl_o < 24 ? 4 : 8;
            dl_index dl_r = (dl_o - (dl_o < 24 ? 0 : 24)) % dl_w;
            ((__local DL_ALIASED(unsigned int) *)dl_l)[dl_k].dl_v = ((__global DL_ALIASED(unsigned int) *)(DL_AT(unsigned char, dl_f, dl_p.dl_i + dl_b / 32, 32, dl_o - dl_r, dl_w) + dl_r))->dl_v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return async_work_group_strided_copy(dl_l, (__global const float *)dl_f, 0, dl_stride, dl_event);
#endif
}
static DL_INLINE event_t dl_cell_async_work_group_copy_2(__global const cell *dl_f, dl_part dl_p DL_FORMALS, __local const float4 *dl_l, dl_index dl_n, event_t dl_event)
{
#ifndef DL_TILING
    return async_work_group_copy((__global float4 *)((__global unsigned char *)(dl_f + dl_p.dl_i) + dl_p.dl_o), dl_l, dl_n, dl_event);
#else
    dl_index dl_t = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
    dl_index dl_z = get_local_size(0) * get_local_size(1) * get_local_size(2);
    dl_index dl_units = dl_n * 4;
    dl_index dl_turns = dl_units >= dl_z * 8 ? 8 : 1;

    for (dl_index dl_c = 0; dl_c < dl_turns; dl_c++) {
        for (dl_index dl_k = dl_c + dl_t * dl_turns; dl_k < dl_units; dl_k += dl_z * dl_turns) {
            dl_index dl_b = dl_p.dl_o + (dl_k) * 4;
            dl_index dl_o = dl_b % 32;
            dl_index dl_w = dl_o < 24 ? 4 : 8;
            dl_index dl_r = (dl_o - (dl_o < 24 ? 0 : 24)) % dl_w;
            ((__global DL_ALIASED(unsigned int) *)(DL_AT(unsigned char, dl_f, dl_p.dl_i + dl_b / 32, 32, dl_o - dl_r, dl_w) + dl_r))->dl_v = ((__local const DL_ALIASED(unsigned int) *)dl_l)[dl_k].dl_v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return async_work_group_copy((__global float4 *)dl_f, dl_l, 0, dl_event);
#endif
}
static DL_INLINE event_t dl_mixed_async_work_group_copy_2(__global const mixed *dl_f, dl_part dl_p DL_FORMALS, __local const unsigned char *dl_l, dl_index dl_n, event_t dl_event)
{
#ifndef DL_TILING
    return async_work_group_copy((__global unsigned char *)((__global unsigned char *)(dl_f + dl_p.dl_i) + dl_p.dl_o), dl_l, dl_n, dl_event);
#else
    dl_index dl_t = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
    dl_index dl_z = get_local_size(0) * get_local_size(1) * get_local_size(2);
    dl_index dl_units = dl_n * 1;
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
    return async_work_group_copy((__global unsigned char *)dl_f, dl_l, 0, dl_event);
#endif
}
static DL_INLINE event_t dl_cell_async_work_group_strided_copy_2(__global const cell *dl_f, dl_part dl_p DL_FORMALS, __local const float *dl_l, dl_index dl_n, dl_index dl_stride, event_t dl_event)
{
#ifndef DL_TILING
    return async_work_group_strided_copy((__global float *)((__global unsigned char *)(dl_f + dl_p.dl_i) + dl_p.dl_o), dl_l, dl_n, dl_stride, dl_event);
#else
    dl_index dl_t = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
    dl_index dl_z = get_local_size(0) * get_local_size(1) * get_local_size(2);
    dl_index dl_units = dl_n * 1;
    dl_index dl_turns = dl_units >= dl_z * 1 ? 1 : 1;

    for (dl_index dl_c = 0; dl_c < dl_turns; dl_c++) {
        for (dl_index dl_k = dl_c + dl_t * dl_turns; dl_k < dl_units; dl_k += dl_z * dl_turns) {
            dl_index dl_b = dl_p.dl_o + (dl_k / 1 * dl_stride * 1 + dl_k % 1) * 4;
            dl_index dl_o = dl_b % 32;
            dl_index dl_w = dl_o < 24 ? 4 : 8;
            dl_index dl_r = (dl_o - (dl_o < 24 ? 0 : 24)) % dl_w;
            ((__global DL_ALIASED(unsigned int) *)(DL_AT(unsigned char, dl_f, dl_p.dl_i + dl_b / 32, 32, dl_o - dl_r, dl_w) + dl_r))->dl_v = ((__local const DL_ALIASED(unsigned int) *)dl_l)[dl_k].dl_v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return async_work_group_strided_copy((__global float *)dl_f, dl_l, 0, dl_stride, dl_event);
#endif
}
static DL_INLINE event_t dl_cell_async_work_group_copy_3(__local int *dl_l, __global const cell *dl_f, dl_part dl_p DL_FORMALS, dl_index dl_n, event_t dl_event)
{
#ifndef DL_TILING
    return async_work_group_copy(dl_l, (__global const int *)((__global unsigned char *)(dl_f + dl_p.dl_i) + dl_p.dl_o), dl_n, dl_event);
#else
    dl_index dl_t = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
    dl_index dl_z = get_local_size(0) * get_local_size(1) * get_local_size(2);
    dl_index dl_units = dl_n * 1;
    dl_index dl_turns = dl_units >= dl_z * 8 ? 8 : 1;

    for (dl_index dl_c = 0; dl_c < dl_turns; dl_c++) {
        for (dl_index dl_k = dl_c + dl_t * dl_turns; dl_k < dl_units; dl_k += dl_z * dl_turns) {
            dl_index dl_b = dl_p.dl_o + (dl_k) * 4;
            dl_index dl_o = dl_b % 32;
            dl_index dl_w = dl_o < 24 ? 4 : 8;
            dl_index dl_r = (dl_o - (dl_o < 24 ? 0 : 24)) % dl_w;
            ((__local DL_ALIASED(unsigned int) *)dl_l)[dl_k].dl_v = ((__global DL_ALIASED(unsigned int) *)(DL_AT(unsigned char, dl_f, dl_p.dl_i + dl_b / 32, 32, dl_o - dl_r, dl_w) + dl_r))->dl_v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return async_work_group_copy(dl_l, (__global const int *)dl_f, 0, dl_event);
#endif
}
//DL-kernel: go 5
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 32 line 15 type cell
//DL-leaves: 0+4*6 24+8
//DL-structs: arg(4, i4, 0)
//DL-buffer: g arg 1 read aos bytes 32 line 15 type cell
//DL-leaves: 0+4*6 24+8
//DL-structs: arg(4, i4, 0)
//DL-buffer: m arg 2 write aos bytes 8 line 15 type mixed
//DL-leaves: 0+1*2 2+2 4+4
//DL-structs: arg(4, i4, 0)
//DL-end: go
#line 16
__kernel void go(__global cell *f, __global const cell *g, __global mixed *m,
                 __global float *out, int n DL_PARAMS(f) DL_PARAMS(g) DL_PARAMS(m))
{
    __local cell l[8];
    __local float xs[8];
    __local mixed k[8];
    int i = get_global_id(0), j = get_local_id(0), first = get_group_id(0) * 8;
    int count = min(8, n - first), p = first;
    event_t e = dl_cell_async_work_group_copy((__local float *)l, g, dl_part_at((first), 0) DL_ARGS(g),
                                      count * PER(float), 0);

    (void)0;
    e = dl_mixed_async_work_group_copy((__local uint2 *)k, m, dl_part_at((first), 0) DL_ARGS(m), count, e);
    e = dl_cell_async_work_group_strided_copy(xs, f, dl_part_at(first, 4) DL_ARGS(f), count, PER(float), e);
    ((void)(dl_part_at(p++, 0)), (void)(count++));
    wait_group_events(1, &e);
    barrier(CLK_LOCAL_MEM_FENCE);
    count--;
    if (j < count) {
        l[j].x += xs[count - 1 - j] + p;
        l[j].n[j & 3] ^= k[j].at;
        k[j].w = l[j].v.y;
        k[j].age++;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (j < count)
        xs[j] = l[j].y * 2.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = dl_cell_async_work_group_copy_2(f, dl_part_at((first), 0) DL_ARGS(f), (__local const float4 *)l,
                              count * PER(float4), 0);
    wait_group_events(1, &e);
    e = dl_mixed_async_work_group_copy_2(m, dl_part_at((first), 0) DL_ARGS(m), (__local uchar *)k,
                              count * sizeof(mixed), 0);
    wait_group_events(1, &e);
    e = dl_cell_async_work_group_strided_copy_2(f, dl_part_at(first, 24) DL_ARGS(f), xs, count, PER(float), 0);
    wait_group_events(1, &e);
    e = dl_cell_async_work_group_copy_3((__local int *)xs, f, dl_part_at(first, (dl_index)(1) * 4 + 8) DL_ARGS(f), 3, 0);
    wait_group_events(1, &e);
    if (i < n)
        out[i] = as_int(xs[j % 3]);
}
// group: 8
// run: go structs structs structs words:1 n
