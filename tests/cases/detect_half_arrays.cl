// detect: on
// run: arrays arrays:9 words:1 n int:2
// Halves in discrete arrays through vload_half and vstore_half, by an index function.
ulong array(const uint i, const uint n, const uint length)
{
    return (ulong)i * (ulong)length + (ulong)n;
}

float load(__global const half *f, const ulong at)
{
    return vload_half(at, f) * 0.5f;
}

__kernel void arrays(__global half *f, __global float *o, uint length, uint t)
{
    const uint n = get_global_id(0);
    float sum = vload_half(array(0u, n, length), f);

    for (uint i = 1u; i < 9u; i += 2u) {
        sum += load(f, array(t % 2u ? i : i + 1u, n, length));
        vstore_half(sum, array(t % 2u ? i + 1u : i, n, length), f);
    }
    o[n] = sum;
}
