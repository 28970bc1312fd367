// run: go structs structs n
//DL: AoS: in[n][4] AOS2ASTA_float_4, out[n][4] AOS2ASTA_float_4
//DL-table: 2
/* prelude */
static __global float *dl_float_4_any(__global const float *dl_f, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + dl_e;
#else
    dl_index dl_i = dl_e / 4;

    if (dl_i >= dl_head + dl_tail)
        return (__global float *)dl_f + (dl_signed)dl_e;
    return DL_AT(float, dl_f, dl_i, 16, dl_e % 4 * 4, 4);
#endif
}
static __global float *dl_float_4(__global const float *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 16, 0 + dl_k0 * 4, 4);
}
//DL-kernel: go 3
//DL-sums: contractable
//DL-buffer: in arg 0 read aos bytes 16 line 2 type float
//DL-leaves: 0+4*4
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+16 read walks loops 1
//DL-access: unknown 0+16 read
//DL-access: linear 1 12+4 read
//DL-buffer: out arg 1 write aos bytes 16 line 2 type float
//DL-leaves: 0+4*4
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 write
//DL-access: linear 1 8+4 write
//DL-access: linear 1 12+4 write
//DL-end: go
#line 3
__kernel void go(__global const float *in, __global float *out, int n DL_PARAMS(in) DL_PARAMS(out))
{
    int i = get_global_id(0);
    dl_index p = (4 * i), end = p + 4;
    dl_index o = (4 * i);
    float sum = 0.0f;

    while (p != end)
        sum += (*dl_float_4_any(in, p++ DL_ARGS(in))) * 0.5f;
    (*dl_float_4_any(out, o + 0 DL_ARGS(out))) = sum;
    (*dl_float_4_any(out, (o + 1) DL_ARGS(out))) = (*dl_float_4_any(out, o + 0 DL_ARGS(out))) + (*dl_float_4_any(in, p + (-1) DL_ARGS(in)));
    o += 2;
    (*dl_float_4_any(out, o DL_ARGS(out))) = (float)((dl_difference)(dl_signed)(end - 0)) + (float)((dl_difference)(dl_signed)(o - 0));
    (*dl_float_4_any(out, o + 1 DL_ARGS(out))) = (*dl_float_4(in, i, 3 DL_ARGS(in)));
}
