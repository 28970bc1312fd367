// run: go structs structs n
//DL: AoS: in[n][6], out[n][6]
__kernel void go(__global const float *in, __global float *out, int n)
{
    int i = get_global_id(0);
    float sum = 0.0f;

    for (int q = 0; q < 6; q++)
        sum += in[i * 6 + q];
    for (int q = 0; q < 6; q++)
        out[q + 6 * i] = sum - in[(5 - q) + 6 * i] * in[6 * i + 6 - 1 - q];
    for (int q = 1; q < 7; q++)
        out[(i * 6) - 1 + q] += in[i * 6 + (q % 6)];
    out[i * 6 + i % 6] *= in[6 * (n - 1) - 6 * i + i % 6];
}
