typedef struct {
    float x, y;
} pair;

//DL: AoS: f[global_size(0)], g[global_size(0)]
__kernel void go(__global pair *f, __constant pair *g, __global float *out)
{
    __global pair *p = f, *q = f;

    if (get_global_id(0) & 1)
        p = (__global pair *)(ulong)g;
    if (p == q)
        out[0] = p->x;
}
