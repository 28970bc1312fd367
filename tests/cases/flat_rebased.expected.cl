// run: go structs+2 n
#define MARGIN (1 * 3)
//DL: AoS: g[n + 2][3] AOS2ASTA_float_3
//DL-table: 2
/* prelude */
static __global float *dl_float_3_wide(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 3;
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
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: g arg 0 write aos bytes 12 line 3 type float
//DL-leaves: 0+4*3
//DL-structs: arg(1, i4, 0) + 2
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-access: linear 1 8+4 write
//DL-end: go
#line 4
__kernel void go(__global float *g, int n DL_PARAMS(g))
{ dl_index dl_w_g = (long)3; dl_index dl_row_g = 0, dl_at_g = 0;
    int i = get_global_id(0);

    dl_row_g += 1, dl_at_g += 0;
    (*dl_float_3_wide(g, dl_row_g + (dl_index)(i), dl_at_g, dl_w_g DL_ARGS(g))) += (*dl_float_3_wide(g, dl_row_g + (dl_index)(i), dl_at_g + 1, dl_w_g DL_ARGS(g)));
    (*dl_float_3_wide(g, dl_row_g + (dl_index)(i) - 1, dl_at_g + 2, dl_w_g DL_ARGS(g))) = 2.0f;
}
