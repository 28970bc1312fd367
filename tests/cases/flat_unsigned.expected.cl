// run: go structs structs n
//DL: AoS: in[n][3] AOS2ASTA_float_3, out[n][3] AOS2ASTA_float_3
//DL-table: 1
/* prelude */
static __global float *dl_float_3(__global const float *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 0 + dl_k0 * 4, 4);
}
static __global float *dl_float_3_near(__global const float *dl_f, dl_index dl_i, dl_signed dl_e DL_FORMALS)
{
    dl_signed dl_r = dl_e >= 0 ? dl_e / 3 : -((2 - dl_e) / 3);

    return DL_AT(float, dl_f, dl_i + dl_r, 12, (dl_e - dl_r * 3) * 4, 4);
}
static __global float *dl_float_3_from(__global const float *dl_f, dl_signed dl_e, dl_index dl_i DL_FORMALS)
{
    dl_signed dl_r = dl_e >= 0 ? dl_e / 3 : -((2 - dl_e) / 3);

    return DL_AT(float, dl_f, dl_i + dl_r, 12, (dl_e - dl_r * 3) * 4, 4);
}
static __global float *dl_float_3_any(__global const float *dl_f, dl_index dl_e DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_e / 3, 12, dl_e % 3 * 4, 4);
}
//DL-kernel: go 3
//DL-buffer: in arg 0 read aos bytes 12 line 2 type float
//DL-leaves: 0+4*3
//DL-structs: arg(2, u4, 0)
//DL-buffer: out arg 1 write aos bytes 12 line 2 type float
//DL-leaves: 0+4*3
//DL-structs: arg(2, u4, 0)
//DL-end: go
#line 3
__kernel void go(__global const float *in, __global float *out, uint n DL_PARAMS(in) DL_PARAMS(out))
{
    uint u = get_global_id(0), q = u % 3u, back = 4u;
    ulong z = u;

    (*dl_float_3(out, u, 0 DL_ARGS(out))) = (*dl_float_3_near(in, (int)(u), (int)(- q + 2) DL_ARGS(in))) + (*dl_float_3_from(in, (int)((2u - q)), (int)(u) DL_ARGS(in)));
    if (u > 1u) {
        (*dl_float_3(out, u, 1 DL_ARGS(out))) = (*dl_float_3_near(in, (int)((u - 2u)), (int)(back) DL_ARGS(in))) + (*dl_float_3_near(in, (int)(u), (int)(- back) DL_ARGS(in))) + (*dl_float_3_near(in, (int)(u), (int)(- q) DL_ARGS(in)));
        (*dl_float_3(out, u, 2 DL_ARGS(out))) += (*dl_float_3_near(in, z, (dl_signed)0 - back DL_ARGS(in))) + (*dl_float_3_near(in, z, (dl_signed)0 + q - back + 3u DL_ARGS(in))) + (*dl_float_3_near(in, z, (dl_signed)0 - q + 1 DL_ARGS(in)));
    }
    if (u + 1u < n)
        (*dl_float_3(out, u, 2 DL_ARGS(out))) += (*dl_float_3_near(in, (int)((u - 1u)), (int)(back + 3) DL_ARGS(in))) + (*dl_float_3_any(in, back + 3u * (u - 1u) + q DL_ARGS(in)));
}
