// run: go structs structs ints:n,w,3
typedef struct {
    int n;
    int width[2];
} shape;

//DL: AoS: in[s.n][s.width[0]] AOS2ASTA_int_row, out[s.n][s.width[0]] AOS2ASTA_int_row
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
//DL-buffer: in arg 0 read aos bytes 4 line 7 type int
//DL-leaves: 0+4
//DL-width: arg(2, i4, 4)
//DL-structs: arg(2, i4, 0)
//DL-access: unknown 0+* read walks loops 1 line 12
//DL-access: unknown 0+* read
//DL-buffer: out arg 1 write aos bytes 4 line 7 type int
//DL-leaves: 0+4
//DL-width: arg(2, i4, 4)
//DL-structs: arg(2, i4, 0)
//DL-access: unknown 0+* write walks loops 1 line 12
//DL-access: unknown 0+* read write
//DL-end: go
#line 8
__kernel void go(__global const int *in, __global int *out, shape s DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)s.width[0]; dl_index dl_w_out = (long)s.width[0];
    int i = get_global_id(0), whole = s.width[0];

    for (int j = 0; j < s.width[0]; j++)
        (*dl_int_row(out, 0, (dl_index)(i * whole) + (dl_index)(j), dl_w_out DL_ARGS(out))) = (*dl_int_row(in, 0, (dl_index)(i * s.width[0]) + (dl_index)(j), dl_w_in DL_ARGS(in))) + s.width[1] * j;
    s.width[0] = 1;
    (*dl_int_row(out, 0, i * whole, dl_w_out DL_ARGS(out))) -= (*dl_int_row(in, 0, i * s.width[0], dl_w_in DL_ARGS(in)));
}
