// run: go structs structs n long:w
//DL: AoS: in[n][width], out[n][width]
__kernel void go(__global const int *in, __global int *out, int n, long width)
{
    size_t i = get_global_id(0);
    int k = (int)i, w = (int)width;

    for (long j = 0; j < width; j++)
        out[i * width + j] = in[(n - 1 - k) * width + (width - 1 - j)];
    out[k * w] += in[k * w + (w - 1)];
    out[width * k + (int)(width - 1)] ^= in[(ulong)n * width - 1];
    out[(size_t)k * w] -= in[i * (size_t)width];
}
