/* SPDX-License-Identifier: MIT */
/* The builder's own side of a board. */
#include "builder.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "libdl_intercept/base/locks.h"
#include "binaries.h"
#include "board.h"
#include "cache.h"
#include "devices.h"
#include "jobs.h"
#include "memory.h"
#include "serve.h"

enum {
    LOOK_MILLISECONDS = 100, /* how often it looks whether the program is still there */
    IDLE_LOOKS_MAX = 30,     /* with nothing to do, before it leaves */
    AFTER_JOBS_MAX = 8       /* that it does still when the program has ended */
};

static struct dl__mutex telling = DL__MUTEX_INITIALIZER;
static struct dl__board *board;
static const unsigned char *jobs;
static struct dl__window window DL__GUARDED_BY(telling); /* on what is kept */
static const struct dl__transformer *transformer;
static atomic_bool over;       /* there is nothing to be done any more but what is owed */
static atomic_uint idle_looks; /* of all */
static atomic_uint busy;       /* lanes with a job */
static atomic_uint after;      /* jobs that were done since it was over */
static bool owes;

const struct dl__transformer *dl__transformer_get(void)
{
    return transformer;
}

/* What is made is told to the program. */
static void tell(const struct dl__pack *key, const void *value, size_t value_bytes)
{
    struct dl__pack entry = {0};
    unsigned char *to = NULL;
    size_t at;

    dl__memory_put(key, value, value_bytes); /* for later jobs */
    dl__pack_key(&entry, key);
    dl__pack_bytes(&entry, value, value_bytes);
    dl__mutex_lock(&telling);
    at = atomic_load(&board->kept_bytes);
    if (!entry.failed && entry.bytes <= DL__BOARD_KEPT_BYTES - at) {
        dl__window_pass(&window, at);
        to = dl__window_reach(&window, at, entry.bytes);
    }
    if (to) {
        memcpy(to, entry.data, entry.bytes);
        atomic_store(&board->kept_bytes, at + entry.bytes);
    }
    dl__mutex_unlock(&telling);
    dl__pack_free(&entry);
}

static bool is_over(int parent)
{
    struct pollfd program = {.fd = parent, .events = POLLIN};

    return (parent >= 0 && poll(&program, 1, 0) != 0) ||
           atomic_load(&idle_looks) > IDLE_LOOKS_MAX;
}

static void wait_for_jobs(unsigned posted)
{
    const struct timespec look = {.tv_nsec = LOOK_MILLISECONDS * 1000000};

    syscall(SYS_futex, &board->posted, FUTEX_WAIT, posted, &look, NULL, 0);
}

/* What is made outlives the program. */
static bool is_kept(void)
{
    struct dl__pack key = {0};
    bool kept = dl__cache_key_begin_any(&key, "builder");

    dl__pack_free(&key);
    return kept;
}

/* There are two lanes: what the program waits for is not behind what it does not wait
 * for. */
enum lane { WAITED, IN_TIME, BOTH };

/* The next of these that nobody has begun, which the caller does; NULL: none. All before
 * *first are begun. */
static struct dl__board_job *take(enum lane lane, unsigned *first, unsigned posted)
{
    while (*first < posted && atomic_load(&board->list[*first].begun))
        ++*first;
    for (unsigned j = *first; j < posted; j++) {
        struct dl__board_job *job = &board->list[j];

        if ((lane == BOTH || atomic_load(&job->waited) == (lane == WAITED)) &&
            !atomic_exchange(&job->begun, true))
            return job;
    }
    return NULL;
}

/* What is left of one that is done; false: nothing is. */
static bool do_rest(unsigned posted)
{
    for (unsigned j = 0; j < posted; j++) {
        struct dl__board_job *job = &board->list[j];

        if (!job->has_rest)
            continue;
        job->has_rest = false;
        dl__job_do_rest(jobs + job->at, job->bytes);
        return true;
    }
    return false;
}

static void serve(enum lane lane, int parent)
{
    unsigned first = 0;

    for (;;) {
        unsigned posted = atomic_load(&board->posted);
        struct dl__board_job *job;

        if (lane != WAITED && !atomic_load(&over))
            atomic_store(&over, is_over(parent));
        /* A program may be over before its builder has begun, each time that it runs: one
         * job is done in any case, or it would never get anything, and some more of those
         * that it has asked for. */
        if (atomic_load(&over) && !(owes && atomic_load(&after) < AFTER_JOBS_MAX))
            break;
        job = take(lane, &first, posted);
        if (!job && lane != WAITED && do_rest(posted)) {
            if (atomic_load(&over))
                atomic_fetch_add(&after, 1);
            atomic_store(&idle_looks, 0);
            continue;
        }
        if (!job && atomic_load(&over))
            break;
        if (!job) {
            wait_for_jobs(posted);
            if (lane != WAITED && !atomic_load(&busy))
                atomic_fetch_add(&idle_looks, 1);
            continue;
        }
        if (atomic_load(&over))
            atomic_fetch_add(&after, 1);
        atomic_fetch_add(&busy, 1);
        atomic_store(&idle_looks, 0);
        if (dl__job_do(jobs + job->at, job->bytes, lane == WAITED))
            job->has_rest = true;
        atomic_store(&job->done, true);
        atomic_fetch_add(&board->done, 1);
        syscall(SYS_futex, &board->done, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
        atomic_store(&idle_looks, 0);
        atomic_fetch_sub(&busy, 1);
    }
}

static void *serve_waited(void *unused)
{
    serve(WAITED, -1);
    return unused;
}

static bool open_kept(int file)
{
    bool opened;

    dl__mutex_lock(&telling);
    opened = dl__window_open(&window, file, DL__BOARD_KEPT_AT);
    dl__mutex_unlock(&telling);
    return opened;
}

int clServeBuildsDL(int file, int parent, const struct dl__transformer *brought,
                    void (*start_drivers)(void))
{
    pthread_t waited;
    bool two;

    transformer = brought;
    dl__devices_start(start_drivers);
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    jobs =
        mmap(NULL, DL__BOARD_JOB_BYTES, PROT_READ, MAP_SHARED, file, DL__BOARD_JOBS_AT);
    if (board == MAP_FAILED || jobs == MAP_FAILED || !open_kept(file) ||
        pthread_mutex_lock(&board->alive) != 0)
        return 1;
    atomic_store(&board->state, DL__BOARD_SERVING);
    dl__builder_renounce();
    dl__binaries_offer();
    dl__cache_listen(tell);
    owes = is_kept();
    two = !board->one_by_one && pthread_create(&waited, NULL, serve_waited, NULL) == 0;
    serve(two ? IN_TIME : BOTH, parent);
    if (two)
        pthread_join(waited, NULL);
    atomic_store(&board->state, DL__BOARD_LEFT);
    pthread_mutex_unlock(&board->alive);
    return 0;
}
