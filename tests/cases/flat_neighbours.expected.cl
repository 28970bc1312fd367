// run: go structs structs n
//DL: AoS: in[n][3] AOS2ASTA_float_3, out[n][3] AOS2ASTA_float_3
//DL-table: 2
/* prelude */
static __global float *dl_float_3_in(__global const float *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * 3 + dl_e);
#else
    return DL_AT(float, dl_f, dl_i, 12, dl_e * 4, 4);
#endif
}
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
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: in arg 0 read aos bytes 12 line 2 type float
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read
//DL-access: linear 1 8+4 read
//DL-access: linear 1 4+4 read
//DL-buffer: out arg 1 write aos bytes 12 line 2 type float
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 write
//DL-access: linear 1 4+4 write
//DL-access: linear 1 8+4 read write
//DL-end: go
#line 3
__kernel void go(__global const float *restrict in, __global float *restrict out, const int n DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)3; dl_index dl_w_out = (long)3;
    uint u = get_global_id(0);
    int i = (int)u;
    size_t z = get_global_id(0);

    (*dl_float_3_in(out, i, 0 DL_ARGS(out))) = i > 0 ? (*dl_float_3_in(in, (dl_index)(i) - 1, 0 DL_ARGS(in))) + (*dl_float_3_in(in, i - 1, 2 DL_ARGS(in))) + (*dl_float_3_in(in, (dl_index)(i) - 1, 2 DL_ARGS(in))) : 0.5f;
    if (u > 0)
        (*dl_float_3_uint(out, u, 1, dl_w_out DL_ARGS(out))) = (*dl_float_3_uint(in, u - 1u, 1, dl_w_in DL_ARGS(in))) + (*dl_float_3_uint(in, (dl_index)(u) - 1, 2, dl_w_in DL_ARGS(in)));
    if (z + 1 < n)
        (*dl_float_3_in(out, z, 2 DL_ARGS(out))) += (*dl_float_3_in(in, (dl_index)(z) + 1, 2 DL_ARGS(in))) + (*dl_float_3_in(in, (long)z + 1, 0 DL_ARGS(in))) + (*dl_float_3_in(in, (dl_index)(z) + 1, 0 DL_ARGS(in)));
}
