// run: go structs~8 structs~12 structs~4 n
// Elements behind the last whole row stay where they are.
int helper(__global const int *p, int k) { return p[k] + *(p + 1); }

//DL: AoS: in[][4] AOS2ASTA_int_4, out[n][4] AOS2ASTA_int_4, bytes[][5] AOS2ASTA_uchar_5
//DL-table: 2
/* prelude */
static __global int *dl_int_4_wide(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 4;
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
#line 3
static DL_INLINE int dl_helper(__global const int *p, dl_index dl_row_p, dl_index dl_at_p, dl_index dl_w_p DL_PARAMS(p), int k) { return (*dl_int_4_wide(p, dl_row_p, dl_at_p + (dl_index)(k), dl_w_p DL_ARGS(p))) + (*dl_int_4_wide(p, dl_row_p, dl_at_p + 1, dl_w_p DL_ARGS(p))); }
static __global int *dl_int_4_in(__global const int *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * 4 + dl_e);
#else
    return DL_AT(int, dl_f, dl_i, 16, dl_e * 4, 4);
#endif
}
static __global int *dl_int_4_uint(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (unsigned int)(dl_i * dl_w + dl_e);
#else
    dl_w = 4;
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w || dl_i * dl_w + dl_e > 0xffffffffu) {
        dl_e = (unsigned int)(dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
static int2 dl_int_4_vload2(dl_index dl_o, __global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    return (int2)(*((__global int *)dl_int_4_wide(dl_f, dl_i, dl_e + dl_o * 2 + 0, dl_w DL_PASS)), *((__global int *)dl_int_4_wide(dl_f, dl_i, dl_e + dl_o * 2 + 1, dl_w DL_PASS)));
}
static __global unsigned char *dl_uchar_5_in(__global const unsigned char *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned char *)dl_f + (dl_i * 5 + dl_e);
#else
    return DL_AT(unsigned char, dl_f, dl_i, 5, dl_e * 1, 1);
#endif
}
static __global unsigned char *dl_uchar_5_uint(__global const unsigned char *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned char *)dl_f + (unsigned int)(dl_i * dl_w + dl_e);
#else
    dl_w = 5;
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w || dl_i * dl_w + dl_e > 0xffffffffu) {
        dl_e = (unsigned int)(dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global unsigned char *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(unsigned char, dl_f, dl_i, dl_w * 1, dl_e * 1, 1);
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
static void dl_uchar_5_vstore2(uchar2 dl_v, dl_index dl_o, __global const unsigned char *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    *((__global unsigned char *)dl_uchar_5_wide(dl_f, dl_i, dl_e + dl_o * 2 + 0, dl_w DL_PASS)) = dl_v.s0;
    *((__global unsigned char *)dl_uchar_5_wide(dl_f, dl_i, dl_e + dl_o * 2 + 1, dl_w DL_PASS)) = dl_v.s1;
}
//DL-kernel: go 4
//DL-sums: exact
//DL-buffer: in arg 0 read aos bytes 16 line 5 type int
//DL-leaves: 0+4*4
//DL-structs: *
//DL-access: linear 1 0+16 read walks loops 1 counted 1 rounds 4
//DL-access: uniform 0+4 read conditional
//DL-access: uniform 4+4 read conditional
//DL-access: uniform 0+8 read conditional
//DL-buffer: out arg 1 write aos bytes 16 line 5 type int
//DL-leaves: 0+4*4
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 0+16 read write walks loops 1 counted 1 rounds 4
//DL-access: uniform 0+4 write conditional
//DL-access: uniform 4+4 write conditional
//DL-access: uniform 8+4 read write conditional
//DL-access: uniform 12+4 read conditional
//DL-buffer: bytes arg 2 write aos bytes 5 line 5 type uchar
//DL-leaves: 0+1*5
//DL-structs: *
//DL-access: uniform 0+5 read write walks conditional loops 1 counted 1 rounds 4
//DL-access: uniform 0+1 read write conditional
//DL-access: uniform 2+1 read conditional
//DL-access: uniform 2+2 write conditional
//DL-end: go
#line 6
__kernel void go(__global const int *in, __global int *out, __global uchar *bytes, int n DL_PARAMS(in) DL_PARAMS(out) DL_PARAMS(bytes))
{ dl_index dl_w_in = (long)4; dl_index dl_w_out = (long)4; dl_index dl_w_bytes = (long)5;
    int i = get_global_id(0), last = 4 * n, k = i ? 0 : 2;
    uint u = i, un = n;
    ulong z = i, zn = n;

    for (int j = 0; j < 4; j++)
        (*dl_int_4_in(out, i, j DL_ARGS(out))) += (*dl_int_4_in(in, i, j DL_ARGS(in))) + (*dl_int_4_in(in, i, (j + k) % 4 DL_ARGS(in)));
    if (i == n - 1) {
        dl_index dl_row_p = last / 4, p = 0;

        (*dl_int_4_in(out, last / 4, 0 DL_ARGS(out))) = (*dl_int_4_in(in, last / 4, 0 DL_ARGS(in))) * 3 + (*dl_int_4_in(in, n, 1 DL_ARGS(in))) + (*dl_int_4_wide(in, dl_row_p, p + 1, dl_w_in DL_ARGS(in))) + (*dl_int_4_wide(in, last / 4, 1, dl_w_in DL_ARGS(in)));
        (*dl_int_4_uint(out, un, 1, dl_w_out DL_ARGS(out))) = (*dl_int_4_uint(in, un, 0, dl_w_in DL_ARGS(in))) + (*dl_int_4_wide(in, zn, 1, dl_w_in DL_ARGS(in))) - (*dl_int_4_in(in, (dl_index)(n + 1) - 1, 1 DL_ARGS(in)));
        (*dl_int_4_in(out, last / 4, 2 DL_ARGS(out))) = dl_helper(in, last / 4, 0, dl_w_in DL_ARGS(in), 0) + dl_helper(in, dl_row_p, p, dl_w_in DL_ARGS(in), 1) + dl_int_4_vload2(0, in, last / 4, 0, dl_w_in DL_ARGS(in)).y;
        dl_index dl_row_q = last / 4, q = 0;
        (*dl_int_4_in(out, (dl_index)(n - 1) + 1, 2 DL_ARGS(out))) ^= (*dl_int_4_wide(out, dl_row_q - 1, q + 3, dl_w_out DL_ARGS(out))) + (int)((dl_difference)(dl_signed)(((dl_index)(last / 4) * dl_w_out + (2)) - ((dl_index)(dl_row_q) * dl_w_out + (q))));
        for (int j = 0; j < 4; j++)
            (*dl_uchar_5_in(bytes, n, j DL_ARGS(bytes))) += (*dl_uchar_5_in(bytes, (dl_index)(n) - 1, -(dl_index)(j) + 4 DL_ARGS(bytes))) + j;
        (*dl_uchar_5_uint(bytes, un, 0, dl_w_bytes DL_ARGS(bytes))) ^= (*dl_uchar_5_wide(bytes, zn, 2, dl_w_bytes DL_ARGS(bytes)));
        dl_uchar_5_vstore2((uchar2)((*dl_uchar_5_in(bytes, n, 0 DL_ARGS(bytes))), 9), 0, bytes, n, 2, dl_w_bytes DL_ARGS(bytes));
    }
}
