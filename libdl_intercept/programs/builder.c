/* SPDX-License-Identifier: MIT */
/* The builder as the program sees it: windows on boards, its process, and the jobs. */
#include "builder.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libdl_intercept/base/clock.h"
#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/base/processes.h"
#include "libdl_intercept/trace/trace.h"
#include "options/options.h"
#include "board.h"
#include "cache.h"

static int at_start;

/* How many filters the thread has; of a kernel that doesn't count them, or without /proc,
 * whether it has any. */
static int filter_count(void)
{
    FILE *status = fopen("/proc/thread-self/status", "re");
    int mode = 0, filters = 0;
    char line[64];

    if (!status)
        return prctl(PR_GET_SECCOMP) > 0;
    while (fgets(line, sizeof line, status)) {
        sscanf(line, "Seccomp: %d", &mode);
        sscanf(line, "Seccomp_filters: %d", &filters);
    }
    fclose(status);
    return filters ? filters : mode > 0;
}

/* Outside of containers no file is read. */
__attribute__((constructor)) static void begin(void)
{
    at_start = prctl(PR_GET_SECCOMP) > 0 ? filter_count() : 0;
}

/* ---- windows on a board's file ---- */

static void window_close(struct dl__window *window)
{
    if (window->memory)
        munmap(window->memory, window->bytes);
    window->memory = NULL;
}

/* Starting the builder's process: two steps, so that the program does not become its
 * parent. */

enum { STACK_BYTES = 64 << 10, FIRST_FD = 3, FD_COUNT = 2 };

/* All that the new process needs, made before: on its way it shares the program's memory.
 */
struct start {
    _Alignas(16) unsigned char stacks[2 * STACK_BYTES];
    char library[PATH_MAX], path[PATH_MAX];
    char **environment;
    char *preload;                /* owned; in `environment` */
    char *paths[DL_OPTION_COUNT]; /* the same; NULL: none */
    int fds[FD_COUNT];
    pid_t builder;
    int error;
};

/* clone, by the name that sanitizers leave alone: they take it for a fork, after which
 * this thread would be another process's. */
int __clone(int (*run)(void *), void *stack, int flags, void *user, ...);

/* Between clone and exec there is no sanitizer, and no function of the C library that
 * could take a lock or change what it remembers. */
#define BARE __attribute__((no_sanitize("thread", "address", "undefined")))

static BARE int become_builder(void *user)
{
    struct start *start = user;
    char *arguments[] = {start->path, NULL};
    long at[FD_COUNT];

    /* Ctrl-C and `timeout` end the program's group, but must not take away what the next
     * run is to find. In a session of its own Linux (sched_autogroup) would give it as
     * much of the machine as the program has, whatever its nice value. */
    syscall(SYS_setpgid, 0, 0);
    /* Not at idle priority yet: the program waits until the new process runs its own
     * file. First out of each other's way. */
    for (int f = 0; f < FD_COUNT; f++)
        at[f] = start->fds[f] < 0 ? -1
                                  : syscall(SYS_fcntl, start->fds[f], F_DUPFD_CLOEXEC,
                                            FIRST_FD + FD_COUNT);
    for (int f = 0; f < FD_COUNT; f++) {
        if (at[f] < 0 || syscall(SYS_dup3, at[f], FIRST_FD + f, 0) < 0)
            syscall(SYS_close, FIRST_FD + f);
    }
    /* The builder closes the program's descriptors: somebody may wait for their end. */
    at[0] = syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR);
    for (int f = 0; f < FIRST_FD && at[0] >= 0; f++)
        syscall(SYS_dup3, at[0], f, 0);
#ifdef SYS_close_range
    syscall(SYS_close_range, FIRST_FD + FD_COUNT, ~0u, 0);
#endif
    syscall(SYS_execve, start->path, arguments, start->environment);
    start->error = errno;
    syscall(SYS_exit, 127);
    return 0;
}

/* The process between, whose child is taken over by the system when it ends. */
static BARE int come_between(void *user)
{
    struct start *start = user;

    start->builder = __clone(become_builder, start->stacks + 2 * STACK_BYTES,
                             CLONE_VM | CLONE_VFORK, start);
    if (start->builder < 0)
        start->error = errno;
    syscall(SYS_exit, 0);
    return 0;
}

static bool is_builder(const char *library, const char *folder_end, char *builder)
{
    return snprintf(builder, PATH_MAX, "%.*s/dl-builder", (int)(folder_end - library),
                    library) < PATH_MAX &&
           access(builder, X_OK) == 0;
}

