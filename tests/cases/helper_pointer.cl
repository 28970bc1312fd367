// run: go structs n
typedef struct {
    float x, v;
} particle;

float energy(__global const particle *p)
{
    return p->v * p->v + p[0].x;
}

static inline void push(__global particle *p, float dt)
{
    p->x += p->v * dt;
}

//DL: AoS: f[n]
__kernel void go(__global particle *f, int n)
{
    int i = get_global_id(0);

    push(&f[i], 0.5f);
    push(f + i, energy(&f[i]));
}
