// run: go structs structs n w
float dot(__global const float *a, int w, int i, __global const float *b)
{
    float sum = 0.0f;
    int pitch = w;

    for (int k = 0; k < w; k++)
        sum += a[i * pitch + k] * b[k];
    return sum;
}
float first(__global const float *row) { return *row; }
float narrowed(__global const float *row, int w)
{
    w -= 1;
    return row[1 * w] + first(row + w);
}
void put(__global float *row, int n, float v)
{
    for (__global float *p = row; p < row + n; p++)
        *p += v;
}

//DL: AoS: in[n][width] AOS2ASTA_float_row, out[n][width] AOS2ASTA_float_row
//DL-table: 2
/* prelude */
static __global float *dl_float_row(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global float *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, float, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
static __global float *dl_float_row_wide(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global float *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, float, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
#line 2
static DL_INLINE float dl_dot(__global const float *a, dl_index dl_w_a DL_PARAMS(a), int w, int i, __global const float *b, dl_index dl_row_b, dl_index dl_at_b, dl_index dl_w_b DL_PARAMS(b))
{
    float sum = 0.0f;
    int pitch = w;

    for (int k = 0; k < w; k++)
        sum += (*dl_float_row(a, i, k, dl_w_a DL_ARGS(a))) * (*dl_float_row_wide(b, dl_row_b, dl_at_b + (dl_index)(k), dl_w_b DL_ARGS(b)));
    return sum;
}
#line 2
static DL_INLINE float dl_dot_2(__global const float *a, dl_index dl_w_a DL_PARAMS(a), int w, int i, __global const float *b, dl_index dl_w_b DL_PARAMS(b))
{
    float sum = 0.0f;
    int pitch = w;

    for (int k = 0; k < w; k++)
        sum += (*dl_float_row(a, 0, (dl_index)(i * pitch) + (dl_index)(k), dl_w_a DL_ARGS(a))) * (*dl_float_row(b, 0, k, dl_w_b DL_ARGS(b)));
    return sum;
}
#line 17
static DL_INLINE void dl_put(__global float *row, dl_index dl_row_row, dl_index dl_at_row, dl_index dl_w_row DL_PARAMS(row), int n, float v)
{
    for (dl_index dl_row_p = dl_row_row, p = dl_at_row; (dl_signed)(((dl_index)(dl_row_p) * dl_w_row + (p))) < (dl_signed)(((dl_index)(dl_row_row + 1) * dl_w_row + (dl_at_row))); p++)
        (*dl_float_row_wide(row, dl_row_p, p, dl_w_row DL_ARGS(row))) += v;
}
#line 17
static DL_INLINE void dl_put_2(__global float *row, dl_index dl_row_row, dl_index dl_at_row, dl_index dl_w_row DL_PARAMS(row), int n, float v)
{
    for (dl_index dl_row_p = dl_row_row, p = dl_at_row; (dl_signed)(((dl_index)(dl_row_p) * dl_w_row + (p))) < (dl_signed)(((dl_index)(dl_row_row) * dl_w_row + (dl_at_row + (dl_index)(n)))); p++)
        (*dl_float_row_wide(row, dl_row_p, p, dl_w_row DL_ARGS(row))) += v;
}
#line 11
static DL_INLINE float dl_first(__global const float *row, dl_index dl_w_row DL_PARAMS(row)) { return (*dl_float_row_wide(row, 0, 0, dl_w_row DL_ARGS(row))); }
#line 11
static DL_INLINE float dl_first_2(__global const float *row, dl_index dl_row_row, dl_index dl_at_row, dl_index dl_w_row DL_PARAMS(row)) { return (*dl_float_row_wide(row, dl_row_row, dl_at_row, dl_w_row DL_ARGS(row))); }
#line 12
static DL_INLINE float dl_narrowed(__global const float *row, dl_index dl_row_row, dl_index dl_at_row, dl_index dl_w_row DL_PARAMS(row), int w)
{
    w -= 1;
    return (*dl_float_row_wide(row, dl_row_row, dl_at_row + (dl_index)(1 * w), dl_w_row DL_ARGS(row))) + dl_first_2(row, dl_row_row, dl_at_row + (dl_index)(w), dl_w_row DL_ARGS(row));
}
//DL-kernel: go 4
//DL-sums: contractable
//DL-buffer: in arg 0 read aos bytes 4 line 23 type float
//DL-leaves: 0+4
//DL-width: arg(3, i4, 0)
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+* read walks loops 1 line 7
//DL-access: uniform 0+* read walks loops 1 line 7
//DL-access: uniform 0+* read
//DL-access: uniform 0+4 read
//DL-access: linear 1 0+* read
//DL-buffer: out arg 1 write aos bytes 4 line 23 type float
//DL-leaves: 0+4
//DL-width: arg(3, i4, 0)
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+* read write walks loops 1 line 19
//DL-end: go
#line 24
__kernel void go(__global const float *in, __global float *out, int n, int width DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)width; dl_index dl_w_out = (long)width;
    int i = get_global_id(0);
    float v = dl_dot(in, dl_w_in DL_ARGS(in), width, i, in, n - 1, 0, dl_w_in DL_ARGS(in)) + dl_dot_2(in, dl_w_in DL_ARGS(in), 1, i, in, dl_w_in DL_ARGS(in));

    dl_put(out, i, 0, dl_w_out DL_ARGS(out), width, v);
    dl_put_2(out, i, 0, dl_w_out DL_ARGS(out), 1, dl_first(in, dl_w_in DL_ARGS(in)) + dl_narrowed(in, i, 0, dl_w_in DL_ARGS(in), width));
}
