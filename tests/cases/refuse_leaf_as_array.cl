typedef struct {
    float x, y, z;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    __global float *x = &f[get_global_id(0)].x;

    x[1] = x[2];
}
