//DL: AoS: f[n][4]
__kernel void go(__global float *f, int n)
{
    __global float4 *v = (__global float4 *)f;

    v[get_global_id(0)] = 1.0f;
}
