// detect: on
// run: rows structs words:20 n
// Index functions of mixed types. What a loop counts is a place in the row, as one of two directions is, so
// that nothing is divided. In place, with two directions by turns.
ulong mixed(const uint n, const uint i)
{
    return (ulong)n * 19u + (ulong)i;
}

ulong narrow(const uchar i, const ulong n)
{
    return n * 19u + i;
}

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
//DL-buffer: f arg 0 write aos bytes 76 line 15 type float
//DL-leaves: 0+4*19
//DL-structs: *
//DL-found: f[][19]
//DL-access: linear 1 0+4 read
//DL-access: linear 1 72+4 read
//DL-access: linear 1 0+76 read write walks loops 1 counted 1 rounds 9
//DL-end: rows
#line 15
__kernel void rows(__global float *f, __global float *o, int t DL_PARAMS(f))
{ dl_index dl_w_f = (long)19;
    const uint n = get_global_id(0);
    float sum = (*dl_float_19_in(f, n, 0 DL_ARGS(f))) * (*dl_float_19_in(f, n, (uchar)18 DL_ARGS(f)));

    for (uint i = 1; i < 19u; i += 2u) {
        sum += (*dl_float_19_in(f, n, t % 2 ? i : i + 1u DL_ARGS(f)));
        (*dl_float_19_in(f, n, t % 2 ? i + 1u : i DL_ARGS(f))) = sum + (float)i;
    }
    o[n] = sum;
}
