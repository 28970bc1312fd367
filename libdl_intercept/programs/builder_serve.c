/* SPDX-License-Identifier: MIT */
/* The builder's own side of a board. */
#include "builder.h"

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "binaries.h"
#include "board.h"
#include "cache.h"
#include "jobs.h"
#include "memory.h"

enum {
    LOOK_MILLISECONDS = 100, /* how often it looks whether the program is still there */
    IDLE_LOOKS_MAX = 30,     /* with nothing to do, before it leaves */
    AFTER_JOBS_MAX = 8       /* that it does still when the program has ended */
};

static struct dl__board *board;

/* What is made is told to the program. */
static void tell(const struct dl__pack *key, const void *value, size_t value_bytes)
{
    size_t at = atomic_load(&board->kept_bytes);
    struct dl__pack entry = {0};

    dl__memory_put(key, value, value_bytes); /* for later jobs */
    dl__pack_key(&entry, key);
    dl__pack_bytes(&entry, value, value_bytes);
    if (!entry.failed && entry.bytes <= DL__BOARD_KEPT_BYTES - at) {
        memcpy(board->kept + at, entry.data, entry.bytes);
        atomic_store(&board->kept_bytes, at + entry.bytes);
    }
    dl__pack_free(&entry);
}

static bool is_over(int parent, unsigned idle_looks)
{
    struct pollfd program = {.fd = parent, .events = POLLIN};

    return (parent >= 0 && poll(&program, 1, 0) != 0) || idle_looks > IDLE_LOOKS_MAX;
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

static void serve(int parent)
{
    unsigned done = 0, idle_looks = 0;
    unsigned after = 0;
    bool over = false;
    /* A program may be over before its builder has begun, each time that it runs: one job is done in any
     * case, or it would never get anything, and some more of those that it has asked for. */
    bool owes = is_kept();

    for (;;) {
        unsigned posted = atomic_load(&board->posted);
        bool owed = owes && done < posted;

        over = over || is_over(parent, idle_looks);
        if (over && !(owed && after++ < AFTER_JOBS_MAX))
            break;
        if (done == posted) {
            wait_for_jobs(posted);
            idle_looks++;
            continue;
        }
        idle_looks = 0;
        dl__job_do(board->jobs + board->list[done].at, board->list[done].bytes);
        atomic_store(&board->done, ++done);
    }
}

int dl__builder_serve(int file, int parent)
{
    board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (board == MAP_FAILED || pthread_mutex_lock(&board->alive) != 0)
        return 1;
    atomic_store(&board->state, DL__BOARD_SERVING);
    dl__builder_renounce();
    dl__binaries_offer();
    dl__cache_listen(tell);
    serve(parent);
    atomic_store(&board->state, DL__BOARD_LEFT);
    pthread_mutex_unlock(&board->alive);
    return 0;
}
