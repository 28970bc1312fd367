// run: shift structs n words:5
// Elements that are not in the array that they are counted from, and pointers that go from one to the next.
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
static __global float *dl_float_5_array_uint(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (unsigned int)(dl_i * dl_w + dl_e);
#else
    if (dl_e < dl_head && dl_i < 5 && dl_i * dl_w + dl_e <= 0xffffffffu)
        return DL_HEAD_AT(__global, float, dl_f, dl_e, 5 * 4, dl_i * 4, 4);
    dl_e = (unsigned int)(dl_i * dl_w + dl_e);
    dl_i = dl_head ? dl_e / dl_w : 5;
    if (dl_i >= 5)
        return (__global float *)dl_f + (dl_signed)dl_e;
    dl_e -= dl_i * dl_w;
    dl_tail = dl_w - dl_head;
    return DL_AT(float, dl_f, dl_e, 5 * 4, dl_i * 4, 4);
#endif
}
//DL-kernel: shift 3
//DL-sums: exact
//DL-buffer: f arg 0 read arr bytes 20 line 3 type float
//DL-leaves: 0+4*5
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+20 read loops 1 line 10
//DL-access: linear 1 4+4 read
//DL-access: linear -1 4+4 read
//DL-access: linear -1 0+20 read
//DL-access: linear 5 0+4 read
//DL-end: shift
#line 4
__kernel void shift(__global const float *f, const int n, __global float *out DL_PARAMS(f))
{ dl_index dl_w_f = (long)n;
    const int i = get_global_id(0);
    dl_index dl_row_p = 0, p = i, dl_row_last = 5, last = -1;
    float sum = 0.0f;

    for (int k = 0; k < 5; k++, dl_row_p += 1, p += 0)
        sum += (*dl_float_5_array(f, dl_row_p, p, dl_w_f DL_ARGS(f)));
    out[i] = sum;
    out[n + i] = (*dl_float_5_array(f, 1, i, dl_w_f DL_ARGS(f)));
    out[2 * n + i] = (*dl_float_5_array(f, 1, -(dl_index)(i) - 1, dl_w_f DL_ARGS(f)));
    out[3 * n + i] = (*dl_float_5_array(f, 1, (dl_index)(i) + (dl_index)(n / 2), dl_w_f DL_ARGS(f)));
    out[4 * n + i] = (*dl_float_5_array(f, dl_row_last, last - (dl_index)(i), dl_w_f DL_ARGS(f))) + (*dl_float_5_array_uint(f, 0, (uint)i * 5u, dl_w_f DL_ARGS(f)));
}
