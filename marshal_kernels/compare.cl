/* SPDX-License-Identifier: MIT */
/* Whether two arrays hold the same bytes. The answer is a word of its own behind the
 * second one. */

/* Each group has a part of its own: one that strides over all of it takes a CPU ten times
 * as long. */
__kernel void dl_compare(__global const uchar *mine, ulong bytes, __global uchar *other)
{
    __global const uint4 *a = (__global const uint4 *)mine;
    __global const uint4 *b = (__global const uint4 *)other;
    ulong words = bytes / sizeof(uint4);
    ulong part = (words + get_num_groups(0) - 1) / get_num_groups(0);
    ulong first = get_group_id(0) * part, end = min(first + part, words);
    uint4 differ = 0;

    for (ulong k = first + get_local_id(0); k < end; k += get_local_size(0))
        differ |= a[k] ^ b[k];
    if (get_global_id(0) == 0)
        for (ulong k = words * sizeof(uint4); k < bytes; k++)
            differ.x |= mine[k] ^ other[k];
    /* Whoever writes it writes the same. */
    if (differ.x | differ.y | differ.z | differ.w)
        *(__global uint *)(other + (bytes + 3) / 4 * 4) = 1;
}
