// run: go structs structs
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[global_size(0)], g[global_size(0)]
__kernel void go(__global pair *f, __global pair *g)
{
    int i = get_global_id(0);
    pair p = i & 1 ? f[i] : g[i];
    __global pair *q = i > 2 ? &f[i - 1] : f + i;

    f[i].x = (i & 2 ? g[i] : p).y;
    g[i].y = (i > 2 ? f + i : &f[i])->x + (q == f);
    g[i].x = i & 4 ? f[i].y : g[i].y;
}
