// run: go structs structs words:2
// long double-sided differences & unsigned compare of differences; conditional pointers
typedef struct { uchar c; } one;
//DL: AoS: f[] AOS2ASTA_one, g[][1] AOS2ASTA_uchar_1
//DL-table: 2
/* prelude */
static __global unsigned char *dl_one_c(__global const one *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(unsigned char, dl_f, dl_i, 1, 0, 1);
}
static __global unsigned char *dl_uchar_1_any(__global const unsigned char *dl_f, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned char *)dl_f + dl_e;
#else
    dl_index dl_i = dl_e / 1;

    if (dl_i >= dl_head + dl_tail)
        return (__global unsigned char *)dl_f + (dl_signed)dl_e;
    return DL_AT(unsigned char, dl_f, dl_i, 1, dl_e % 1 * 1, 1);
#endif
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 1 line 4 type one
//DL-leaves: 0+1
//DL-structs: *
//DL-access: unknown 0+1 read
//DL-buffer: g arg 1 read aos bytes 1 line 4 type uchar
//DL-leaves: 0+1
//DL-structs: *
//DL-access: linear -1 0+1 read
//DL-end: go
#line 5
__kernel void go(__global one *f, __global uchar *g, __global int *out DL_PARAMS(f) DL_PARAMS(g)) {
    int i = get_global_id(0), n = get_global_size(0);
    dl_index p = i & 1 ? (dl_index)(i) : (dl_index)((n - 1));
    dl_index q = (dl_index)(n) - 1 - i;
    ulong d = (dl_difference)(dl_signed)(p - 0);
    uint e = (uint)((dl_difference)(dl_signed)(0 - p));
    out[2*i] = (int)d + (int)(e >> 28) + ((dl_difference)(dl_signed)(q - 0) < i) + ((size_t)((dl_difference)(dl_signed)(q - 0)) < (size_t)i) + ((dl_difference)(dl_signed)(0 - q) > -1u);
    out[2*i+1] = (*dl_one_c(f, ((dl_signed)(p) > (dl_signed)(0) ? p - 1 : p) DL_ARGS(f))) + (*dl_uchar_1_any(g, ((dl_signed)(q) > (dl_signed)(0) ? q - 1 : q) DL_ARGS(g))) + (int)(((dl_difference)(dl_signed)((dl_index)(n) - q)) * ((dl_difference)(dl_signed)(p - 0)));
}
