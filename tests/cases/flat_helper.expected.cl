// run: go structs structs n
float dot3(__global const float *a, int i, __global const float *b, int j)
{
    return a[3 * i] * b[3 * j] + a[3 * i + 1] * b[3 * j + 1] + a[3 * i + 2] * b[3 * j + 2];
}
void put(__global float *row, float v)
{
    row[0] = v;
    row[2] = -v;
}

//DL: AoS: in[n][3] AOS2ASTA_float_3, out[n][3] AOS2ASTA_float_3
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
#line 2
static DL_INLINE float dl_dot3(__global const float *a, dl_index dl_w_a DL_PARAMS(a), int i, __global const float *b, dl_index dl_w_b DL_PARAMS(b), int j)
{
    return (*dl_float_3_in(a, i, 0 DL_ARGS(a))) * (*dl_float_3_in(b, j, 0 DL_ARGS(b))) + (*dl_float_3_in(a, i, 1 DL_ARGS(a))) * (*dl_float_3_in(b, j, 1 DL_ARGS(b))) + (*dl_float_3_in(a, i, 2 DL_ARGS(a))) * (*dl_float_3_in(b, j, 2 DL_ARGS(b)));
}
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
#line 6
static DL_INLINE void dl_put(__global float *row, dl_index dl_row_row, dl_index dl_at_row, dl_index dl_w_row DL_PARAMS(row), float v)
{
    (*dl_float_3_wide(row, dl_row_row, dl_at_row, dl_w_row DL_ARGS(row))) = v;
    (*dl_float_3_wide(row, dl_row_row, dl_at_row + 2, dl_w_row DL_ARGS(row))) = -v;
}
//DL-kernel: go 3
//DL-sums: contractable
//DL-buffer: in arg 0 read aos bytes 12 line 12 type float
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read
//DL-access: linear -1 0+4 read
//DL-access: linear 1 4+4 read
//DL-access: linear -1 4+4 read
//DL-access: linear 1 8+4 read
//DL-access: linear -1 8+4 read
//DL-buffer: out arg 1 write aos bytes 12 line 12 type float
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 4+4 write
//DL-access: linear 1 0+4 write
//DL-access: linear 1 8+4 write
//DL-end: go
#line 13
__kernel void go(__global const float *in, __global float *out, int n DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)3; dl_index dl_w_out = (long)3;
    int i = get_global_id(0);

    (*dl_float_3_in(out, i, 1 DL_ARGS(out))) = dl_dot3(in, dl_w_in DL_ARGS(in), i, in, dl_w_in DL_ARGS(in), n - 1 - i);
    dl_put(out, i, 0, dl_w_out DL_ARGS(out), (*dl_float_3_in(in, i, 0 DL_ARGS(in))));
}
