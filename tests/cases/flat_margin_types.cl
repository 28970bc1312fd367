// run: go structs structs n
// What is added to pointers is of every type, and wraps at times.
#define W 3

float away(__global const float *row, uint back, long by)
{
    return row[W * back - W * back + (uint)by % W] + *(row + (size_t)W - W);
}

//DL: AoS: f[n][W], g[n][W]
__kernel void go(__global float *f, __global const float *g, int n)
{
    const size_t id = get_global_id(0);
    const uint i = id, last = n - 1;
    const ushort one = 1;
    __global const float *p = g + W * id, *q;

    p -= 3u * (uint)(i + 1u);
    p += (uchar)W;
    q = p + W * ~0u * 1ul - (uint)(W * 0xffffffffu);
    f += W * 2 - 1, f -= 4;
    f[W * i + 2 - one] = p[W * one - 1] + q[0];
    f[W * id - 1 + one] += away(g + W * last, i, id) + away(p + 3 - W, last, -3l);
    *(f + (int)(W * (i - n) + 1u) + (size_t)n * W) -= (float)(int)(p - g);
}
