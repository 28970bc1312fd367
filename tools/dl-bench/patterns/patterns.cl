/* SPDX-License-Identifier: MIT */
/* The kernels of dl-patterns. A program is this head and one section, from its line
 * `//----` to the next one, so that each pattern is a text of its own.
 *
 * Each result is the same on every layout: sums are written with fma, and no work-item
 * reads what another one writes in the same launch. Numbers stay small however often a
 * kernel runs. */
#pragma OPENCL FP_CONTRACT OFF
#ifndef WORDS
#define WORDS 16
#endif
typedef struct {
    float w[WORDS];
} item;

//---- gather: every work-item reads all of a struct whose place it loads
//DL: AoS: from[count]
__kernel void gather(__global const item *from, __global const int *places,
                     __global float *to, int count)
{
    const int i = get_global_id(0), place = places[i];
    float sum = 0.0f;

    for (int k = 0; k < WORDS; k++)
        sum = fma(from[place].w[k], 0.5f, sum);
    to[i] = sum;
}

//---- uniform: all work-items read the same structs
//DL: AoS: from[count]
__kernel void uniform_reads(__global const item *from, __global float *to, int count)
{
    const int i = get_global_id(0);
    float sum = (float)(i & 7);

    for (int j = 0; j < 64; j++)
        for (int k = 0; k < WORDS; k++)
            sum = fma(from[j].w[k], 0.5f, sum);
    to[i] = sum;
}

//---- chase: every work-item follows links from struct to struct
typedef struct {
    int next;
    float w[WORDS - 1];
} linked;

//DL: AoS: links[count]
__kernel void chase(__global const linked *links, __global float *to, int count)
{
    const int i = get_global_id(0);
    float sum = 0.0f;
    int at = i;

    for (int hop = 0; hop < 16; hop++) {
        sum = fma(links[at].w[WORDS / 2], 0.5f, sum);
        at = links[at].next;
    }
    to[i] = sum;
}

//---- one: reads one member and writes one
//DL: AoS: items[count]
__kernel void one(__global item *items, int count)
{
    const int i = get_global_id(0);

    items[i].w[WORDS / 4] = fma(items[i].w[1], 0.5f, 1.0f);
}

//---- one_to: reads one member of one buffer and writes one of another
//DL: AoS: from[count], to[count]
__kernel void one_to(__global const item *from, __global item *to, int count)
{
    const int i = get_global_id(0);

    to[i].w[WORDS / 4] = fma(from[i].w[1], 0.5f, 1.0f);
}

//---- update: some members are brought up to date by others
//DL: AoS: items[count]
__kernel void update(__global item *items, int count)
{
    const int i = get_global_id(0);

    items[i].w[0] = fma(items[i].w[0], 0.5f, items[i].w[1]);
    items[i].w[2] = fma(items[i].w[2], 0.5f, items[i].w[1]);
}

//---- read_all: reads all members; the result is dense
//DL: AoS: from[count]
__kernel void read_all(__global const item *from, __global float *to, int count)
{
    const int i = get_global_id(0);

    float sum = from[i].w[0];
    for (int k = 1; k < WORDS; k++)
        sum = fma(from[i].w[k], 0.5f, sum);
    to[i] = sum;
}

//---- everything: all members are read and written
//DL: AoS: items[count]
__kernel void everything(__global item *items, int count)
{
    const int i = get_global_id(0);

    for (int k = 0; k < WORDS; k++)
        items[i].w[k] = fma(items[i].w[k], 0.5f, 1.0f);
}

//---- copy: whole structs from one buffer to another
//DL: AoS: from[count], to[count]
__kernel void copy(__global const item *from, __global item *to, int count)
{
    const int i = get_global_id(0);

    to[i] = from[i];
}

//---- wide: a few members of many
//DL: AoS: items[count]
__kernel void wide(__global item *items, int count)
{
    const int i = get_global_id(0);

    items[i].w[WORDS - 1] = fma(items[i].w[2], 0.5f, items[i].w[WORDS / 2]);
}

//---- by_turns: an annotated kernel, and one that has no annotation
//DL: AoS: items[count]
__kernel void annotated(__global item *items, int count)
{
    const int i = get_global_id(0);

    items[i].w[0] = fma(items[i].w[1], 0.5f, items[i].w[2]);
}

__kernel void plain_update(__global item *items, int count)
{
    const int i = get_global_id(0);

    items[i].w[1] = fma(items[i].w[0], 0.25f, 1.0f);
}

//---- refused: an annotated kernel, and one that can't be rewritten
//DL: AoS: items[count]
__kernel void annotated(__global item *items, int count)
{
    const int i = get_global_id(0);

    items[i].w[0] = fma(items[i].w[1], 0.5f, items[i].w[2]);
}

//DL: AoS: items[count]
__kernel void across_members(__global item *items, int count)
{
    const int i = get_global_id(0);
    const float4 four = vload4(0, (__global const float *)(items + i));

    items[i].w[1] = fma(four.x, 0.25f, four.w);
}

