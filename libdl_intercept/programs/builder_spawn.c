/* SPDX-License-Identifier: MIT */
/* Starting the builder's process: two steps, so that the program does not become its
 * parent. */
#include "builder_spawn.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libdl_intercept/base/options.h"
#include "libdl_intercept/base/processes.h"
#include "options/environment.h"
#include "options/options.h"

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
    /* What the program has open is not kept open here: somebody may wait for its end. */
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

/* What the program writes at its end is not written over by its builder, which may
 * outlive it. */
static bool is_left_out(const char *entry)
{
    static const char *const others[] = {"DL_LOG=", "DL_VERIFY=", "LD_PRELOAD="};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (begins(entry, others[i]))
            return true;
    for (int option = 0; option < DL_OPTION_COUNT; option++) {
        const struct dl_option_row *row = dl_option_row((enum dl_option)option);

        if (row->type == DL_VALUE_OUTPUT && row->environment &&
            begins(entry, row->environment) && entry[strlen(row->environment)] == '=')
            return true;
    }
    return false;
}

/* A name of a file as the program has read it: the program may be in another folder by
 * now. False: out of memory. */
static bool make_path(struct start *start, char **entry)
{
    const struct dl_option_value *values = dl__options_get()->values;

    for (int option = 0; option < DL_OPTION_COUNT; option++) {
        const struct dl_option_row *row = dl_option_row((enum dl_option)option);
        const char *name = row->environment, *path = values[option].text;

        if ((row->type != DL_VALUE_INPUT && row->type != DL_VALUE_LIBRARY &&
             row->type != DL_VALUE_FOLDER) ||
            !path || *path != '/' || !begins(*entry, name) ||
            (*entry)[strlen(name)] != '=' || start->paths[option])
            continue;
        if (asprintf(&start->paths[option], "%s=%s", name, path) < 0) {
            start->paths[option] = NULL;
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
        if (is_left_out(entry))
            continue;
        if (!make_path(start, &entry))
            return false;
        start->environment[kept++] = entry;
    }
    /* Behind what is there: a sanitizer's runtime wants to be the first. */
    if (asprintf(&start->preload, "LD_PRELOAD=%s%s%s", preload, *preload ? ":" : "",
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

const char *dl__builder_spawn(int board, int self, pid_t *builder)
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

bool dl__builder_has_ended(pid_t builder)
{
    const char state = dl__process_state(builder);

    /* Where nobody takes over what has ended, it stays as a zombie. */
    return state ? state == 'Z' || state == 'X' : kill(builder, 0) != 0 && errno == ESRCH;
}
