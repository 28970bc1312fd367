// run: go structs structs n w int:3
//DL: AoS: in[n][ny * nz] AOS2ASTA_int_row, out[n][2 * ny] AOS2ASTA_int_row
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
//DL-kernel: go 5
//DL-sums: exact
//DL-buffer: in arg 0 read aos bytes 4 line 2 type int
//DL-leaves: 0+4
//DL-width: arg(3, i4, 0) * arg(4, i4, 0)
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+* read walks loops 2 line 8
//DL-access: linear 1 0+4 read
//DL-access: linear 1 0+* read
//DL-access: linear -1 0+4 read
//DL-access: linear 1 8+4 read
//DL-buffer: out arg 1 write aos bytes 4 line 2 type int
//DL-leaves: 0+4
//DL-width: 2 * arg(3, i4, 0)
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+* read write walks loops 1 line 8
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read write
//DL-end: go
#line 3
__kernel void go(__global const int *in, __global int *out, int n, int ny, int nz DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)ny * (long)nz; dl_index dl_w_out = (long)2 * (long)ny;
    int x = get_global_id(0);
    const int plane = ny * nz, line = 2 * ny;

    for (int y = 0; y < ny; y++)
        for (int z = 0; z < nz; z++)
            (*dl_int_row(out, x, y, dl_w_out DL_ARGS(out))) += (*dl_int_row(in, x, (dl_index)(y * nz) + (dl_index)(z), dl_w_in DL_ARGS(in))) - (*dl_int_row(in, 0, (dl_index)((x * ny + y) * nz) + (dl_index)(z), dl_w_in DL_ARGS(in)));
    (*dl_int_row(out, x, 0, dl_w_out DL_ARGS(out))) += (*dl_int_row(in, x, 0, dl_w_in DL_ARGS(in)));
    (*dl_int_row(out, x, 1, dl_w_out DL_ARGS(out))) += (*dl_int_row(in, (dl_index)(x) + 1, -1, dl_w_in DL_ARGS(in))) ^ (*dl_int_row(in, n - 1 - x, 0, dl_w_in DL_ARGS(in)));
    (*dl_int_row(out, 2 * (dl_index)(x) - (dl_index)(x), 0, dl_w_out DL_ARGS(out))) -= (*dl_int_row(in, x, 2, dl_w_in DL_ARGS(in)));
    (*dl_int_row(out, x, 0, dl_w_out DL_ARGS(out))) += (*dl_int_row(in, x, 0, dl_w_in DL_ARGS(in)));
}
