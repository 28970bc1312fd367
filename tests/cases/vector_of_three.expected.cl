// run: go structs
// ignore: 12+4
typedef struct {
    float3 p;
    int k;
    float3 v[2];
} body;

//DL: AoS: f[global_size(0)] AOS2ASTA_body
//DL-table: 2
/* prelude */
static __global float3 *dl_body_p(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float3, dl_f, dl_i, 64, 0, 16);
}
static __global float3 *dl_body_v(__global const body *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(float3, dl_f, dl_i, 64, 32 + dl_k0 * 16, 16);
}
static __global int *dl_body_k(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 64, 16, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 64 line 9 type body
//DL-leaves: 0+16 16+4*2 24+8 32+16*2
//DL-structs: global_size(0)
//DL-gaps: 12+4 20+4 24+8 44+4 60+4
//DL-access: linear 1 0+16 read write
//DL-access: linear 1 48+16 read
//DL-access: linear 1 32+32 write
//DL-access: linear 1 16+4 read write
//DL-end: go
#line 10
__kernel void go(__global body *f DL_PARAMS(f))
{
    int i = get_global_id(0);

    (*dl_body_p(f, i DL_ARGS(f))).z += (*dl_body_v(f, i, (1) DL_ARGS(f))).x;
    (*dl_body_v(f, i, (i & 1) DL_ARGS(f))).y = (*dl_body_p(f, i DL_ARGS(f))).x;
    (*dl_body_k(f, i DL_ARGS(f)))++;
}
