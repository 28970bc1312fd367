//DL: AoS: f[n][pitch]
__kernel void go(__global float *f, int n, int width)
{
    f[width * get_global_id(0)] = 1.0f;
}
