// run: go structs n
#define ROW 2
//DL: AoS: v[n][ROW] AOS2ASTA_float4_2
//DL-table: 2
/* prelude */
static __global float4 *dl_float4_2_in(__global const float4 *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float4 *)dl_f + (dl_i * 2 + dl_e);
#else
    return DL_AT(float4, dl_f, dl_i, 32, dl_e * 16, 16);
#endif
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: v arg 0 write aos bytes 32 line 3 type float4
//DL-leaves: 0+16*2
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+16 read write
//DL-access: linear 1 16+16 read write
//DL-access: unknown 0+32 read
//DL-end: go
#line 4
__kernel void go(__global float4 *v, int n DL_PARAMS(v))
{ dl_index dl_w_v = (long)2;
    int i = get_global_id(0);
    float4 a = (*dl_float4_2_in(v, i, 0 DL_ARGS(v)));

    (*dl_float4_2_in(v, i, 1 DL_ARGS(v))).xy = a.zw;
    (*dl_float4_2_in(v, i, 0 DL_ARGS(v))).w += (*dl_float4_2_in(v, i, 1 DL_ARGS(v))).s0;
    a = (*dl_float4_2_in(v, i, i & 1 DL_ARGS(v)));
    (*dl_float4_2_in(v, i, 0 DL_ARGS(v))) = a.wzyx;
}
