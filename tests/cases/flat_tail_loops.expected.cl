// run: go structs~3 words:2 n
// Loops over all elements, those behind the last row too, by every type of index.
#define ALL(T) for (T k = 0; k < (T)(5 * n + 3); k++)
//DL: AoS: b[][5] AOS2ASTA_uchar_5
//DL-table: 2
/* prelude */
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
static __global unsigned char *dl_uchar_5_near(__global const unsigned char *dl_f, dl_index dl_i, long dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned char *)dl_f + ((long)dl_i * 5 + dl_e);
#else
    if (dl_e < 0 || dl_e >= 5) {
        long dl_r = dl_e >= 0 ? dl_e / 5 : ~(~dl_e / 5);

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
static __global unsigned char *dl_uchar_5_near_3(__global const unsigned char *dl_f, dl_index dl_i, dl_signed dl_e DL_FORMALS)
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
static __global unsigned char *dl_uchar_5_from(__global const unsigned char *dl_f, unsigned int dl_e, unsigned int dl_i DL_FORMALS)
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
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: b arg 0 read aos bytes 5 line 4 type uchar
//DL-leaves: 0+1*5
//DL-structs: *
//DL-access: uniform 0+5 read walks loops 1
//DL-access: uniform 0+5 read loops 1
//DL-end: go
#line 5
__kernel void go(__global uchar *b, __global uint *out, int n DL_PARAMS(b)) {
    int i = get_global_id(0);
    uint s = 0, t = 1;
    ALL(int) s = s * 31 + (*dl_uchar_5_any(b, k DL_ARGS(b)));
    ALL(uint) s = s * 31 + (*dl_uchar_5_any(b, k DL_ARGS(b)));
    ALL(long) s = s * 31 + (*dl_uchar_5_near(b, (k / 5), (long)0 + k % 5 DL_ARGS(b)));
    ALL(ulong) s = s * 31 + (*dl_uchar_5_any(b, ((k)) DL_ARGS(b)));
    ALL(uint) s = s * 31 + (*dl_uchar_5_near_2(b, (k / 5u), k % 5u DL_ARGS(b)));
    ALL(int) s = s * 31 + (*dl_uchar_5_near_3(b, (k / 5), k % 5 DL_ARGS(b)));
    ALL(uint) s = s * 31 + (*dl_uchar_5_from(b, k % 5u, (k / 5u) DL_ARGS(b)));
    for (dl_index p = 0, e = (dl_index)(5 * n) + 3; (dl_signed)(p) < (dl_signed)(e); p += 2) t = t * 7 + (*dl_uchar_5_any(b, p DL_ARGS(b))) + (uint)((dl_difference)(dl_signed)(e - p));
    for (dl_index p = (dl_index)(5 * n) + 2; (dl_signed)(p) >= (dl_signed)(0); --p) t = t * 7 + (*dl_uchar_5_any(b, p + 0 DL_ARGS(b)));
    out[2*i] = s; out[2*i+1] = t;
}
