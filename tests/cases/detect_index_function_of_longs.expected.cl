// detect: on
// run: one structs structs
// An index function of one type beside the same index written out: nothing is divided.
ulong same(const ulong n, const ulong i)
{
    return n * 19 + i;
}

//DL: AoS: f[][19] AOS2ASTA_float_19, g[][19] AOS2ASTA_float_19
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
//DL-kernel: one 2
//DL-sums: contractable
//DL-detected: 0 1
//DL-buffer: f arg 0 write aos bytes 76 line 9 type float
//DL-leaves: 0+4*19
//DL-structs: *
//DL-found: f[][19]
//DL-access: linear 1 0+76 read write walks loops 1 counted 1 rounds 19
//DL-buffer: g arg 1 read aos bytes 76 line 9 type float
//DL-leaves: 0+4*19
//DL-structs: *
//DL-found: g[][19]
//DL-access: linear 1 0+76 read walks loops 1 counted 1 rounds 19
//DL-end: one
#line 9
__kernel void one(__global float *f, __global const float *g DL_PARAMS(f) DL_PARAMS(g))
{ dl_index dl_w_f = (long)19; dl_index dl_w_g = (long)19;
    const size_t n = get_global_id(0);

    for (int i = 18; i >= 0; i--)
        (*dl_float_19_in(f, n, i DL_ARGS(f))) += (*dl_float_19_in(g, n, i DL_ARGS(g))) * (*dl_float_19_in(f, n, i & 7 DL_ARGS(f)));
}
