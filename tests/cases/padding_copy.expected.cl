// detect: on
// run: advance structs structs float:0.01
/* Structs with vectors of three, which are 16 bytes, are copied whole from one buffer to the other, and member by
 * member: all bytes as natively. */
typedef struct { float3 pos, vel; float rho, press; } body;
//DL: AoS: in[] AOS2ASTA_body, out[] AOS2ASTA_body
//DL-table: 2
/* prelude */
static void dl_body_load(__global const body *dl_f, dl_index dl_i DL_FORMALS, body *dl_s)
{
    ((DL_ALIASED(float4) *)&(*dl_s).pos)->dl_v = ((__global DL_ALIASED(float4) *)DL_AT(float4, dl_f, dl_i, 48, 0, 16))->dl_v;
    ((DL_ALIASED(float4) *)&(*dl_s).vel)->dl_v = ((__global DL_ALIASED(float4) *)DL_AT(float4, dl_f, dl_i, 48, 16, 16))->dl_v;
    (*dl_s).rho = *DL_AT(float, dl_f, dl_i, 48, 32, 4);
    (*dl_s).press = *DL_AT(float, dl_f, dl_i, 48, 36, 4);
    ((DL_ALIASED(uint2) *)((unsigned char *)dl_s + 40))->dl_v = ((__global DL_ALIASED(uint2) *)DL_AT(unsigned char, dl_f, dl_i, 48, 40, 8))->dl_v;
}
static void dl_body_store(__global const body *dl_f, dl_index dl_i DL_FORMALS, body *dl_s)
{
    ((__global DL_ALIASED(float4) *)DL_AT(float4, dl_f, dl_i, 48, 0, 16))->dl_v = ((DL_ALIASED(float4) *)&(*dl_s).pos)->dl_v;
    ((__global DL_ALIASED(float4) *)DL_AT(float4, dl_f, dl_i, 48, 16, 16))->dl_v = ((DL_ALIASED(float4) *)&(*dl_s).vel)->dl_v;
    *DL_AT(float, dl_f, dl_i, 48, 32, 4) = (*dl_s).rho;
    *DL_AT(float, dl_f, dl_i, 48, 36, 4) = (*dl_s).press;
    ((__global DL_ALIASED(uint2) *)DL_AT(unsigned char, dl_f, dl_i, 48, 40, 8))->dl_v = ((DL_ALIASED(uint2) *)((unsigned char *)dl_s + 40))->dl_v;
}
//DL-kernel: advance 3
//DL-sums: contractable
//DL-detected: 0 1
//DL-buffer: in arg 0 read aos bytes 48 line 6 type body
//DL-leaves: 0+16*2 32+4*2 40+8
//DL-structs: *
//DL-found: in[]
//DL-members: pos 0+16*1 vel 16+16*1 rho 32+4*1 press 36+4*1
//DL-access: linear 1 0+48 read
//DL-buffer: out arg 1 write aos bytes 48 line 6 type body
//DL-leaves: 0+16*2 32+4*2 40+8
//DL-structs: *
//DL-found: out[]
//DL-members: pos 0+16*1 vel 16+16*1 rho 32+4*1 press 36+4*1
//DL-gaps: 12+4 28+4 40+8
//DL-access: linear 1 0+48 write
//DL-end: advance
#line 6
__kernel void advance(__global const body *in, __global body *out, float dt DL_PARAMS(in) DL_PARAMS(out))
{
    size_t i = get_global_id(0);
    body b = ({ body dl_s; dl_body_load(in, i DL_ARGS(in), &dl_s); dl_s; });
    b.vel.y -= 9.8f * dt;
    b.pos += b.vel * dt;
    ({ body dl_s; dl_body_store(out, i DL_ARGS(out), (dl_s = b, &dl_s)); });
}
//DL: AoS: in[] AOS2ASTA_body, out[] AOS2ASTA_body
static __global float3 *dl_body_vel(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float3, dl_f, dl_i, 48, 16, 16);
}
static __global float3 *dl_body_pos(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float3, dl_f, dl_i, 48, 0, 16);
}
static __global float *dl_body_rho(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 48, 32, 4);
}
static __global float *dl_body_press(__global const body *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 48, 36, 4);
}
//DL-kernel: members 3
//DL-sums: contractable
//DL-detected: 0 1
//DL-buffer: in arg 0 read aos bytes 48 line 14 type body
//DL-leaves: 0+16*2 32+4*2 40+8
//DL-structs: *
//DL-found: in[]
//DL-members: pos 0+16*1 vel 16+16*1 rho 32+4*1 press 36+4*1
//DL-access: linear 1 16+16 read
//DL-access: linear 1 0+16 read
//DL-access: linear 1 32+4 read
//DL-access: linear 1 36+4 read
//DL-buffer: out arg 1 write aos bytes 48 line 14 type body
//DL-leaves: 0+16*2 32+4*2 40+8
//DL-structs: *
//DL-found: out[]
//DL-members: pos 0+16*1 vel 16+16*1 rho 32+4*1 press 36+4*1
//DL-gaps: 12+4 28+4 40+8
//DL-access: linear 1 16+16 write
//DL-access: linear 1 0+16 write
//DL-access: linear 1 32+4 write
//DL-access: linear 1 36+4 write
//DL-end: members
#line 14
__kernel void members(__global const body *in, __global body *out, float dt DL_PARAMS(in) DL_PARAMS(out))
{
    size_t i = get_global_id(0);
    float3 v = (*dl_body_vel(in, i DL_ARGS(in)));
    v.y -= 9.8f * dt;
    (*dl_body_vel(out, i DL_ARGS(out))) = v;
    (*dl_body_pos(out, i DL_ARGS(out))) = (*dl_body_pos(in, i DL_ARGS(in))) + v * dt;
    (*dl_body_rho(out, i DL_ARGS(out))) = (*dl_body_rho(in, i DL_ARGS(in)));
    (*dl_body_press(out, i DL_ARGS(out))) = (*dl_body_press(in, i DL_ARGS(in)));
}
