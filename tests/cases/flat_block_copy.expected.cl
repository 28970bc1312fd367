// Rows copied by a work-group, and prefetched.
//DL: AoS: f[n][6] AOS2ASTA_float_6, g[n][6] AOS2ASTA_float_6, h[n][width] AOS2ASTA_uint_row
//DL-table: 2
/* prelude */
static __global float *dl_float_6_wide(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 6;
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global float *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(float, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
static DL_INLINE event_t dl_float_6_async_work_group_copy(__local float *dl_l, __global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS, dl_index dl_n, event_t dl_event)
{
#ifndef DL_TILING
    return async_work_group_copy(dl_l, (__global const float *)dl_float_6_wide(dl_f, dl_i, dl_e, dl_w), dl_n, dl_event);
#else
    dl_index dl_t = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
    dl_index dl_z = get_local_size(0) * get_local_size(1) * get_local_size(2);
    dl_index dl_units = dl_n * 1;
    dl_index dl_turns = dl_units >= dl_z * (dl_w + (dl_w == 0)) ? (dl_w + (dl_w == 0)) : 1;

    for (dl_index dl_c = 0; dl_c < dl_turns; dl_c++) {
        for (dl_index dl_k = dl_c + dl_t * dl_turns; dl_k < dl_units; dl_k += dl_z * dl_turns) {
            ((__local DL_ALIASED(float) *)dl_l)[dl_k].dl_v = ((__global DL_ALIASED(float) *)dl_float_6_wide(dl_f, dl_i, dl_e + (dl_k), dl_w DL_PASS))->dl_v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return async_work_group_copy(dl_l, (__global const float *)dl_f, 0, dl_event);
#endif
}
static __global unsigned int *dl_uint_row_wide(__global const unsigned int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned int *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global unsigned int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, unsigned int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
static DL_INLINE event_t dl_uint_row_async_work_group_copy(__local unsigned int *dl_l, __global const unsigned int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS, dl_index dl_n, event_t dl_event)
{
#ifndef DL_TILING
    return async_work_group_copy(dl_l, (__global const unsigned int *)dl_uint_row_wide(dl_f, dl_i, dl_e, dl_w), dl_n, dl_event);
#else
    dl_index dl_t = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
    dl_index dl_z = get_local_size(0) * get_local_size(1) * get_local_size(2);
    dl_index dl_units = dl_n * 1;
    dl_index dl_turns = dl_units >= dl_z * (dl_w + (dl_w == 0)) ? (dl_w + (dl_w == 0)) : 1;

    for (dl_index dl_c = 0; dl_c < dl_turns; dl_c++) {
        for (dl_index dl_k = dl_c + dl_t * dl_turns; dl_k < dl_units; dl_k += dl_z * dl_turns) {
            ((__local DL_ALIASED(unsigned int) *)dl_l)[dl_k].dl_v = ((__global DL_ALIASED(unsigned int) *)dl_uint_row_wide(dl_f, dl_i, dl_e + (dl_k), dl_w DL_PASS))->dl_v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return async_work_group_copy(dl_l, (__global const unsigned int *)dl_f, 0, dl_event);
#endif
}
static DL_INLINE event_t dl_float_6_async_work_group_copy_2(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS, __local const float2 *dl_l, dl_index dl_n, event_t dl_event)
{
#ifndef DL_TILING
    return async_work_group_copy((__global float2 *)dl_float_6_wide(dl_f, dl_i, dl_e, dl_w), dl_l, dl_n, dl_event);
#else
    dl_index dl_t = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
    dl_index dl_z = get_local_size(0) * get_local_size(1) * get_local_size(2);
    dl_index dl_units = dl_n * 2;
    dl_index dl_turns = dl_units >= dl_z * (dl_w + (dl_w == 0)) ? (dl_w + (dl_w == 0)) : 1;

    for (dl_index dl_c = 0; dl_c < dl_turns; dl_c++) {
        for (dl_index dl_k = dl_c + dl_t * dl_turns; dl_k < dl_units; dl_k += dl_z * dl_turns) {
            ((__global DL_ALIASED(float) *)dl_float_6_wide(dl_f, dl_i, dl_e + (dl_k), dl_w DL_PASS))->dl_v = ((__local const DL_ALIASED(float) *)dl_l)[dl_k].dl_v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return async_work_group_copy((__global float2 *)dl_f, dl_l, 0, dl_event);
#endif
}
static DL_INLINE event_t dl_float_6_async_work_group_strided_copy(__local float *dl_l, __global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS, dl_index dl_n, dl_index dl_stride, event_t dl_event)
{
#ifndef DL_TILING
    return async_work_group_strided_copy(dl_l, (__global const float *)dl_float_6_wide(dl_f, dl_i, dl_e, dl_w), dl_n, dl_stride, dl_event);
#else
    dl_index dl_t = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
    dl_index dl_z = get_local_size(0) * get_local_size(1) * get_local_size(2);
    dl_index dl_units = dl_n * 1;
    dl_index dl_turns = dl_units >= dl_z * 1 ? 1 : 1;

    for (dl_index dl_c = 0; dl_c < dl_turns; dl_c++) {
        for (dl_index dl_k = dl_c + dl_t * dl_turns; dl_k < dl_units; dl_k += dl_z * dl_turns) {
            ((__local DL_ALIASED(float) *)dl_l)[dl_k].dl_v = ((__global DL_ALIASED(float) *)dl_float_6_wide(dl_f, dl_i, dl_e + (dl_k / 1 * dl_stride * 1 + dl_k % 1), dl_w DL_PASS))->dl_v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return async_work_group_strided_copy(dl_l, (__global const float *)dl_f, 0, dl_stride, dl_event);
#endif
}
static __global unsigned int *dl_uint_row(__global const unsigned int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned int *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global unsigned int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, unsigned int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
//DL-kernel: go 5
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 24 line 2 type float
//DL-leaves: 0+4*6
//DL-structs: arg(3, i4, 0)
//DL-buffer: g arg 1 read aos bytes 24 line 2 type float
//DL-leaves: 0+4*6
//DL-structs: arg(3, i4, 0)
//DL-buffer: h arg 2 write aos bytes 4 line 2 type uint
//DL-leaves: 0+4
//DL-width: arg(4, i4, 0)
//DL-structs: arg(3, i4, 0)
//DL-end: go
#line 3
__kernel void go(__global float *f, __global const float *g, __global uint *h, int n, int width DL_PARAMS(f) DL_PARAMS(g) DL_PARAMS(h))
{ dl_index dl_w_f = (long)6; dl_index dl_w_g = (long)6; dl_index dl_w_h = (long)width;
    __local float l[8 * 6];
    __local uint k[40];
    int j = get_local_id(0), first = get_group_id(0) * 8, count = min(8, n - first);
    dl_index dl_row_from = first, from = 0;
    event_t e = dl_float_6_async_work_group_copy(l, g, dl_row_from, from, dl_w_g DL_ARGS(g), count * 6, 0);

    e = dl_uint_row_async_work_group_copy(k, h, first, 0, dl_w_h DL_ARGS(h), width, e);
    (void)0;
    wait_group_events(1, &e);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (j < count)
        l[j * 6 + j % 6] += k[j % width];
    barrier(CLK_LOCAL_MEM_FENCE);
    e = dl_float_6_async_work_group_copy_2(f, first, 0, dl_w_f DL_ARGS(f), (__local float2 *)l, count * 3, 0);
    wait_group_events(1, &e);
    e = dl_float_6_async_work_group_strided_copy(l, f, first, 2, dl_w_f DL_ARGS(f), count, 6, 0);
    wait_group_events(1, &e);
    if (j < count)
        (*dl_uint_row(h, first + j, 0, dl_w_h DL_ARGS(h))) = as_uint(l[j]);
}
// group: 8
// run: go structs structs structs n w
