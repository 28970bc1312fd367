// Macros for names of arguments, and with names that generated text begins with.
// options: -DW=3 -DN=n
// run: go structs~6 structs~15 words:4 n
#define f in
#define g(x) out##x
#define dl(x) x
#define restrict
#define inline static
//DL: AoS: in[N][W] AOS2ASTA_float_3, half_[][W + 2] AOS2ASTA_float4_5
//DL-table: 2
/* prelude */
static __global float *dl_float_3_in(__global const float *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * 3 + dl_e);
#else
    return DL_AT(float, dl_f, dl_i, 12, dl_e * 4, 4);
#endif
}
static __global float4 *dl_float4_5_in(__global const float4 *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float4 *)dl_f + (dl_i * 5 + dl_e);
#else
    return DL_AT(float4, dl_f, dl_i, 80, dl_e * 16, 16);
#endif
}
//DL-kernel: go 4
//DL-sums: exact
//DL-buffer: in arg 0 read aos bytes 12 line 9 type float
//DL-leaves: 0+4*3
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 4+4 read
//DL-access: linear 1 0+4 read
//DL-access: uniform 0+4 read conditional
//DL-access: linear 1 8+4 read conditional
//DL-buffer: half_ arg 1 write aos bytes 80 line 9 type float4
//DL-leaves: 0+16*5
//DL-structs: *
//DL-access: linear 1 16+16 read write
//DL-access: linear 1 0+16 read
//DL-access: linear 1 32+16 read
//DL-end: go
#line 10
__kernel void go(__global const float *restrict f, __global float4 *half_, __global int *out, int n DL_PARAMS(in) DL_PARAMS(half_))
{ dl_index dl_w_in = (long)3; dl_index dl_w_half_ = (long)5;
    int i = get_global_id(0);

    out[4 * i] = (*dl_float_3_in(in, i, 1 DL_ARGS(in))) > (*dl_float_3_in(in, i, 0 DL_ARGS(in))) ? (*dl_float_3_in(in, 0, 0 DL_ARGS(in))) > 0 : (*dl_float_3_in(in, i, 2 DL_ARGS(in))) > 0;
    (*dl_float4_5_in(half_, i, 1 DL_ARGS(half_))).xz += (*dl_float4_5_in(half_, i, 0 DL_ARGS(half_))).s12;
    g( )[4 * i + 1] = (*dl_float4_5_in(half_, i, 2 DL_ARGS(half_))).x > 0;
}
