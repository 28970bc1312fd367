// How far loops count, and what is made of that: places that stay in their row of six are there without a
// division. See flat_counters_outside.
// run: inside structs structs n
#define BODY(place) s = s * 31 + a[i * 6 + (place)], b[i * 6 + (place)] += s
//DL: AoS: a[n][6] AOS2ASTA_int_6, b[n][6] AOS2ASTA_int_6
//DL-table: 2
/* prelude */
static __global int *dl_int_6_in(__global const int *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * 6 + dl_e);
#else
    return DL_AT(int, dl_f, dl_i, 24, dl_e * 4, 4);
#endif
}
static __global int *dl_int_6_uint(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (unsigned int)(dl_i * dl_w + dl_e);
#else
    dl_w = 6;
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
//DL-kernel: inside 3
//DL-sums: exact
//DL-buffer: a arg 0 read aos bytes 24 line 5 type int
//DL-leaves: 0+4*6
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+24 read walks loops 1 counted 1 rounds 6
//DL-access: linear 1 0+24 read walks loops 1 counted 1 rounds 3
//DL-access: linear 1 0+24 read walks loops 1 counted 1 rounds 2
//DL-access: linear 1 0+24 read walks loops 1 line 22
//DL-access: linear 1 0+24 read
//DL-buffer: b arg 1 write aos bytes 24 line 5 type int
//DL-leaves: 0+4*6
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+24 read write walks loops 1 counted 1 rounds 6
//DL-access: linear 1 0+24 read write walks loops 1 counted 1 rounds 3
//DL-access: linear 1 0+24 read write walks loops 1 counted 1 rounds 2
//DL-access: linear 1 0+24 read write walks loops 1 line 22
//DL-access: linear 1 0+24 read write
//DL-end: inside
#line 6
__kernel void inside(__global const int *a, __global int *b, int n DL_PARAMS(a) DL_PARAMS(b))
{ dl_index dl_w_a = (long)6; dl_index dl_w_b = (long)6;
    int i = get_global_id(0), s = 0;
    uint u;
    char c;

    for (int j = 0; j < 6; j++)
        s = s * 31 + (*dl_int_6_in(a, i, j DL_ARGS(a))), (*dl_int_6_in(b, i, j DL_ARGS(b))) += s;
    for (int j = 1; j <= 5; j += 2)
        s = s * 31 + (*dl_int_6_in(a, i, -(dl_index)(j) + 6 DL_ARGS(a))), (*dl_int_6_in(b, i, -(dl_index)(j) + 6 DL_ARGS(b))) += s;
    for (int k = 5; k >= 0; k--)
        s = s * 31 + (*dl_int_6_in(a, i, k DL_ARGS(a))), (*dl_int_6_in(b, i, k DL_ARGS(b))) += s;
    for (int k = 6; k > 0; k -= 3)
        s = s * 31 + (*dl_int_6_in(a, i, (dl_index)(k) - 1 DL_ARGS(a))), (*dl_int_6_in(b, i, (dl_index)(k) - 1 DL_ARGS(b))) += s;
    for (u = 0; u != 6; ++u)
        s = s * 31 + (*dl_int_6_uint(a, i, -(dl_index)(u) + 5, dl_w_a DL_ARGS(a))), (*dl_int_6_uint(b, i, -(dl_index)(u) + 5, dl_w_b DL_ARGS(b))) += s;
    for (c = 2; c < 4 && s; c++)
        s = s * 31 + (*dl_int_6_in(a, i, (dl_index)(c) + 2 DL_ARGS(a))), (*dl_int_6_in(b, i, (dl_index)(c) + 2 DL_ARGS(b))) += s;
    for (u = 1; u < 6; u += 4)
        s = s * 31 + (*dl_int_6_uint(a, i, n & 1 ? u : u - 1, dl_w_a DL_ARGS(a))), (*dl_int_6_uint(b, i, n & 1 ? u : u - 1, dl_w_b DL_ARGS(b))) += s;
    s = s * 31 + (*dl_int_6_in(a, i, min(s & 15, 5) DL_ARGS(a))), (*dl_int_6_in(b, i, min(s & 15, 5) DL_ARGS(b))) += s;
    s = s * 31 + (*dl_int_6_uint(a, i, (uint)s % 6u, dl_w_a DL_ARGS(a))), (*dl_int_6_uint(b, i, (uint)s % 6u, dl_w_b DL_ARGS(b))) += s;
    s = s * 31 + (*dl_int_6_in(a, i, (s & 0xff) >> 6 DL_ARGS(a))), (*dl_int_6_in(b, i, (s & 0xff) >> 6 DL_ARGS(b))) += s;
}
