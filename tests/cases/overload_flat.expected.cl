// run: go structs structs words:2 n
// Overloads that take rows of flat buffers.
#define OVER __attribute__((overloadable))
int OVER at(__global int *p, int r, int w, int c) { return p[r * w + c]; }
int OVER at(__global int *p, uint r, uint w, uint c) { return p[r * w + c] + 1; }
int OVER at(__global int *p, long r, int w) { return p[r * w + w - 1] + 2; }
int OVER at(__global uchar *p, int r, int w, int c) { return p[r * w + c] + 3; }
int OVER at(__constant int *p, int r) { return p[r]; }
__constant int table[3] = {1, 2, 3};

//DL: AoS: a[n][4] AOS2ASTA_int_4, b[][5] AOS2ASTA_uchar_5
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
#line 4
static DL_INLINE int __attribute__((overloadable)) dl_at_2(__global int *p, dl_index dl_w_p DL_PARAMS(p), int r, int w, int c) { return (*dl_int_4_wide(p, r, c, dl_w_p DL_ARGS(p))); }
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
#line 5
static DL_INLINE int __attribute__((overloadable)) dl_at_3(__global int *p, dl_index dl_w_p DL_PARAMS(p), uint r, uint w, uint c) { return (*dl_int_4_uint(p, r, c, dl_w_p DL_ARGS(p))) + 1; }
#line 6
static DL_INLINE int __attribute__((overloadable)) dl_at_4(__global int *p, dl_index dl_w_p DL_PARAMS(p), long r, int w) { return (*dl_int_4_wide(p, r, 3, dl_w_p DL_ARGS(p))) + 2; }
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
#line 7
static DL_INLINE int __attribute__((overloadable)) dl_at_5(__global uchar *p, dl_index dl_w_p DL_PARAMS(p), int r, int w, int c) { return (*dl_uchar_5_wide(p, r, c, dl_w_p DL_ARGS(p))) + 3; }
#line 4
static DL_INLINE int __attribute__((overloadable)) dl_at_6(__global int *p, dl_index dl_row_p, dl_index dl_at_p, dl_index dl_w_p DL_PARAMS(p), int r, int w, int c) { return (*dl_int_4_wide(p, dl_row_p + (dl_index)(r), dl_at_p + (dl_index)(c), dl_w_p DL_ARGS(p))); }
//DL-kernel: go 4
//DL-sums: exact
//DL-buffer: a arg 0 read aos bytes 16 line 11 type int
//DL-leaves: 0+4*4
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 4+4 read
//DL-access: linear 1 8+4 read
//DL-access: linear 1 12+4 read
//DL-access: linear 1 0+4 read
//DL-buffer: b arg 1 read aos bytes 5 line 11 type uchar
//DL-leaves: 0+1*5
//DL-structs: *
//DL-access: linear 1 4+1 read
//DL-end: go
#line 12
__kernel void go(__global int *a, __global uchar *b, __global int *out, int n DL_PARAMS(a) DL_PARAMS(b))
{ dl_index dl_w_a = (long)4; dl_index dl_w_b = (long)5;
    int i = get_global_id(0), w = 4;

    out[2 * i] = dl_at_2(a, dl_w_a DL_ARGS(a), i, 4, 1) + dl_at_3(a, dl_w_a DL_ARGS(a), (uint)i, 4u, 2u) + dl_at_4(a, dl_w_a DL_ARGS(a), (long)i, 4) + dl_at_5(b, dl_w_b DL_ARGS(b), i, 5, 4);
    out[2 * i + 1] = at(table, i % 3) + dl_at_6(a, 1, 0, dl_w_a DL_ARGS(a), i - 1, 4, 0) * (i > 0);
}
