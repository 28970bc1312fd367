/* SPDX-License-Identifier: MIT */
/* The builder as the program sees it: boards, and the jobs on them. */
#include "builder.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/base/sandbox.h"
#include "libdl_intercept/trace/trace.h"
#include "board.h"
#include "builder_spawn.h"
#include "memory.h"

enum {
    START_SECONDS_MAX = 60, /* for a driver that takes its time */
    SPAWNS_MAX = 256,       /* of one program */
    FAILURES_MAX = 2,       /* builders that may end in the middle of a job */
    WAIT_SECONDS_MAX = 60,  /* of the program, for one job */
    WAIT_SECONDS_SAID = 20, /* before a line tells that it waits */
    LOOK_MILLISECONDS = 20  /* how often it looks whether the builder is still there */
};

static struct dl__mutex lock = DL__MUTEX_INITIALIZER;
static struct dl__board *board DL__GUARDED_BY(lock); /* NULL: none now */
static struct dl__window jobs DL__GUARDED_BY(lock), kept DL__GUARDED_BY(lock); /* of it */
static unsigned board_number DL__GUARDED_BY(lock); /* of boards so far */
static size_t absorbed_bytes DL__GUARDED_BY(lock); /* of what the board has kept */
static unsigned spawns DL__GUARDED_BY(lock);
static pid_t owner DL__GUARDED_BY(lock); /* the process that has the board */
static time_t started DL__GUARDED_BY(lock);
static pid_t builder DL__GUARDED_BY(lock); /* that was started then */
static bool one_by_one
    DL__GUARDED_BY(lock); /* a builder has crashed: it is to be known of which job */
static bool impossible DL__GUARDED_BY(lock); /* there will be none */
static _Atomic(const char *) why_not;        /* of that, in words */

static time_t seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

/* ---- boards ---- */

static bool init_alive(pthread_mutex_t *alive)
{
    pthread_mutexattr_t attributes;
    bool done = pthread_mutexattr_init(&attributes) == 0;

    if (!done)
        return false;
    done = pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) == 0 &&
           pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0 &&
           pthread_mutex_init(alive, &attributes) == 0;
    pthread_mutexattr_destroy(&attributes);
    return done;
}

static void drop_board(void) DL__REQUIRES(lock)
{
    munmap(board, sizeof *board);
    dl__window_close(&jobs);
    dl__window_close(&kept);
    board = NULL;
}

/* Making a file larger than the program's limit would be a signal to it. */
static bool file_may_be(size_t bytes)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur >= bytes;
}

/* A board with a builder behind it, or none. */
static void make_board(void) DL__REQUIRES(lock)
{
    const char *reason = "no memory can be shared with it (ulimit -v, -n and -f)";
    int file = -1, self = -1;
    void *memory = MAP_FAILED;

    if (dl__sandbox_is_new())
        reason = "the program has put itself under a filter of system calls (seccomp)";
    else
        file = memfd_create("dl-builder", MFD_CLOEXEC);
    if (file >= 0 && file_may_be(DL__BOARD_BYTES) &&
        ftruncate(file, DL__BOARD_BYTES) == 0)
        memory = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_NORESERVE, file, 0);
    if (memory == MAP_FAILED)
        goto out;
    madvise(memory, sizeof *board, MADV_DONTFORK);
    madvise(memory, sizeof *board, MADV_DONTDUMP);
    board = memory;
    owner = getpid();
    board->one_by_one = one_by_one;
#ifdef SYS_pidfd_open
    self = (int)syscall(SYS_pidfd_open, owner, 0);
#endif
    if (!init_alive(&board->alive))
        reason = "there are no locks between processes";
    else if (dl__window_open(&jobs, file, DL__BOARD_JOBS_AT) &&
             dl__window_open(&kept, file, DL__BOARD_KEPT_AT))
        reason = dl__builder_spawn(file, self, &builder);
    if (reason) {
        drop_board();
        goto out;
    }
    board_number++;
    spawns++;
    absorbed_bytes = 0;
    started = seconds();
