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

/* Reads and writes what lies there, in place: what no transposition in place can be
 * faster than. */
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

/* The axes of what is there, the last being the fastest, and how far apart their elements
 * were before. */
enum { CHECK_AXES_MAX = 9 };
struct check_axes {
    ulong extents[CHECK_AXES_MAX], was[CHECK_AXES_MAX];
    ulong elements, element_bytes;
    uint count;
};

/* One work-item an element. */
__kernel void check_axes(__global const uchar *mem, struct check_axes axes,
                         __global uint *errors)
{
    for (size_t g = get_global_id(0); g < axes.elements; g += get_global_size(0)) {
        ulong rest = g, at = g * axes.element_bytes, was = 0;
        bool wrong = false;
        for (uint a = axes.count; a-- > 0;) {
            ulong place = rest % axes.extents[a];
            rest /= axes.extents[a];
            was += place * axes.was[a] * axes.element_bytes;
        }
        if (axes.element_bytes % 4 == 0) {
            for (uint b = 0; b < axes.element_bytes; b += 4)
                wrong |= *(__global const uint *)(mem + at + b) != mix((was + b) / 4);
        } else {
            for (uint b = 0; b < axes.element_bytes; b++)
                wrong |= mem[at + b] != (uchar)(mix((was + b) / 4) >> (was + b) % 4 * 8);
        }
        if (wrong)
            atomic_inc(errors);
    }
}

/* Each work-item reads all words of its struct. A sum that is asked for is compared with
 * that of the values that fill() has put there; else it is only kept from being optimised
 * away. */
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

/* Each work-item reads and stores all words of its struct; the compiler can't know that
 * `nothing` is 0. */
__kernel void update(__global uint *mem, uint words, ulong tile, ulong head, ulong tail,
                     uint nothing)
{
    size_t i = get_global_id(0);
    ulong first = i < head ? i - i % tile : head, length = i < head ? tile : tail;
    __global uint *at = mem + first * words + (i - first);

    for (uint q = 0; q < words; q++)
        at[q * length] += nothing;
}
