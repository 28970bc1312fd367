typedef struct {
    float x, y, z;
} cell;

float first(__global float *x) { return x[0]; }

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    f[0].y = first(&f[get_global_id(0)].x);
}
