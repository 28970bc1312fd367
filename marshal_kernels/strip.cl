/* SPDX-License-Identifier: MIT */
/* 010! on tiles of structs with leaves of one or two bytes, for GPUs: chunks of whole
 * tiles go through local memory as in chunk.cl, but by words. A strip is so many structs
 * that each of their leaves fills whole words. A work-item takes a block of a strip, some
 * neighbouring words of each of its structs, into registers; rearranges the bytes there
 * by permutations that are known when the kernel is built; and puts them back as words of
 * tiles. (Before, each byte took its own way through local memory, a dozen instructions
 * for each.) Blocks whose leaves are alike have one shape, which is the kernel's text for
 * them. */
#ifndef DL_REST
#include "rest.cl"
#endif

#ifndef ROWS
#define ROWS 32u /* structs in a tile */
#endif
#ifndef BATCH
#define BATCH 16u /* tiles in a chunk, which is whole vectors */
#endif
#ifndef GROUP
#define GROUP 128u /* work-items */
#endif
#ifndef STRIP
/* Structs in a strip, and its words; blocks, their shapes, and the words of the largest.
 * For a block its shape and its first word in a struct. For shape n, as lists:
 * X(register, word in the strip from the block's first on), X(register, word in the tile
 * from the block's first array on, from a strip to the next), and X(register of the new
 * order, its value). */
#define STRIP 4u
#define STRIP_WORDS 1u
#define BLOCKS 1u
#define WORDS 1u
#define BLOCK_SHAPE(block) 0u
#define BLOCK_FIRST(block) 0u
#define SHAPES(X) X(0)
#define STRUCT_WORDS_0(X) X(0, 0u)
#define LEAF_WORDS_0(X) X(0, 0u, 1u)
#define PERMUTED_0(X) X(0, BYTES(from[0], from[0], s3210))
#endif

#define STRIPS_A_TILE (ROWS / STRIP)
#define STRIPS (BATCH * STRIPS_A_TILE)
#define TASKS (STRIPS * BLOCKS)
#define TASK_ITEMS ((TASKS + GROUP - 1u) / GROUP)
#define VECTORS_A_CHUNK (STRIPS * STRIP_WORDS / 4u)
#define ITEMS ((VECTORS_A_CHUNK + GROUP - 1u) / GROUP)
/* A free word after each 32, so that equal words of neighbouring strips are in different
 * banks. */
#define PLACE(w) ((w) + (w) / 32u)
#define PLACES (PLACE(STRIPS * STRIP_WORDS - 1u) + 1u)
#define HAS_VECTOR(k)                                                                    \
    (((k) + 1u) * GROUP <= VECTORS_A_CHUNK || (k)*GROUP + id < VECTORS_A_CHUNK)
#define HAS_TASK(k) (((k) + 1u) * GROUP <= TASKS || (k)*GROUP + id < TASKS)

/* Four of the eight bytes of x and y, by the digits of a swizzle. On an H200 as fast as
 * PTX's prmt. */
#define BYTES(x, y, digits) as_uint(((uchar8)(as_uchar4(x), as_uchar4(y))).digits)

/* A block of a strip: where its words are as structs, and where as leaves. */
typedef struct {
    uint shape, structs, leaves, strip;
} task_t;

/* By pointer: what becomes of a struct that is returned Oclgrind does not know. */
void task_find(uint t, task_t *task)
{
    uint strip = t % STRIPS, first = BLOCK_FIRST(t / STRIPS);

    task->shape = BLOCK_SHAPE(t / STRIPS);
    task->structs = strip * STRIP_WORDS + first;
    task->leaves = strip / STRIPS_A_TILE * (STRIPS_A_TILE * STRIP_WORDS) + ROWS * first;
    task->strip = strip % STRIPS_A_TILE;
}

#define STRUCT_WORD(word) chunk[PLACE(task.structs + (word))]
#define LEAF_WORD(word, stride) chunk[PLACE(task.leaves + (word) + task.strip * (stride))]
#define STRUCT_GET(w, word) from[w] = STRUCT_WORD(word);
#define STRUCT_PUT(w, word) STRUCT_WORD(word) = to[w];
#define LEAF_GET(w, word, stride) from[w] = LEAF_WORD(word, stride);
#define LEAF_PUT(w, word, stride) LEAF_WORD(word, stride) = to[w];
#define PERMUTE(w, value) to[w] = value;
#if INVERSE
#define GET(n) LEAF_WORDS_##n(LEAF_GET)
#define PUT(n) STRUCT_WORDS_##n(STRUCT_PUT)
#else
#define GET(n) STRUCT_WORDS_##n(STRUCT_GET)
#define PUT(n) LEAF_WORDS_##n(LEAF_PUT)
#endif
#define READ_SHAPE(n)                                                                    \
    case n: {                                                                            \
        GET(n)                                                                           \
        PERMUTED_##n(PERMUTE)                                                            \
    } break;
#define WRITE_SHAPE(n)                                                                   \
    case n: {                                                                            \
        PUT(n)                                                                           \
    } break;

/* Reads a block, and rearranges its bytes. */
void block_read(__local const uint *chunk, task_t task, uint *to)
{
    uint from[WORDS];

    switch (task.shape) {
        SHAPES(READ_SHAPE)
    }
}

void block_write(__local uint *chunk, task_t task, const uint *to)
{
    switch (task.shape) {
        SHAPES(WRITE_SHAPE)
    }
}

/* `array` is a chunk, aligned to vectors. */
void chunk_move(__global uint4 *array, __local uint *chunk)
{
    uint id = get_local_id(0);
    uint4 vectors[ITEMS];
    uint blocks[TASK_ITEMS][WORDS];

#pragma unroll
    for (uint k = 0; k < ITEMS; k++)
        if (HAS_VECTOR(k))
            vectors[k] = array[k * GROUP + id];
#pragma unroll
    for (uint k = 0; k < ITEMS; k++) {
        if (HAS_VECTOR(k)) {
            __local uint *at = chunk + PLACE((k * GROUP + id) * 4u);
            at[0] = vectors[k].x;
            at[1] = vectors[k].y;
            at[2] = vectors[k].z;
            at[3] = vectors[k].w;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < TASK_ITEMS; k++)
        if (HAS_TASK(k)) {
            task_t task;
            task_find(k * GROUP + id, &task);
            block_read(chunk, task, blocks[k]);
        }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < TASK_ITEMS; k++)
        if (HAS_TASK(k)) {
            task_t task;
            task_find(k * GROUP + id, &task);
            block_write(chunk, task, blocks[k]);
        }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < ITEMS; k++) {
        if (HAS_VECTOR(k)) {
            __local const uint *at = chunk + PLACE((k * GROUP + id) * 4u);
            array[k * GROUP + id] = (uint4)(at[0], at[1], at[2], at[3]);
        }
    }
}

/* The tiles that are left over, behind the chunks, and one of rest_rows behind them have
 * the first work-groups, which take longest; then there is a chunk a work-group. `base`
 * is a multiple of 16. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_strip(__global uchar *mem, ulong base, ulong chunks, ulong left, ulong rest_rows)
{
    __local uint chunk[PLACES];
    size_t g = get_group_id(0), first = left + (rest_rows > 0);

    if (g < first) {
        tile_any((__global element_t *)(mem + base) +
                     (chunks * BATCH + g) * ROWS * COLUMNS,
                 g < left ? ROWS : (uint)rest_rows, (__local element_t *)chunk);
    } else {
        chunk_move((__global uint4 *)(mem + base) + (g - first) * VECTORS_A_CHUNK, chunk);
    }
}
