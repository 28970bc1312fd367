//DL: AoS: h[n][4]
__kernel void go(__global half *h, __global float *out, int n)
{
    int i = get_global_id(0);
    float4 v = vload_half4(i, h);

    out[i] = v.x + v.w + vload_half(4 * i + 2, h);
    vstore_half2_rtz(v.zw * 0.37f, 1, h + 4 * i);
    vstore_half(v.y, 4 * i, h);
}
// run: go structs words:1 n
