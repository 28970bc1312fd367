// The width is that of the arguments, whatever becomes of its name.
// run: go structs structs n w
//DL: AoS: in[n][width] AOS2ASTA_int_row, out[n][width] AOS2ASTA_int_row
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
//DL-buffer: in arg 0 read aos bytes 4 line 3 type int
//DL-leaves: 0+4
//DL-width: arg(3, i4, 0)
//DL-structs: arg(2, i4, 0)
//DL-access: unknown 0+* read walks loops 1 line 10
//DL-access: uniform 0+* read
//DL-buffer: out arg 1 write aos bytes 4 line 3 type int
//DL-leaves: 0+4
//DL-width: arg(3, i4, 0)
//DL-structs: arg(2, i4, 0)
//DL-access: unknown 0+* write walks loops 1 line 10
//DL-access: unknown 0+* read write
//DL-end: go
#line 4
__kernel void go(__global const int *in, __global int *out, int n, int width DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)width; dl_index dl_w_out = (long)width;
    int i = get_global_id(0), whole = width, pitch = width;

    width = (width + 1) / 2;
    pitch--;
    for (int j = 0; j < width; j++)
        (*dl_int_row(out, 0, (dl_index)(i * whole) + (dl_index)(j), dl_w_out DL_ARGS(out))) = (*dl_int_row(in, 0, (dl_index)(i * width) + (dl_index)(j), dl_w_in DL_ARGS(in))) + (*dl_int_row(in, 0, (dl_index)(i * pitch) + (dl_index)(j / 2), dl_w_in DL_ARGS(in)));
    {
        int whole = 1;
        (*dl_int_row(out, 0, (dl_index)(i * pitch) + (dl_index)(i), dl_w_out DL_ARGS(out))) ^= (*dl_int_row(in, 0, i * whole, dl_w_in DL_ARGS(in)));
    }
}
