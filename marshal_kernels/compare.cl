/* SPDX-License-Identifier: MIT */
/* Whether two arrays hold the same bytes. The answer is a word of its own behind the second one. */
#ifndef WORD
#define WORD uint
#endif

__kernel void dl_compare(__global const uchar *mine, ulong bytes, __global uchar *other)
{
    __global const WORD *a = (__global const WORD *)mine;
    __global const WORD *b = (__global const WORD *)other;
    ulong words = bytes / sizeof(WORD);
    bool differ = false;

    for (ulong k = get_global_id(0); k < words; k += get_global_size(0))
        differ |= a[k] != b[k];
    if (get_global_id(0) == 0)
        for (ulong k = words * sizeof(WORD); k < bytes; k++)
            differ |= mine[k] != other[k];
    /* Whoever writes it writes the same. */
    if (differ)
        *(__global uint *)(other + (bytes + 3) / 4 * 4) = 1;
}
