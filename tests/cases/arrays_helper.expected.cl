// run: move structs structs n uint:4
// Helpers are given the length, or count with it themselves; unsigned indices.
float get(__global const float *f, int k, int n, int i)
{
    return f[k * n + i];
}

int index_of(int n, int k, int i)
{
    return i + k * n;
}


//DL: SoA: in[n][4], out[n][4] to ASTA
//DL-table: 2
/* prelude */
static __global float *dl_float_4_array(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_e < dl_head && dl_i < 4)
        return DL_HEAD_AT(__global, float, dl_f, dl_e, 4 * 4, dl_i * 4, 4);
    dl_e = (dl_i * dl_w + dl_e);
    dl_i = dl_head ? dl_e / dl_w : 4;
    if (dl_i >= 4)
        return (__global float *)dl_f + (dl_signed)dl_e;
    dl_e -= dl_i * dl_w;
    dl_tail = dl_w - dl_head;
    return DL_AT(float, dl_f, dl_e, 4 * 4, dl_i * 4, 4);
#endif
}
#line 3
static DL_INLINE float dl_get(__global const float *f, dl_index dl_w_f DL_PARAMS(f), int k, int n, int i)
{
    return (*dl_float_4_array(f, k, i, dl_w_f DL_ARGS(f)));
}
//DL-kernel: move 4
//DL-sums: exact
//DL-buffer: in arg 0 read arr bytes 16 line 14 type float
//DL-leaves: 0+4*4
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+16 read walks loops 1 line 19
//DL-access: linear 1 12+4 read
//DL-buffer: out arg 1 write arr bytes 16 line 14 type float
//DL-leaves: 0+4*4
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+16 write walks loops 1 line 19
//DL-access: linear 1 4+4 read write
//DL-end: move
#line 15
__kernel void move(__global const float *in, __global float *out, const int n, const uint count DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)n; dl_index dl_w_out = (long)n;
    const size_t i = get_global_id(0);

    for (uint k = 0; k < count; k++)
        (*dl_float_4_array(out, DL_PARTS(k, 0), DL_PARTS((dl_index)(0), (dl_index)(k * (uint)n)) + (dl_index)(i), dl_w_out DL_ARGS(out))) = dl_get(in, dl_w_in DL_ARGS(in), k, n, i);
    (*dl_float_4_array(out, 1, (int)(i), dl_w_out DL_ARGS(out))) += (*dl_float_4_array(in, 3, (int)i, dl_w_in DL_ARGS(in)));
}
