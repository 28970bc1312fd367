// run: go structs structs n
typedef union {
    float4 v;
    float e[4];
    struct {
        float x, y, z, w;
    } c;
} vec;
typedef struct {
    int id;
    vec pos, vel;
    union {
        int i[2];
        short s[4];
        float f;
    } bits;
    vec more[2];
    char tag[5];
} body;

void add_scaled(__global vec *to, __global const vec *what, float scale)
{
    for (int k = 0; k < 3; k++)
        to->e[k] += scale * what->e[k];
    to->c.w = what->v.y;
}

int sum(__global const short *s, int from)
{
    return s[from] + *(s + 3);
}

//DL: AoS: f[n], g[n]
__kernel void go(__global body *f, __global const body *g, int n)
{
    int i = get_global_id(0);
    __global vec *v = &f[i].vel;
    __global float *e = f[i].pos.e;
    __global char *tag = f[i].tag;

    add_scaled(v, &g[i].pos, 0.5f);
    add_scaled(&f[i].more[i & 1], &g[n - 1 - i].more[1], 2.0f);
    e[i & 3] = v->e[2];
    for (int k = 0; k < 3; k++, e++)
        *e += k;
    f[i].id = sum(g[i].bits.s, i & 1);
    f[i].bits.i[1] = sum(f[i].bits.s, 2);
    tag[i % 5] = 3;
    v->v = g[i].vel.v * 0.25f;
}
