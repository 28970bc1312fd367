// run: update structs n int:3
// Fields one after the other: constants, loops and rows of a stencil say which.
#define AT(k, i) f[(k)*n + (i)]

//DL: SoA: f[n][5] to ASTA
//DL-table: 2
/* prelude */
static __global float *dl_float_5_array(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_e < dl_head && dl_i < 5)
        return DL_HEAD_AT(__global, float, dl_f, dl_e, 5 * 4, dl_i * 4, 4);
    dl_e = (dl_i * dl_w + dl_e);
    dl_i = dl_head ? dl_e / dl_w : 5;
    if (dl_i >= 5)
        return (__global float *)dl_f + (dl_signed)dl_e;
    dl_e -= dl_i * dl_w;
    dl_tail = dl_w - dl_head;
    return DL_AT(float, dl_f, dl_e, 5 * 4, dl_i * 4, 4);
#endif
}
//DL-kernel: update 3
//DL-sums: contractable
//DL-buffer: f arg 0 write arr bytes 20 line 5 type float
//DL-leaves: 0+4*5
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+20 read walks loops 1 counted 1 rounds 3
//DL-access: linear 1 12+4 write
//DL-access: linear 1 16+4 read write
//DL-access: linear 1 4+4 read
//DL-access: linear 1 0+4 read
//DL-access: linear 1 0+20 read write
//DL-end: update
#line 6
__kernel void update(__global float *f, const int n, const int more DL_PARAMS(f))
{ dl_index dl_w_f = (long)n;
    const int i = get_global_id(0);
    float sum = 0.0f;

    for (int k = 0; k < 3; k++)
        sum += (*dl_float_5_array(f, k, i, dl_w_f DL_ARGS(f)));
    (*dl_float_5_array(f, 3, i, dl_w_f DL_ARGS(f))) = sum;
    (*dl_float_5_array(f, 4, i, dl_w_f DL_ARGS(f))) = (*dl_float_5_array(f, 1, i, dl_w_f DL_ARGS(f))) - (*dl_float_5_array(f, 0, i, dl_w_f DL_ARGS(f)));
    (*dl_float_5_array(f, (dl_index)(more) - 1, i, dl_w_f DL_ARGS(f))) += 1.0f;
    if (i > 0)
        (*dl_float_5_array(f, 4, i, dl_w_f DL_ARGS(f))) *= (*dl_float_5_array(f, 0, i, dl_w_f DL_ARGS(f)));
}
