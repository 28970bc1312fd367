// run: go structs structs structs structs n w
//DL: AoS: a[n][width] AOS2ASTA_uchar_row, b[n][width] AOS2ASTA_double_row, c[n][width] AOS2ASTA_float4_row, d[n][2 * width] AOS2ASTA_short_row
//DL-table: 2
/* prelude */
static __global unsigned char *dl_uchar_row(__global const unsigned char *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned char *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global unsigned char *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, unsigned char, dl_f, dl_i, dl_w * 1, dl_e * 1, 1);
#endif
}
static __global double *dl_double_row(__global const double *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global double *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global double *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, double, dl_f, dl_i, dl_w * 8, dl_e * 8, 8);
#endif
}
static __global float4 *dl_float4_row(__global const float4 *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float4 *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global float4 *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, float4, dl_f, dl_i, dl_w * 16, dl_e * 16, 16);
#endif
}
static __global short *dl_short_row(__global const short *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global short *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global short *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, short, dl_f, dl_i, dl_w * 2, dl_e * 2, 2);
#endif
}
//DL-kernel: go 6
//DL-sums: contractable
//DL-buffer: a arg 0 write aos bytes 1 line 2 type uchar
//DL-leaves: 0+1
//DL-width: arg(5, i4, 0)
//DL-structs: arg(4, i4, 0)
//DL-access: linear 1 0+* read write walks loops 1 line 8
//DL-buffer: b arg 1 write aos bytes 8 line 2 type double
//DL-leaves: 0+8
//DL-width: arg(5, i4, 0)
//DL-structs: arg(4, i4, 0)
//DL-access: linear 1 0+* read write walks loops 1 line 8
//DL-buffer: c arg 2 write aos bytes 16 line 2 type float4
//DL-leaves: 0+16
//DL-width: arg(5, i4, 0)
//DL-structs: arg(4, i4, 0)
//DL-access: linear 1 0+* read write walks loops 1 line 8
//DL-buffer: d arg 3 write aos bytes 2 line 2 type short
//DL-leaves: 0+2
//DL-width: 2 * arg(5, i4, 0)
//DL-structs: arg(4, i4, 0)
//DL-access: linear 1 0+* read write walks loops 1 line 8
//DL-end: go
#line 3
__kernel void go(__global uchar *a, __global double *b, __global float4 *c, __global short *d, int n,
                 int width DL_PARAMS(a) DL_PARAMS(b) DL_PARAMS(c) DL_PARAMS(d))
{ dl_index dl_w_a = (long)width; dl_index dl_w_b = (long)width; dl_index dl_w_c = (long)width; dl_index dl_w_d = (long)2 * (long)width;
    int i = get_global_id(0);

    for (int j = 0; j < width; j++) {
        (*dl_uchar_row(a, i, j, dl_w_a DL_ARGS(a))) += j;
        (*dl_double_row(b, i, j, dl_w_b DL_ARGS(b))) = (*dl_double_row(b, i, j, dl_w_b DL_ARGS(b))) * 0.5 + (*dl_uchar_row(a, i, j, dl_w_a DL_ARGS(a)));
        (*dl_float4_row(c, i, j, dl_w_c DL_ARGS(c))).yz += (*dl_float4_row(c, (dl_index)(i) + 1, -(dl_index)(j) - 1, dl_w_c DL_ARGS(c))).s10;
        (*dl_float4_row(c, i, j, dl_w_c DL_ARGS(c))) *= 2.0f;
        (*dl_short_row(d, 0, (i * width + j) * 2, dl_w_d DL_ARGS(d))) = (*dl_short_row(d, i, (dl_index)(2 * j) + 1, dl_w_d DL_ARGS(d)));
    }
}
