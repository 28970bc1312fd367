typedef struct {
    float x, y;
} pair;

float second(__global float *v) { return v[1]; }
float other(__global float *v) { return second(v); }

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    f[0].x = other(&f[get_global_id(0)].x);
}
