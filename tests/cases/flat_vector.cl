// run: go structs n
#define ROW 2
//DL: AoS: v[n][ROW]
__kernel void go(__global float4 *v, int n)
{
    int i = get_global_id(0);
    float4 a = v[ROW * i];

    v[ROW * i + 1].xy = a.zw;
    v[ROW * i].w += v[i * ROW + 1].s0;
    a = v[i * ROW + (i & 1)];
    v[i * ROW] = a.wzyx;
}
