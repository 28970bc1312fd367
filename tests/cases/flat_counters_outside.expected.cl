// How far loops count: places that leave their row of six by one are in the next. See flat_counters.
// run: outside structs structs n
//DL: AoS: a[n][6] AOS2ASTA_int_6, b[n][6] AOS2ASTA_int_6
//DL-table: 2
/* prelude */
static __global int *dl_int_6(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 6;
    if (dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
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
static __global int *dl_int_6_in(__global const int *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * 6 + dl_e);
#else
    return DL_AT(int, dl_f, dl_i, 24, dl_e * 4, 4);
#endif
}
//DL-kernel: outside 3
//DL-sums: exact
//DL-buffer: a arg 0 read aos bytes 24 line 3 type int
//DL-leaves: 0+4*6
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+24 read walks loops 1 counted 1 rounds 7
//DL-access: linear 1 0+24 read walks loops 1 counted 1 rounds 3
//DL-access: linear 1 0+24 read walks loops 1 line 17
//DL-access: linear 1 0+24 read walks loops 1 counted 1 rounds 1
//DL-access: linear 1 0+24 read
//DL-buffer: b arg 1 write aos bytes 24 line 3 type int
//DL-leaves: 0+4*6
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 write
//DL-end: outside
#line 4
__kernel void outside(__global const int *a, __global int *b, int n DL_PARAMS(a) DL_PARAMS(b))
{ dl_index dl_w_a = (long)6; dl_index dl_w_b = (long)6;
    int i = get_global_id(0), s = 0, k;
    uint u;

    if (i + 1 >= n)
        return;
    for (int j = 0; j <= 6; j++)
        s += (*dl_int_6(a, i, j, dl_w_a DL_ARGS(a)));
    for (int j = 1; j <= 5; j += 2)
        s = s * 31 + (*dl_int_6(a, i, (dl_index)(j) + 1, dl_w_a DL_ARGS(a)));
    for (k = 6; k >= 0; k--)
        s = s * 31 + (*dl_int_6(a, i, k, dl_w_a DL_ARGS(a)));
    for (k = 0; k < 6; k++) {
        s = s * 31 + (*dl_int_6(a, i, k, dl_w_a DL_ARGS(a)));
        k += s & 1;
        s = s * 31 + (*dl_int_6(a, i, k, dl_w_a DL_ARGS(a)));
    }
    for (u = 6; u > 3; u -= 4)
        s = s * 31 + (*dl_int_6_uint(a, i, u, dl_w_a DL_ARGS(a)));
    for (k = 2; k > 0u && k < 9; k += 4)
        s = s * 31 + (*dl_int_6(a, i, k, dl_w_a DL_ARGS(a)));
    for (k = 0; k < 6; k++)
        ;
    s = s * 31 + (*dl_int_6(a, i, k, dl_w_a DL_ARGS(a)));
    s = s * 31 + (*dl_int_6(a, i, n & 1 ? s & 1 : 6, dl_w_a DL_ARGS(a)));
    s = s * 31 + (*dl_int_6(a, i, s & 7, dl_w_a DL_ARGS(a)));
    s = s * 31 + (*dl_int_6_in(a, (dl_index)(i) + 1, (dl_index)(max(s & 3, 6)) - 6 DL_ARGS(a)));
    (*dl_int_6_in(b, i, 0 DL_ARGS(b))) = s;
}
