// run: go structs structs n w
//DL: AoS: in[n][width] AOS2ASTA_float_row, out[n][width] AOS2ASTA_float_row
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
//DL-kernel: go 4
//DL-sums: contractable
//DL-buffer: in arg 0 read aos bytes 4 line 2 type float
//DL-leaves: 0+4
//DL-width: arg(3, i4, 0)
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+* read walks loops 1 line 10
//DL-access: unknown 0+* read
//DL-access: uniform 0+* read loops 1 line 17
//DL-access: uniform 0+4 read loops 1 line 17
//DL-access: linear 1 0+* read conditional
//DL-access: linear 1 0+4 read
//DL-access: uniform 0+* read
//DL-access: uniform 0+4 read
//DL-access: linear 1 0+* read
//DL-buffer: out arg 1 write aos bytes 4 line 2 type float
//DL-leaves: 0+4
//DL-width: arg(3, i4, 0)
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 0+* read write
//DL-access: linear 1 0+* read write walks loops 1 line 32
//DL-end: go
#line 3
__kernel void go(__global const float *in, __global float *out, int n, int width DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)width; dl_index dl_w_out = (long)width;
    int i = get_global_id(0);
    dl_index dl_row_p = i, p = 0, dl_row_end = dl_row_p + 1, end = p, dl_row_q, q;
    dl_index dl_row_o = i, o = 0, dl_row_last, last;
    float sum = 0.0f;

    while (((dl_index)(dl_row_p) * dl_w_in + (p)) != ((dl_index)(dl_row_end) * dl_w_in + (end)))
        sum += (*dl_float_row_wide(in, dl_row_p, p++, dl_w_in DL_ARGS(in))) * 0.5f;
    for (dl_row_q = dl_row_end, q = end - 1; (dl_signed)(((dl_index)(dl_row_q) * dl_w_in + (q))) >= (dl_signed)(((dl_index)(i) * dl_w_in + (0))); q--)
        sum -= (*dl_float_row_wide(in, dl_row_q, q, dl_w_in DL_ARGS(in))) * 0.25f;
    (*dl_float_row_wide(out, dl_row_o, o, dl_w_out DL_ARGS(out))) = sum;
    dl_row_last = dl_row_o + 1, last = o - 1;
    (*dl_float_row_wide(out, dl_row_last, last, dl_w_out DL_ARGS(out))) += (*dl_float_row_wide(in, dl_row_p, p - 1, dl_w_in DL_ARGS(in)));
    for (dl_row_q = 0, q = 0; (dl_signed)(((dl_index)(dl_row_q) * dl_w_in + (q))) < (dl_signed)(((dl_index)(n) * dl_w_in + (0))); dl_row_q += 1, q += 0)
        (*dl_float_row_wide(out, dl_row_o + 1, o - 1, dl_w_out DL_ARGS(out))) += (*dl_float_row_wide(in, dl_row_q + 1, q - 1, dl_w_in DL_ARGS(in))) + (*dl_float_row_wide(in, dl_row_q, q, dl_w_in DL_ARGS(in)));
    dl_row_p = 0, p = 0;
    dl_row_p += i, p += 0;
    dl_row_p = ((i % 2) ? (dl_index)(dl_row_p) : (dl_index)(dl_row_p + 1)), p = ((i % 2) ? (dl_index)(p) : (dl_index)(p - 1));
    (*dl_float_row_wide(out, dl_row_o, o, dl_w_out DL_ARGS(out))) += (*dl_float_row_wide(in, dl_row_p, p, dl_w_in DL_ARGS(in))) * (float)((dl_difference)(dl_signed)(((dl_index)(dl_row_end) * dl_w_in + (end)) - ((dl_index)(0)))) + (float)((dl_difference)(dl_signed)(((dl_index)(dl_row_p) * dl_w_in + (p)) - ((dl_index)(0))));
    dl_row_p = 0, p = (q = (dl_index)(dl_row_end - 1) * dl_w_in + (end), dl_row_q = 0, q);
    (*dl_float_row_wide(out, dl_row_o, o, dl_w_out DL_ARGS(out))) += ((dl_index)(dl_row_p) * dl_w_in + (p)) == ((dl_index)(dl_row_q) * dl_w_in + (q)) ? (*dl_float_row_wide(in, dl_row_q, q + (dl_index)(width / 2), dl_w_in DL_ARGS(in))) : 0.0f;
    p = (dl_index)(dl_row_p) * dl_w_in + (p + (dl_index)((*dl_float_row_wide(in, dl_row_p, p, dl_w_in DL_ARGS(in))) > 0.0f ? width - 1 : 0)), dl_row_p = 0;
    (*dl_float_row_wide(out, dl_row_o, o, dl_w_out DL_ARGS(out))) += (*dl_float_row_wide(in, dl_row_p, p, dl_w_in DL_ARGS(in)));
    dl_row_p = n - 1, p = 0;
    p = (dl_index)(dl_row_q) * dl_w_in + (q + (dl_index)((*dl_float_row_wide(in, dl_row_p + 1, p - 1, dl_w_in DL_ARGS(in))) > (*dl_float_row_wide(in, 0, 0, dl_w_in DL_ARGS(in))) ? width - 1 : 0)), dl_row_p = 0; // its old value decides
    (*dl_float_row_wide(out, dl_row_o, o, dl_w_out DL_ARGS(out))) -= (*dl_float_row_wide(in, dl_row_p, p, dl_w_in DL_ARGS(in)));
    dl_row_q -= i, q -= 0;
    (*dl_float_row_wide(out, dl_row_o, o, dl_w_out DL_ARGS(out))) += (*dl_float_row_wide(in, dl_row_q, q, dl_w_in DL_ARGS(in)));
    for (int k = 0; k < width; k++, last--)
        (*dl_float_row_wide(out, dl_row_last, last, dl_w_out DL_ARGS(out))) *= 1.5f;
    (*dl_float_row_wide(out, dl_row_o, o, dl_w_out DL_ARGS(out))) += (*dl_float_row_wide(in, dl_row_q, (q += (dl_index)(0)), dl_w_in DL_ARGS(in))) + (*dl_float_row_wide(in, 0, (p = (dl_index)(n - 1) * dl_w_in + (0), dl_row_p = 0, p), dl_w_in DL_ARGS(in)));
}
