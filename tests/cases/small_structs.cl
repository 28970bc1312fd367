// run: go structs structs
typedef struct {
    uchar v;
} one;
typedef struct {
    short a;
    uchar b;
} three;

//DL: AoS: f[global_size(0)], g[global_size(0)]
__kernel void go(__global one *f, __global three *g)
{
    int i = get_global_id(0);

    f[i].v += g[i].b;
    g[i].a -= f[i].v;
}
