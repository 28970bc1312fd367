/* SPDX-License-Identifier: MIT */
/* The builder: another process, at low priority, that makes what the program's kernels
 * need, so that no launch waits for a compiler. What it makes comes back as entries of
 * the cache; all that is left to do in the program is to have the driver take binaries.
 *
 * A process, not a thread: compilers take locks that a launch may want (at low priority,
 * for as long as the machine is busy), one of them in the program's context holds up the
 * launches in it (up to 59 ms seen on an H200), and a program that ends while a thread of
 * it is in a compiler crashes. It has a context of its own, knows no more of the program
 * than a job says, and ends after the job at hand, or the first, when the program does,
 * or when there was nothing to do for some seconds. The program neither sees a child nor
 * a descriptor, and waits for it only where it is told to (dl__builder_wait).
 *
 * libclang runs there alone: it takes signal handlers, threads, stack and address space
 * that are the program's. Without a builder texts stay as they are written.
 *
 * Threads: safe; nothing but dl__builder_wait blocks. A process that the program has
 * forked has no builder: there, what is not at hand is not possible. */
#ifndef DL_INTERCEPT_BUILDER_H
#define DL_INTERCEPT_BUILDER_H

#include <stdbool.h>
#include <sys/types.h>

#include "pack.h"

/* How far something is that a launch wants. */
enum dl__ready {
    DL__READY,        /* there, or to be had without a compiler */
    DL__BUILDING,     /* ask again at the next launch, which runs as written */
    DL__NOT_POSSIBLE, /* never */
    DL__ALONE         /* there is no builder (dl__builder_why_not) */
};

enum dl__job_kind {
    DL__JOB_SHADOW = 1,
    DL__JOB_MOVE,
    DL__JOB_TEXT,
    DL__JOB_KERNELS,
    DL__JOB_EXPECT,
    DL__JOB_FIRST
};

/* A job of the builder's; zeroed: not posted yet. */
struct dl__ticket {
    unsigned board; /* boards are counted from 1 */
    unsigned job;
    unsigned failures; /* builders that ended in the middle of it */
    uint64_t asked_ns; /* by the trace's clock; 0: there is none */
    bool over;
    enum dl__ready ready; /* when it is over */
};

/* Writes a job down; called again where a builder has ended before it came to it. */
typedef void (*dl__pack_job_fn)(struct dl__pack *job, const void *user);

/* Posts the job when it is first asked for, and says how far it is.
 *   waited  the program is going to wait for it */
enum dl__ready dl__builder_ask(struct dl__ticket *ticket, dl__pack_job_fn pack,
                               const void *user, bool waited);

/* The same, and waits for it where the program can't go on without: for a minute at most,
 * of which a line tells. DL__BUILDING: it has been too long. */
enum dl__ready dl__builder_wait(struct dl__ticket *ticket, dl__pack_job_fn pack,
                                const void *user);
/* Why there is none, in words; of the last that was DL__ALONE or DL__NOT_POSSIBLE. */
const char *dl__builder_why_not(void);

/* In this process there is no builder, for it is one: this is what it has brought along.
 */
struct dl__transformer;
void dl__builder_renounce(const struct dl__transformer *brought);

#endif
