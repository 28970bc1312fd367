//DL: AoS: w[n][5] AOS2ASTA_float_5
//DL-table: 2
/* prelude */
static __constant float *dl_float_5_in_constant(__constant const float *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__constant float *)dl_f + (dl_i * 5 + dl_e);
#else
    return DL_AT_IN(__constant, float, dl_f, dl_i, 20, dl_e * 4, 4);
#endif
}
static __constant float *dl_float_5_constant(__constant const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__constant float *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 5;
    if (dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__constant float *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT_IN(__constant, float, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: w arg 0 const aos bytes 20 line 1 type float
//DL-leaves: 0+4*5
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 16+4 read
//DL-access: uniform 8+4 read
//DL-access: linear 1 0+20 read walks loops 1 counted 1 rounds 5
//DL-access: unknown 0+20 read
//DL-end: go
#line 2
__kernel void go(__constant float *w, __global float *out, int n DL_PARAMS(w))
{ dl_index dl_w_w = (long)5;
    int i = get_global_id(0);
    float sum = (*dl_float_5_in_constant(w, i, 4 DL_ARGS(w))) + (*dl_float_5_in_constant(w, (dl_index)(i) - (dl_index)(i), 2 DL_ARGS(w)));

    for (int j = 0; j < 5; j++)
        sum += (*dl_float_5_in_constant(w, i, j DL_ARGS(w)));
    out[i] = sum + (*dl_float_5_constant(w, 0, (i * 7) % (n * 5), dl_w_w DL_ARGS(w)));
}
// run: go structs words:1 n
