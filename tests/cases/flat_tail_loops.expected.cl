// run: go structs~3 words:2 n
// Loops over all elements, those behind the last row too, by every type of index.
#define ALL(T) for (T k = 0; k < (T)(5 * n + 3); k++)
//DL: AoS: b[][5] AOS2ASTA_uchar_5
//DL-table: 2
/* prelude */
static __global unsigned char *dl_uchar_5(__global const unsigned char *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned char *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 5;
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
static __global unsigned char *dl_uchar_5_in(__global const unsigned char *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned char *)dl_f + (dl_i * 5 + dl_e);
#else
    return DL_AT(unsigned char, dl_f, dl_i, 5, dl_e * 1, 1);
#endif
}
static __global unsigned char *dl_uchar_5_wide(__global const unsigned char *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned char *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 5;
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global unsigned char *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(unsigned char, dl_f, dl_i, dl_w * 1, dl_e * 1, 1);
#endif
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: b arg 0 read aos bytes 5 line 4 type uchar
//DL-leaves: 0+1*5
//DL-structs: *
//DL-access: uniform 0+5 read walks loops 1 line 8
//DL-access: uniform 0+5 read loops 1 line 10
//DL-end: go
#line 5
__kernel void go(__global uchar *b, __global uint *out, int n DL_PARAMS(b)) { dl_index dl_w_b = (long)5;
    int i = get_global_id(0);
    uint s = 0, t = 1;
    ALL(int) s = s * 31 + (*dl_uchar_5(b, 0, k, dl_w_b DL_ARGS(b)));
    ALL(uint) s = s * 31 + (*dl_uchar_5(b, 0, k, dl_w_b DL_ARGS(b)));
    ALL(long) s = s * 31 + (*dl_uchar_5_in(b, k / 5, k % 5 DL_ARGS(b)));
    ALL(ulong) s = s * 31 + (*dl_uchar_5_wide(b, 0, k, dl_w_b DL_ARGS(b)));
    ALL(uint) s = s * 31 + (*dl_uchar_5_in(b, k / 5u, k % 5u DL_ARGS(b)));
    ALL(int) s = s * 31 + (*dl_uchar_5_in(b, k / 5, k % 5 DL_ARGS(b)));
    ALL(uint) s = s * 31 + (*dl_uchar_5_in(b, k / 5u, k % 5u DL_ARGS(b)));
    for (dl_index dl_row_p = 0, p = 0, dl_row_e = n, e = 3; (dl_signed)(((dl_index)(dl_row_p) * dl_w_b + (p))) < (dl_signed)(((dl_index)(dl_row_e) * dl_w_b + (e))); p += 2) t = t * 7 + (*dl_uchar_5_wide(b, dl_row_p, p, dl_w_b DL_ARGS(b))) + (uint)((dl_difference)(dl_signed)(((dl_index)(dl_row_e) * dl_w_b + (e)) - ((dl_index)(dl_row_p) * dl_w_b + (p))));
    for (dl_index dl_row_p = n, p = 2; (dl_signed)(((dl_index)(dl_row_p) * dl_w_b + (p))) >= (dl_signed)(((dl_index)(0))); p--) t = t * 7 + (*dl_uchar_5_wide(b, dl_row_p, p, dl_w_b DL_ARGS(b)));
    out[2*i] = s; out[2*i+1] = t;
}
