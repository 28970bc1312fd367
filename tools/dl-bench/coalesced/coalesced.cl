/* SPDX-License-Identifier: MIT */
/* Inputs and checks of dl-bench coalesced. */

/* A random order of 0 to count - 1: steps that each permute the numbers of so many bits,
 * again for those that fall outside. */
__kernel void random_order(__global uint *places, uint count, uint bits)
{
    const uint i = get_global_id(0), mask = bits < 32 ? (1u << bits) - 1 : ~0u;
    uint x = i;

    if (i >= count)
        return;
    do {
        x = x * 0x9e3779b1u + 0x7f4a7c15u & mask;
        x ^= x >> (bits + 1) / 2;
        x = x * 0x85ebca6bu & mask;
        x ^= x >> (bits + 1) / 2;
        x = x * 0xc2b2ae35u & mask;
        x ^= x >> (bits + 2) / 3;
    } while (x >= count);
    places[i] = x;
}

__kernel void count_differences(__global const uint *wanted, __global const uint *got,
                                ulong words, __global uint *errors)
{
    for (size_t w = get_global_id(0); w < words; w += get_global_size(0))
        if (wanted[w] != got[w])
            atomic_inc(errors);
}
