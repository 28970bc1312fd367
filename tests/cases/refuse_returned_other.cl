typedef struct {
    float x, y;
} pair;

__global pair *one(__global pair *f, __global pair *g, int i)
{
    return i & 1 ? f : g;
}

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f, __global pair *g)
{
    one(f, g, get_global_id(0))->x = 1.0f;
}
