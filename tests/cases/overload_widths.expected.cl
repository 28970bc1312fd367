// run: go structs words:2 n w
// run-time widths with overloads and tails, uint widths, macros for width
#define OVER __attribute__((overloadable))
#define COLS (w)
#define IDX(r, c) ((r) * COLS + (c))
int OVER s(__global const int *p, int w, int i) { return p[i * w] + p[IDX(i, w - 1)]; }
int OVER s(__global const int *p, uint w, int i) { return p[(uint)i * w + 1u % w]; }
int OVER s(__global const int *p, long w) { return p[w]; }
//DL: AoS: a[n][COLS] AOS2ASTA_int_row
//DL-table: 2
/* prelude */
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
#line 6
static DL_INLINE int __attribute__((overloadable)) dl_s_2(__global const int *p, dl_index dl_w_p DL_PARAMS(p), int w, int i) { return (*dl_int_row(p, i, 0, dl_w_p DL_ARGS(p))) + (*dl_int_row(p, (dl_index)(i) + 1, -1, dl_w_p DL_ARGS(p))); }
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
#line 7
static DL_INLINE int __attribute__((overloadable)) dl_s_3(__global const int *p, dl_index dl_w_p DL_PARAMS(p), uint w, int i) { return (*dl_int_row_uint(p, i, 1u % w, dl_w_p DL_ARGS(p))); }
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
#line 8
static DL_INLINE int __attribute__((overloadable)) dl_s_4(__global const int *p, dl_index dl_w_p DL_PARAMS(p), long w) { return (*dl_int_row_wide(p, 0, w, dl_w_p DL_ARGS(p))); }
//DL-kernel: go 4
//DL-sums: exact
//DL-buffer: a arg 0 read aos bytes 4 line 9 type int
//DL-leaves: 0+4
//DL-width: (arg(3, i4, 0))
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read
//DL-access: linear 1 0+* read
//DL-access: uniform 0+4 read
//DL-end: go
#line 10
__kernel void go(__global int *a, __global int *out, int n, int w DL_PARAMS(a)) { dl_index dl_w_a = ((long)w);
    int i = get_global_id(0);
    dl_index dl_row_p = i, p = 0;
    out[2*i] = dl_s_2(a, dl_w_a DL_ARGS(a), w, i) + dl_s_3(a, dl_w_a DL_ARGS(a), (uint)w, i);
    out[2*i+1] = (int)((dl_difference)(dl_signed)(((dl_index)(dl_row_p) * dl_w_a + (p)) - ((dl_index)(0)))) + ((dl_signed)(((dl_index)(dl_row_p) * dl_w_a + (p))) >= (dl_signed)(((dl_index)(1) * dl_w_a + (0)))) + (((dl_index)(i) * dl_w_a + (0)) == ((dl_index)(dl_row_p) * dl_w_a + (p))) + dl_s_4(a, dl_w_a DL_ARGS(a), (long)0) + (*dl_int_row_wide(a, dl_row_p + 1, p - 1, dl_w_a DL_ARGS(a)));
}
