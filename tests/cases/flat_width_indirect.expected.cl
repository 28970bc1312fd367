// run: go structs structs words:1 n w
#define AT(r, c) ((r) * (width) + (c))
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
//DL-kernel: go 5
//DL-sums: exact
//DL-buffer: in arg 0 read aos bytes 4 line 3 type int
//DL-leaves: 0+4
//DL-width: arg(4, i4, 0)
//DL-structs: arg(3, i4, 0)
//DL-access: gather 0+* read
//DL-access: gather 0+4 read
//DL-access: uniform 0+* read
//DL-access: linear 1 0+* read
//DL-access: unknown 0+* read
//DL-buffer: out arg 1 write aos bytes 4 line 3 type int
//DL-leaves: 0+4
//DL-width: arg(4, i4, 0)
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 0+* read write
//DL-access: unknown 0+* read write
//DL-end: go
#line 4
__kernel void go(__global const int *in, __global int *out, __global const int *order, int n,
                 int width DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)width; dl_index dl_w_out = (long)width;
    int i = get_global_id(0);
    int r = (order[i] & 0xffff) % n, c = (order[i] & 0xffff) % width;

    (*dl_int_row(out, i, c, dl_w_out DL_ARGS(out))) = (*dl_int_row(in, r, c, dl_w_in DL_ARGS(in))) + (*dl_int_row(in, ((*dl_int_row(in, r, 0, dl_w_in DL_ARGS(in))) & 0xff) % n, ((*dl_int_row(in, 0, i, dl_w_in DL_ARGS(in))) & 0xff) % width, dl_w_in DL_ARGS(in)));
    (*dl_int_row(out, i, c, dl_w_out DL_ARGS(out))) += (*dl_int_row(in, 0, (order[n - 1 - i] & 0xffff) % (n * width), dl_w_in DL_ARGS(in))); // any element at all
    (*dl_int_row(out, (dl_index)(i) + 1, -1, dl_w_out DL_ARGS(out))) += (*dl_int_row(in, i, c ? c - 1 : 0, dl_w_in DL_ARGS(in)))
;
    int k = i * width;
    int last = (*dl_int_row(in, 1, (dl_index)(k++) - 1, dl_w_in DL_ARGS(in)));
    (*dl_int_row(out, 0, (dl_index)(k) - 1, dl_w_out DL_ARGS(out))) ^= last + (*dl_int_row(in, 0, (r, k - 1), dl_w_in DL_ARGS(in)));
}
