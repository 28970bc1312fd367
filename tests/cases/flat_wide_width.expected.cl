// run: go structs n
//DL: AoS: m[n][1000] AOS2ASTA_uchar_1000
//DL-table: 2
/* prelude */
static __global unsigned char *dl_uchar_1000_in(__global const unsigned char *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned char *)dl_f + (dl_i * 1000 + dl_e);
#else
    return DL_AT(unsigned char, dl_f, dl_i, 1000, dl_e * 1, 1);
#endif
}
static __global unsigned char *dl_uchar_1000(__global const unsigned char *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned char *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 1000;
    if (dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global unsigned char *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(unsigned char, dl_f, dl_i, dl_w * 1, dl_e * 1, 1);
#endif
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: m arg 0 write aos bytes 1000 line 2 type uchar
//DL-leaves: 0+1*1000
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 999+1 write
//DL-access: linear 1 0+1 read
//DL-access: linear 1 0+1000 read write
//DL-end: go
#line 3
__kernel void go(__global uchar *m, int n DL_PARAMS(m))
{ dl_index dl_w_m = (long)1000;
    int i = get_global_id(0);

    (*dl_uchar_1000_in(m, i, 999 DL_ARGS(m))) = (*dl_uchar_1000_in(m, i, 0 DL_ARGS(m))) + 1;
    (*dl_uchar_1000(m, i, 17 * (i % 50), dl_w_m DL_ARGS(m))) ^= 3;
}
