// run: go structs structs
typedef struct __attribute__((packed)) {
    char c;
    int n;
    float v[2];
    double d;
    uchar4 rgba;
} cell;

//DL: AoS: f[global_size(0)], g[global_size(0)]
__kernel void go(__global cell *f, __global cell *g)
{
    int i = get_global_id(0);
    __global cell *p = &f[i];
    cell copy = g[i];

    p->c += 1;
    p->n += f[i].c;
    f[i].v[i & 1] *= 2.0f;
    f[i].d = p->v[0] - p->n++;
    p->rgba.xz = p->rgba.zx;
    copy.n++;
    g[i] = copy;
}
