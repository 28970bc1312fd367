// run: go structs structs n
//DL: AoS: in[n][3] AOS2ASTA_float_3, out[n][3] AOS2ASTA_float_3
//DL-table: 2
/* prelude */
static __global float *dl_float_3_uint(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (unsigned int)(dl_i * dl_w + dl_e);
#else
    dl_w = 3;
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w || dl_i * dl_w + dl_e > 0xffffffffu) {
        dl_e = (unsigned int)(dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global float *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(float, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
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
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: in arg 0 read aos bytes 12 line 2 type float
//DL-leaves: 0+4*3
//DL-structs: arg(2, u4, 0)
//DL-access: unknown 0+12 read
//DL-access: linear 1 4+4 read
//DL-access: linear 1 8+4 read
//DL-buffer: out arg 1 write aos bytes 12 line 2 type float
//DL-leaves: 0+4*3
//DL-structs: arg(2, u4, 0)
//DL-access: linear 1 0+4 write
//DL-access: linear 1 4+4 write
//DL-access: linear 1 8+4 read write
//DL-end: go
#line 3
__kernel void go(__global const float *in, __global float *out, uint n DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)3; dl_index dl_w_out = (long)3;
    uint u = get_global_id(0), q = u % 3u, back = 4u;
    ulong z = u;

    (*dl_float_3_uint(out, u, 0, dl_w_out DL_ARGS(out))) = (*dl_float_3_uint(in, u, -(dl_index)(q) + 2, dl_w_in DL_ARGS(in))) + (*dl_float_3_uint(in, u, -(dl_index)(q) + 2, dl_w_in DL_ARGS(in)));
    if (u > 1u) {
        (*dl_float_3_uint(out, u, 1, dl_w_out DL_ARGS(out))) = (*dl_float_3_uint(in, (dl_index)(u - 2u) + 1, 1, dl_w_in DL_ARGS(in))) + (*dl_float_3_uint(in, (dl_index)(u) - 2, 2, dl_w_in DL_ARGS(in))) + (*dl_float_3_uint(in, u, -(dl_index)(q), dl_w_in DL_ARGS(in)));
        (*dl_float_3_uint(out, u, 2, dl_w_out DL_ARGS(out))) += (*dl_float_3_wide(in, (dl_index)(z) - 2, 2, dl_w_in DL_ARGS(in))) + (*dl_float_3_wide(in, (dl_index)(z) - 1, (dl_index)(q) + 2, dl_w_in DL_ARGS(in))) + (*dl_float_3_wide(in, z, -(dl_index)(q) + 1, dl_w_in DL_ARGS(in)));
    }
    if (u + 1u < n)
        (*dl_float_3_uint(out, u, 2, dl_w_out DL_ARGS(out))) += (*dl_float_3_uint(in, (dl_index)(u - 1u) + 2, 1, dl_w_in DL_ARGS(in))) + (*dl_float_3_uint(in, (dl_index)(u - 1u) + 1, (dl_index)(q) + 1, dl_w_in DL_ARGS(in)));
}
