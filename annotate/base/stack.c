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

bool dl__thread_can_start(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    bool started = false;

    if (pthread_attr_init(&attributes) != 0)
        return false;
    started = pthread_attr_setstacksize(&attributes, USUAL_BYTES) == 0 &&
              pthread_create(&thread, &attributes, do_nothing, NULL) == 0;
    pthread_attr_destroy(&attributes);
    if (started)
        pthread_join(thread, NULL);
    return started;
}

void dl__on_large_stack(void (*work)(void *), void *user)
{
    struct job job = {work, user};
    pthread_attr_t attributes;
    sigset_t all, before;
    pthread_t thread;
    bool started;

    if (pthread_attr_init(&attributes) != 0) {
        work(user);
        return;
    }
    /* The program's signals are its own threads' to handle. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    started = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
              pthread_create(&thread, &attributes, run, &job) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (started)
        pthread_join(thread, NULL);
    else
        work(user);
}
