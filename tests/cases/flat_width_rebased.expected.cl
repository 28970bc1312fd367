// run: go structs+2 n w
//DL: AoS: g[n + 2][width] AOS2ASTA_float_row
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
//DL-kernel: go 3
//DL-sums: contractable
//DL-buffer: g arg 0 write aos bytes 4 line 2 type float
//DL-leaves: 0+4
//DL-width: arg(2, i4, 0)
//DL-structs: arg(1, i4, 0) + 2
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 0+* read write
//DL-end: go
#line 3
__kernel void go(__global float *g, int n, int width DL_PARAMS(g))
{ dl_index dl_w_g = (long)width; dl_index dl_row_g = 0, dl_at_g = 0;
    int i = get_global_id(0);

    dl_row_g += 1, dl_at_g += 0;
    (*dl_float_row_wide(g, dl_row_g + (dl_index)(i), dl_at_g, dl_w_g DL_ARGS(g))) += (*dl_float_row_wide(g, dl_row_g + (dl_index)(i) + 1, dl_at_g - 1, dl_w_g DL_ARGS(g)));
    dl_row_g += i, dl_at_g += 0;
    (*dl_float_row_wide(g, dl_row_g, dl_at_g + (dl_index)(width / 2), dl_w_g DL_ARGS(g))) *= 2.0f;
    dl_at_g++;
    (*dl_float_row_wide(g, dl_row_g, dl_at_g - 1, dl_w_g DL_ARGS(g))) -= 1.0f;
    dl_row_g = dl_row_g, dl_at_g = dl_at_g - 1;
    (*dl_float_row_wide(g, dl_row_g, dl_at_g, dl_w_g DL_ARGS(g))) += 0.5f;
}
