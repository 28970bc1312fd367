/* SPDX-License-Identifier: MIT */
/* Inputs and checks of dl-bench, apart from the kernels they check. */

uint mix(ulong x)
{
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdUL;
    x ^= x >> 33;
    return (uint)x;
}

__kernel void fill(__global uint *mem, ulong words)
{
    for (size_t w = get_global_id(0); w < words; w += get_global_size(0))
        mem[w] = mix(w);
}

__kernel void copy(__global const uint4 *from, __global uint4 *to)
{
    to[get_global_id(0)] = from[get_global_id(0)];
}

/* Reads and writes what lies there, in place: what no transposition in place can be faster than. */
__kernel void touch(__global uint4 *mem, ulong vectors)
{
    for (size_t i = get_global_id(0); i < vectors; i += get_global_size(0))
        mem[i] = ~mem[i];
}

/* leaves: offset, width. One work-item a leaf of a struct. */
__kernel void check(__global const uchar *mem, __global const uint2 *leaves,
                    uint leaf_count, uint struct_bytes, ulong structs, ulong tile,
                    ulong head, ulong tail, __global uint *errors)
{
    for (size_t g = get_global_id(0); g < structs * leaf_count; g += get_global_size(0)) {
        ulong i = g / leaf_count;
        uint2 leaf = leaves[g - i * leaf_count];
        ulong first = i < head ? i - i % tile : head, length = i < head ? tile : tail;
        ulong at = first * struct_bytes + length * leaf.x + (i - first) * leaf.y;
        ulong was = i * struct_bytes + leaf.x;
        bool wrong = false;
        if (((at | was | leaf.y) & 3) == 0) {
            for (uint b = 0; b < leaf.y; b += 4)
                wrong |= *(__global const uint *)(mem + at + b) != mix((was + b) / 4);
        } else {
            for (uint b = 0; b < leaf.y; b++)
                wrong |= mem[at + b] != (uchar)(mix((was + b) / 4) >> (was + b) % 4 * 8);
        }
        if (wrong)
            atomic_inc(errors);
    }
}

/* Was rows x cols elements, is cols x rows. One work-item an element. */
__kernel void check_transposed(__global const uchar *mem, ulong rows, ulong cols,
                               ulong element_bytes, __global uint *errors)
{
    for (size_t g = get_global_id(0); g < rows * cols; g += get_global_size(0)) {
        ulong j = g / rows, i = g - j * rows;
        ulong at = g * element_bytes, was = (i * cols + j) * element_bytes;
        bool wrong = false;
        if (element_bytes % 4 == 0) {
            for (uint b = 0; b < element_bytes; b += 4)
                wrong |= *(__global const uint *)(mem + at + b) != mix((was + b) / 4);
        } else {
            for (uint b = 0; b < element_bytes; b++)
                wrong |= mem[at + b] != (uchar)(mix((was + b) / 4) >> (was + b) % 4 * 8);
        }
        if (wrong)
            atomic_inc(errors);
    }
}

/* Each work-item reads all words of its struct. A sum that is asked for is compared with that of the
 * values that fill() has put there; else it is only kept from being optimised away. */
__kernel void access(__global const uint *mem, uint words, ulong tile, ulong head,
                     ulong tail, __global uint *errors, uint check)
{
    size_t i = get_global_id(0);
    ulong first = i < head ? i - i % tile : head, length = i < head ? tile : tail;
    __global const uint *at = mem + first * words + (i - first);
    uint sum = 0, want = 0;

    for (uint q = 0; q < words; q++)
        sum += at[q * length];
    if (check) {
        for (uint q = 0; q < words; q++)
            want += mix(i * words + q);
        if (sum != want)
            atomic_inc(errors);
    } else if (sum == 0x9E3779B9u && errors[0] == 0xffffffffu) {
        errors[0] = sum;
    }
}
