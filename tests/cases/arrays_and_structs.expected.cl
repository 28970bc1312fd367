// run: gather structs structs n long:9
// Arrays beside structs: under one tile the structs alone are moved. Vectors are elements, too.
typedef struct {
    float4 at;
    float weight;
} body;

//DL: AoS: bodies[n] AOS2ASTA_body
//DL: SoA: f[n][3] to ASTA
//DL-table: 2
/* prelude */
static __global float4 *dl_float4_3_array(__global const float4 *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float4 *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_e < dl_head && dl_i < 3)
        return DL_HEAD_AT(__global, float4, dl_f, dl_e, 3 * 16, dl_i * 16, 16);
    dl_e = (dl_i * dl_w + dl_e);
    dl_i = dl_head ? dl_e / dl_w : 3;
    if (dl_i >= 3)
        return (__global float4 *)dl_f + (dl_signed)dl_e;
    dl_e -= dl_i * dl_w;
    dl_tail = dl_w - dl_head;
    return DL_AT(float4, dl_f, dl_e, 3 * 16, dl_i * 16, 16);
#endif
}
static __global float *dl_body_weight(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 32, 16, 4);
}
static __global float4 *dl_body_at(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float4, dl_f, dl_i, 32, 0, 16);
}
//DL-kernel: gather 4
//DL-sums: contractable
//DL-buffer: bodies arg 0 write aos bytes 32 line 8 type body
//DL-leaves: 0+16 16+4*2 24+8
//DL-structs: arg(2, i4, 0)
//DL-gaps: 20+4 24+8
//DL-access: linear 1 16+4 read
//DL-access: linear 1 0+16 read write
//DL-buffer: f arg 1 write arr bytes 48 line 9 type float4
//DL-leaves: 0+16*3
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 32+16 write
//DL-access: linear 1 0+16 read write
//DL-access: linear 1 16+16 read
//DL-end: gather
#line 10
__kernel void gather(__global body *bodies, __global float4 *f, const int n, const long seed DL_PARAMS(bodies) DL_PARAMS(f))
{ dl_index dl_w_f = (long)n;
    const int i = get_global_id(0);

    (*dl_float4_3_array(f, 2, i, dl_w_f DL_ARGS(f))) = (*dl_float4_3_array(f, 0, i, dl_w_f DL_ARGS(f))) * (*dl_body_weight(bodies, i DL_ARGS(bodies))) + (*dl_body_at(bodies, i DL_ARGS(bodies)));
    (*dl_body_at(bodies, i DL_ARGS(bodies))) = (*dl_float4_3_array(f, 1, i, dl_w_f DL_ARGS(f))).wzyx;
    (*dl_float4_3_array(f, 0, i, dl_w_f DL_ARGS(f))).y = seed;
}
