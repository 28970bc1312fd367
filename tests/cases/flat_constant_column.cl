// run: go structs structs n
//DL: AoS: in[n][5], out[n][5]
__kernel void go(__global const float *in, __global float *out, int n)
{
    int i = get_global_id(0);

    out[i * 5] = in[5 * i + 1];
    out[i * 5 + 1] = in[2 + 5 * i] + in[5 * (i + 0) + 4 - 1];
    out[(i * 5 + 2)] += 1.0f;
    out[3 + (i * 10 - 5 * i)] = in[5 * n - 5 + 4];
    out[i * 5 + 4] = in[2] + in[0] * in[(n - 1) * 5 + 2 * 2];
}
