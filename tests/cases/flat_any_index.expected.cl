// run: go structs structs n
//DL: AoS: in[n][3] AOS2ASTA_int_3, out[n][3] AOS2ASTA_int_3
//DL-table: 2
/* prelude */
static __global int *dl_int_3(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 3;
    if (dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
static __global int *dl_int_3_in(__global const int *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * 3 + dl_e);
#else
    return DL_AT(int, dl_f, dl_i, 12, dl_e * 4, 4);
#endif
}
static __global int *dl_int_3_wide(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 3;
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: in arg 0 read aos bytes 12 line 2 type int
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: uniform 0+12 read walks loops 1 line 7
//DL-access: gather 0+12 read walks loops 1 line 7
//DL-access: unknown 0+12 read walks loops 1 line 7
//DL-access: uniform 4+4 read
//DL-access: uniform 0+4 read
//DL-buffer: out arg 1 write aos bytes 12 line 2 type int
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: unknown 0+12 read write walks loops 1 line 7
//DL-access: linear 1 0+4 read write
//DL-end: go
#line 3
__kernel void go(__global const int *in, __global int *out, int n DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)3; dl_index dl_w_out = (long)3;
    int k = 0;

    for (int j = 3 * get_global_id(0), left = 3; left > 0; left--, j++) {
        (*dl_int_3(out, 0, j, dl_w_out DL_ARGS(out))) = (*dl_int_3(in, (dl_index)(n) - 1, -(dl_index)(j) + 2, dl_w_in DL_ARGS(in)));
        (*dl_int_3(out, 0, j, dl_w_out DL_ARGS(out))) += (*dl_int_3(in, 0, ((*dl_int_3(in, 0, j, dl_w_in DL_ARGS(in))) & 0xffff) % (3 * n), dl_w_in DL_ARGS(in)));
    }
    (*dl_int_3_in(out, get_global_id(0), 0 DL_ARGS(out))) += (*dl_int_3_in(in, k++, 1 DL_ARGS(in)));
    (*dl_int_3_wide(out, get_global_id(0), 0, dl_w_out DL_ARGS(out))) |= (*dl_int_3_wide(in, 0, 0, dl_w_in DL_ARGS(in)));
}
