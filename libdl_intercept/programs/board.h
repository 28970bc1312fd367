/* SPDX-License-Identifier: MIT */
/* Memory that the program shares with the process that builds for it: jobs one way, what
 * came of them the other. Both sides only append; numbers say how far.
 *
 * The program reads and writes it without a descriptor or a thread of its own: how the
 * builder gets on is a number in memory. It is a file, of which the program maps no more
 * than is used, for its address space may be limited. */
#ifndef DL_INTERCEPT_BOARD_H
#define DL_INTERCEPT_BOARD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

enum {
    DL__BOARD_JOBS_MAX = 1024,
    /* the parts of the file, from which to which byte */
    DL__BOARD_JOBS_AT = 1 << 20,
    DL__BOARD_KEPT_AT = 17 << 20,
    DL__BOARD_BYTES = 129 << 20,
    DL__BOARD_JOB_BYTES = DL__BOARD_KEPT_AT - DL__BOARD_JOBS_AT,
    DL__BOARD_KEPT_BYTES = DL__BOARD_BYTES - DL__BOARD_KEPT_AT,
    DL__WINDOW_STEP_BYTES = 64 << 10 /* by which a window grows */
};

enum dl__board_state {
    DL__BOARD_STARTING,
    DL__BOARD_SERVING,
    DL__BOARD_LEFT /* there was nothing to do for a while, or the program is gone */
};

struct dl__board_job {
    size_t at, bytes;        /* in the jobs' part; written before it is counted */
    atomic_bool waited;      /* by the program */
    atomic_bool begun, done; /* by the builder */
    atomic_bool has_rest;    /* the builder's own: what comes behind all others is left */
};

/* The first part. */
struct dl__board {
    pthread_mutex_t alive; /* robust: the builder has it while it serves */
    atomic_int state;      /* enum dl__board_state */
    atomic_uint posted;    /* jobs, by the program; the builder waits for it to change */
    atomic_uint done;      /* jobs, by the builder; the program may wait for a change */
    bool one_by_one; /* the builder before this one has ended in the middle of a job */
    atomic_size_t kept_bytes; /* of what is kept, by the builder: entries for the cache,
                                 key and value (pack.h) */
    size_t job_bytes;         /* of the jobs, the program's own */
    struct dl__board_job list[DL__BOARD_JOBS_MAX];
};

_Static_assert(sizeof(struct dl__board) <= DL__BOARD_JOBS_AT, "the parts overlap");

/* A mapping of the beginning of another part. It grows, and may move then. */
struct dl__window {
    unsigned char *memory;
    size_t bytes;
};

/* The first pages of the part that begins there in the file. False: they can't be mapped.
 */
static inline bool dl__window_open(struct dl__window *window, int file, size_t part_at)
{
    void *memory = mmap(NULL, DL__WINDOW_STEP_BYTES, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_NORESERVE, file, (off_t)part_at);

    *window = (struct dl__window){.memory = NULL};
    if (memory == MAP_FAILED)
        return false;
    *window = (struct dl__window){.memory = memory, .bytes = DL__WINDOW_STEP_BYTES};
    madvise(memory, DL__WINDOW_STEP_BYTES, MADV_DONTFORK);
    madvise(memory, DL__WINDOW_STEP_BYTES, MADV_DONTDUMP);
    return true;
}

/* These bytes of the part, as long as nothing else is reached. NULL: they can't be
 * mapped. */
static inline unsigned char *dl__window_reach(struct dl__window *window, size_t at,
                                              size_t bytes)
{
    size_t wanted = (at + bytes + DL__WINDOW_STEP_BYTES - 1) / DL__WINDOW_STEP_BYTES *
                    DL__WINDOW_STEP_BYTES;

    if (wanted > window->bytes) {
        void *memory = mremap(window->memory, window->bytes, wanted, MREMAP_MAYMOVE);

        if (memory == MAP_FAILED)
            return NULL;
        window->memory = memory;
        window->bytes = wanted;
    }
    return window->memory + at;
}

#endif
