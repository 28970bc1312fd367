// detect: on
// run: rows structs words:1 int:3
// Halves through vload_half and vstore_half, by index functions and conditional arguments, in place.
ulong row(const uint n, const uint i)
{
    return (ulong)n * 9u + (ulong)i;
}

float load(__global const half *f, const ulong at)
{
    return vload_half(at, f) * 0.5f;
}

__kernel void rows(__global half *f, __global float *o, uint t)
{
    const uint n = get_global_id(0);
    float sum = load(f, row(n, 0u));

    for (uint i = 1u; i < 9u; i += 2u) {
        sum += vload_half(row(n, t % 2u ? i : i + 1u), f);
        vstore_half(sum, row(n, t % 2u ? i + 1u : i), f);
        vstore_half_rtz(vload_half(row(n, i), f) - 1.0f, row(n, i), f);
    }
    o[n] = sum;
}
