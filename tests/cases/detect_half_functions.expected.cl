// detect: on
// run: rows structs words:1 int:3
// Halves through vload_half and vstore_half, by index functions and conditional arguments, in place.
ulong row(const uint n, const uint i)
{
    return (ulong)n * 9u + (ulong)i;
}

float load(__global const half *f, const ulong at)
{
    return vload_half(at, f) * 0.5f;
}

//DL: AoS: f[][9] AOS2ASTA_half_9
//DL-table: 2
/* prelude */
static __global half *dl_half_9_wide(__global const half *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global half *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 9;
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global half *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(half, dl_f, dl_i, dl_w * 2, dl_e * 2, 2);
#endif
}
#line 9
static DL_INLINE float dl_load(__global const half *f, dl_index dl_w_f DL_PARAMS(f), const ulong at)
{
    return vload_half(0, dl_half_9_wide(f, 0, at, dl_w_f DL_ARGS(f))) * 0.5f;
}
static __global half *dl_half_9_in(__global const half *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global half *)dl_f + (dl_i * 9 + dl_e);
#else
    return DL_AT(half, dl_f, dl_i, 18, dl_e * 2, 2);
#endif
}
//DL-kernel: rows 3
//DL-sums: contractable
//DL-detected: 0 1
//DL-buffer: f arg 0 write aos bytes 18 line 14 type half
//DL-leaves: 0+2*9
//DL-structs: *
//DL-found: f[][9]
//DL-access: linear 1 0+2 read
//DL-access: linear 1 0+18 read write walks loops 1 counted 1 rounds 4
//DL-end: rows
#line 14
__kernel void rows(__global half *f, __global float *o, uint t DL_PARAMS(f))
{ dl_index dl_w_f = (long)9;
    const uint n = get_global_id(0);
    float sum = dl_load(f, dl_w_f DL_ARGS(f), row(n, 0u));

    for (uint i = 1u; i < 9u; i += 2u) {
        sum += vload_half(0, dl_half_9_in(f, n, t % 2u ? i : i + 1u DL_ARGS(f)));
        vstore_half(sum, 0, dl_half_9_in(f, n, t % 2u ? i + 1u : i DL_ARGS(f)));
        vstore_half_rtz(vload_half(0, dl_half_9_in(f, n, i DL_ARGS(f))) - 1.0f, 0, dl_half_9_in(f, n, i DL_ARGS(f)));
    }
    o[n] = sum;
}
