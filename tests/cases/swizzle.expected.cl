// run: go structs
typedef struct {
    float4 pos;
    float2 v;
} body;

//DL: AoS: b[global_size(0)] AOS2ASTA_body
//DL-table: 2
/* prelude */
static __global float4 *dl_body_pos(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float4, dl_f, dl_i, 32, 0, 16);
}
static __global float2 *dl_body_v(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float2, dl_f, dl_i, 32, 16, 8);
}
//DL-kernel: go 1
//DL-sums: contractable
//DL-buffer: b arg 0 write aos bytes 32 line 7 type body
//DL-leaves: 0+16 16+8*2
//DL-structs: global_size(0)
//DL-gaps: 24+8
//DL-access: linear 1 0+16 read write
//DL-access: linear 1 16+8 read write
//DL-end: go
#line 8
__kernel void go(__global body *b DL_PARAMS(b))
{
    size_t i = get_global_id(0);

    (*dl_body_pos(b, i DL_ARGS(b))).x += (*dl_body_v(b, i DL_ARGS(b))).y;
    (*dl_body_pos(b, i DL_ARGS(b))).zw = (*dl_body_v(b, i DL_ARGS(b))).yx * (*dl_body_pos(b, i DL_ARGS(b))).lo;
    (*dl_body_pos(b, i DL_ARGS(b))).s1 = (*dl_body_pos(b, i DL_ARGS(b))).even.x;
    (*dl_body_v(b, i DL_ARGS(b))).odd *= 0.5f;
}
