typedef struct {
    float v[3];
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    __global float *v = f[get_global_id(0)].v;

    v[1] = 1.0f;
}
