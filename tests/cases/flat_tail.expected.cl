// run: go structs~8 structs~12 structs~4 n
// Elements behind the last whole row stay where they are.
int helper(__global const int *p, int k) { return p[k] + *(p + 1); }

//DL: AoS: in[][4] AOS2ASTA_int_4, out[n][4] AOS2ASTA_int_4, bytes[][5] AOS2ASTA_uchar_5
//DL-table: 2
/* prelude */
static __global int *dl_int_4_any(__global const int *dl_f, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + dl_e;
#else
    dl_index dl_i = dl_e / 4;

    if (dl_i >= dl_head + dl_tail)
        return (__global int *)dl_f + (dl_signed)dl_e;
    return DL_AT(int, dl_f, dl_i, 16, dl_e % 4 * 4, 4);
#endif
}
#line 3
static int dl_helper(__global const int *p, dl_index dl_at_p DL_PARAMS(p), int k) { return (*dl_int_4_any(p, dl_at_p + k DL_ARGS(p))) + (*dl_int_4_any(p, (dl_at_p + 1) DL_ARGS(p))); }
static __global int *dl_int_4_near(__global const int *dl_f, dl_index dl_i, dl_signed dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + ((long)dl_i * 4 + dl_e);
#else
    {
        dl_signed dl_r = dl_e >= 0 ? dl_e / 4 : ~(~dl_e / 4);

        dl_i += (dl_index)dl_r;
        dl_e -= dl_r * 4;
    }
    return DL_AT(int, dl_f, dl_i, 16, (dl_index)dl_e * 4, 4);
#endif
}
static __global int *dl_int_4(__global const int *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 16, 0 + dl_k0 * 4, 4);
}
static __global int *dl_int_4_near_2(__global const int *dl_f, unsigned int dl_i, unsigned int dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * 4u + dl_e);
#else
#ifdef DL_INDEX_64
    if (dl_e >= 4u || dl_i > (0xffffffffu - dl_e) / 4u) {
#else
    if (dl_e >= 4u || dl_i >= dl_head + dl_tail) {
#endif
        dl_e += dl_i * 4u;
        dl_i = dl_e / 4u;
        dl_e -= dl_i * 4u;
    }
    return DL_AT(int, dl_f, dl_i, 16, (dl_index)dl_e * 4, 4);
#endif
}
static int2 dl_int_4_vload2(dl_index dl_o, __global const int *dl_f, dl_index dl_e DL_FORMALS)
{
    return (int2)(*((__global int *)dl_int_4_any(dl_f, dl_e + dl_o * 2 + 0 DL_PASS)), *((__global int *)dl_int_4_any(dl_f, dl_e + dl_o * 2 + 1 DL_PASS)));
}
static __global unsigned char *dl_uchar_5_near(__global const unsigned char *dl_f, dl_index dl_i, dl_signed dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned char *)dl_f + ((long)dl_i * 5 + dl_e);
#else
    {
        dl_signed dl_r = dl_e >= 0 ? dl_e / 5 : ~(~dl_e / 5);

        dl_i += (dl_index)dl_r;
        dl_e -= dl_r * 5;
    }
    return DL_AT(unsigned char, dl_f, dl_i, 5, (dl_index)dl_e * 1, 1);
#endif
}
static __global unsigned char *dl_uchar_5_near_2(__global const unsigned char *dl_f, unsigned int dl_i, unsigned int dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned char *)dl_f + (dl_i * 5u + dl_e);
#else
#ifdef DL_INDEX_64
    if (dl_e >= 5u || dl_i > (0xffffffffu - dl_e) / 5u) {
#else
    if (dl_e >= 5u || dl_i >= dl_head + dl_tail) {
#endif
        dl_e += dl_i * 5u;
        dl_i = dl_e / 5u;
        dl_e -= dl_i * 5u;
    }
    return DL_AT(unsigned char, dl_f, dl_i, 5, (dl_index)dl_e * 1, 1);
#endif
}
static __global unsigned char *dl_uchar_5(__global const unsigned char *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_AT(unsigned char, dl_f, dl_i, 5, 0 + dl_k0 * 1, 1);
}
static __global unsigned char *dl_uchar_5_any(__global const unsigned char *dl_f, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned char *)dl_f + dl_e;
#else
    dl_index dl_i = dl_e / 5;

    if (dl_i >= dl_head + dl_tail)
        return (__global unsigned char *)dl_f + (dl_signed)dl_e;
    return DL_AT(unsigned char, dl_f, dl_i, 5, dl_e % 5 * 1, 1);
