// run: go structs structs n
//DL: AoS: in[n][6] AOS2ASTA_float_6, out[n][6] AOS2ASTA_float_6
//DL-table: 2
/* prelude */
static __global float *dl_float_6_in(__global const float *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * 6 + dl_e);
#else
    return DL_AT(float, dl_f, dl_i, 24, dl_e * 4, 4);
#endif
}
static __global float *dl_float_6(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 6;
    if (dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global float *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(float, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
//DL-kernel: go 3
//DL-sums: contractable
//DL-buffer: in arg 0 read aos bytes 24 line 2 type float
//DL-leaves: 0+4*6
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+24 read walks loops 1 counted 1 rounds 6
//DL-access: unknown 0+24 read
//DL-buffer: out arg 1 write aos bytes 24 line 2 type float
//DL-leaves: 0+4*6
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+24 read write walks loops 1 counted 1 rounds 6
//DL-access: unknown 0+24 read write
//DL-end: go
#line 3
__kernel void go(__global const float *in, __global float *out, int n DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)6; dl_index dl_w_out = (long)6;
    int i = get_global_id(0);
    float sum = 0.0f;

    for (int q = 0; q < 6; q++)
        sum += (*dl_float_6_in(in, i, q DL_ARGS(in)));
    for (int q = 0; q < 6; q++)
        (*dl_float_6_in(out, i, q DL_ARGS(out))) = sum - (*dl_float_6_in(in, i, -(dl_index)(q) + 5 DL_ARGS(in))) * (*dl_float_6_in(in, i, -(dl_index)(q) + 5 DL_ARGS(in)));
    for (int q = 1; q < 7; q++)
        (*dl_float_6_in(out, i, (dl_index)(q) - 1 DL_ARGS(out))) += (*dl_float_6_in(in, i, q % 6 DL_ARGS(in)));
    (*dl_float_6(out, i, i % 6, dl_w_out DL_ARGS(out))) *= (*dl_float_6(in, (dl_index)(n - 1) - (dl_index)(i), i % 6, dl_w_in DL_ARGS(in)));
}