//---- look: a few work-items read; then a kernel without annotation adds to 1024 floats
//DL: AoS: items[count]
__kernel void look(__global const item *items, __global float *to, int count)
{
    const int i = get_global_id(0);

    to[i] = fma(items[i].w[1], 0.5f, items[i].w[2]);
}

__kernel void add(__global float *numbers)
{
    const int i = get_global_id(0);

    numbers[i] = fma(numbers[i], 0.5f, 1.0f);
}

//---- nbody: every work-item reads all bodies, in the same order
//DL: AoS: from[count], to[count]
__kernel void nbody(__global const item *from, __global item *to, int count)
{
    const int i = get_global_id(0);
    const float x = from[i].w[0], y = from[i].w[1], z = from[i].w[2];
    float pull = 0.0f;

    for (int j = 0; j < count; j++) {
        const float dx = from[j].w[0] - x, dy = from[j].w[1] - y, dz = from[j].w[2] - z;
        pull = fma(from[j].w[3], fma(dx, dx, fma(dy, dy, dz * dz)), pull * 0.5f);
    }
    to[i].w[0] = x;
    to[i].w[1] = y;
    to[i].w[2] = z;
    to[i].w[3] = fma(pull, 0.001f, 0.5f);
}

//---- walk: every work-item walks along its own struct, as far as another buffer says
//DL: AoS: from[count]
__kernel void walk(__global const item *from, __global const int *places,
                   __global float *to, int count)
{
    const int i = get_global_id(0);
    const int end = WORDS / 2 + (places[i] & (WORDS / 2 - 1));
    float sum = 0.0f;

    for (int k = 0; k < end; k++)
        sum = fma(from[i].w[k], 0.5f, sum);
    to[i] = sum;
}

//---- mixed: members of 1, 2 and 4 bytes
typedef struct {
    uchar kind;
    ushort age;
    uint weight;
} grain;

//DL: AoS: grains[count]
__kernel void mixed_members(__global grain *grains, int count)
{
    const int i = get_global_id(0);

    grains[i].weight = grains[i].weight * 3 + grains[i].kind;
    grains[i].age = grains[i].age + 1;
}

//---- records: members of 8 and 4 bytes
typedef struct {
    ulong key, sum;
    uint hits, state;
} record;

//DL: AoS: records[count]
__kernel void records(__global record *records, int count)
{
    const int i = get_global_id(0);

    records[i].sum = records[i].sum + (records[i].key ^ records[i].hits);
    records[i].hits = records[i].hits + 1;
}

//---- stencil: members of the struct and of its two neighbours
//DL: AoS: from[count], to[count]
__kernel void stencil(__global const item *from, __global item *to, int count)
{
    const int i = get_global_id(0);
    const int left = i > 0 ? i - 1 : count - 1, right = i < count - 1 ? i + 1 : 0;

    for (int k = 0; k < WORDS / 2; k++) {
        to[i].w[2 * k] = fma(from[left].w[2 * k], 0.5f, from[i].w[2 * k + 1] * 0.25f);
        to[i].w[2 * k + 1] =
            fma(from[right].w[2 * k + 1], 0.5f, from[i].w[2 * k] * 0.25f);
    }
}

//---- shared: one kernel streams through a buffer, another gathers from it
//DL: AoS: items[count]
__kernel void stream(__global item *items, int count)
{
    const int i = get_global_id(0);

    items[i].w[0] = fma(items[i].w[0], 0.5f, items[i].w[1]);
}

//DL: AoS: items[count]
__kernel void pick(__global const item *items, __global const int *places,
                   __global float *to, int count)
{
    const int i = get_global_id(0), place = places[i];
    float sum = 0.0f;

    for (int k = 0; k < WORDS; k++)
        sum = fma(items[place].w[k], 0.5f, sum);
    to[i] = sum;
}

//---- strided: neighbouring work-items read structs that are far apart
//DL: AoS: from[count]
__kernel void strided(__global const item *from, __global float *to, int count)
{
    const int i = get_global_id(0), columns = count / 64;
    const int at = i % 64 * columns + i / 64;

    to[i] = fma(from[at].w[1], 0.5f, from[at].w[2]);
}

//---- flat: rows of floats in a flat buffer
//DL: AoS: data[count][WORDS]
__kernel void flat_rows(__global float *data, int count)
{
    const int i = get_global_id(0);

    data[i * WORDS] = fma(data[i * WORDS], 0.5f, data[i * WORDS + 3]);
    data[i * WORDS + 7] = fma(data[i * WORDS + 7], 0.5f, data[i * WORDS + 11]);
}

//---- bins: counts in structs at places from memory
typedef struct {
    uint hits, sum, pad[WORDS - 2];
} bin;

//DL: AoS: bins[count]
__kernel void fill_bins(__global bin *bins, __global const int *places, int count)
{
    const int i = get_global_id(0), place = places[i];

    atomic_inc(&bins[place].hits);
    atomic_add(&bins[place].sum, (uint)i);
}
