// detect: on
// run: move arrays:3 arrays:3 n int:1 int:1
// The length is a product that stands in the index itself, or has a name.
float next(__global const float *f, int i, int length)
{
    return f[2 * length + i];
}

//DL: SoA: f[nx * ny * nz][] to ASTA
//DL: SoA: g[nx * ny * nz][] to ASTA
//DL-table: 2
/* prelude */
static __global float *dl_float_row_array(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_index dl_arrays = dl_tail;

    if (dl_e < dl_head && dl_i < dl_arrays)
        return DL_HEAD_AT(__global, float, dl_f, dl_e, dl_arrays * 4, dl_i * 4, 4);
    dl_e = (dl_i * dl_w + dl_e);
    dl_i = dl_head ? dl_e / dl_w : dl_arrays;
    if (dl_i >= dl_arrays)
        return (__global float *)dl_f + (dl_signed)dl_e;
    dl_e -= dl_i * dl_w;
    dl_tail = dl_w - dl_head;
    return DL_AT(float, dl_f, dl_e, dl_arrays * 4, dl_i * 4, 4);
#endif
}
#line 4
static DL_INLINE float dl_next(__global const float *f, dl_index dl_w_f DL_PARAMS(f), int i, int length)
{
    return (*dl_float_row_array(f, 2, i, dl_w_f DL_ARGS(f)));
}
//DL-kernel: move 5
//DL-sums: exact
//DL-detected: 0 1
//DL-buffer: f arg 0 write arr bytes 4 line 9 type float
//DL-leaves: 0+4
//DL-structs: arg(2, i4, 0) * arg(3, i4, 0) * arg(4, i4, 0)
//DL-found: f[nx * ny * nz][] to ASTA
//DL-access: linear 1 8+4 write
//DL-access: linear 1 0+4 read
//DL-access: linear 1 4+4 read
//DL-access: linear 1 0+* write walks loops 1 counted 1 rounds 3
//DL-buffer: g arg 1 read arr bytes 4 line 9 type float
//DL-leaves: 0+4
//DL-structs: arg(2, i4, 0) * arg(3, i4, 0) * arg(4, i4, 0)
//DL-found: g[nx * ny * nz][] to ASTA
//DL-access: linear 1 8+4 read
//DL-access: linear 1 0+* read walks loops 1 counted 1 rounds 3
//DL-end: move
#line 9
__kernel void move(__global float *f, __global const float *g, const int nx, const int ny,
                   const int nz DL_PARAMS(f) DL_PARAMS(g))
{ dl_index dl_w_f = (long)nx * (long)ny * (long)nz; dl_index dl_w_g = (long)nx * (long)ny * (long)nz;
    const int i = get_global_id(0), count = nz * nx * ny;

    if (i >= nx * ny * nz)
        return;
    (*dl_float_row_array(f, 2, i, dl_w_f DL_ARGS(f))) = (*dl_float_row_array(f, 0, i, dl_w_f DL_ARGS(f))) + (*dl_float_row_array(f, 1, i, dl_w_f DL_ARGS(f))) + (*dl_float_row_array(g, 2, i, dl_w_g DL_ARGS(g)));
    for (int k = 0; k < 3; k++)
        (*dl_float_row_array(f, k, i, dl_w_f DL_ARGS(f))) = dl_next(g, dl_w_g DL_ARGS(g), i, nx * ny * nz) - (*dl_float_row_array(g, k, i, dl_w_g DL_ARGS(g)));
}

/* A plane that each work-item has its own of is no array, nor is the product of two of its sides. */
__kernel void planes(__global float *h, const int nx, const int ny)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);

    h[z * nx * ny + y * nx + x] *= 2.0f;
}