out:
    if (!board) {
        impossible = true;
        atomic_store(&why_not, reason);
    }
    if (self >= 0)
        close(self);
    if (file >= 0)
        close(file);
}

/* What the builder has made so far is in the cache from now on. */
static void absorb(void) DL__REQUIRES(lock)
{
    size_t bytes = atomic_load(&board->kept_bytes) - absorbed_bytes;
    struct dl__unpack fields = {.bytes = bytes};

    if (bytes && !(fields.data = dl__window_reach(&kept, absorbed_bytes, bytes)))
        return;
    while (!fields.failed && fields.at < fields.bytes) {
        struct dl__pack key = {0};
        const unsigned char *value;
        size_t value_bytes;

        key.data = (unsigned char *)dl__unpack_bytes(&fields, &key.bytes);
        value = dl__unpack_bytes(&fields, &value_bytes);
        if (!fields.failed)
            dl__memory_put(&key, value, value_bytes);
    }
    absorbed_bytes += bytes;
    dl__window_pass(&kept, absorbed_bytes);
}

/* True when the board's builder serves it, or is about to. */
static bool is_served(void) DL__REQUIRES(lock)
{
    int err;

    if (atomic_load(&board->state) == DL__BOARD_STARTING)
        return seconds() - started < START_SECONDS_MAX && !dl__builder_has_ended(builder);
    err = pthread_mutex_trylock(&board->alive);
    if (err == EBUSY)
        return true;
    if (err == 0 || err == EOWNERDEAD)
        pthread_mutex_unlock(&board->alive);
    return false;
}

/* ---- jobs ---- */

