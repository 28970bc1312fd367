// run: go structs structs n
//DL: AoS: in[n][3], out[n][3]
__kernel void go(__global const float *restrict in, __global float *restrict out, const int n)
{
    uint u = get_global_id(0);
    int i = (int)u;
    size_t z = get_global_id(0);

    out[3 * i] = i > 0 ? in[3 * i - 3] + in[3 * (i - 1) + 2] + in[-1 + i * 3] : 0.5f;
    if (u > 0)
        out[3 * u + 1] = in[3u * (u - 1u) + 1u] + in[(u * 3u - 1u)];
    if (z + 1 < n)
        out[z * 3 + 2] += in[3 * z + 5] + in[3 * ((long)z + 1)] + in[(size_t)3 * z + 3 * 1];
}
