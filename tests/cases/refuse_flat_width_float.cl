//DL: AoS: f[n][width]
__kernel void go(__global float *f, int n, float width)
{
    f[(int)width * get_global_id(0)] = 1.0f;
}