static void wake_builder(void) DL__REQUIRES(lock)
{
    syscall(SYS_futex, &board->posted, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void end_job(struct dl__ticket *ticket, enum dl__ready ready)
{
    ticket->over = true;
    ticket->ready = ready;
}

/* False: the board is full. A job that can't be written down is none of the builder's. */
static bool post(struct dl__ticket *ticket,
                 void (*pack)(struct dl__pack *job, const void *user), const void *user,
                 bool waited) DL__REQUIRES(lock)
{
    struct dl__pack job = {0};
    unsigned number = atomic_load(&board->posted);
    unsigned char *to = NULL;
    bool fits;

    pack(&job, user);
    fits = number < DL__BOARD_JOBS_MAX &&
           job.bytes <= DL__BOARD_JOB_BYTES - board->job_bytes;
    if (fits && !job.failed) {
        dl__window_pass(&jobs, board->job_bytes);
        to = dl__window_reach(&jobs, board->job_bytes, job.bytes);
    }
    if (job.failed || job.bytes > DL__BOARD_JOB_BYTES || (fits && !to)) {
        end_job(ticket, DL__READY);
    } else if (fits) {
        memcpy(to, job.data, job.bytes);
        board->list[number].at = board->job_bytes;
        board->list[number].bytes = job.bytes;
        atomic_store(&board->list[number].waited, waited);
        board->job_bytes += job.bytes;
        atomic_store(&board->posted, number + 1);
        wake_builder();
        ticket->board = board_number;
        ticket->job = number;
        ticket->asked_ns = dl__trace_now();
    }
    dl__pack_free(&job);
    return fits || ticket->over;
}

/* The board has no builder any more. Whoever asks next gets another one; but what its
 * builder did not survive is not tried for long, and never in the program. */
static void look_at_end(struct dl__ticket *ticket) DL__REQUIRES(lock)
{
    const struct dl__board_job *job = &board->list[ticket->job];
    bool crashed = atomic_load(&board->state) == DL__BOARD_SERVING;

    if (atomic_load(&board->state) == DL__BOARD_STARTING) {
        dl__log(DL__LOG_DEBUG,
                "the builder does not start: the program waits for compilers");
        impossible = true;
        atomic_store(&why_not, "it ends before it has begun");
    }
    one_by_one = one_by_one || crashed;
    if (crashed && ticket->board == board_number && atomic_load(&job->begun) &&
        ++ticket->failures == FAILURES_MAX) {
        atomic_store(&why_not, "it crashes");
        end_job(ticket, DL__NOT_POSSIBLE);
    }
    absorb();
    drop_board();
}

/* What is known of a job on the board. */
static void look_at_job(struct dl__ticket *ticket) DL__REQUIRES(lock)
{
    const atomic_bool *done = &board->list[ticket->job].done;

    if (atomic_load(done)) {
        absorb();
        end_job(ticket, DL__READY);
        dl__trace_built("by dl-builder, until it is noticed", ticket->asked_ns);
    } else if (!is_served() && !atomic_load(done)) {
        look_at_end(ticket);
    } else if (atomic_load(&board->kept_bytes) != absorbed_bytes) {
        absorb(); /* what it has made on its way may do already */
    }
}

void dl__builder_renounce(void)
{
    dl__mutex_lock(&lock);
    impossible = true;
    atomic_store(&why_not, "this is dl-builder");
    dl__mutex_unlock(&lock);
}

const char *dl__builder_why_not(void)
{
    const char *reason = atomic_load(&why_not);

    return reason ? reason : "";
}

static void ask(struct dl__ticket *ticket,
                void (*pack)(struct dl__pack *job, const void *user), const void *user,
                bool waited) DL__REQUIRES(lock)
{
    if (board && ticket->board == board_number)
        look_at_job(ticket);
    else if (board && !is_served())
        look_at_end(ticket);
    if (waited && !ticket->over && board && ticket->board == board_number &&
        !atomic_exchange(&board->list[ticket->job].waited, true))
        wake_builder();
    if (ticket->over || (board && ticket->board == board_number))
        return;
    if (!board && !impossible && spawns < SPAWNS_MAX)
        make_board();
    if (!board)
        end_job(ticket, DL__ALONE);
    else if (!post(ticket, pack, user, waited) &&
             atomic_load(&board->done) == atomic_load(&board->posted)) {
        /* Full and done with: its builder leaves by itself, and the next to ask gets
         * another. */
        absorb();
        drop_board();
    }
}

enum dl__ready dl__builder_ask(struct dl__ticket *ticket,
                               void (*pack)(struct dl__pack *job, const void *user),
                               const void *user, bool waited)
{
    if (ticket->over)
        return ticket->ready;
    dl__mutex_lock(&lock);
    if (owner && owner != getpid()) { /* the board is not mapped here */
        atomic_store(&why_not, "the program has forked this process");
        end_job(ticket, DL__NOT_POSSIBLE);
    } else {
        ask(ticket, pack, user, waited);
    }
    dl__mutex_unlock(&lock);
    return ticket->over ? ticket->ready : DL__BUILDING;
}

/* Until the builder has done another job, or for a moment. */
static void wait_for_jobs(void)
{
    const struct timespec look = {.tv_nsec = LOOK_MILLISECONDS * 1000000};
    atomic_uint *at;
    unsigned done;

    dl__mutex_lock(&lock);
    at = board ? &board->done : NULL;
    done = at ? atomic_load(at) : 0;
    dl__mutex_unlock(&lock);
    /* Another thread may let go of the board meanwhile: what is no memory any more is not
     * waited for. */
    if (at)
        syscall(SYS_futex, at, FUTEX_WAIT, done, &look, NULL, 0);
}

enum dl__ready dl__builder_wait(struct dl__ticket *ticket,
                                void (*pack)(struct dl__pack *job, const void *user),
                                const void *user)
{
    time_t start = seconds();
    enum dl__ready ready;
    bool said = false;

    while ((ready = dl__builder_ask(ticket, pack, user, true)) == DL__BUILDING) {
        time_t waited = seconds() - start;

        if (waited >= WAIT_SECONDS_MAX)
            break;
        if (waited >= WAIT_SECONDS_SAID && !said)
            dl__log(DL__LOG_WARNING,
                    "the program waits for dl-builder, which makes the kernels of the "
                    "layout that is asked for; where that takes more than %d s they run "
                    "as written",
                    WAIT_SECONDS_MAX);
        said = said || waited >= WAIT_SECONDS_SAID;
        wait_for_jobs();
    }
    return ready;
}