/* Where DL is, and the builder: beside it, or above preload/ where that has copies of DL
 * in place of links, as in a wheel. */
static bool find_paths(struct start *start)
{
    const char *above = NULL, *library = start->library;
    Dl_info info;

    if (!dladdr((const void *)&find_paths, &info) || !info.dli_fname ||
        !realpath(info.dli_fname, start->library))
        return false;
    for (const char *at = library; (at = strstr(at, "/preload/")); at++)
        above = at;
    return is_builder(library, strrchr(library, '/'), start->path) ||
           (above && is_builder(library, above, start->path));
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* True when the builder gets the entry of the environment, which may be another for it.
 * It may outlive the program, and must not overwrite the files that the program writes at
 * its end; a file is named as the program has read it, which may be in another folder by
 * now. Out of memory is start->error. */
static bool is_passed(struct start *start, char **entry)
{
    static const char *const others[] = {"DL_LOG=", "DL_VERIFY=", "LD_PRELOAD="};
    const struct dl_option_value *values = dl__options_get()->values;

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (begins(*entry, others[i]))
            return false;
    for (int option = 0; option < DL_OPTION_COUNT; option++) {
        const struct dl_option_row *row = dl_option_row((enum dl_option)option);
        const char *name = row->environment, *path = values[option].text;

        if (!name || !begins(*entry, name) || (*entry)[strlen(name)] != '=')
            continue;
        if (row->type == DL_VALUE_OUTPUT)
            return false;
        if ((row->type != DL_VALUE_INPUT && row->type != DL_VALUE_LIBRARY &&
             row->type != DL_VALUE_FOLDER) ||
            !path || *path != '/' || start->paths[option])
            continue;
        if (asprintf(&start->paths[option], "%s=%s", name, path) < 0) {
            start->paths[option] = NULL;
            start->error = ENOMEM;
            return false;
        }
        *entry = start->paths[option];
    }
    return true;
}

/* The program's environment, with DL preloaded; and nothing is said twice. */
static bool make_environment(struct start *start)
{
    const char *preload = "";
    const char *const *own = dl_environment_kept();
    size_t count = 0, own_count = 0, kept = 0;

    while (environ && environ[count])
        count++;
    while (own[own_count])
        own_count++;
    start->environment = calloc(own_count + count + 4, sizeof *start->environment);
    if (!start->environment)
        return false;
    /* Of a name that stands there twice the first counts: DL's own options come first, as
     * they were before the program could clear them. */
    for (size_t i = 0; i < own_count + count; i++) {
        char *entry = i < own_count ? (char *)own[i] : environ[i - own_count];

        if (begins(entry, "LD_PRELOAD="))
            preload = entry + strlen("LD_PRELOAD=");
        if (is_passed(start, &entry))
            start->environment[kept++] = entry;
    }
    /* Behind what is there: a sanitizer's runtime wants to be the first. */
    if (start->error ||
        asprintf(&start->preload, "LD_PRELOAD=%s%s%s", preload, *preload ? ":" : "",
                 strstr(preload, start->library) ? "" : start->library) < 0) {
        start->preload = NULL;
        return false;
    }
    start->environment[kept++] = start->preload;
    /* Texts are read for it in another way; what it says of them goes nowhere. */
    if (dl__options_get()->advise)
        start->environment[kept++] = (char *)"DL_ADVISE=1";
    start->environment[kept] = (char *)"DL_LOG=quiet";
    return true;
}

/* Starts it with these two descriptors as its 3 and 4 (-1: none). NULL: done; else why it
 * can't be started. The program is not its parent, so no wait of the program's sees it
 * and no signal tells of it. */
static const char *builder_spawn(int board, int self, pid_t *builder)
{
    const char *const no_memory = "there is no memory left (ulimit -v)";
    /* Not on the program's stack, of which there may be little. */
    struct start *start = calloc(1, sizeof *start);
    const char *reason = NULL;
    sigset_t all, before;
    int cancel;
    pid_t pid;

    if (!start)
        return no_memory;
    start->fds[0] = board;
    start->fds[1] = self;
    /* A program with more rights than its user does not run what its user could have put
     * there. */
    if (getauxval(AT_SECURE))
        reason = "the program has more rights than its user";
    else if (!find_paths(start))
        reason = "it is not beside libdl_intercept.so, or can't be executed";
    else if (!dl__processes_are_left())
        reason = "few more processes may be started (ulimit -u)";
    else if (!dl__descriptors_are_left())
        reason = "few more files may be opened (ulimit -n)";
    else if (!make_environment(start))
        reason = no_memory;
    if (reason)
        goto out;
    /* Handlers of the program's must not run in a process that shares its memory. */
    sigfillset(&all);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    /* Without a signal at its end: no wait of the program's sees it. */
    pid =
        __clone(come_between, start->stacks + STACK_BYTES, CLONE_VM | CLONE_VFORK, start);
    if (pid > 0)
        while (waitpid(pid, NULL, __WCLONE) < 0 && errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_setcancelstate(cancel, NULL);
    if (pid <= 0 || start->error)
        reason = "no process can be started (ulimit -u, or a sandbox)";
    *builder = start->builder;
out:
    free(start->environment);
    free(start->preload);
    for (int option = 0; option < DL_OPTION_COUNT; option++)
        free(start->paths[option]);
    free(start);
    return reason;
}

/* True when it is known to have ended: whoever has become its parent may not have asked
 * for that. */
static bool builder_has_ended(pid_t builder)
{
    const char state = dl__process_state(builder);

    /* Where nobody takes over what has ended, it stays as a zombie. */
    return state ? state == 'Z' || state == 'X' : kill(builder, 0) != 0 && errno == ESRCH;
}

/* ---- boards and jobs ---- */

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
    return (time_t)dl__clock_seconds();
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
    window_close(&jobs);
    window_close(&kept);
    board = NULL;
}

/* A board with a builder behind it, or none. */
static void make_board(void) DL__REQUIRES(lock)
{
    const char *reason = "no memory can be shared with it (ulimit -v, -n and -f)";
    int file = -1, self = -1;
    void *memory = MAP_FAILED;
    struct rlimit limit;

    /* A filter that was not there when the library was loaded may end the process at a
     * call that the program does not make itself. Those that were there, a container has,
     * and they let programs be. */
    if (filter_count() > at_start)
        reason = "the program has put itself under a filter of system calls (seccomp)";
    else
        file = memfd_create("dl-builder", MFD_CLOEXEC);
    /* Making a file larger than the program's limit would be a signal to it. */
    if (file >= 0 && getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
        limit.rlim_cur >= DL__BOARD_BYTES && ftruncate(file, DL__BOARD_BYTES) == 0)
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
        reason = builder_spawn(file, self, &builder);
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

/* Puts all that the builder has made so far into the cache. */
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
}

/* True when the board's builder serves it, or is about to. */
static bool is_served(void) DL__REQUIRES(lock)
{
    int err;

    if (atomic_load(&board->state) == DL__BOARD_STARTING)
        return seconds() - started < START_SECONDS_MAX && !builder_has_ended(builder);
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
static bool post(struct dl__ticket *ticket, dl__pack_job_fn pack, const void *user,
                 bool waited) DL__REQUIRES(lock)
{
    struct dl__pack job = {0};
    unsigned number = atomic_load(&board->posted);
    unsigned char *to = NULL;
    bool fits;

    pack(&job, user);
    fits = number < DL__BOARD_JOBS_MAX &&
           job.bytes <= DL__BOARD_JOB_BYTES - board->job_bytes;
    if (fits && !job.failed)
        to = dl__window_reach(&jobs, board->job_bytes, job.bytes);
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

/* Reads the state of a job on the board. */
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

static const struct dl__transformer *transformer; /* NULL: this is not the builder */

const struct dl__transformer *dl__transformer_get(void)
{
    return transformer;
}

void dl__builder_renounce(const struct dl__transformer *brought)
{
    transformer = brought;
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

static void ask(struct dl__ticket *ticket, dl__pack_job_fn pack, const void *user,
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

enum dl__ready dl__builder_ask(struct dl__ticket *ticket, dl__pack_job_fn pack,
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

enum dl__ready dl__builder_wait(struct dl__ticket *ticket, dl__pack_job_fn pack,
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
            dl__log(
                DL__LOG_WARNING,
                "the program waits for dl-builder, which reads its kernels or builds "
                "them in another layout, and keeps that for the next run; if it takes "
                "more than %d s, they run as written",
                WAIT_SECONDS_MAX);
        said = said || waited >= WAIT_SECONDS_SAID;
        wait_for_jobs();
    }
    return ready;
}