#endif
}
static void dl_uchar_5_vstore2(uchar2 dl_v, dl_index dl_o, __global const unsigned char *dl_f, dl_index dl_e DL_FORMALS)
{
    *((__global unsigned char *)dl_uchar_5_any(dl_f, dl_e + dl_o * 2 + 0 DL_PASS)) = dl_v.s0;
    *((__global unsigned char *)dl_uchar_5_any(dl_f, dl_e + dl_o * 2 + 1 DL_PASS)) = dl_v.s1;
}
//DL-kernel: go 4
//DL-sums: exact
//DL-buffer: in arg 0 read aos bytes 16 line 5 type int
//DL-leaves: 0+4*4
//DL-structs: *
//DL-access: linear 1 0+16 read walks loops 1
//DL-access: uniform 0+4 read conditional
//DL-access: uniform 4+4 read conditional
//DL-access: uniform 0+8 read conditional
//DL-buffer: out arg 1 write aos bytes 16 line 5 type int
//DL-leaves: 0+4*4
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 0+16 read write walks loops 1
//DL-access: uniform 0+4 write conditional
//DL-access: uniform 4+4 write conditional
//DL-access: uniform 8+4 read write conditional
//DL-access: uniform 12+4 read conditional
//DL-buffer: bytes arg 2 write aos bytes 5 line 5 type uchar
//DL-leaves: 0+1*5
//DL-structs: *
//DL-access: uniform 0+5 read write walks conditional loops 1
//DL-access: uniform 0+1 read write conditional
//DL-access: uniform 2+1 read conditional
//DL-access: uniform 2+2 write conditional
//DL-end: go
#line 6
__kernel void go(__global const int *in, __global int *out, __global uchar *bytes, int n DL_PARAMS(in) DL_PARAMS(out) DL_PARAMS(bytes))
{
    int i = get_global_id(0), last = 4 * n, k = i ? 0 : 2;
    uint u = i, un = n;
    ulong z = i, zn = n;

    for (int j = 0; j < 4; j++)
        (*dl_int_4_near(out, i, j DL_ARGS(out))) += (*dl_int_4_near(in, i, j DL_ARGS(in))) + (*dl_int_4_near(in, i, (j + k) % 4 DL_ARGS(in)));
    if (i == n - 1) {
        dl_index p = (last);

        (*dl_int_4_any(out, last DL_ARGS(out))) = (*dl_int_4_any(in, last DL_ARGS(in))) * 3 + (*dl_int_4(in, n, 1 DL_ARGS(in))) + (*dl_int_4_any(in, p + 1 DL_ARGS(in))) + (*dl_int_4_any(in, ((dl_index)(last) + 1) DL_ARGS(in)));
        (*dl_int_4_near_2(out, un, 1 DL_ARGS(out))) = (*dl_int_4_near_2(in, un, 0 DL_ARGS(in))) + (*dl_int_4(in, zn, 1 DL_ARGS(in))) - (*dl_int_4(in, (n + 1) - 1, 1 DL_ARGS(in)));
        (*dl_int_4_any(out, last + 2 DL_ARGS(out))) = dl_helper(in, (last) DL_ARGS(in), 0) + dl_helper(in, p DL_ARGS(in), 1) + dl_int_4_vload2(0, in, (last) DL_ARGS(in)).y;
        dl_index q = (last);
        (*dl_int_4(out, (n - 1) + 1, 2 DL_ARGS(out))) ^= (*dl_int_4_any(out, q + (-1) DL_ARGS(out))) + (int)((dl_difference)(dl_signed)((dl_index)(last + 2) - q));
        for (int j = 0; j < 4; j++)
            (*dl_uchar_5_near(bytes, n, j DL_ARGS(bytes))) += (*dl_uchar_5_near(bytes, n, - j + -1 DL_ARGS(bytes))) + j;
        (*dl_uchar_5_near_2(bytes, un, 0 DL_ARGS(bytes))) ^= (*dl_uchar_5(bytes, zn, 2 DL_ARGS(bytes)));
        dl_uchar_5_vstore2((uchar2)((*dl_uchar_5(bytes, n, 0 DL_ARGS(bytes))), 9), 0, bytes, (dl_index)(5 * n) + 2 DL_ARGS(bytes));
    }
}
