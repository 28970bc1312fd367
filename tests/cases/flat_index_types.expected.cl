// run: go structs~8 structs~12 structs~2 words:8 n
// An index keeps the value that it has in its own type, whatever its parts are.
//DL: AoS: a[][3] AOS2ASTA_int_3, b[][4] AOS2ASTA_int_4, c[][3] AOS2ASTA_uchar_3
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
static __global int *dl_int_3_uint(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (unsigned int)(dl_i * dl_w + dl_e);
#else
    dl_w = 3;
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
static __global unsigned char *dl_uchar_3_in(__global const unsigned char *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned char *)dl_f + (dl_i * 3 + dl_e);
#else
    return DL_AT(unsigned char, dl_f, dl_i, 3, dl_e * 1, 1);
#endif
}
static __global unsigned char *dl_uchar_3(__global const unsigned char *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned char *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 3;
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
static __global unsigned char *dl_uchar_3_wide(__global const unsigned char *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned char *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 3;
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
static __global int *dl_int_4(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 4;
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
static __global int *dl_int_4_in(__global const int *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * 4 + dl_e);
#else
    return DL_AT(int, dl_f, dl_i, 16, dl_e * 4, 4);
#endif
}
static __global int *dl_int_3_in(__global const int *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * 3 + dl_e);
#else
    return DL_AT(int, dl_f, dl_i, 12, dl_e * 4, 4);
#endif
}
static __global int *dl_int_3_wide(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 3;
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
static void dl_int_3_vstore2(int2 dl_v, dl_index dl_o, __global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    *((__global int *)dl_int_3_wide(dl_f, dl_i, dl_e + dl_o * 2 + 0, dl_w DL_PASS)) = dl_v.s0;
    *((__global int *)dl_int_3_wide(dl_f, dl_i, dl_e + dl_o * 2 + 1, dl_w DL_PASS)) = dl_v.s1;
}
static int4 dl_int_4_vload4(dl_index dl_o, __global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    return (int4)(*((__global int *)dl_int_4_wide(dl_f, dl_i, dl_e + dl_o * 4 + 0, dl_w DL_PASS)), *((__global int *)dl_int_4_wide(dl_f, dl_i, dl_e + dl_o * 4 + 1, dl_w DL_PASS)), *((__global int *)dl_int_4_wide(dl_f, dl_i, dl_e + dl_o * 4 + 2, dl_w DL_PASS)), *((__global int *)dl_int_4_wide(dl_f, dl_i, dl_e + dl_o * 4 + 3, dl_w DL_PASS)));
}
static __global unsigned char *dl_uchar_3_uint(__global const unsigned char *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned char *)dl_f + (unsigned int)(dl_i * dl_w + dl_e);
#else
    dl_w = 3;
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
//DL-kernel: go 5
//DL-sums: exact
//DL-buffer: a arg 0 write aos bytes 12 line 3 type int
//DL-leaves: 0+4*3
//DL-structs: *
//DL-access: linear 1 4+4 read
//DL-access: linear 1 8+4 read
//DL-access: uniform 4+4 read write atomic conditional
//DL-access: uniform 0+4 read write atomic conditional
//DL-access: uniform 0+8 write conditional
//DL-buffer: b arg 1 read aos bytes 16 line 3 type int
//DL-leaves: 0+4*4
//DL-structs: *
//DL-access: unknown 0+16 read
//DL-access: linear 1 4+4 read
//DL-access: linear 1 8+4 read
//DL-access: linear 1 0+4 read
//DL-access: linear 1 12+4 read
//DL-access: uniform 8+4 read conditional
//DL-access: uniform 0+4 read conditional
//DL-access: uniform 12+4 read conditional
//DL-access: uniform 8+8 read conditional
//DL-buffer: c arg 2 write aos bytes 3 line 3 type uchar
//DL-leaves: 0+1*3
//DL-structs: *
//DL-access: unknown 1+1 read
//DL-access: unknown 0+3 read
//DL-access: linear 1 1+1 read
//DL-access: uniform 1+1 write conditional
//DL-access: uniform 0+1 read conditional
//DL-access: uniform 2+1 read conditional
//DL-end: go
#line 4
__kernel void go(__global int *a, __global const int *b, __global uchar *c, __global int *out, int n DL_PARAMS(a) DL_PARAMS(b) DL_PARAMS(c))
{ dl_index dl_w_a = (long)3; dl_index dl_w_b = (long)4; dl_index dl_w_c = (long)3;
    int i = get_global_id(0), j = i % 3, k = 0;
    uint u = i, v = j;
    long l = i, m = j;
    ulong z = i, y = j;
    uchar s = i % 5 < n ? i % 5 : 0;
    short t = i;

    out[8 * i] = (*dl_int_4_wide(b, l - 1000000000l, (dl_index)(m) + (dl_index)(4000000000l), dl_w_b DL_ARGS(b))) + (*dl_int_4_wide(b, l - 1000000000l, (dl_index)(m) + (dl_index)(4000000000l), dl_w_b DL_ARGS(b)));
    out[8 * i + 1] = (*dl_int_3_uint(a, (dl_index)(u + 0x55555556u) - 1, 1, dl_w_a DL_ARGS(a))) + (*dl_int_3_uint(a, (dl_index)(u + 0xaaaaaaabu) - 1, 2, dl_w_a DL_ARGS(a))) + (*dl_int_4_uint(b, 0, (dl_index)(u << 2) + 1, dl_w_b DL_ARGS(b)));
    out[8 * i + 2] = (*dl_uchar_3_in(c, s, 1 DL_ARGS(c))) + (*dl_uchar_3(c, t, j, dl_w_c DL_ARGS(c))) + (*dl_uchar_3(c, 0, (ushort)(3 * i + 1), dl_w_c DL_ARGS(c))) + (*dl_uchar_3_wide(c, t, v, dl_w_c DL_ARGS(c)));
    out[8 * i + 3] = (*dl_int_4(b, 0, (dl_index)((int)(4 * l)) + (dl_index)(j), dl_w_b DL_ARGS(b))) + (*dl_int_4_uint(b, 0, (dl_index)((uint)(4 * l)) + (dl_index)(v), dl_w_b DL_ARGS(b))) + (*dl_int_4(b, i, m, dl_w_b DL_ARGS(b))) + (*dl_int_4_uint(b, -(dl_index)(u) + 2 * (dl_index)(u), 2, dl_w_b DL_ARGS(b)));
    out[8 * i + 4] = (*dl_int_4_in(b, k = i, 1 DL_ARGS(b)));
    out[8 * i + 4] += (*dl_int_4(b, i, (k += 1) % 2, dl_w_b DL_ARGS(b)));
    out[8 * i + 4] += (*dl_int_4_in(b, (dl_index)(k--) - 1, 0 DL_ARGS(b)));
    out[8 * i + 4] += k;
    out[8 * i + 5] = (*dl_int_4_wide(b, DL_PARTS(u, 0), DL_PARTS((dl_index)(1), (dl_index)((int)(4u * u + 1u))), dl_w_b DL_ARGS(b))) + (*dl_int_4_wide(b, DL_PARTS(u, 0), DL_PARTS((dl_index)(0), (dl_index)((ulong)(4u * u))) + (dl_index)(y), dl_w_b DL_ARGS(b))) + (*dl_int_4_wide(b, DL_PARTS(u - 1u, 0) + 1, DL_PARTS((dl_index)(0), (dl_index)((ulong)(4u * (u - 1u)))) - (dl_index)(4294967296ul * (u == 0)), dl_w_b DL_ARGS(b)));
    out[8 * i + 6] = (*dl_int_4_in(b, i, 3 DL_ARGS(b))) + (*dl_int_4_in(b, -(-1) * (dl_index)(i), 3 DL_ARGS(b))) + (*dl_int_4(b, (dl_index)(i + 1) - 1, j, dl_w_b DL_ARGS(b))) + (*dl_int_4(b, -(dl_index)(-i), j, dl_w_b DL_ARGS(b)));
    out[8 * i + 7] = (*dl_int_4_uint(b, u, 0, dl_w_b DL_ARGS(b))) + (*dl_int_4_uint(b, u, (dl_index)(~0u) + 2, dl_w_b DL_ARGS(b))) + (*dl_int_4_uint(b, u, -(dl_index)(v) + 2, dl_w_b DL_ARGS(b))) + (*dl_int_4_uint(b, u, v, dl_w_b DL_ARGS(b)));
    if (i == n - 1) {
        atomic_add(dl_int_3_in(a, n, 1 DL_ARGS(a)), 7);
        atomic_add(dl_int_3_wide(a, n, 0, dl_w_a DL_ARGS(a)), (*dl_int_4_in(b, n, 2 DL_ARGS(b))) & 7);
        dl_int_3_vstore2((int2)((*dl_int_4_in(b, n, 0 DL_ARGS(b))), (*dl_int_4_in(b, (dl_index)(n) - 1, 3 DL_ARGS(b)))), 0, a, n, 0, dl_w_a DL_ARGS(a));
        out[8 * i + 7] += dl_int_4_vload4(0, b, (dl_index)(n) - 1, 2, dl_w_b DL_ARGS(b)).w + dl_int_4_vload4(n, b, -1, 3, dl_w_b DL_ARGS(b)).x * 3;
        (*dl_uchar_3_in(c, n, 1 DL_ARGS(c))) = (*dl_uchar_3_in(c, n, 0 DL_ARGS(c))) + (*dl_uchar_3_uint(c, (dl_index)(n) - 1, 2, dl_w_c DL_ARGS(c)));
    }
}
