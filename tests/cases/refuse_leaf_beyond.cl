typedef struct {
    float4 pos, force;
} body;

float beyond(__global float4 *a) { return ((__global float *)a)[4]; }
float before(__global float4 *a)
{
    __global float *f = (__global float *)a;

    return *(f - 1);
}
float moved(__global float4 *a)
{
    __global float *f = (__global float *)a;

    f++;
    return *f;
}
float any(__global float4 *a, int k) { return ((__global float *)a)[k]; }

//DL: AoS: b[global_size(0)]
__kernel void k1(__global body *b) { b[0].pos.x = beyond(&b[get_global_id(0)].pos); }
//DL: AoS: b[global_size(0)]
__kernel void k2(__global body *b) { b[0].pos.x = before(&b[get_global_id(0)].force); }
//DL: AoS: b[global_size(0)]
__kernel void k3(__global body *b) { b[0].pos.x = moved(&b[get_global_id(0)].pos); }
//DL: AoS: b[global_size(0)]
__kernel void k4(__global body *b) { b[0].pos.x = any(&b[get_global_id(0)].pos, 1); }
