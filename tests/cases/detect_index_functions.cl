// detect: on
// run: rows structs words:20 n
// Index functions of mixed types. What a loop counts is a place in the row, as one of two directions is, so
// that nothing is divided. In place, with two directions by turns.
ulong mixed(const uint n, const uint i)
{
    return (ulong)n * 19u + (ulong)i;
}

ulong narrow(const uchar i, const ulong n)
{
    return n * 19u + i;
}

__kernel void rows(__global float *f, __global float *o, int t)
{
    const uint n = get_global_id(0);
    float sum = f[mixed(n, 0u)] * f[narrow((uchar)18, n)];

    for (uint i = 1; i < 19u; i += 2u) {
        sum += f[mixed(n, t % 2 ? i : i + 1u)];
        f[mixed(n, t % 2 ? i + 1u : i)] = sum + (float)i;
    }
    o[n] = sum;
}
