// run: go structs structs n w
//DL: AoS: in[n][4 * width] AOS2ASTA_float_row, out[n][4 * width] AOS2ASTA_float_row
//DL-table: 2
/* prelude */
static __global float *dl_float_row_wide(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global float *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, float, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
static float4 dl_float_row_vload4(dl_index dl_o, __global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    return (float4)(*((__global float *)dl_float_row_wide(dl_f, dl_i, dl_e + dl_o * 4 + 0, dl_w DL_PASS)), *((__global float *)dl_float_row_wide(dl_f, dl_i, dl_e + dl_o * 4 + 1, dl_w DL_PASS)), *((__global float *)dl_float_row_wide(dl_f, dl_i, dl_e + dl_o * 4 + 2, dl_w DL_PASS)), *((__global float *)dl_float_row_wide(dl_f, dl_i, dl_e + dl_o * 4 + 3, dl_w DL_PASS)));
}
static float2 dl_float_row_vload2(dl_index dl_o, __global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    return (float2)(*((__global float *)dl_float_row_wide(dl_f, dl_i, dl_e + dl_o * 2 + 0, dl_w DL_PASS)), *((__global float *)dl_float_row_wide(dl_f, dl_i, dl_e + dl_o * 2 + 1, dl_w DL_PASS)));
}
static void dl_float_row_vstore4(float4 dl_v, dl_index dl_o, __global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    *((__global float *)dl_float_row_wide(dl_f, dl_i, dl_e + dl_o * 4 + 0, dl_w DL_PASS)) = dl_v.s0;
    *((__global float *)dl_float_row_wide(dl_f, dl_i, dl_e + dl_o * 4 + 1, dl_w DL_PASS)) = dl_v.s1;
    *((__global float *)dl_float_row_wide(dl_f, dl_i, dl_e + dl_o * 4 + 2, dl_w DL_PASS)) = dl_v.s2;
    *((__global float *)dl_float_row_wide(dl_f, dl_i, dl_e + dl_o * 4 + 3, dl_w DL_PASS)) = dl_v.s3;
}
static void dl_float_row_vstore2(float2 dl_v, dl_index dl_o, __global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    *((__global float *)dl_float_row_wide(dl_f, dl_i, dl_e + dl_o * 2 + 0, dl_w DL_PASS)) = dl_v.s0;
    *((__global float *)dl_float_row_wide(dl_f, dl_i, dl_e + dl_o * 2 + 1, dl_w DL_PASS)) = dl_v.s1;
}
static float3 dl_float_row_vload3(dl_index dl_o, __global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    return (float3)(*((__global float *)dl_float_row_wide(dl_f, dl_i, dl_e + dl_o * 3 + 0, dl_w DL_PASS)), *((__global float *)dl_float_row_wide(dl_f, dl_i, dl_e + dl_o * 3 + 1, dl_w DL_PASS)), *((__global float *)dl_float_row_wide(dl_f, dl_i, dl_e + dl_o * 3 + 2, dl_w DL_PASS)));
}
//DL-kernel: go 4
//DL-sums: exact
//DL-buffer: in arg 0 read aos bytes 4 line 2 type float
//DL-leaves: 0+4
//DL-width: 4 * arg(3, i4, 0)
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+* read walks loops 1 line 8
//DL-access: unknown 0+* read walks loops 1 line 8
//DL-access: linear 1 8+8 read
//DL-access: linear 1 4+12 read
//DL-buffer: out arg 1 write aos bytes 4 line 2 type float
//DL-leaves: 0+4
//DL-width: 4 * arg(3, i4, 0)
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+* write walks loops 1 line 8
//DL-access: linear 1 0+* write
//DL-end: go
#line 3
__kernel void go(__global const float *in, __global float *out, int n, int width DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)4 * (long)width; dl_index dl_w_out = (long)4 * (long)width;
    int i = get_global_id(0);
    dl_index dl_row_row = i, row = 0;

    for (int k = 0; k < width; k++) {
        float4 v = dl_float_row_vload4(k, in, dl_row_row, row, dl_w_in DL_ARGS(in)) + dl_float_row_vload4(i * width + k, in, 0, 0, dl_w_in DL_ARGS(in)).wzyx;

        v.xy += dl_float_row_vload2(0, in, i, 2, dl_w_in DL_ARGS(in));
        dl_float_row_vstore4(v, k, out, i, 0, dl_w_out DL_ARGS(out));
    }
    dl_float_row_vstore2(dl_float_row_vload3(0, in, dl_row_row, row + 1, dl_w_in DL_ARGS(in)).zx, width * 2 - 1, out, i, 0, dl_w_out DL_ARGS(out));
}
