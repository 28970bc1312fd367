// Index functions: the row and the place in it are kept apart.
#define W 20
int at(int i, int k)
{
    return i * W + k;
}

uint of(uint i, uint k, uint n)
{
    return (k + n * i) - 0u;
}

long wide(long i, long k)
{
    return W * i + 2 * k - 1;
}

size_t twice(size_t i)
{
    return i * 40 + i;
}

float row(__global const float *f, int i, int width)
{
    return f[at(i, 4)] + f[at(i + 1 - 1, 3) + 2];
}

float column(__global const float *h, uint i, uint width)
{
    return h[of(i, width - 1, width)];
}

//DL: AoS: f[n][W] AOS2ASTA_float_20, g[n][W] AOS2ASTA_float_20, h[n][width] AOS2ASTA_float_row
//DL-table: 2
/* prelude */
static __global float *dl_float_20_in(__global const float *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * 20 + dl_e);
#else
    return DL_AT(float, dl_f, dl_i, 80, dl_e * 4, 4);
#endif
}
#line 23
static DL_INLINE float dl_row_2(__global const float *f, dl_index dl_w_f DL_PARAMS(f), int i, int width)
{
    return (*dl_float_20_in(f, i, 4 DL_ARGS(f))) + (*dl_float_20_in(f, i + 1 - 1, 5 DL_ARGS(f)));
}
static __global float *dl_float_row_uint(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (unsigned int)(dl_i * dl_w + dl_e);
#else
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w || dl_i * dl_w + dl_e > 0xffffffffu) {
        dl_e = (unsigned int)(dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global float *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, float, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
#line 28
static DL_INLINE float dl_column(__global const float *h, dl_index dl_w_h DL_PARAMS(h), uint i, uint width)
{
    return (*dl_float_row_uint(h, i, width - 1, dl_w_h DL_ARGS(h)));
}
static __global float *dl_float_20(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 20;
    if (dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global float *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(float, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
static __global float *dl_float_20_wide(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 20;
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
//DL-kernel: go 5
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 80 line 33 type float
//DL-leaves: 0+4*20
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 12+4 read write
//DL-access: unknown 0+80 write
//DL-access: linear 1 20+4 write
//DL-access: linear 1 4+4 read write
//DL-buffer: g arg 1 read aos bytes 80 line 33 type float
//DL-leaves: 0+4*20
//DL-structs: arg(3, i4, 0)
//DL-access: unknown 0+80 read
//DL-access: linear 1 52+4 read
//DL-access: linear 1 16+4 read
//DL-access: linear 1 20+4 read
//DL-buffer: h arg 2 write aos bytes 4 line 33 type float
//DL-leaves: 0+4
//DL-width: arg(4, i4, 0)
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 0+* read
//DL-access: unknown 0+* read
//DL-end: go
#line 34
__kernel void go(__global float *f, __global const float *g, __global float *h, int n, int width DL_PARAMS(f) DL_PARAMS(g) DL_PARAMS(h))
{ dl_index dl_w_f = (long)20; dl_index dl_w_g = (long)20; dl_index dl_w_h = (long)width;
    int i = get_global_id(0), k = i % W;

    (*dl_float_20_in(f, i, 3 DL_ARGS(f))) += (*dl_float_20(g, n - 1 - i, k, dl_w_g DL_ARGS(g)));
    (*dl_float_20(f, (int)(get_global_id(0)), k, dl_w_f DL_ARGS(f))) = (*dl_float_20_in(g, i, 13 DL_ARGS(g))) + dl_row_2(g, dl_w_g DL_ARGS(g), i, width);
    (*dl_float_20_in(f, i, 5 DL_ARGS(f))) = (*dl_float_20_wide(g, 0, 41 * (dl_index)((ulong)i / 3), dl_w_g DL_ARGS(g)));
    (*dl_float_row_uint(h, (unsigned int)(i), 0, dl_w_h DL_ARGS(h))) += dl_column(h, dl_w_h DL_ARGS(h), i, width) + (*dl_float_row_uint(h, (unsigned int)(i), (uint)k % width, dl_w_h DL_ARGS(h)));
    (*dl_float_20(f, 0, at(i, at(0, 1)), dl_w_f DL_ARGS(f))) -= 2.0f;
}
// run: go structs structs structs n w
