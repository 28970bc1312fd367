// run: go structs~8 structs~12 structs~4 n int:4 int:5
// The same of rows of a width that is an argument: elements behind the last whole row stay where they are.
int helper(__global const int *p, int k) { return p[k] + *(p + 1); }

//DL: AoS: in[][w] AOS2ASTA_int_row, out[n][w] AOS2ASTA_int_row, bytes[][v] AOS2ASTA_uchar_row
//DL-table: 2
/* prelude */
static __global int *dl_int_row_wide(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
#line 3
static DL_INLINE int dl_helper(__global const int *p, dl_index dl_row_p, dl_index dl_at_p, dl_index dl_w_p DL_PARAMS(p), int k) { return (*dl_int_row_wide(p, dl_row_p, dl_at_p + (dl_index)(k), dl_w_p DL_ARGS(p))) + (*dl_int_row_wide(p, dl_row_p, dl_at_p + 1, dl_w_p DL_ARGS(p))); }
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
static __global int *dl_int_row_uint(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (unsigned int)(dl_i * dl_w + dl_e);
#else
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w || dl_i * dl_w + dl_e > 0xffffffffu) {
        dl_e = (unsigned int)(dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
static int2 dl_int_row_vload2(dl_index dl_o, __global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    return (int2)(*((__global int *)dl_int_row_wide(dl_f, dl_i, dl_e + dl_o * 2 + 0, dl_w DL_PASS)), *((__global int *)dl_int_row_wide(dl_f, dl_i, dl_e + dl_o * 2 + 1, dl_w DL_PASS)));
}
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
static __global unsigned char *dl_uchar_row_uint(__global const unsigned char *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned char *)dl_f + (unsigned int)(dl_i * dl_w + dl_e);
#else
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w || dl_i * dl_w + dl_e > 0xffffffffu) {
        dl_e = (unsigned int)(dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global unsigned char *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, unsigned char, dl_f, dl_i, dl_w * 1, dl_e * 1, 1);
#endif
}
static __global unsigned char *dl_uchar_row_wide(__global const unsigned char *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned char *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global unsigned char *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, unsigned char, dl_f, dl_i, dl_w * 1, dl_e * 1, 1);
#endif
}
static void dl_uchar_row_vstore2(uchar2 dl_v, dl_index dl_o, __global const unsigned char *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    *((__global unsigned char *)dl_uchar_row_wide(dl_f, dl_i, dl_e + dl_o * 2 + 0, dl_w DL_PASS)) = dl_v.s0;
    *((__global unsigned char *)dl_uchar_row_wide(dl_f, dl_i, dl_e + dl_o * 2 + 1, dl_w DL_PASS)) = dl_v.s1;
}
//DL-kernel: go 6
//DL-sums: exact
//DL-buffer: in arg 0 read aos bytes 4 line 5 type int
//DL-leaves: 0+4
//DL-width: arg(4, i4, 0)
//DL-structs: *
//DL-access: unknown 0+* read walks loops 1 counted 1 rounds 4
//DL-access: uniform 0+* read conditional
//DL-buffer: out arg 1 write aos bytes 4 line 5 type int
//DL-leaves: 0+4
//DL-width: arg(4, i4, 0)
//DL-structs: arg(3, i4, 0)
//DL-access: unknown 0+* read write walks loops 1 counted 1 rounds 4
//DL-access: uniform 0+* read write conditional
//DL-buffer: bytes arg 2 write aos bytes 1 line 5 type uchar
//DL-leaves: 0+1
//DL-width: arg(5, i4, 0)
//DL-structs: *
//DL-access: uniform 0+* read write walks conditional loops 1 counted 1 rounds 4
//DL-access: uniform 0+* read write conditional
//DL-end: go
#line 6
__kernel void go(__global const int *in, __global int *out, __global uchar *bytes, int n, int w,
                 int v DL_PARAMS(in) DL_PARAMS(out) DL_PARAMS(bytes))
{ dl_index dl_w_in = (long)w; dl_index dl_w_out = (long)w; dl_index dl_w_bytes = (long)v;
    int i = get_global_id(0), last = 4 * n, k = i ? 0 : 2;
    uint u = i, un = n;
    ulong z = i, zn = n;

    for (int j = 0; j < 4; j++)
        (*dl_int_row(out, 0, (dl_index)(4 * i) + (dl_index)(j), dl_w_out DL_ARGS(out))) += (*dl_int_row(in, 0, (dl_index)(4 * i) + (dl_index)(j), dl_w_in DL_ARGS(in))) + (*dl_int_row(in, 0, (dl_index)(4 * i) + (dl_index)((j + k) % 4), dl_w_in DL_ARGS(in)));
    if (i == n - 1) {
        dl_index dl_row_p = 0, p = last;

        (*dl_int_row(out, 0, last, dl_w_out DL_ARGS(out))) = (*dl_int_row(in, 0, last, dl_w_in DL_ARGS(in))) * 3 + (*dl_int_row(in, 0, (dl_index)(4 * n) + 1, dl_w_in DL_ARGS(in))) + (*dl_int_row_wide(in, dl_row_p, p + 1, dl_w_in DL_ARGS(in))) + (*dl_int_row_wide(in, 0, (dl_index)(last) + 1, dl_w_in DL_ARGS(in)));
        (*dl_int_row_uint(out, 0, (dl_index)(4u * un) + 1, dl_w_out DL_ARGS(out))) = (*dl_int_row_uint(in, 0, 4u * un, dl_w_in DL_ARGS(in))) + (*dl_int_row_wide(in, 0, (dl_index)(4ul * zn) + 1, dl_w_in DL_ARGS(in))) - (*dl_int_row(in, 0, (dl_index)(4 * (n + 1)) - 3, dl_w_in DL_ARGS(in)));
        (*dl_int_row(out, 0, (dl_index)(last) + 2, dl_w_out DL_ARGS(out))) = dl_helper(in, 0, last, dl_w_in DL_ARGS(in), 0) + dl_helper(in, dl_row_p, p, dl_w_in DL_ARGS(in), 1) + dl_int_row_vload2(0, in, 0, last, dl_w_in DL_ARGS(in)).y;
        dl_index dl_row_q = 0, q = last;
        (*dl_int_row(out, 0, (dl_index)(4 * (n - 1)) + 6, dl_w_out DL_ARGS(out))) ^= (*dl_int_row_wide(out, dl_row_q, q - 1, dl_w_out DL_ARGS(out))) + (int)((dl_difference)(dl_signed)(((dl_index)((dl_index)(last) + 2)) - ((dl_index)(dl_row_q) * dl_w_out + (q))));
        for (int j = 0; j < 4; j++)
            (*dl_uchar_row(bytes, 0, (dl_index)(5 * n) + (dl_index)(j), dl_w_bytes DL_ARGS(bytes))) += (*dl_uchar_row(bytes, 0, (dl_index)(5 * n) - (dl_index)(j) - 1, dl_w_bytes DL_ARGS(bytes))) + j;
        (*dl_uchar_row_uint(bytes, 0, 5u * un, dl_w_bytes DL_ARGS(bytes))) ^= (*dl_uchar_row_wide(bytes, 0, (dl_index)(5ul * zn) + 2, dl_w_bytes DL_ARGS(bytes)));
        dl_uchar_row_vstore2((uchar2)((*dl_uchar_row(bytes, 0, 5 * n, dl_w_bytes DL_ARGS(bytes))), 9), 0, bytes, 0, (dl_index)(5 * n) + 2, dl_w_bytes DL_ARGS(bytes));
    }
}
