// run: go structs structs words:2
// vector flats and packed w/ overloads; swizzle args; tails of vector flats
#define OVER __attribute__((overloadable))
int OVER v(float4 a) { return a.x > 0; }
int OVER v(float2 a) { return (a.x > 0) + 2; }
int OVER v(float a) { return (a > 0) + 4; }
int OVER v(__global float4 *a) { return ((*a).y > 0) + 8; }
int OVER v(__global const float4 *a) { return ((*a).y > 0) + 16; }
int OVER v(__constant float4 *a) { return ((*a).y > 0) + 32; }
//DL: AoS: f[][2] AOS2ASTA_float4_2, c[][3] AOS2ASTA_float4_3
//DL-table: 2
/* prelude */
static __global float4 *dl_float4_2_wide(__global const float4 *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float4 *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 2;
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global float4 *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(float4, dl_f, dl_i, dl_w * 16, dl_e * 16, 16);
#endif
}
#line 7
static DL_INLINE int __attribute__((overloadable)) dl_v_2(__global float4 *a, dl_index dl_row_a, dl_index dl_at_a, dl_index dl_w_a DL_PARAMS(a)) { return (((*dl_float4_2_wide(a, dl_row_a, dl_at_a, dl_w_a DL_ARGS(a)))).y > 0) + 8; }
#line 8
static DL_INLINE int __attribute__((overloadable)) dl_v_3(__global const float4 *a, dl_index dl_row_a, dl_index dl_at_a, dl_index dl_w_a DL_PARAMS(a)) { return (((*dl_float4_2_wide(a, dl_row_a, dl_at_a, dl_w_a DL_ARGS(a)))).y > 0) + 16; }
static __constant float4 *dl_float4_3_wide_constant(__constant const float4 *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__constant float4 *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 3;
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__constant float4 *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT_IN(__constant, float4, dl_f, dl_i, dl_w * 16, dl_e * 16, 16);
#endif
}
#line 9
static DL_INLINE int __attribute__((overloadable)) dl_v_4(__constant float4 *a, dl_index dl_row_a, dl_index dl_at_a, dl_index dl_w_a DL_PARAMS(a)) { return (((*dl_float4_3_wide_constant(a, dl_row_a, dl_at_a, dl_w_a DL_ARGS(a)))).y > 0) + 32; }
static __global float4 *dl_float4_2_in(__global const float4 *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float4 *)dl_f + (dl_i * 2 + dl_e);
#else
    return DL_AT(float4, dl_f, dl_i, 32, dl_e * 16, 16);
#endif
}
static __constant float4 *dl_float4_3_in_constant(__constant const float4 *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__constant float4 *)dl_f + (dl_i * 3 + dl_e);
#else
    return DL_AT_IN(__constant, float4, dl_f, dl_i, 48, dl_e * 16, 16);
#endif
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 32 line 10 type float4
//DL-leaves: 0+16*2
//DL-structs: *
//DL-access: linear 1 0+16 read
//DL-access: linear 1 16+16 read
//DL-buffer: c arg 1 const aos bytes 48 line 10 type float4
//DL-leaves: 0+16*3
//DL-structs: *
//DL-access: linear 1 32+16 read
//DL-access: linear 1 0+16 read
//DL-end: go
#line 11
__kernel void go(__global float4 *f, __constant float4 *c, __global int *out DL_PARAMS(f) DL_PARAMS(c)) { dl_index dl_w_f = (long)2; dl_index dl_w_c = (long)3;
    int i = get_global_id(0);
    dl_index dl_row_k = i, k = 0;
    out[2*i] = v((*dl_float4_2_in(f, i, 0 DL_ARGS(f)))) + v((*dl_float4_2_in(f, i, 1 DL_ARGS(f))).xy) + v((*dl_float4_2_in(f, i, 0 DL_ARGS(f))).w) + dl_v_2(f, i, 0, dl_w_f DL_ARGS(f)) + dl_v_3(f, dl_row_k, k, dl_w_f DL_ARGS(f)) + dl_v_4(c, i, 2, dl_w_c DL_ARGS(c));
    out[2*i+1] = v((*dl_float4_3_in_constant(c, i, 0 DL_ARGS(c))).lo) + dl_v_2(f, i, 1, dl_w_f DL_ARGS(f)) + dl_v_3(f, dl_row_k, k + 1, dl_w_f DL_ARGS(f));
}
