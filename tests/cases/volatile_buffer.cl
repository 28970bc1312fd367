// run: go structs structs structs n
typedef struct {
    int n;
    float v[3];
    struct {
        float x, y;
    } in;
} cell;

void add(__global cell *c, float by)
{
    c->v[1] += by;
}
float late(__global volatile const cell *c)
{
    return c->v[0] + c->in.y;
}

//DL: AoS: f[global_size(0)], g[global_size(0)], h[global_size(0)][2]
__kernel void go(__global volatile cell *f, __global cell *g, volatile __global float *h, int n)
{
    int i = get_global_id(0);
    volatile __global cell *c = &f[i];

    c->n += 3;
    atomic_add(&f[i].n, i);
    c->in.x = late(g + i) + late(&f[i]);
    add(&g[i], f[i].v[i % 3]);
    h[2 * i] += h[2 * i + 1] + c->v[2];
    g[i].n += h[2 * i] > 1.0f;
}
