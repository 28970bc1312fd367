// run: go structs structs n
// What is added to pointers is of every type, and wraps at times.
#define W 3

float away(__global const float *row, uint back, long by)
{
    return row[W * back - W * back + (uint)by % W] + *(row + (size_t)W - W);
}

//DL: AoS: f[n][W] AOS2ASTA_float_3, g[n][W] AOS2ASTA_float_3
//DL-table: 2
/* prelude */
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
#line 5
static DL_INLINE float dl_away(__global const float *row, dl_index dl_row_row, dl_index dl_at_row, dl_index dl_w_row DL_PARAMS(row), uint back, long by)
{
    return (*dl_float_3_wide(row, dl_row_row + DL_PARTS((dl_index)(back) - (dl_index)(back), 0), dl_at_row + DL_PARTS((dl_index)((uint)by % 3), (dl_index)(3 * back - 3 * back + (uint)by % 3)), dl_w_row DL_ARGS(row))) + (*dl_float_3_wide(row, dl_row_row, dl_at_row, dl_w_row DL_ARGS(row)));
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 12 line 10 type float
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 8+4 read write
//DL-access: linear 1 4+4 read write
//DL-buffer: g arg 1 read aos bytes 12 line 10 type float
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: uniform 8+4 read
//DL-access: uniform 0+4 read
//DL-access: uniform 0+12 read
//DL-end: go
#line 11
__kernel void go(__global float *f, __global const float *g, int n DL_PARAMS(f) DL_PARAMS(g))
{ dl_index dl_w_f = (long)3; dl_index dl_row_f = 0, dl_at_f = 0; dl_index dl_w_g = (long)3;
    const size_t id = get_global_id(0);
    const uint i = id, last = n - 1;
    const ushort one = 1;
    dl_index dl_row_p = id, p = 0, dl_row_q, q;

    dl_row_p -= DL_PARTS(i + 1u, 0), p -= DL_PARTS((dl_index)(0), (dl_index)(3u * (uint)(i + 1u)));
    p += (uchar)3;
    dl_row_q = dl_row_p - DL_PARTS(0xffffffffu, 0), q = p + (dl_index)(3 * ~0u * 1ul) - DL_PARTS((dl_index)(0), (dl_index)((uint)(3 * 0xffffffffu)));
    dl_row_f += 1, dl_at_f += 2, dl_row_f -= 1, dl_at_f -= 1;
    (*dl_float_3_wide(f, dl_row_f + DL_PARTS(i, 0), dl_at_f + DL_PARTS((dl_index)(-(dl_index)(one) + 2), (dl_index)(3 * i + 2 - one)), dl_w_f DL_ARGS(f))) = (*dl_float_3_wide(g, dl_row_p + (dl_index)(one) - 1, p + 2, dl_w_g DL_ARGS(g))) + (*dl_float_3_wide(g, dl_row_q, q, dl_w_g DL_ARGS(g)));
    (*dl_float_3_wide(f, dl_row_f + (dl_index)(id) - 1, dl_at_f + (dl_index)(one) + 2, dl_w_f DL_ARGS(f))) += dl_away(g, DL_PARTS(last, 0), DL_PARTS((dl_index)(0), (dl_index)(3 * last)), dl_w_g DL_ARGS(g), i, id) + dl_away(g, dl_row_p, p, dl_w_g DL_ARGS(g), last, -3l);
    (*dl_float_3_wide(f, dl_row_f + DL_PARTS(i - n, 0) + (dl_index)(n), dl_at_f + DL_PARTS((dl_index)(1), (dl_index)((int)(3 * (i - n) + 1u))), dl_w_f DL_ARGS(f))) -= (float)(int)((dl_difference)(dl_signed)(((dl_index)(dl_row_p) * dl_w_g + (p)) - ((dl_index)(0))));
}
