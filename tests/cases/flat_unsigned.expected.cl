// run: go structs structs n
//DL: AoS: in[n][3] AOS2ASTA_float_3, out[n][3] AOS2ASTA_float_3
//DL-table: 2
/* prelude */
static __global float *dl_float_3_near(__global const float *dl_f, unsigned int dl_i, unsigned int dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * 3u + dl_e);
#else
#ifdef DL_INDEX_64
    if (dl_e >= 3u || dl_i > (0xffffffffu - dl_e) / 3u) {
#else
    if (dl_e >= 3u || dl_i >= dl_head + dl_tail) {
#endif
        dl_e += dl_i * 3u;
        dl_i = dl_e / 3u;
        dl_e -= dl_i * 3u;
    }
    return DL_AT(float, dl_f, dl_i, 12, (dl_index)dl_e * 4, 4);
#endif
}
static __global float *dl_float_3_from(__global const float *dl_f, unsigned int dl_e, unsigned int dl_i DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * 3u + dl_e);
#else
#ifdef DL_INDEX_64
    if (dl_e >= 3u || dl_i > (0xffffffffu - dl_e) / 3u) {
#else
    if (dl_e >= 3u || dl_i >= dl_head + dl_tail) {
#endif
        dl_e += dl_i * 3u;
        dl_i = dl_e / 3u;
        dl_e -= dl_i * 3u;
    }
    return DL_AT(float, dl_f, dl_i, 12, (dl_index)dl_e * 4, 4);
#endif
}
static __global float *dl_float_3_near_2(__global const float *dl_f, dl_index dl_i, long dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + ((long)dl_i * 3 + dl_e);
#else
    if (dl_e < 0 || dl_e >= 3) {
        long dl_r = dl_e >= 0 ? dl_e / 3 : ~(~dl_e / 3);

        dl_i += (dl_index)dl_r;
        dl_e -= dl_r * 3;
    }
    return DL_AT(float, dl_f, dl_i, 12, (dl_index)dl_e * 4, 4);
#endif
}
static __global float *dl_float_3_any(__global const float *dl_f, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + dl_e;
#else
    dl_index dl_i = dl_e / 3;

    if (dl_i >= dl_head + dl_tail)
        return (__global float *)dl_f + (dl_signed)dl_e;
    return DL_AT(float, dl_f, dl_i, 12, dl_e % 3 * 4, 4);
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
{
    uint u = get_global_id(0), q = u % 3u, back = 4u;
    ulong z = u;

    (*dl_float_3_near(out, u, 0 DL_ARGS(out))) = (*dl_float_3_near(in, u, - q + 2 DL_ARGS(in))) + (*dl_float_3_from(in, (2u - q), u DL_ARGS(in)));
    if (u > 1u) {
        (*dl_float_3_near(out, u, 1 DL_ARGS(out))) = (*dl_float_3_near(in, (u - 2u), back DL_ARGS(in))) + (*dl_float_3_near(in, u, - back DL_ARGS(in))) + (*dl_float_3_near(in, u, - q DL_ARGS(in)));
        (*dl_float_3_near(out, u, 2 DL_ARGS(out))) += (*dl_float_3_near_2(in, z, (long)0 - back DL_ARGS(in))) + (*dl_float_3_near_2(in, z, (long)0 + q - back + 3u DL_ARGS(in))) + (*dl_float_3_near_2(in, z, (long)0 - q + 1 DL_ARGS(in)));
    }
    if (u + 1u < n)
        (*dl_float_3_near(out, u, 2 DL_ARGS(out))) += (*dl_float_3_near(in, (u - 1u), back + 3 DL_ARGS(in))) + (*dl_float_3_any(in, back + 3u * (u - 1u) + q DL_ARGS(in)));
}
