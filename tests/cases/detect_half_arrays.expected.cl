// detect: on
// run: arrays arrays:9 words:1 n int:2
// Halves in discrete arrays through vload_half and vstore_half, by an index function.
ulong array(const uint i, const uint n, const uint length)
{
    return (ulong)i * (ulong)length + (ulong)n;
}

float load(__global const half *f, const ulong at)
{
    return vload_half(at, f) * 0.5f;
}

//DL: SoA: f[length][] to ASTA
//DL-table: 2
/* prelude */
static __global half *dl_half_row_array(__global const half *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global half *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_index dl_arrays = dl_tail;

    if (dl_e < dl_head && dl_i < dl_arrays)
        return DL_HEAD_AT(__global, half, dl_f, dl_e, dl_arrays * 2, dl_i * 2, 2);
    dl_e = (dl_i * dl_w + dl_e);
    dl_i = dl_head ? dl_e / dl_w : dl_arrays;
    if (dl_i >= dl_arrays)
        return (__global half *)dl_f + (dl_signed)dl_e;
    dl_e -= dl_i * dl_w;
    dl_tail = dl_w - dl_head;
    return DL_AT(half, dl_f, dl_e, dl_arrays * 2, dl_i * 2, 2);
#endif
}
#line 9
static DL_INLINE float dl_load(__global const half *f, dl_index dl_w_f DL_PARAMS(f), const ulong at)
{
    return vload_half(0, dl_half_row_array(f, 0, at, dl_w_f DL_ARGS(f))) * 0.5f;
}
//DL-kernel: arrays 4
//DL-sums: contractable
//DL-detected: 0 1
//DL-buffer: f arg 0 write arr bytes 2 line 14 type half
//DL-leaves: 0+2
//DL-structs: arg(2, u4, 0)
//DL-found: f[length][] to ASTA
//DL-access: linear 1 0+2 read
//DL-access: linear 1 0+* write walks loops 1 counted 1 rounds 4
//DL-end: arrays
#line 14
__kernel void arrays(__global half *f, __global float *o, uint length, uint t DL_PARAMS(f))
{ dl_index dl_w_f = (long)length;
    const uint n = get_global_id(0);
    float sum = vload_half(0, dl_half_row_array(f, 0, n, dl_w_f DL_ARGS(f)));

    for (uint i = 1u; i < 9u; i += 2u) {
        sum += dl_load(f, dl_w_f DL_ARGS(f), array(t % 2u ? i : i + 1u, n, length));
        vstore_half(sum, 0, dl_half_row_array(f, t % 2u ? i + 1u : i, n, dl_w_f DL_ARGS(f)));
    }
    o[n] = sum;
}
