// run: go structs structs n
//DL: AoS: in[n][5] AOS2ASTA_float_5, out[n][5] AOS2ASTA_float_5
//DL-table: 2
/* prelude */
static __global float *dl_float_5_in(__global const float *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * 5 + dl_e);
#else
    return DL_AT(float, dl_f, dl_i, 20, dl_e * 4, 4);
#endif
}
//DL-kernel: go 3
//DL-sums: contractable
//DL-buffer: in arg 0 read aos bytes 20 line 2 type float
//DL-leaves: 0+4*5
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 4+4 read
//DL-access: linear 1 8+4 read
//DL-access: linear 1 12+4 read
//DL-access: uniform 16+4 read
//DL-access: uniform 8+4 read
//DL-access: uniform 0+4 read
//DL-buffer: out arg 1 write aos bytes 20 line 2 type float
//DL-leaves: 0+4*5
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 write
//DL-access: linear 1 4+4 write
//DL-access: linear 1 8+4 read write
//DL-access: linear 1 12+4 write
//DL-access: linear 1 16+4 write
//DL-end: go
#line 3
__kernel void go(__global const float *in, __global float *out, int n DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)5; dl_index dl_w_out = (long)5;
    int i = get_global_id(0);

    (*dl_float_5_in(out, i, 0 DL_ARGS(out))) = (*dl_float_5_in(in, i, 1 DL_ARGS(in)));
    (*dl_float_5_in(out, i, 1 DL_ARGS(out))) = (*dl_float_5_in(in, i, 2 DL_ARGS(in))) + (*dl_float_5_in(in, i + 0, 3 DL_ARGS(in)));
    (*dl_float_5_in(out, i, 2 DL_ARGS(out))) += 1.0f;
    (*dl_float_5_in(out, 2 * (dl_index)(i) - (dl_index)(i), 3 DL_ARGS(out))) = (*dl_float_5_in(in, (dl_index)(n) - 1, 4 DL_ARGS(in)));
    (*dl_float_5_in(out, i, 4 DL_ARGS(out))) = (*dl_float_5_in(in, 0, 2 DL_ARGS(in))) + (*dl_float_5_in(in, 0, 0 DL_ARGS(in))) * (*dl_float_5_in(in, n - 1, 4 DL_ARGS(in)));
}
