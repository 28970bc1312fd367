// detect: on
// run: arrays arrays:19 n
// Index functions into discrete arrays, whose length may be a constant.
#define N 262144ul
ulong array(const uint n, const uint i, const int length)
{
    return (ulong)i * (ulong)length + (ulong)n;
}

ulong of_n(const uint n, const uint i)
{
    return (ulong)i * N + (ulong)n;
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
