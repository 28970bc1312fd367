/* SPDX-License-Identifier: MIT */
/* Chases of single work-items, and SAXPY at a stride. */
#ifndef CHAINS
#define CHAINS 1
#endif

__kernel void number_words(__global uint *a, ulong words)
{
    for (ulong i = get_global_id(0); i < words; i += get_global_size(0))
        a[i] = (uint)i;
}

/* x = A[x] where A[i] = i: each chain of a work-item stays at its own stride if `jump` is
 * 0, and else goes on by it at each step. words is a power of two. Volatile, or a compute
 * unit's cache would answer. */
__kernel void chase(__global const volatile uint *a, uint last_word, ulong stride,
                    ulong jump, uint steps, __global uint *ends)
{
    const ulong first = get_group_id(0) * (ulong)CHAINS;
    uint x[CHAINS];

    for (uint c = 0; c < CHAINS; c++)
        x[c] = (uint)((first + c) * stride) & last_word;
    for (uint s = 0; s < steps; s++)
        for (uint c = 0; c < CHAINS; c++)
            x[c] = a[(x[c] + (uint)jump) & last_word];
    for (uint c = 0; c < CHAINS; c++)
        ends[first + c] = x[c];
}

__kernel void saxpy_fill(__global float *x, __global float *y, ulong count, ulong stride)
{
    const ulong i = get_global_id(0);

    if (i < count) {
        x[i * stride] = (float)(i & 1023);
        y[i * stride] = (float)((7 * i) & 1023);
    }
}

__kernel void saxpy(__global const float *x, __global float *y, ulong count, ulong stride,
                    float a)
{
    const ulong i = get_global_id(0);

    if (i < count)
        y[i * stride] = a * x[i * stride] + y[i * stride];
}

/* Whole numbers below 2^24, so that every sum is exact. */
__kernel void saxpy_check(__global const float *y, ulong count, ulong stride, float times,
                          __global uint *errors)
{
    for (ulong i = get_global_id(0); i < count; i += get_global_size(0))
        if (y[i * stride] != times * (float)(i & 1023) + (float)((7 * i) & 1023))
            atomic_inc(errors);
}
