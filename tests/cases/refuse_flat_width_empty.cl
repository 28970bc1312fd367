//DL: AoS: f[][]
__kernel void go(__global float *f, int n)
{
    f[get_global_id(0)] = 1.0f;
}
