//DL: AoS: h[n][4] AOS2ASTA_half_4
//DL-table: 2
/* prelude */
static __global half *dl_half_4_wide(__global const half *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global half *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 4;
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global half *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(half, dl_f, dl_i, dl_w * 2, dl_e * 2, 2);
#endif
}
static float4 dl_half_4_vload_half4(dl_index dl_o, __global const half *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    return (float4)(vload_half(0, (__global half *)dl_half_4_wide(dl_f, dl_i, dl_e + dl_o * 4 + 0, dl_w DL_PASS)), vload_half(0, (__global half *)dl_half_4_wide(dl_f, dl_i, dl_e + dl_o * 4 + 1, dl_w DL_PASS)), vload_half(0, (__global half *)dl_half_4_wide(dl_f, dl_i, dl_e + dl_o * 4 + 2, dl_w DL_PASS)), vload_half(0, (__global half *)dl_half_4_wide(dl_f, dl_i, dl_e + dl_o * 4 + 3, dl_w DL_PASS)));
}
static void dl_half_4_vstore_half2_rtz(float2 dl_v, dl_index dl_o, __global const half *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    vstore_half_rtz(dl_v.s0, 0, (__global half *)dl_half_4_wide(dl_f, dl_i, dl_e + dl_o * 2 + 0, dl_w DL_PASS));
    vstore_half_rtz(dl_v.s1, 0, (__global half *)dl_half_4_wide(dl_f, dl_i, dl_e + dl_o * 2 + 1, dl_w DL_PASS));
}
//DL-kernel: go 3
//DL-sums: contractable
//DL-buffer: h arg 0 write aos bytes 8 line 1 type half
//DL-leaves: 0+2*4
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+8 read
//DL-access: linear 1 4+2 read
//DL-access: linear 1 4+4 write
//DL-access: linear 1 0+2 write
//DL-end: go
#line 2
__kernel void go(__global half *h, __global float *out, int n DL_PARAMS(h))
{ dl_index dl_w_h = (long)4;
    int i = get_global_id(0);
    float4 v = dl_half_4_vload_half4(i, h, 0, 0, dl_w_h DL_ARGS(h));

    out[i] = v.x + v.w + vload_half(0, dl_half_4_wide(h, i, 2, dl_w_h DL_ARGS(h)));
    dl_half_4_vstore_half2_rtz(v.zw * 0.37f, 1, h, i, 0, dl_w_h DL_ARGS(h));
    vstore_half(v.y, 0, dl_half_4_wide(h, i, 0, dl_w_h DL_ARGS(h)));
}
// run: go structs words:1 n
