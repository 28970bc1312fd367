// detect: on
// run: go structs n
// Index functions that only macros name, one of them glued together: they are read as if the kernel named them.
#define AT(i, k) at(i, k)
#define GLUE(a, b) a##b
#define NEXT GLUE(next, _at)
ulong at(const uint i, const uint k)
{
    return (ulong)i * 19 + k;
}

ulong next_at(const uint i, const uint k)
{
    return ((ulong)i + 1) * 19 + k;
}

//DL: AoS: f[][19] AOS2ASTA_float_19
//DL-table: 2
/* prelude */
static __global float *dl_float_19_wide(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 19;
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
//DL-kernel: go 2
//DL-sums: exact
//DL-detected: 0
//DL-buffer: f arg 0 write aos bytes 76 line 17 type float
//DL-leaves: 0+4*19
//DL-structs: *
//DL-found: f[][19]
//DL-access: linear 1 12+4 read write conditional
//DL-access: linear 1 16+4 read conditional
//DL-end: go
#line 17
__kernel void go(__global float *f, int n DL_PARAMS(f))
{ dl_index dl_w_f = (long)19;
    const int i = get_global_id(0);

    if (i + 1 < n && i % 2 == 0)
        (*dl_float_19_wide(f, (unsigned int)(i), 3, dl_w_f DL_ARGS(f))) += (*dl_float_19_wide(f, (dl_index)((unsigned int)(i)) + 1, 4, dl_w_f DL_ARGS(f)));
}
