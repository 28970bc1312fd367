// 32-bit unsigned sums pass below zero.
// run: go structs structs n w
//DL: AoS: in[n][width], out[n][width]
__kernel void go(__global const uint *in, __global uint *out, uint n, uint width)
{
    uint i = get_global_id(0), last = n - 1u;
    size_t wide = i;
    __global const uint *p = in + i * width;

    out[i * width] = in[(i - last) * width + last * width];
    for (uint j = width; j > 0; j--)
        out[i * width + (j - 1u)] += in[(i + 1u) * width - j] ^ in[last * width + j - width + (width - 1u)
                                                                 - (j - 1u)];
    out[(ulong)(i * width) + (width - 1u)] += in[wide * width] + p[0] + p[width - 1u];
    out[i * width] += in[(ulong)(i * width + width - 1u)] + in[(long)(int)i * (int)width];
    p = in + (i - i * width + (width - 1u) * i);
    out[i * width] ^= *p + in[(ulong)((i - last - 1u) * width + n * width) + 0];
    out[i * width + (width >> 1)] -= (in + i * width)[width - 1u];
}
