//DL: AoS: f[n][6] AOS2ASTA_float_6, h[n][3] AOS2ASTA_uint_3, g[n][6] AOS2ASTA_float_6
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
static float4 dl_float_6_vload4(dl_index dl_o, __global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    return (float4)(*((__global float *)dl_float_6_wide(dl_f, dl_i, dl_e + dl_o * 4 + 0, dl_w DL_PASS)), *((__global float *)dl_float_6_wide(dl_f, dl_i, dl_e + dl_o * 4 + 1, dl_w DL_PASS)), *((__global float *)dl_float_6_wide(dl_f, dl_i, dl_e + dl_o * 4 + 2, dl_w DL_PASS)), *((__global float *)dl_float_6_wide(dl_f, dl_i, dl_e + dl_o * 4 + 3, dl_w DL_PASS)));
}
static __global unsigned int *dl_uint_3_wide(__global const unsigned int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned int *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 3;
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global unsigned int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(unsigned int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
static uint3 dl_uint_3_vload3(dl_index dl_o, __global const unsigned int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    return (uint3)(*((__global unsigned int *)dl_uint_3_wide(dl_f, dl_i, dl_e + dl_o * 3 + 0, dl_w DL_PASS)), *((__global unsigned int *)dl_uint_3_wide(dl_f, dl_i, dl_e + dl_o * 3 + 1, dl_w DL_PASS)), *((__global unsigned int *)dl_uint_3_wide(dl_f, dl_i, dl_e + dl_o * 3 + 2, dl_w DL_PASS)));
}
static float2 dl_float_6_vload2(dl_index dl_o, __global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    return (float2)(*((__global float *)dl_float_6_wide(dl_f, dl_i, dl_e + dl_o * 2 + 0, dl_w DL_PASS)), *((__global float *)dl_float_6_wide(dl_f, dl_i, dl_e + dl_o * 2 + 1, dl_w DL_PASS)));
}
static void dl_float_6_vstore2(float2 dl_v, dl_index dl_o, __global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    *((__global float *)dl_float_6_wide(dl_f, dl_i, dl_e + dl_o * 2 + 0, dl_w DL_PASS)) = dl_v.s0;
    *((__global float *)dl_float_6_wide(dl_f, dl_i, dl_e + dl_o * 2 + 1, dl_w DL_PASS)) = dl_v.s1;
}
static void dl_uint_3_vstore3(uint3 dl_v, dl_index dl_o, __global const unsigned int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    *((__global unsigned int *)dl_uint_3_wide(dl_f, dl_i, dl_e + dl_o * 3 + 0, dl_w DL_PASS)) = dl_v.s0;
    *((__global unsigned int *)dl_uint_3_wide(dl_f, dl_i, dl_e + dl_o * 3 + 1, dl_w DL_PASS)) = dl_v.s1;
    *((__global unsigned int *)dl_uint_3_wide(dl_f, dl_i, dl_e + dl_o * 3 + 2, dl_w DL_PASS)) = dl_v.s2;
}
static uint3 dl_float_6_vload3(dl_index dl_o, __global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    return (uint3)(((__global DL_ALIASED(unsigned int) *)(__global unsigned int *)dl_float_6_wide(dl_f, dl_i, dl_e + dl_o * 3 + 0, dl_w DL_PASS))->dl_v, ((__global DL_ALIASED(unsigned int) *)(__global unsigned int *)dl_float_6_wide(dl_f, dl_i, dl_e + dl_o * 3 + 1, dl_w DL_PASS))->dl_v, ((__global DL_ALIASED(unsigned int) *)(__global unsigned int *)dl_float_6_wide(dl_f, dl_i, dl_e + dl_o * 3 + 2, dl_w DL_PASS))->dl_v);
}
static void dl_float_6_vstore3(float3 dl_v, dl_index dl_o, __global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    *((__global float *)dl_float_6_wide(dl_f, dl_i, dl_e + dl_o * 3 + 0, dl_w DL_PASS)) = dl_v.s0;
    *((__global float *)dl_float_6_wide(dl_f, dl_i, dl_e + dl_o * 3 + 1, dl_w DL_PASS)) = dl_v.s1;
    *((__global float *)dl_float_6_wide(dl_f, dl_i, dl_e + dl_o * 3 + 2, dl_w DL_PASS)) = dl_v.s2;
}
static float3 dl_uint_3_vload3_2(dl_index dl_o, __global const unsigned int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    return (float3)(((__global DL_ALIASED(float) *)(__global float *)dl_uint_3_wide(dl_f, dl_i, dl_e + dl_o * 3 + 0, dl_w DL_PASS))->dl_v, ((__global DL_ALIASED(float) *)(__global float *)dl_uint_3_wide(dl_f, dl_i, dl_e + dl_o * 3 + 1, dl_w DL_PASS))->dl_v, ((__global DL_ALIASED(float) *)(__global float *)dl_uint_3_wide(dl_f, dl_i, dl_e + dl_o * 3 + 2, dl_w DL_PASS))->dl_v);
}
//DL-kernel: go 4
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 24 line 1 type float
//DL-leaves: 0+4*6
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 0+16 read
//DL-access: linear 1 8+16 read
//DL-access: linear 1 16+8 read write
//DL-access: linear 1 0+12 write
//DL-buffer: h arg 1 write aos bytes 12 line 1 type uint
//DL-leaves: 0+4*3
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 0+12 read write
//DL-buffer: g arg 2 read aos bytes 24 line 1 type float
//DL-leaves: 0+4*6
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 16+8 read
//DL-end: go
#line 2
__kernel void go(__global float *f, __global uint *h, __global const float *g, int n DL_PARAMS(f) DL_PARAMS(h) DL_PARAMS(g))
{ dl_index dl_w_f = (long)6; dl_index dl_w_h = (long)3; dl_index dl_w_g = (long)6;
    int i = get_global_id(0);
    dl_index dl_row_row = i, row = 0;
    float4 v = dl_float_6_vload4(0, f, dl_row_row, row, dl_w_f DL_ARGS(f)) + dl_float_6_vload4(0, f, i, 2, dl_w_f DL_ARGS(f)).wzyx;
    uint3 u = dl_uint_3_vload3(i, h, 0, 0, dl_w_h DL_ARGS(h));

    if (i + 1 < n) // over the end of the row
        v += dl_float_6_vload4(1, g, i, 0, dl_w_g DL_ARGS(g)) * dl_float_6_vload2(3 * i + 2, f, 0, 0, dl_w_f DL_ARGS(f)).xyxy;
    dl_float_6_vstore2(v.xz, 2, f, dl_row_row, row, dl_w_f DL_ARGS(f));
    dl_uint_3_vstore3(u.zxy ^ as_uint3(dl_float_6_vload3(1, f, dl_row_row, row, dl_w_f DL_ARGS(f))), i, h, 0, 0, dl_w_h DL_ARGS(h));
    dl_float_6_vstore3(dl_uint_3_vload3_2(0, h, i, 0, dl_w_h DL_ARGS(h)), 0, f, dl_row_row, row, dl_w_f DL_ARGS(f));
}
// run: go structs structs structs n
