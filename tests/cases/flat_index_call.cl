// Index functions: the row and the place in it are kept apart.
#define W 20
int at(int i, int k)
{
    return i * W + k;
}

uint of(uint i, uint k, uint n)
{
    return (k + n * i) - 0u;
}

long wide(long i, long k)
{
    return W * i + 2 * k - 1;
}

size_t twice(size_t i)
{
    return i * 40 + i;
}

float row(__global const float *f, int i, int width)
{
    return f[at(i, 4)] + f[at(i + 1 - 1, 3) + 2];
}

float column(__global const float *h, uint i, uint width)
{
    return h[of(i, width - 1, width)];
}

//DL: AoS: f[n][W], g[n][W], h[n][width]
__kernel void go(__global float *f, __global const float *g, __global float *h, int n, int width)
{
    int i = get_global_id(0), k = i % W;

    f[at(i, 3)] += g[at(n - 1 - i, k)];
    f[at(get_global_id(0), k)] = g[wide(i, 7)] + row(g, i, width);
    f[at(0, W * i) + 5] = g[twice((ulong)i / 3)];
    h[of(i, 0, width)] += column(h, i, width) + h[of(i, (uint)k % width, width)];
    f[at(i, at(0, 1))] -= 2.0f;
}
// run: go structs structs structs n w
