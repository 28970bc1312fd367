/* 010! on tiles of structs with leaves of single bytes, for GPUs: chunks of whole tiles go through
 * local memory as in chunk.cl, but by words. A work-item takes a strip, so many structs that each of
 * their leaves fills whole words, into registers; rearranges its bytes there by permutations that are
 * known when the kernel is built; and puts it back as words of tiles. (Before, each byte took its own
 * way through local memory, a dozen instructions for each.)
 *
 * Words of a strip are numbered in both orders: as structs, and leaf by leaf. */
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
/* Structs in a strip, its words, and as lists: LEAF_WORDS(X) has X(word, the same in the tile's first
 * strip, from a strip to the next); PERMUTED(X) has X(word of the new order, its value). */
#define STRIP 4u
#define WORDS 1u
#define LEAF_WORDS(X) X(0, 0u, 1u)
#define PERMUTED(X) X(0, BYTES(from[0], from[0], s3210))
#endif

#define STRIPS_A_TILE (ROWS / STRIP)
#define TILE_WORDS (STRIPS_A_TILE * WORDS)
#define STRIPS (BATCH * STRIPS_A_TILE)
#define STRIP_ITEMS ((STRIPS + GROUP - 1u) / GROUP)
#define VECTORS_A_CHUNK (STRIPS * WORDS / 4u)
#define ITEMS ((VECTORS_A_CHUNK + GROUP - 1u) / GROUP)
/* A free word after each 32, so that equal words of neighbouring strips are in different banks. */
#define PLACE(w) ((w) + (w) / 32u)
#define PLACES (PLACE(STRIPS * WORDS - 1u) + 1u)
#define HAS_VECTOR(k)                                                                    \
    (((k) + 1u) * GROUP <= VECTORS_A_CHUNK || (k)*GROUP + id < VECTORS_A_CHUNK)
#define HAS_STRIP(k) (((k) + 1u) * GROUP <= STRIPS || (k)*GROUP + id < STRIPS)

/* Four of the eight bytes of x and y, by the digits of a swizzle. On an H200 as fast as PTX's prmt. */
#define BYTES(x, y, digits) as_uint(((uchar8)(as_uchar4(x), as_uchar4(y))).digits)

/* A strip's words as structs, and as leaves, from local memory or into it. */
#define STRUCT_WORD(w) chunk[PLACE((k * GROUP + id) * WORDS + (w))]
#define LEAF_WORD(first, stride) chunk[PLACE(tile + (first) + strip * (stride))]
#define LEAF_GET(w, first, stride) strips[k][w] = LEAF_WORD(first, stride);
#define LEAF_PUT(w, first, stride) LEAF_WORD(first, stride) = strips[k][w];
#define PERMUTE(w, value) to[w] = value;

void strip_read(__local const uint *chunk, uint id, uint strips[STRIP_ITEMS][WORDS])
{
#pragma unroll
    for (uint k = 0; k < STRIP_ITEMS; k++) {
        if (HAS_STRIP(k)) {
#if INVERSE
            uint tile = (k * GROUP + id) / STRIPS_A_TILE * TILE_WORDS;
            uint strip = (k * GROUP + id) % STRIPS_A_TILE;
            LEAF_WORDS(LEAF_GET)
#else
#pragma unroll
            for (uint w = 0; w < WORDS; w++)
                strips[k][w] = STRUCT_WORD(w);
#endif
        }
    }
}

void strip_write(__local uint *chunk, uint id, uint strips[STRIP_ITEMS][WORDS])
{
#pragma unroll
    for (uint k = 0; k < STRIP_ITEMS; k++) {
        if (HAS_STRIP(k)) {
#if INVERSE
#pragma unroll
            for (uint w = 0; w < WORDS; w++)
                STRUCT_WORD(w) = strips[k][w];
#else
            uint tile = (k * GROUP + id) / STRIPS_A_TILE * TILE_WORDS;
            uint strip = (k * GROUP + id) % STRIPS_A_TILE;
            LEAF_WORDS(LEAF_PUT)
#endif
        }
    }
}

/* `array` is a chunk, aligned to vectors. */
void strips_move(__global uint4 *array, __local uint *chunk)
{
    uint id = get_local_id(0);
    uint4 vectors[ITEMS];
    uint strips[STRIP_ITEMS][WORDS];

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
    strip_read(chunk, id, strips);
#pragma unroll
    for (uint k = 0; k < STRIP_ITEMS; k++) {
        uint from[WORDS], *to = strips[k];
#pragma unroll
        for (uint w = 0; w < WORDS; w++)
            from[w] = strips[k][w];
        PERMUTED(PERMUTE)
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    strip_write(chunk, id, strips);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < ITEMS; k++) {
        if (HAS_VECTOR(k)) {
            __local const uint *at = chunk + PLACE((k * GROUP + id) * 4u);
            array[k * GROUP + id] = (uint4)(at[0], at[1], at[2], at[3]);
        }
    }
}

/* A chunk a work-group; behind them the tiles that are left over and one of rest_rows. `base` is a
 * multiple of 16. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
dl_strip(__global uchar *mem, ulong base, ulong chunks, ulong left, ulong rest_rows)
{
    __local uint chunk[PLACES];
    size_t g = get_group_id(0);

    if (g < chunks) {
        strips_move((__global uint4 *)(mem + base) + g * VECTORS_A_CHUNK, chunk);
    } else {
        size_t t = chunks * BATCH + (g - chunks);
        tile_any((__global element_t *)(mem + base) + t * ROWS * COLUMNS,
                 g - chunks < left ? ROWS : (uint)rest_rows, (__local element_t *)chunk);
    }
}
