// run: go structs structs words:2 n w int:3 int:2
// Arguments with names that generated ones are made of, and widths made of them.
#define w_b w_a
//DL: AoS: at[n][row * 1 + (w - w)] AOS2ASTA_int_row, row_[n][head] AOS2ASTA_int_row
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
//DL-kernel: go 7
//DL-sums: exact
//DL-buffer: at arg 0 write aos bytes 4 line 4 type int
//DL-leaves: 0+4
//DL-width: arg(4, i4, 0) * 1 + (arg(6, i4, 0) - arg(6, i4, 0))
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 0+* read write walks loops 1 line 8
//DL-access: linear 1 0+* read
//DL-buffer: row_ arg 1 read aos bytes 4 line 4 type int
//DL-leaves: 0+4
//DL-width: arg(5, i4, 0)
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 0+* read walks loops 1 line 8
//DL-access: linear 1 0+4 read
//DL-end: go
#line 5
__kernel void go(__global int *at, __global int *row_, __global int *out, int n, int row, int head, int w DL_PARAMS(at) DL_PARAMS(row_)) { dl_index dl_w_at = (long)row * (long)1 + ((long)w - (long)w); dl_index dl_w_row_ = (long)head;
    int i = get_global_id(0), tail = 3;
    dl_index dl_row_w_f = i, w_f = 0;
    for (int j = 0; j < row; j++) { (*dl_int_row_wide(at, dl_row_w_f, w_f++, dl_w_at DL_ARGS(at))) += (*dl_int_row(row_, i, j % head, dl_w_row_ DL_ARGS(row_))); }
    out[2*i] = (*dl_int_row_wide(at, dl_row_w_f, w_f - 1, dl_w_at DL_ARGS(at))) + (int)((dl_difference)(dl_signed)(((dl_index)(dl_row_w_f) * dl_w_at + (w_f)) - ((dl_index)(0)))) + tail;
    out[2*i+1] = (*dl_int_row(row_, i, 0, dl_w_row_ DL_ARGS(row_)));
}
