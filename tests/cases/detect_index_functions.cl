// detect: on
// run: rows structs words:20 n
// run: one structs structs
// run: arrays arrays:19 n
// Index functions, of mixed types and of one. What a loop counts is a place in the row, as one of two
// directions is, so that nothing is divided; and the length of arrays may be a constant.
#define N 262144ul
ulong mixed(const uint n, const uint i)
{
    return (ulong)n * 19u + (ulong)i;
}

ulong narrow(const uchar i, const ulong n)
{
    const ulong row = n * 19u;

    return row + i;
}

ulong same(const ulong n, const ulong i)
{
    return n * 19 + i;
}

ulong array(const uint n, const uint i, const int length)
{
    return (ulong)i * (ulong)length + (ulong)n;
}

ulong of_n(const uint n, const uint i)
{
    return (ulong)i * N + (ulong)n;
}

/* In place, with the next row's by turns. */
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

__kernel void one(__global float *f, __global const float *g)
{
    const size_t n = get_global_id(0);

    for (int i = 18; i >= 0; i--)
        f[same(n, i)] += g[(ulong)n * 19u + (ulong)i] * f[n * 19 + (i & 7)];
}

__kernel void arrays(__global float *f, int length)
{
    const uint n = get_global_id(0);

    for (uint i = 0; i < 19; i++)
        f[array(n, i, length)] *= 2.0f;
}

__kernel void arrays_of_constant_length(__global float *f)
{
    const uint n = get_global_id(0);

    for (uint i = 0; i < 19; i++)
        f[of_n(n, i)] *= 2.0f;
}
