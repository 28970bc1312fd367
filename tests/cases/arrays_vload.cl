// run: load structs n words:4
// Neighbours in an array, by vload and vstore.
//DL: SoA: f[n][4] to ASTA
__kernel void load(__global float *f, const int n, __global float *out)
{
    const int i = get_global_id(0);

    if (i < n - 1) {
        float2 v = vload2(0, f + 2 * n + i);
        out[i] = v.x + v.y;
    }
    if (i % 4 == 0 && i + 4 <= n)
        vstore4((float4)(i), 0, f + 3 * n + i);
}
