// run: go structs structs structs words:8
// Arguments keep their types: of members, elements, pointers to const, differences.
#define OVER __attribute__((overloadable))
typedef struct foo {
    char c;
    signed char d;
    short s;
    float2 v;
    int n;
} cell;
typedef cell alias;

int OVER g(__global const struct foo *p) { return p->n + 1; }
int OVER g(__global alias *p) { return p->n + 2; }
static int OVER h(char c) { return c + 10; }
static int OVER h(short c) { return c + 20; }
static int OVER h(int c) { return c + 30; }
static int OVER h(long c) { return (int)c + 40; }
static int OVER h(float c) { return (int)(c * 0.001f) + 50; }
static int OVER h(float2 c) { return (c.x > 0) + 60; }
static int OVER h(cell c) { return c.n + 70; }
int after(__global cell *p, int k) OVER;
int after(__global cell *p) OVER;
int OVER after(__global cell *p) { return after(p, 3) + 1; }
int OVER after(__global cell *p, int k) { return p[0].s * k; }
int OVER fl(__global float *p, int k) { return p[k] > 0; }
int OVER fl(__global const float *p, int k) { return (p[k] > 0) + 4; }
int OVER fl(__global int *p, int k) { return p[k] + 8; }
int OVER fl(__local int *p, int k) { return p[k] + 16; }
int OVER fl(__private int *p, int k) { return p[k] + 32; }

//DL: AoS: f[] AOS2ASTA_foo, a[][3] AOS2ASTA_float_3, b[][2] AOS2ASTA_int_2
//DL-table: 2
/* prelude */
static __global int *dl_foo_n(__global const struct foo *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 24, 16, 4);
}
#line 14
static DL_INLINE int __attribute__((overloadable)) dl_g(__global alias *p, dl_index dl_at_p DL_PARAMS(p)) { return (*dl_foo_n(p, dl_at_p DL_ARGS(p))) + 2; }
#line 13
static DL_INLINE int __attribute__((overloadable)) dl_g_2(__global const struct foo *p, dl_index dl_at_p DL_PARAMS(p)) { return (*dl_foo_n(p, dl_at_p DL_ARGS(p))) + 1; }
static __global short *dl_foo_s(__global const struct foo *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(short, dl_f, dl_i, 24, 2, 2);
}
#line 25
static DL_INLINE int __attribute__((overloadable)) dl_after_2(__global cell *p, dl_index dl_at_p DL_PARAMS(p), int k) { return (*dl_foo_s(p, dl_at_p + 0 DL_ARGS(p))) * k; }
#line 24
static DL_INLINE int __attribute__((overloadable)) dl_after(__global cell *p, dl_index dl_at_p DL_PARAMS(p)) { return dl_after_2(p, dl_at_p DL_ARGS(p), 3) + 1; }
static __global float *dl_float_3_wide(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 3;
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global float *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(float, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
#line 26
static DL_INLINE int __attribute__((overloadable)) dl_fl(__global float *p, dl_index dl_row_p, dl_index dl_at_p, dl_index dl_w_p DL_PARAMS(p), int k) { return (*dl_float_3_wide(p, dl_row_p, dl_at_p + (dl_index)(k), dl_w_p DL_ARGS(p))) > 0; }
#line 27
static DL_INLINE int __attribute__((overloadable)) dl_fl_2(__global const float *p, dl_index dl_row_p, dl_index dl_at_p, dl_index dl_w_p DL_PARAMS(p), int k) { return ((*dl_float_3_wide(p, dl_row_p, dl_at_p + (dl_index)(k), dl_w_p DL_ARGS(p))) > 0) + 4; }
static __global int *dl_int_2_wide(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 2;
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
#line 28
static DL_INLINE int __attribute__((overloadable)) dl_fl_3(__global int *p, dl_index dl_row_p, dl_index dl_at_p, dl_index dl_w_p DL_PARAMS(p), int k) { return (*dl_int_2_wide(p, dl_row_p, dl_at_p + (dl_index)(k), dl_w_p DL_ARGS(p))) + 8; }
static __global int *dl_int_2(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 2;
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
#line 28
static DL_INLINE int __attribute__((overloadable)) dl_fl_4(__global int *p, dl_index dl_w_p DL_PARAMS(p), int k) { return (*dl_int_2(p, 0, k, dl_w_p DL_ARGS(p))) + 8; }
static __global char *dl_foo_c(__global const struct foo *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(char, dl_f, dl_i, 24, 0, 1);
}
static __global float2 *dl_foo_v(__global const struct foo *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float2, dl_f, dl_i, 24, 8, 8);
}
static void dl_foo_load(__global const struct foo *dl_f, dl_index dl_i DL_FORMALS, struct foo *dl_s)
{
    (*dl_s).c = *DL_AT(char, dl_f, dl_i, 24, 0, 1);
    (*dl_s).d = *DL_AT(char, dl_f, dl_i, 24, 1, 1);
    (*dl_s).s = *DL_AT(short, dl_f, dl_i, 24, 2, 2);
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 4))->dl_v = ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned char, dl_f, dl_i, 24, 4, 4))->dl_v;
    (*dl_s).v = *DL_AT(float2, dl_f, dl_i, 24, 8, 8);
    (*dl_s).n = *DL_AT(int, dl_f, dl_i, 24, 16, 4);
    ((DL_ALIASED(unsigned int) *)((unsigned char *)dl_s + 20))->dl_v = ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned char, dl_f, dl_i, 24, 20, 4))->dl_v;
}
static __global float *dl_float_3_in(__global const float *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * 3 + dl_e);
#else
    return DL_AT(float, dl_f, dl_i, 12, dl_e * 4, 4);
