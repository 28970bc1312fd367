// detect: on
// run: advance structs structs float:0.01
/* Structs with vectors of three, which are 16 bytes, are copied whole from one buffer to the other, and member by
 * member: all bytes as natively. */
typedef struct { float3 pos, vel; float rho, press; } body;
__kernel void advance(__global const body *in, __global body *out, float dt)
{
    size_t i = get_global_id(0);
    body b = in[i];
    b.vel.y -= 9.8f * dt;
    b.pos += b.vel * dt;
    out[i] = b;
}
__kernel void members(__global const body *in, __global body *out, float dt)
{
    size_t i = get_global_id(0);
    float3 v = in[i].vel;
    v.y -= 9.8f * dt;
    out[i].vel = v;
    out[i].pos = in[i].pos + v * dt;
    out[i].rho = in[i].rho;
    out[i].press = in[i].press;
}
