//DL: AoS: f[n][4]
__kernel void go(__global float *f, int n)
{
    int i = get_global_id(0);
    float4 v = vload4(i, f);

    f[4 * i] = v.y;
}
