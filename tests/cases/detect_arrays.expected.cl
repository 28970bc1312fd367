// detect: on
// run: update arrays:6 words:4 words:6 n
// Arrays that one kernel is sure of are arrays in another, which uses one of them or goes from each to the
// next; a matrix whose columns are gone down stays as it is, and so does what has a length taken away.
float sum_of(__global const float *from, int i, int length)
{
    float all = 0.0f;

    for (int k = 1; k < 4; k++)
        all += from[i + k * length];
    return all;
}

//DL: SoA: f[n][] to ASTA
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
#line 5
static DL_INLINE float dl_sum_of(__global const float *from, dl_index dl_w_from DL_PARAMS(from), int i, int length)
{
    float all = 0.0f;

    for (int k = 1; k < 4; k++)
        all += (*dl_float_row_array(from, k, i, dl_w_from DL_ARGS(from)));
    return all;
}
//DL-kernel: update 4
//DL-sums: exact
//DL-detected: 0 1 2
//DL-buffer: f arg 0 write arr bytes 4 line 14 type float
//DL-leaves: 0+4
//DL-structs: arg(3, i4, 0)
//DL-found: f[n][] to ASTA
//DL-access: linear 1 20+4 write
//DL-access: linear 1 0+4 read
//DL-access: linear 1 0+* read walks loops 1 counted 1 rounds 3
//DL-end: update
#line 14
__kernel void update(__global float *f, __global const float *matrix, __global float *line,
                   const int n DL_PARAMS(f))
{ dl_index dl_w_f = (long)n;
    const int i = get_global_id(0);
    float all = 0.0f;
    (*dl_float_row_array(f, 5, i, dl_w_f DL_ARGS(f))) = (*dl_float_row_array(f, 0, i, dl_w_f DL_ARGS(f))) - dl_sum_of(f, dl_w_f DL_ARGS(f), i, n);
    __global const float *p = matrix + i;
    for (int row = 1; row < 5; row++, p += n)
        all += *p + line[row * n + i - n];
    line[2 * n + i] = all;
}

//DL: SoA: f[n][] to ASTA
//DL-kernel: first 2
//DL-sums: exact
//DL-detected: 0
//DL-buffer: f arg 0 write arr bytes 4 line 26 type float
//DL-leaves: 0+4
//DL-structs: arg(1, i4, 0)
//DL-found: f[n][] to ASTA
//DL-access: linear 4 0+4 write
//DL-end: first
#line 26
__kernel void first(__global float *f, const int n DL_PARAMS(f))
{ dl_index dl_w_f = (long)n;
    const int y = get_global_id(0);

    (*dl_float_row_array(f, 0, (dl_index)(y * 4) + 8, dl_w_f DL_ARGS(f))) = 1.0f;
}

//DL: SoA: f[n][] to ASTA
//DL-kernel: through 3
//DL-sums: exact
//DL-detected: 0 2
//DL-buffer: f arg 0 read arr bytes 4 line 33 type float
//DL-leaves: 0+4
//DL-structs: arg(1, i4, 0)
//DL-found: f[n][] to ASTA
//DL-access: linear 1 0+4 read
//DL-access: linear 1 4+4 read
//DL-end: through
#line 33
__kernel void through(__global const float *f, const int n, __global float *out DL_PARAMS(f))
{ dl_index dl_w_f = (long)n;
    const int i = get_global_id(0);
    dl_index dl_row_p = 0, p = i;

    out[i] = (*dl_float_row_array(f, dl_row_p, p, dl_w_f DL_ARGS(f)));
    dl_row_p += 1, p += 0;
    out[i] += (*dl_float_row_array(f, dl_row_p, p, dl_w_f DL_ARGS(f)));
}

//DL: SoA: f[nx * ny][] to ASTA
//DL-kernel: cells 3
//DL-sums: exact
//DL-detected: 0
//DL-buffer: f arg 0 write arr bytes 4 line 43 type float
//DL-leaves: 0+4
//DL-structs: arg(1, i4, 0) * arg(2, i4, 0)
//DL-found: f[nx * ny][] to ASTA
//DL-access: linear 1 12+4 write loops 1 line 47
//DL-access: linear 1 0+4 read loops 1 line 47
//DL-access: linear 1 4+4 read
//DL-end: cells
#line 43
__kernel void cells(__global float *f, const int nx, const int ny DL_PARAMS(f))
{ dl_index dl_w_f = (long)nx * (long)ny;
    const int count = nx * ny, x = get_global_id(0);

    for (int y = 0; y < ny; y++)
        (*dl_float_row_array(f, 3, (dl_index)(y * nx) + (dl_index)(x), dl_w_f DL_ARGS(f))) = (*dl_float_row_array(f, 0, (dl_index)(y * nx) + (dl_index)(x), dl_w_f DL_ARGS(f))) + (*dl_float_row_array(f, 1, x, dl_w_f DL_ARGS(f)));
}
