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

/* At which bytes of their structs they differ: a byte for each is 1, behind the second
 * one. */
__kernel void dl_differences(__global const uchar *mine, ulong bytes,
                             __global uchar *other, uint struct_bytes)
{
    __global const uint *a = (__global const uint *)mine;
    __global const uint *b = (__global const uint *)other;
    __global uchar *differ = other + (bytes + 3) / 4 * 4;
    ulong words = (bytes + 3) / 4;
    ulong part = (words + get_num_groups(0) - 1) / get_num_groups(0);
    ulong first = get_group_id(0) * part, end = min(first + part, words);

    for (ulong k = first + get_local_id(0); k < end; k += get_local_size(0))
        if (4 * k + 4 > bytes || a[k] != b[k])
            for (ulong i = 4 * k; i < 4 * k + 4 && i < bytes; i++)
                if (mine[i] != other[i])
                    differ[i % struct_bytes] = 1;
}
