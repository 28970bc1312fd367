/* SPDX-License-Identifier: MIT */
/* Memory that the program shares with the process that builds for it: jobs one way, what came of
 * them the other. Both sides only append; numbers say how far.
 *
 * The program reads and writes it without ever waiting, and without a descriptor or a thread of its
 * own: how the builder gets on is a number in memory. */
#ifndef DL_INTERCEPT_BOARD_H
#define DL_INTERCEPT_BOARD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    DL__BOARD_JOBS_MAX = 1024,
    DL__BOARD_JOB_BYTES = 16 << 20,
    DL__BOARD_KEPT_BYTES = 112 << 20
};

enum dl__board_state {
    DL__BOARD_STARTING,
    DL__BOARD_SERVING,
    DL__BOARD_LEFT /* there was nothing to do for a while, or the program is gone */
};

struct dl__board_job {
    size_t at, bytes;        /* in `jobs`; written before it is counted */
    atomic_bool waited;      /* by the program */
    atomic_bool begun, done; /* by the builder */
};

/* Pages that nobody touches take no memory. */
struct dl__board {
    pthread_mutex_t alive; /* robust: the builder has it while it serves */
    atomic_int state;      /* enum dl__board_state */
    atomic_uint posted;    /* jobs, by the program; the builder waits for it to change */
    atomic_uint
        done;        /* how many, by the builder; the program may wait for it to change */
    bool one_by_one; /* the builder before this one has ended in the middle of a job */
    atomic_size_t kept_bytes; /* of `kept`, by the builder */
    size_t job_bytes;         /* of `jobs`, the program's own */
    struct dl__board_job list[DL__BOARD_JOBS_MAX];
    unsigned char jobs[DL__BOARD_JOB_BYTES];
    unsigned char
        kept[DL__BOARD_KEPT_BYTES]; /* entries for the cache: key, value (pack.h) */
};

#endif
