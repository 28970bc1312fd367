typedef struct {
    float x, y;
} pair;

//DL: AoS: f[global_size(0)], g[global_size(0)]
__kernel void go(__global pair *f, __global pair *g)
{
    __global pair *p = f;

    if (get_global_id(0) & 1)
        p = g;
    p->x = 1.0f;
}
