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
//DL-kernel: go 4
//DL-sums: contractable
//DL-buffer: in arg 0 read aos bytes 4 line 2 type float
//DL-leaves: 0+4
//DL-width: arg(3, i4, 0)
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+* read walks loops 1 line 8
//DL-access: linear -1 0+* read walks loops 1 line 10
//DL-access: uniform 0+4 read
//DL-buffer: out arg 1 write aos bytes 4 line 2 type float
//DL-leaves: 0+4
//DL-width: arg(3, i4, 0)
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+* read write walks loops 1 line 8
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 0+* read write
//DL-end: go
#line 3
__kernel void go(__global const float *in, __global float *out, int n, int width DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)width; dl_index dl_w_out = (long)width;
    int row = get_global_id(0);
    const int pitch = width;

    for (int j = 0; j < width; j++)
        (*dl_float_row(out, row, j, dl_w_out DL_ARGS(out))) = (*dl_float_row(in, row, j, dl_w_in DL_ARGS(in)));
    for (int j = 0; j < width; j++)
        (*dl_float_row(out, row, j, dl_w_out DL_ARGS(out))) += (*dl_float_row(in, n - 1 - row, j, dl_w_in DL_ARGS(in))) * (*dl_float_row(in, (dl_index)(row) + 1, -(dl_index)(j) - 1, dl_w_in DL_ARGS(in)));
    (*dl_float_row(out, row, 0, dl_w_out DL_ARGS(out))) *= 2.0f;
    (*dl_float_row_wide(out, (dl_index)(get_global_id(0)) + 1, -1, dl_w_out DL_ARGS(out))) -= (*dl_float_row(in, (dl_index)(n) - 1, 0, dl_w_in DL_ARGS(in)));
}
