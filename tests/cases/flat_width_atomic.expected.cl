// run: go structs structs n w
//DL: AoS: c[n][width] AOS2ASTA_int_row, d[n][width] AOS2ASTA_int_row
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
static __global int *dl_int_row_wide(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
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
//DL-buffer: c arg 0 write aos bytes 4 line 2 type int
//DL-leaves: 0+4
//DL-width: arg(3, i4, 0)
//DL-structs: arg(2, i4, 0)
//DL-access: unknown 0+* read write atomic walks loops 1 line 7
//DL-access: uniform 0+4 read write atomic
//DL-access: uniform 0+* read write atomic
//DL-buffer: d arg 1 write aos bytes 4 line 2 type int
//DL-leaves: 0+4
//DL-width: arg(3, i4, 0)
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+* read write atomic
//DL-end: go
#line 3
__kernel void go(__global int *c, __global int *d, int n, int width DL_PARAMS(c) DL_PARAMS(d))
{ dl_index dl_w_c = (long)width; dl_index dl_w_d = (long)width;
    int i = get_global_id(0);

    for (int j = 0; j < width; j++)
        atomic_add(dl_int_row(c, i / 2, j, dl_w_c DL_ARGS(c)), i);
    atomic_inc(dl_int_row_wide(c, 0, 0, dl_w_c DL_ARGS(c)));
    atomic_sub(dl_int_row_wide(c, 1, -1, dl_w_c DL_ARGS(c)), 2);
    atomic_or((volatile __global uint *)dl_int_row(d, i, 0, dl_w_d DL_ARGS(d)), 1u);
    atomic_max(dl_int_row(d, (dl_index)(i) + 1, -1, dl_w_d DL_ARGS(d)), i);
}
