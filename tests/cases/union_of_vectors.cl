// run: go structs structs n
typedef union {
    float4 v;
    float e[4];
    int i[4];
    struct {
        float x, y, z, w;
    } c;
} vec;
typedef struct {
    vec pos, vel;
    union {
        float4 rows[2];
        float cells[2][4];
        uint bits[2][4];
    } m;
    int n;
} body;

float sum(vec a)
{
    return a.e[0] + a.c.w;
}

//DL: AoS: f[global_size(0)], g[global_size(0)]
__kernel void go(__global body *f, __global body *g, int n)
{
    int i = get_global_id(0);
    __global body *b = f + i;
    vec v;

    b->pos.v += g[(i + 1) % n].vel.v * 0.5f;
    b->pos.e[i % 4] = b->vel.c.y;
    b->vel.i[3] ^= i;
    b->vel.v.xy = b->pos.v.zw;
    atomic_add(&b->pos.i[0], 3);
    v = g[(i + 3) % n].pos;
    v.e[2] -= 1.0f;
    b->vel = v;
    b->m.rows[i & 1] += sum(b->pos);
    b->m.cells[i & 1][i % 3] = b->m.cells[~i & 1][2] + sum(g[n - 1 - i].vel);
    b->m.bits[1][3] |= b->n;
    vstore2(vload2(1, b->pos.e), 0, &b->m.cells[1][1]);
    body all = f[i];
    all.pos.c.z += all.m.cells[0][1];
    all.n++;
    f[i] = all;
}
