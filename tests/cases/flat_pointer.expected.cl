// run: go structs structs n
//DL: AoS: in[n][4] AOS2ASTA_float_4, out[n][4] AOS2ASTA_float_4
//DL-table: 2
/* prelude */
static __global float *dl_float_4_wide(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 4;
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global float *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(float, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
static __global float *dl_float_4_in(__global const float *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * 4 + dl_e);
#else
    return DL_AT(float, dl_f, dl_i, 16, dl_e * 4, 4);
#endif
}
//DL-kernel: go 3
//DL-sums: contractable
//DL-buffer: in arg 0 read aos bytes 16 line 2 type float
//DL-leaves: 0+4*4
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+16 read walks loops 1 line 10
//DL-access: unknown 0+16 read
//DL-access: linear 1 12+4 read
//DL-buffer: out arg 1 write aos bytes 16 line 2 type float
//DL-leaves: 0+4*4
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 write
//DL-access: linear 1 8+4 write
//DL-access: linear 1 12+4 write
//DL-end: go
#line 3
__kernel void go(__global const float *in, __global float *out, int n DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)4; dl_index dl_w_out = (long)4;
    int i = get_global_id(0);
    dl_index dl_row_p = i, p = 0, dl_row_end = dl_row_p + 1, end = p;
    dl_index dl_row_o = i, o = 0;
    float sum = 0.0f;

    while (((dl_index)(dl_row_p) * dl_w_in + (p)) != ((dl_index)(dl_row_end) * dl_w_in + (end)))
        sum += (*dl_float_4_wide(in, dl_row_p, p++, dl_w_in DL_ARGS(in))) * 0.5f;
    (*dl_float_4_wide(out, dl_row_o, o, dl_w_out DL_ARGS(out))) = sum;
    (*dl_float_4_wide(out, dl_row_o, o + 1, dl_w_out DL_ARGS(out))) = (*dl_float_4_wide(out, dl_row_o, o, dl_w_out DL_ARGS(out))) + (*dl_float_4_wide(in, dl_row_p - 1, p + 3, dl_w_in DL_ARGS(in)));
    o += 2;
    (*dl_float_4_wide(out, dl_row_o, o, dl_w_out DL_ARGS(out))) = (float)((dl_difference)(dl_signed)(((dl_index)(dl_row_end) * dl_w_in + (end)) - ((dl_index)(0)))) + (float)((dl_difference)(dl_signed)(((dl_index)(dl_row_o) * dl_w_out + (o)) - ((dl_index)(0))));
    (*dl_float_4_wide(out, dl_row_o, o + 1, dl_w_out DL_ARGS(out))) = (*dl_float_4_in(in, i, 3 DL_ARGS(in)));
}
