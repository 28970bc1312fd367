typedef struct {
    float x, y;
} pair;

__global pair *at(__global pair *f, int i)
{
    return &f[i];
}

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    at(f, get_global_id(0))->x = 1.0f;
}
