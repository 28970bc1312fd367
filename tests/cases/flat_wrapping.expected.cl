// run: go structs structs structs~8 n long:922337203685477581 long:-5
// An unsigned index of 64 bits passes 2^64 on its way, and is in the buffer at its end.
//DL: AoS: in[n][20] AOS2ASTA_float_20, rows[n][20] AOS2ASTA_float_20, out[n][20] AOS2ASTA_float_20
float of(__global const float *p, ulong row)
{
    return p[20 * row + 5];
}

//DL-table: 2
/* prelude */
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
#line 4
static DL_INLINE float dl_of(__global const float *p, dl_index dl_w_p DL_PARAMS(p), ulong row)
{
    return (*dl_float_20_wide(p, row, 5, dl_w_p DL_ARGS(p)));
}
static __global float *dl_float_20_in(__global const float *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * 20 + dl_e);
#else
    return DL_AT(float, dl_f, dl_i, 80, dl_e * 4, 4);
#endif
}
//DL-kernel: go 6
//DL-sums: contractable
//DL-buffer: in arg 0 read aos bytes 80 line 3 type float
//DL-leaves: 0+4*20
//DL-structs: arg(3, i4, 0)
//DL-access: uniform 0+4 read
//DL-access: uniform 4+4 read
//DL-access: linear 1 4+4 read
//DL-access: linear 1 72+4 read
//DL-access: linear 1 12+4 read
//DL-access: uniform 0+80 read
//DL-access: linear 1 0+80 read
//DL-access: linear 1 0+4 read
//DL-access: linear 1 24+4 read
//DL-access: unknown 0+80 read
//DL-access: uniform 8+4 read
//DL-access: uniform 4+4 read loops 1 line 20
//DL-access: uniform 16+4 read loops 1 line 20
//DL-access: linear 1 60+4 read
//DL-buffer: rows arg 1 read aos bytes 80 line 3 type float
//DL-leaves: 0+4*20
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 20+4 read
//DL-buffer: out arg 2 write aos bytes 80 line 3 type float
//DL-leaves: 0+4*20
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 0+4 write
//DL-access: linear 1 4+4 write
//DL-access: linear 1 8+4 write
//DL-access: linear 1 12+4 write
//DL-access: linear 1 16+4 write
//DL-access: linear 1 20+4 read write
//DL-access: linear 1 24+4 read write
//DL-access: uniform 64+4 write conditional
//DL-end: go
#line 9
__kernel void go(__global const float *in, __global const float *rows, __global float *out, int n, ulong w, ulong back DL_PARAMS(in) DL_PARAMS(rows) DL_PARAMS(out))
{ dl_index dl_w_in = (long)20; dl_index dl_w_rows = (long)20; dl_index dl_w_out = (long)20;
    size_t i = get_global_id(0), far = i + w, r;
    ulong k = (i == 0) * w;

    /* 20 * w is 2^64 + 4 */
    (*dl_float_20_in(out, i, 0 DL_ARGS(out))) = (*dl_float_20_wide(in, w, 0, dl_w_in DL_ARGS(in))) + (*dl_float_20_wide(in, w, 1, dl_w_in DL_ARGS(in))) + (*dl_float_20_in(in, i, 1 DL_ARGS(in)));
    (*dl_float_20_in(out, i, 1 DL_ARGS(out))) = (*dl_float_20_wide(in, (dl_index)(far) - 1, 18, dl_w_in DL_ARGS(in))) * 2 + (*dl_float_20_wide(in, w + i, 3, dl_w_in DL_ARGS(in)));
    (*dl_float_20_in(out, i, 2 DL_ARGS(out))) = (*dl_float_20_wide(in, w, i % 7, dl_w_in DL_ARGS(in))) + (*dl_float_20_wide(in, w, i % 7, dl_w_in DL_ARGS(in))) + (*dl_float_20_wide(in, w, (dl_index)(back) + 5, dl_w_in DL_ARGS(in)));
    (*dl_float_20_in(out, i, 3 DL_ARGS(out))) = dl_of(rows, dl_w_rows DL_ARGS(rows), far) + dl_of(rows, dl_w_rows DL_ARGS(rows), i) + (*dl_float_20_wide(in, i + 1, back, dl_w_in DL_ARGS(in))) + (*dl_float_20_wide(in, (dl_index)(k) + (dl_index)(i - k), 0, dl_w_in DL_ARGS(in)));
    (*dl_float_20_in(out, i, 4 DL_ARGS(out))) = (*dl_float_20_wide(in, (int)i, 6, dl_w_in DL_ARGS(in))) + (*dl_float_20_in(in, i / 3, i % 3 DL_ARGS(in))) + (*dl_float_20_wide(in, w, 2, dl_w_in DL_ARGS(in)));
    for (r = 3 * w; r - 3 * w < 3 && r - 3 * w < n; r++)
        (*dl_float_20_in(out, i, 5 DL_ARGS(out))) += (*dl_float_20_wide(in, r - 2 * w, 1, dl_w_in DL_ARGS(in))) + (*dl_float_20_wide(in, r, 4, dl_w_in DL_ARGS(in)));
    for (size_t s = 0; s < 3 && s < n; s++)
        (*dl_float_20_in(out, i, 6 DL_ARGS(out))) += (*dl_float_20_in(in, s, 1 DL_ARGS(in))) * s;
    if (i == n - 1)
        (*dl_float_20_wide(out, (dl_index)(w + n) - 1, 16, dl_w_out DL_ARGS(out))) = 3;
    (*dl_float_20_wide(out, i + w, 3, dl_w_out DL_ARGS(out))) = (*dl_float_20_wide(in, far, 15, dl_w_in DL_ARGS(in)));
}
