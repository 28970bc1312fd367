//DL: AoS: f[global_size(0)]
__kernel void go(__global float *f)
{
    f[get_global_id(0)] = 1.0f;
}
