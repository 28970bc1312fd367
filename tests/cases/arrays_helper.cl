// run: move structs structs n uint:4
// Helpers are given the length, or count with it themselves; unsigned indices.
float get(__global const float *f, int k, int n, int i)
{
    return f[k * n + i];
}

int index_of(int n, int k, int i)
{
    return i + k * n;
}


//DL: SoA: in[n][4], out[n][4] to ASTA
__kernel void move(__global const float *in, __global float *out, const int n, const uint count)
{
    const size_t i = get_global_id(0);

    for (uint k = 0; k < count; k++)
        out[k * (uint)n + i] = get(in, k, n, i);
    out[index_of(n, 1, i)] += in[index_of(n, 3, (int)i)];
}
