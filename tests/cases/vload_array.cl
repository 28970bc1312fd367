typedef struct {
    int id;
    float v[7];
    float4 at;
    struct {
        short m[2][4];
    } in;
} cell;

float3 middle(__global const cell *p, int k)
{
    return vload3(0, p->v + k) + vload2(1, (__global const float *)&p->at).xyx;
}

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    int i = get_global_id(0);
    float4 v = vload4(0, f[i].v);
    uint2 u = vload2(2, (__global uint *)f[i].v);
    short8 s = vload8(0, f[i].in.m[0]);

    vstore3(v.yzw + middle(&f[i], f[i].id & 3), 1, &f[i].v[1]);
    f[i].id += u.x ^ u.y;
    vstore4(s.hi - vload4(0, &f[i].in.m[i & 1][0]), 0, f[i].in.m[1]);
    vstore2(v.xy, 0, (__global float *)&f[i].at);
}
// run: go structs
