// run: go structs structs structs n
typedef struct {
    float x, y, z, w;
    int id;
    uint a, b;
    struct {
        float p, q;
    } in[3];
    float4 v;
    double d;
} cell;
typedef struct {
    float x, y, z, w;
} quad;

float first(__global const quad *q)
{
    return (*(__global const float2 *)q).x;
}

//DL: AoS: f[global_size(0)], g[global_size(0)], h[global_size(0)]
__kernel void go(__global cell *f, __global const cell *g, __global quad *h, int n)
{
    int i = get_global_id(0), k = i % 3;
    __global cell *c = f + i;
    __global const cell *o = &g[(i + 1) % n];
    float4 v = *(__global const float4 *)&g[i];

    v += *(__global float4 *)c;
    *(__global float4 *)&c->x = v;
    if (i & 1)
        *(__global uint2 *)&f[i].a = *(__global const uint2 *)&o->a + 1u;
    vstore2(vload2(0, &o->in[k].p), 0, &f[i].in[(k + 1) % 3].p);
    f[i].id ^= *(__global const int *)&o->x;
    vstore2(vload2(1, &f[i].y), 0, &f[i].x);
    vstore2((float2)(1.5f, v.y), 1, (__global float *)&f[i].v);
    vstore4(vload4(i, (__global float *)h) + first(&h[i]), i, (__global float *)h);
    *(__global float2 *)&f[i].v = v.zw;
    *(__global int *)&f[i].d = i;
    f[i].w = (*(__global float4 *)&h[i]).s2;
}
