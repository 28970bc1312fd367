// run: go structs structs n w
#define PADDED(w) (((w) + 3) / 4 * 4)
//DL: AoS: in[n][width + 1] AOS2ASTA_float_row, out[n][PADDED(width)] AOS2ASTA_float_row
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
//DL-kernel: go 4
//DL-sums: contractable
//DL-buffer: in arg 0 read aos bytes 4 line 3 type float
//DL-leaves: 0+4
//DL-width: arg(3, i4, 0) + 1
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+* read walks loops 1 line 9
//DL-access: linear -1 0+* read
//DL-access: linear 1 0+4 read
//DL-buffer: out arg 1 write aos bytes 4 line 3 type float
//DL-leaves: 0+4
//DL-width: (((arg(3, i4, 0)) + 3) / 4 * 4)
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+* write walks loops 1 line 9
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 0+* read write
//DL-end: go
#line 4
__kernel void go(__global const float *in, __global float *out, int n, int width DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)width + (long)1; dl_index dl_w_out = ((((long)width) + (long)3) / (long)4 * (long)4);
    int i = get_global_id(0);
    int pitch = width + 1;

    for (int j = 0; j < width; j++)
        (*dl_float_row(out, i, j, dl_w_out DL_ARGS(out))) = (*dl_float_row(in, i, j, dl_w_in DL_ARGS(in))) + (*dl_float_row(in, n - 1 - i, width, dl_w_in DL_ARGS(in)));
    (*dl_float_row(out, i, 0, dl_w_out DL_ARGS(out))) += (*dl_float_row(in, 0, (dl_index)(i * width) + (dl_index)(i), dl_w_in DL_ARGS(in)));
    (*dl_float_row(out, (dl_index)(i) + 1, -1, dl_w_out DL_ARGS(out))) *= 2.0f;
}
