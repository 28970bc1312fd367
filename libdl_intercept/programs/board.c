/* SPDX-License-Identifier: MIT */
/* Windows on a board's file. */
#include "board.h"

#include <sys/mman.h>

enum { STEP_BYTES = 64 << 10 };

static size_t whole_steps(size_t bytes)
{
    return (bytes + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
}

bool dl__window_open(struct dl__window *window, int file, size_t part_at)
{
    void *memory = mmap(NULL, STEP_BYTES, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_NORESERVE, file, (off_t)part_at);

    *window = (struct dl__window){.memory = NULL};
    if (memory == MAP_FAILED)
        return false;
    *window = (struct dl__window){.memory = memory, .bytes = STEP_BYTES};
    madvise(memory, STEP_BYTES, MADV_DONTFORK);
    madvise(memory, STEP_BYTES, MADV_DONTDUMP);
    return true;
}

unsigned char *dl__window_reach(struct dl__window *window, size_t at, size_t bytes)
{
    size_t wanted = whole_steps(at + bytes - window->from);

    if (wanted > window->bytes) {
        void *memory = mremap(window->memory, window->bytes, wanted, MREMAP_MAYMOVE);

        if (memory == MAP_FAILED)
            return NULL;
        window->memory = memory;
        window->bytes = wanted;
    }
    return window->memory + (at - window->from);
}

void dl__window_pass(struct dl__window *window, size_t at)
{
    size_t passed = (at - window->from) / STEP_BYTES * STEP_BYTES;

    /* A window that is gone can't grow again. */
    if (passed >= window->bytes)
        passed = window->bytes - STEP_BYTES;
    if (!passed || munmap(window->memory, passed) != 0)
        return;
    window->memory += passed;
    window->from += passed;
    window->bytes -= passed;
}

void dl__window_close(struct dl__window *window)
{
    if (window->memory)
        munmap(window->memory, window->bytes);
    window->memory = NULL;
}