#endif
}
static __global int *dl_int_2_in(__global const int *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * 2 + dl_e);
#else
    return DL_AT(int, dl_f, dl_i, 8, dl_e * 4, 4);
#endif
}
//DL-kernel: go 4
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 24 line 32 type struct foo
//DL-leaves: 0+1*2 2+2 4+4 8+8 16+4*2
//DL-structs: *
//DL-access: linear 1 16+4 read
//DL-access: linear 1 0+1 read
//DL-access: linear 1 2+2 read
//DL-access: linear 1 8+8 read
//DL-access: linear 1 0+24 read
//DL-buffer: a arg 1 read aos bytes 12 line 32 type float
//DL-leaves: 0+4*3
//DL-structs: *
//DL-access: linear 1 4+4 read
//DL-access: linear 1 8+4 read
//DL-buffer: b arg 2 read aos bytes 8 line 32 type int
//DL-leaves: 0+4*2
//DL-structs: *
//DL-access: linear 1 0+4 read
//DL-access: linear 1 4+4 read
//DL-access: unknown 0+8 read
//DL-end: go
#line 33
__kernel void go(__global cell *f, __global float *a, __global int *b, __global int *out DL_PARAMS(f) DL_PARAMS(a) DL_PARAMS(b))
{ dl_index dl_w_a = (long)3; dl_index dl_w_b = (long)2;
    int i = get_global_id(0);
    __local int loc[2];
    int mine[2] = {i, i + 1};
    dl_index q = (i);
    dl_index dl_row_r = i, r = 0;

    loc[0] = 5;
    loc[1] = 6;
    out[8 * i] = dl_g(f, (i) DL_ARGS(f)) * 3 + dl_g_2(f, q DL_ARGS(f)) + dl_g_2(f, (dl_index)0 + i DL_ARGS(f));
    out[8 * i + 1] = h((*dl_foo_c(f, i DL_ARGS(f)))) + h((*dl_foo_s(f, i DL_ARGS(f)))) + h((*dl_foo_n(f, q DL_ARGS(f)))) + h((dl_difference)(dl_signed)(q - 0)) + h((*dl_foo_v(f, i DL_ARGS(f)))) + h((*dl_foo_v(f, i DL_ARGS(f))).y);
    out[8 * i + 2] = h(({ struct foo dl_s; dl_foo_load(f, i DL_ARGS(f), &dl_s); dl_s; })) + h((*dl_float_3_in(a, i, 1 DL_ARGS(a))) > 0 ? 1.f : 2.f) + h((*dl_int_2_in(b, i, 0 DL_ARGS(b)))) + h((long)(*dl_int_2_in(b, i, 1 DL_ARGS(b))));
    out[8 * i + 3] = dl_after(f, (i) DL_ARGS(f)) + dl_after_2(f, (i) DL_ARGS(f), 2);
    out[8 * i + 4] = dl_fl(a, i, 0, dl_w_a DL_ARGS(a), 2) + dl_fl_2(a, dl_row_r, r, dl_w_a DL_ARGS(a), 1) + dl_fl_3(b, i, 0, dl_w_b DL_ARGS(b), 1) + dl_fl_4(b, dl_w_b DL_ARGS(b), i) + fl(loc, 1) + fl(mine, 0);
    out[8 * i + 5] = h((char)((*dl_foo_c(f, i DL_ARGS(f))))) + h((*dl_foo_c(f, ((i)) DL_ARGS(f)))) + h((*dl_foo_s(f, ((i)) DL_ARGS(f))) ? 1 : 2L) + h(sizeof(char[24]) > 3);
}
