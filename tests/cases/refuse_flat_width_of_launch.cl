//DL: AoS: f[n][get_local_size(0)]
__kernel void go(__global float *f, int n)
{
    f[get_local_size(0) * get_global_id(0)] = 1.0f;
}
