// run: go structs structs n
//DL: AoS: in[n][3], out[n][3]
__kernel void go(__global const float *in, __global float *out, uint n)
{
    uint u = get_global_id(0), q = u % 3u, back = 4u;
    ulong z = u;

    out[3u * u] = in[3u * u + 2u - q] + in[(2u - q) + 3u * u];
    if (u > 1u) {
        out[3u * u + 1u] = in[3u * (u - 2u) + back] + in[3u * u - back] + in[3u * u - q];
        out[3u * u + 2u] += in[3u * z - back] + in[3u * z + q - back + 3u] + in[z * 3ul - q + 1];
    }
    if (u + 1u < n)
        out[u * 3u + 2u] += in[3u * (u - 1u) + 3u + back] + in[back + 3u * (u - 1u) + q];
}
