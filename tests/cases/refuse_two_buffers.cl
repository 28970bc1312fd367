typedef struct {
    float x, y;
} pair;

//DL: AoS: f[global_size(0)], g[global_size(0)]
__kernel void go(__global pair *f, __global pair *g)
{
    __global pair *p = get_global_id(0) & 1 ? f : g;

    p->x = 1.0f;
}
