/* SPDX-License-Identifier: MIT */
/* A stack of known size: programs build their kernels on threads with small ones. */
#include "annotate/base/stack.h"

#include <pthread.h>
#include <signal.h>

/* Of address space: what is not used takes no memory. */
enum { STACK_BYTES = 64 << 20, USUAL_BYTES = 8 << 20 };

struct job {
    void (*work)(void *);
    void *user;
};

static void *run(void *user)
{
    struct job *job = user;

    job->work(job->user);
    return NULL;
}

static void *do_nothing(void *user)
{
    return user;
}

static bool start(pthread_t *thread, size_t stack_bytes, void *(*work)(void *),
                  void *user)
{
    pthread_attr_t attributes;
    bool started;

    if (pthread_attr_init(&attributes) != 0)
        return false;
    started = pthread_attr_setstacksize(&attributes, stack_bytes) == 0 &&
              pthread_create(thread, &attributes, work, user) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

bool dl__thread_can_start(void)
{
    pthread_t thread;

    return start(&thread, USUAL_BYTES, do_nothing, NULL) &&
           pthread_join(thread, NULL) == 0;
}

void dl__on_large_stack(void (*work)(void *), void *user)
{
    struct job job = {work, user};
    sigset_t all, before;
    pthread_t thread;
    bool started;

    /* The program's signals are its own threads' to handle. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    started = start(&thread, STACK_BYTES, run, &job);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started)
        pthread_join(thread, NULL);
    else
        work(user);
}
