//DL: AoS: f[n][6], h[n][3], g[n][6]
__kernel void go(__global float *f, __global uint *h, __global const float *g, int n)
{
    int i = get_global_id(0);
    __global float *row = f + 6 * i;
    float4 v = vload4(0, row) + vload4(0, f + i * 6 + 2).wzyx;
    uint3 u = vload3(i, h);

    if (i + 1 < n) // over the end of the row
        v += vload4(1, &g[6 * i]) * vload2(3 * i + 2, f).xyxy;
    vstore2(v.xz, 2, row);
    vstore3(u.zxy ^ as_uint3(vload3(1, (__global uint *)row)), i, h);
    vstore3(vload3(0, (__global float *)(h + 3 * i)), 0, row);
}
// run: go structs structs structs n
