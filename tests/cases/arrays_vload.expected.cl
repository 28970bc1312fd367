// run: load structs n words:4
// Neighbours in an array, by vload and vstore.
//DL: SoA: f[n][4] to ASTA
//DL-table: 2
/* prelude */
static __global float *dl_float_4_array(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_e < dl_head && dl_i < 4)
        return DL_HEAD_AT(__global, float, dl_f, dl_e, 4 * 4, dl_i * 4, 4);
    dl_e = (dl_i * dl_w + dl_e);
    dl_i = dl_head ? dl_e / dl_w : 4;
    if (dl_i >= 4)
        return (__global float *)dl_f + (dl_signed)dl_e;
    dl_e -= dl_i * dl_w;
    dl_tail = dl_w - dl_head;
    return DL_AT(float, dl_f, dl_e, 4 * 4, dl_i * 4, 4);
#endif
}
static float2 dl_float_4_vload2(dl_index dl_o, __global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    return (float2)(*((__global float *)dl_float_4_array(dl_f, dl_i, dl_e + dl_o * 2 + 0, dl_w DL_PASS)), *((__global float *)dl_float_4_array(dl_f, dl_i, dl_e + dl_o * 2 + 1, dl_w DL_PASS)));
}
static void dl_float_4_vstore4(float4 dl_v, dl_index dl_o, __global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    *((__global float *)dl_float_4_array(dl_f, dl_i, dl_e + dl_o * 4 + 0, dl_w DL_PASS)) = dl_v.s0;
    *((__global float *)dl_float_4_array(dl_f, dl_i, dl_e + dl_o * 4 + 1, dl_w DL_PASS)) = dl_v.s1;
    *((__global float *)dl_float_4_array(dl_f, dl_i, dl_e + dl_o * 4 + 2, dl_w DL_PASS)) = dl_v.s2;
    *((__global float *)dl_float_4_array(dl_f, dl_i, dl_e + dl_o * 4 + 3, dl_w DL_PASS)) = dl_v.s3;
}
//DL-kernel: load 3
//DL-sums: exact
//DL-buffer: f arg 0 write arr bytes 16 line 3 type float
//DL-leaves: 0+4*4
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 8+8 read
//DL-access: linear 1 12+4 write conditional
//DL-end: load
#line 4
__kernel void load(__global float *f, const int n, __global float *out DL_PARAMS(f))
{ dl_index dl_w_f = (long)n;
    const int i = get_global_id(0);

    if (i < n - 1) {
        float2 v = dl_float_4_vload2(0, f, 2, i, dl_w_f DL_ARGS(f));
        out[i] = v.x + v.y;
    }
    if (i % 4 == 0 && i + 4 <= n)
        dl_float_4_vstore4((float4)(i), 0, f, 3, i, dl_w_f DL_ARGS(f));
}
