// Elements behind the last whole row stay where they are.
// run: go structs~12 n w
//DL: AoS: f[n][width] AOS2ASTA_int_row
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
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 3 type int
//DL-leaves: 0+4
//DL-width: arg(2, i4, 0)
//DL-structs: arg(1, i4, 0)
//DL-access: uniform 0+4 read write conditional
//DL-access: uniform 4+4 read write conditional
//DL-access: uniform 8+4 read write conditional
//DL-access: linear 1 0+* read write
//DL-access: linear 1 0+4 read
//DL-end: go
#line 4
__kernel void go(__global int *f, int n, int width DL_PARAMS(f))
{ dl_index dl_w_f = (long)width;
    int i = get_global_id(0), k = width - 1;

    if (i == 0) {
        (*dl_int_row(f, n, 0, dl_w_f DL_ARGS(f))) += 1;
        (*dl_int_row(f, n, 1, dl_w_f DL_ARGS(f))) ^= (*dl_int_row(f, n, 2, dl_w_f DL_ARGS(f)));
        (*dl_int_row(f, (dl_index)(n - 1) + 1, 2, dl_w_f DL_ARGS(f))) -= (*dl_int_row(f, 0, 0, dl_w_f DL_ARGS(f)));
    }
    (*dl_int_row(f, i, k, dl_w_f DL_ARGS(f))) += (*dl_int_row(f, i, 0, dl_w_f DL_ARGS(f)));
}
