// run: go structs+2 n
#define MARGIN (1 * 3)
//DL: AoS: g[n + 2][3] AOS2ASTA_float_3
//DL-table: 2
/* prelude */
static __global float *dl_float_3_any(__global const float *dl_f, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + dl_e;
#else
    dl_index dl_i = dl_e / 3;

    if (dl_i >= dl_head + dl_tail)
        return (__global float *)dl_f + (dl_signed)dl_e;
    return DL_AT(float, dl_f, dl_i, 12, dl_e % 3 * 4, 4);
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
{ dl_index dl_at_g = 0;
    int i = get_global_id(0);

    dl_at_g += MARGIN;
    (*dl_float_3_any(g, dl_at_g + (3 * i) DL_ARGS(g))) += (*dl_float_3_any(g, dl_at_g + (3 * i + 1) DL_ARGS(g)));
    (*dl_float_3_any(g, dl_at_g + (i * 3 - 1) DL_ARGS(g))) = 2.0f;
}
