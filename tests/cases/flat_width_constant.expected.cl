// run: go structs structs n w
//DL: AoS: in[n][width] AOS2ASTA_float_row, out[n][width] AOS2ASTA_float_row
//DL-table: 2
/* prelude */
static __global float *dl_float_row(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global float *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, float, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
static __constant float *dl_float_row_wide_constant(__constant const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__constant float *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__constant float *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__constant, float, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
static __constant float *dl_float_row_constant(__constant const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__constant float *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__constant float *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__constant, float, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
//DL-kernel: go 4
//DL-sums: exact
//DL-buffer: in arg 0 const aos bytes 4 line 2 type float
//DL-leaves: 0+4
//DL-width: arg(3, i4, 0)
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+* read walks loops 1 line 8
//DL-access: uniform 0+4 read
//DL-buffer: out arg 1 write aos bytes 4 line 2 type float
//DL-leaves: 0+4
//DL-width: arg(3, i4, 0)
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+* write walks loops 1 line 8
//DL-end: go
#line 3
__kernel void go(__constant float *in, __global float *out, int n, int width DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)width; dl_index dl_w_out = (long)width;
    int i = get_global_id(0);
    dl_index dl_row_row = i, row = 0;

    for (int j = 0; j < width; j++)
        (*dl_float_row(out, i, j, dl_w_out DL_ARGS(out))) = (*dl_float_row_wide_constant(in, dl_row_row, row + (dl_index)(j), dl_w_in DL_ARGS(in))) - (*dl_float_row_constant(in, n - 1, 0, dl_w_in DL_ARGS(in)));
}
