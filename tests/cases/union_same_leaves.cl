// run: go structs structs
typedef union {
    float f;
    int i;
} word;
typedef struct {
    word w;
    union {
        float v[2];
        struct {
            float x, y;
        } p;
        int k[2];
    } u;
    int n;
} cell;

//DL: AoS: f[global_size(0)], g[global_size(0)]
__kernel void go(__global cell *f, __global cell *g)
{
    int i = get_global_id(0);

    f[i].w.i |= 1;
    f[i].u.p.y = f[i].w.f + f[i].u.v[0];
    f[i].u.k[1] ^= f[i].n;
    cell c = g[i];
    c.u.k[0]++;
    g[i] = c;
    f[i].w = c.w;
}
