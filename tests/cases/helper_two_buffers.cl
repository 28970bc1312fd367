// run: go structs structs
typedef struct {
    float x, y;
} pair;

void blend(__global pair *to, int i, const __global pair *from)
{
    to[i].x = from[i].x * 0.5f;
    to[i] = from[i];
    to[i].y += 1.0f;
}

//DL: AoS: f[global_size(0)], g[global_size(0)]
__kernel void go(__global pair *f, __global pair *g)
{
    blend(f, get_global_id(0), g);
    blend(g, get_global_id(0), g);
}
