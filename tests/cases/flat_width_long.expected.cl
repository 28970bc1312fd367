// run: go structs structs n long:w
//DL: AoS: in[n][width] AOS2ASTA_int_row, out[n][width] AOS2ASTA_int_row
//DL-table: 2
/* prelude */
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
//DL-buffer: in arg 0 read aos bytes 4 line 2 type int
//DL-leaves: 0+4
//DL-width: arg(3, i8, 0)
//DL-structs: arg(2, i4, 0)
//DL-access: linear -1 0+* read walks loops 1 line 8
//DL-access: linear 1 0+* read
//DL-access: uniform 0+* read
//DL-access: linear 1 0+4 read
//DL-buffer: out arg 1 write aos bytes 4 line 2 type int
//DL-leaves: 0+4
//DL-width: arg(3, i8, 0)
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+* write walks loops 1 line 8
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 0+* read write
//DL-end: go
#line 3
__kernel void go(__global const int *in, __global int *out, int n, long width DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)width; dl_index dl_w_out = (long)width;
    size_t i = get_global_id(0);
    int k = (int)i, w = (int)width;

    for (long j = 0; j < width; j++)
        (*dl_int_row_wide(out, i, j, dl_w_out DL_ARGS(out))) = (*dl_int_row_wide(in, (dl_index)(n - 1 - k) + 1, -(dl_index)(j) - 1, dl_w_in DL_ARGS(in)));
    (*dl_int_row(out, k, 0, dl_w_out DL_ARGS(out))) += (*dl_int_row(in, (dl_index)(k) + 1, -1, dl_w_in DL_ARGS(in)));
    (*dl_int_row(out, k, (int)(width - 1), dl_w_out DL_ARGS(out))) ^= (*dl_int_row_wide(in, n, -1, dl_w_in DL_ARGS(in)));
    (*dl_int_row_wide(out, k, 0, dl_w_out DL_ARGS(out))) -= (*dl_int_row_wide(in, i, 0, dl_w_in DL_ARGS(in)));
}
