/* SPDX-License-Identifier: MIT */
/* A malloc of the program's own, as jemalloc's: every function of the family, blocks that
 * are never given back, and each filled with what is no pointer. A block from elsewhere
 * ends the process. */
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { AREA_BYTES = 1 << 30, HEAD_BYTES = 16 };

static char area[AREA_BYTES] __attribute__((aligned(4096)));
static atomic_size_t used;

static void *take(size_t bytes, size_t alignment)
{
    size_t room = bytes + alignment + HEAD_BYTES;
    size_t at = atomic_fetch_add(&used, room);
    uintptr_t start;

    if (bytes > AREA_BYTES || at + room > AREA_BYTES) {
        errno = ENOMEM;
        return NULL;
    }
    start = ((uintptr_t)area + at + HEAD_BYTES + alignment - 1) & ~(alignment - 1);
    memcpy((void *)(start - HEAD_BYTES), &bytes, sizeof bytes);
    return (void *)start;
}

void *malloc(size_t bytes)
{
    void *block = take(bytes, 16);

    return block ? memset(block, 0xa5, bytes) : NULL;
}

void free(void *block)
{
    if (block && ((char *)block < area || (char *)block >= area + AREA_BYTES))
        _exit(11);
}

void *calloc(size_t count, size_t bytes)
{
    if (bytes && count > SIZE_MAX / bytes)
        return NULL;
    return take(count * bytes, 16);
}

void *realloc(void *block, size_t bytes)
{
    void *moved = malloc(bytes);
    size_t before = 0;

    if (!block || !moved)
        return moved;
    memcpy(&before, (char *)block - HEAD_BYTES, sizeof before);
    return memcpy(moved, block, before < bytes ? before : bytes);
}

void *memalign(size_t alignment, size_t bytes)
{
    return take(bytes, alignment < 16 ? 16 : alignment);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return memalign(alignment, bytes);
}

int posix_memalign(void **out, size_t alignment, size_t bytes)
{
    void *block = memalign(alignment, bytes);

    if (!block)
        return ENOMEM;
    *out = block;
    return 0;
}

void *valloc(size_t bytes)
{
    return memalign(4096, bytes);
}

size_t malloc_usable_size(void *block)
{
    size_t bytes = 0;

    if (block)
        memcpy(&bytes, (char *)block - HEAD_BYTES, sizeof bytes);
    return bytes;
}
