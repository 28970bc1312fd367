// run: go structs n w int:5
//DL: AoS: f[n][max(width, least)] AOS2ASTA_int_row
//DL-table: 2
/* prelude */
static __global int *dl_int_row(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
//DL-kernel: go 4
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 2 type int
//DL-leaves: 0+4
//DL-width: max(arg(2, i4, 0), arg(3, i4, 0))
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+* read write walks loops 1 line 7
//DL-end: go
#line 3
__kernel void go(__global int *f, int n, int width, int least DL_PARAMS(f))
{ dl_index dl_w_f = DL_MAX((long)width, (long)least);
    int i = get_global_id(0);

    for (int j = 0; j < max(width, least); j++)
        (*dl_int_row(f, i, j, dl_w_f DL_ARGS(f))) += j;
}
