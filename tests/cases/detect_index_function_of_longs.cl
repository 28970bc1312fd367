// detect: on
// run: one structs structs
// An index function of one type beside the same index written out: nothing is divided.
ulong same(const ulong n, const ulong i)
{
    return n * 19 + i;
}

__kernel void one(__global float *f, __global const float *g)
{
    const size_t n = get_global_id(0);

    for (int i = 18; i >= 0; i--)
        f[same(n, i)] += g[(ulong)n * 19u + (ulong)i] * f[n * 19 + (i & 7)];
}
