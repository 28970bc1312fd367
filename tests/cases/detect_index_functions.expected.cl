// detect: on
// run: rows structs words:20 n
// run: one structs structs
// run: arrays arrays:19 n
// Index functions, of mixed types and of one. What a loop counts is a place in the row, as one of two
// directions is, so that nothing is divided; and the length of arrays may be a constant.
#define N 262144ul
ulong mixed(const uint n, const uint i)
{
    return (ulong)n * 19u + (ulong)i;
}

ulong narrow(const uchar i, const ulong n)
{
    const ulong row = n * 19u;

    return row + i;
}

ulong same(const ulong n, const ulong i)
{
    return n * 19 + i;
}

ulong array(const uint n, const uint i, const int length)
{
    return (ulong)i * (ulong)length + (ulong)n;
}

ulong of_n(const uint n, const uint i)
{
    return (ulong)i * N + (ulong)n;
}

/* In place, with the next row's by turns. */
//DL: AoS: f[][19] AOS2ASTA_float_19
//DL-table: 2
/* prelude */
static __global float *dl_float_19_in(__global const float *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * 19 + dl_e);
#else
    return DL_AT(float, dl_f, dl_i, 76, dl_e * 4, 4);
#endif
}
//DL-kernel: rows 3
//DL-sums: contractable
//DL-detected: 0 1
//DL-buffer: f arg 0 write aos bytes 76 line 36 type float
//DL-leaves: 0+4*19
//DL-structs: *
//DL-found: f[][19]
//DL-access: linear 1 0+4 read
//DL-access: linear 1 72+4 read
//DL-access: linear 1 0+76 read write walks loops 1
//DL-end: rows
#line 36
__kernel void rows(__global float *f, __global float *o, int t DL_PARAMS(f))
{ dl_index dl_w_f = (long)19;
    const uint n = get_global_id(0);
    float sum = (*dl_float_19_in(f, n, 0 DL_ARGS(f))) * (*dl_float_19_in(f, (unsigned long)(n), (uchar)18 DL_ARGS(f)));

    for (uint i = 1; i < 19u; i += 2u) {
        sum += (*dl_float_19_in(f, n, t % 2 ? i : i + 1u DL_ARGS(f)));
        (*dl_float_19_in(f, n, t % 2 ? i + 1u : i DL_ARGS(f))) = sum + (float)i;
    }
    o[n] = sum;
}

//DL: AoS: f[][19] AOS2ASTA_float_19, g[][19] AOS2ASTA_float_19
//DL-kernel: one 2
//DL-sums: contractable
//DL-detected: 0 1
//DL-buffer: f arg 0 write aos bytes 76 line 48 type float
//DL-leaves: 0+4*19
//DL-structs: *
//DL-found: f[][19]
//DL-access: linear 1 0+76 read write walks loops 1
//DL-buffer: g arg 1 read aos bytes 76 line 48 type float
//DL-leaves: 0+4*19
//DL-structs: *
//DL-found: g[][19]
//DL-access: linear 1 0+76 read walks loops 1
//DL-end: one
#line 48
__kernel void one(__global float *f, __global const float *g DL_PARAMS(f) DL_PARAMS(g))
{ dl_index dl_w_f = (long)19;
    const size_t n = get_global_id(0);

    for (int i = 18; i >= 0; i--)
        (*dl_float_19_in(f, n, (unsigned long)(i) DL_ARGS(f))) += (*dl_float_19_in(g, n, i DL_ARGS(g))) * (*dl_float_19_in(f, n, i & 7 DL_ARGS(f)));
}

//DL: SoA: f[length][] to ASTA
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
//DL-buffer: f arg 0 write arr bytes 4 line 56 type float
//DL-leaves: 0+4
//DL-structs: arg(1, i4, 0)
//DL-found: f[length][] to ASTA
//DL-access: linear 1 0+* read write walks loops 1
//DL-end: arrays
#line 56
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
//DL-buffer: f arg 0 write arr bytes 4 line 64 type float
//DL-leaves: 0+4
//DL-structs: 262144
//DL-found: f[262144][] to ASTA
//DL-access: linear 1 0+* read write walks loops 1
//DL-end: arrays_of_constant_length
#line 64
__kernel void arrays_of_constant_length(__global float *f DL_PARAMS(f))
{ dl_index dl_w_f = (long)262144;
    const uint n = get_global_id(0);

    for (uint i = 0; i < 19; i++)
        (*dl_float_row_array(f, i, n, dl_w_f DL_ARGS(f))) *= 2.0f;
}
