// detect: on
// run: arrays arrays:19 n
// Index functions into discrete arrays, whose length may be a constant.
#define N 262144ul
ulong array(const uint n, const uint i, const int length)
{
    return (ulong)i * (ulong)length + (ulong)n;
}

ulong of_n(const uint n, const uint i)
{
    return (ulong)i * N + (ulong)n;
}

//DL: SoA: f[length][] to ASTA
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
//DL-kernel: arrays 2
//DL-sums: exact
//DL-detected: 0
//DL-buffer: f arg 0 write arr bytes 4 line 15 type float
//DL-leaves: 0+4
//DL-structs: arg(1, i4, 0)
//DL-found: f[length][] to ASTA
//DL-access: linear 1 0+* read write walks loops 1 counted 1 rounds 19
//DL-end: arrays
#line 15
__kernel void arrays(__global float *f, int length DL_PARAMS(f))
{ dl_index dl_w_f = (long)length;
    const uint n = get_global_id(0);

    for (uint i = 0; i < 19; i++)
        (*dl_float_row_array(f, i, n, dl_w_f DL_ARGS(f))) *= 2.0f;
}

//DL: SoA: f[262144][] to ASTA
//DL-kernel: arrays_of_constant_length 1
//DL-sums: exact
//DL-detected: 0
//DL-buffer: f arg 0 write arr bytes 4 line 23 type float
//DL-leaves: 0+4
//DL-structs: 262144
//DL-found: f[262144][] to ASTA
//DL-access: linear 1 0+* read write walks loops 1 counted 1 rounds 19
//DL-end: arrays_of_constant_length
#line 23
__kernel void arrays_of_constant_length(__global float *f DL_PARAMS(f))
{ dl_index dl_w_f = (long)262144;
    const uint n = get_global_id(0);

    for (uint i = 0; i < 19; i++)
        (*dl_float_row_array(f, i, n, dl_w_f DL_ARGS(f))) *= 2.0f;
}
