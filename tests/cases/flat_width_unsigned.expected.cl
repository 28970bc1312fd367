// 32-bit unsigned sums pass below zero.
// run: go structs structs n w
//DL: AoS: in[n][width] AOS2ASTA_uint_row, out[n][width] AOS2ASTA_uint_row
//DL-table: 2
/* prelude */
static __global unsigned int *dl_uint_row_uint(__global const unsigned int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned int *)dl_f + (unsigned int)(dl_i * dl_w + dl_e);
#else
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w || dl_i * dl_w + dl_e > 0xffffffffu) {
        dl_e = (unsigned int)(dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global unsigned int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, unsigned int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
static __global unsigned int *dl_uint_row_wide(__global const unsigned int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned int *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global unsigned int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, unsigned int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
static __global unsigned int *dl_uint_row(__global const unsigned int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned int *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global unsigned int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, unsigned int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
//DL-kernel: go 4
//DL-sums: exact
//DL-buffer: in arg 0 read aos bytes 4 line 3 type uint
//DL-leaves: 0+4
//DL-width: arg(3, u4, 0)
//DL-structs: arg(2, u4, 0)
//DL-access: linear 1 0+4 read
//DL-access: linear 1 0+* read walks loops 1 line 11
//DL-access: uniform 0+* read walks loops 1 line 11
//DL-access: linear 1 0+* read
//DL-access: uniform 0+4 read
//DL-buffer: out arg 1 write aos bytes 4 line 3 type uint
//DL-leaves: 0+4
//DL-width: arg(3, u4, 0)
//DL-structs: arg(2, u4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 0+* read write walks loops 1 line 11
//DL-access: linear 1 0+* read write
//DL-end: go
#line 4
__kernel void go(__global const uint *in, __global uint *out, uint n, uint width DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)width; dl_index dl_w_out = (long)width;
    uint i = get_global_id(0), last = n - 1u;
    size_t wide = i;
    dl_index dl_row_p = DL_PARTS(i, 0), p = DL_PARTS((dl_index)(0), (dl_index)(i * width));

    (*dl_uint_row_uint(out, i, 0, dl_w_out DL_ARGS(out))) = (*dl_uint_row_uint(in, (dl_index)(i - last) + (dl_index)(last), 0, dl_w_in DL_ARGS(in)));
    for (uint j = width; j > 0; j--)
        (*dl_uint_row_uint(out, i, (dl_index)(j) - 1, dl_w_out DL_ARGS(out))) += (*dl_uint_row_uint(in, i + 1u, -(dl_index)(j), dl_w_in DL_ARGS(in))) ^ (*dl_uint_row_uint(in, last, (dl_index)(j) - (dl_index)(j), dl_w_in DL_ARGS(in)))
;
    (*dl_uint_row_wide(out, DL_PARTS(i, 0) + DL_PARTS(1, 0), DL_PARTS((dl_index)(0), (dl_index)((ulong)(i * width))) + DL_PARTS((dl_index)(-1), (dl_index)((width - 1u))), dl_w_out DL_ARGS(out))) += (*dl_uint_row_wide(in, wide, 0, dl_w_in DL_ARGS(in))) + (*dl_uint_row_wide(in, dl_row_p, p, dl_w_in DL_ARGS(in))) + (*dl_uint_row_wide(in, dl_row_p + DL_PARTS(1, 0), p + DL_PARTS((dl_index)(-1), (dl_index)(width - 1u)), dl_w_in DL_ARGS(in)));
    (*dl_uint_row_uint(out, i, 0, dl_w_out DL_ARGS(out))) += (*dl_uint_row_wide(in, DL_PARTS((dl_index)(i) + 1, 0), DL_PARTS((dl_index)(-1), (dl_index)((ulong)(i * width + width - 1u))), dl_w_in DL_ARGS(in))) + (*dl_uint_row(in, (int)i, 0, dl_w_in DL_ARGS(in)));
    dl_row_p = DL_PARTS(-(dl_index)(i), 0), p = DL_PARTS((dl_index)((dl_index)(i) + (dl_index)((width - 1u) * i)), (dl_index)((i - i * width + (width - 1u) * i)));
    (*dl_uint_row_uint(out, i, 0, dl_w_out DL_ARGS(out))) ^= (*dl_uint_row_wide(in, dl_row_p, p, dl_w_in DL_ARGS(in))) + (*dl_uint_row_wide(in, DL_PARTS((dl_index)(i - last - 1u) + (dl_index)(n), 0), DL_PARTS((dl_index)(0), (dl_index)((ulong)((i - last - 1u) * width + n * width))), dl_w_in DL_ARGS(in)));
    (*dl_uint_row_uint(out, i, width >> 1, dl_w_out DL_ARGS(out))) -= (*dl_uint_row_wide(in, DL_PARTS(i, 0) + DL_PARTS(1, 0), DL_PARTS((dl_index)(0), (dl_index)(i * width)) + DL_PARTS((dl_index)(-1), (dl_index)(width - 1u)), dl_w_in DL_ARGS(in)));
}
