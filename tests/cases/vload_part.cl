// vload and vstore through pointers into an array member.
typedef struct {
    int kind;
    float m[8];
    short s[6];
} cell;

float4 upper(__global const float *m)
{
    return vload4(1, m) + vload4(0, m + 2);
}

void put(__global float *m, float2 v, int k)
{
    vstore2(v.yx, k & 3, m);
}

//DL: AoS: f[n], g[n]
__kernel void go(__global cell *f, __global const cell *g, int n)
{
    int i = get_global_id(0);
    __global float *m = f[i].m;
    __global const float *q = g[n - 1 - i].m + (i & 1);
    __global short *s = f[i].s + 1;

    vstore4(upper(m) * 0.5f + vload4(0, q + 3), 0, m + 4);
    m++;
    vstore3(vload3(1, m).zyx, 0, m);
    put(f[i].m, vload2(i & 1, q), i);
    vstore4(vload4(0, s).wzyx, 0, s);
    vstore2((short2)((short)f[i].kind), 2, f[i].s);
}
// run: go structs structs n
