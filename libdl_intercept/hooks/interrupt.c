/* SPDX-License-Identifier: MIT */
/* A program that is interrupted.
 *
 * A handler may hardly call anything, so that it wakes a thread, which tells all and then
 * ends the process by the signal. What the signal has come into goes on meanwhile, and
 * gives back the locks that it has. */
#include "interrupt.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "libdl_intercept/base/options.h"
#include "libdl_intercept/base/processes.h"
#include "libdl_intercept/reports/advice.h"
#include "libdl_intercept/reports/facts.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/trace/trace.h"

enum { STACK_BYTES = 256 << 10 };

static const int signals[] = {SIGINT, SIGTERM};
enum { SIGNALS = sizeof signals / sizeof *signals };

static struct sigaction before[SIGNALS]; /* ours */
static pid_t owner;
static sem_t woken;
static atomic_int came; /* the signal */

static void wake(int signal)
{
    const int err = errno;

    for (size_t s = 0; s < SIGNALS; s++)
        if (signals[s] == signal)
            sigaction(signal, &before[s], NULL);
    if (getpid() == owner) {
        atomic_store(&came, signal);
        sem_post(&woken);
    } else {
        raise(signal); /* in a forked child */
    }
    errno = err;
}

/* LLVM's handlers, in a library of its own or in that of a driver. */
static bool is_of_llvm(const struct sigaction *action)
{
    static const char *const libraries[] = {"libLLVM", "libintelocl"};
    void *handler;
    Dl_info info;

    memcpy(&handler, &action->sa_handler,
           sizeof handler); /* sa_sigaction is there, too */
    if (!handler || !dladdr(handler, &info) || !info.dli_fname)
        return false;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (strstr(info.dli_fname, libraries[i]))
            return true;
    return false;
}

/* Whether the program has no handler of its own; an ignored signal is as good as one. */
static bool is_left_to_the_system(const struct sigaction *action)
{
    if (!(action->sa_flags & SA_SIGINFO) && action->sa_handler == SIG_DFL)
        return true;
    return action->sa_handler != SIG_IGN && is_of_llvm(action);
}

/* Unless the program has taken it over since. */
static void end_by(int signal)
{
    struct sigaction now;
    sigset_t only;

    if (sigaction(signal, NULL, &now) != 0 || !is_left_to_the_system(&now))
        return;
    sigemptyset(&only);
    sigaddset(&only, signal);
    raise(signal); /* blocked in this thread so far */
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
}

static void *tell(void *unused)
{
    (void)unused;
    while (sem_wait(&woken) != 0)
        ;
    dl__trace_end();
    dl__stats_end();
    dl__facts_end();
    dl__advice_end();
    end_by(atomic_load(&came));
    return NULL;
}

static bool start_thread(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, mask;
    bool started;

    if (sem_init(&woken, 0, 0) != 0 || pthread_attr_init(&attributes) != 0)
        return false;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &mask);
    started = pthread_create(&thread, &attributes, tell, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

static void begin(void)
{
    const struct dl__options *options = dl__options_get();
    const struct sigaction ours = {.sa_handler = wake, .sa_flags = SA_RESTART};
    bool started = false;

    if (!options->stats && !options->trace_path && !options->advise &&
        !options->verify_every)
        return;
    owner = getpid();
    for (size_t s = 0; s < SIGNALS; s++) {
        if (sigaction(signals[s], NULL, &before[s]) != 0 ||
            !is_left_to_the_system(&before[s]))
            continue;
        started = started || (dl__processes_are_left() && start_thread());
        if (started)
            sigaction(signals[s], &ours, NULL);
    }
}

void dl__interrupt_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, begin);
}
