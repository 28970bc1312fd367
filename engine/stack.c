/* SPDX-License-Identifier: MIT */
/* Stack for the driver's compiler. */
#include "engine/stack.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* Address space: unused parts take no memory. */
enum { STACK_BYTES = 8 << 20, ENOUGH_BYTES = 512 << 10 };

struct job {
    void (*work)(void *);
    void *user;
};

static void *run(void *user)
{
    const struct job *job = user;

    job->work(job->user);
    return NULL;
}

/* True if the system does not say. */
static bool has_enough(void)
{
    pthread_attr_t attributes;
    const char here = 0;
    size_t bytes = 0;
    void *lowest = NULL;

    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return true;
    pthread_attr_getstack(&attributes, &lowest, &bytes);
    pthread_attr_destroy(&attributes);
    return !lowest || &here - (const char *)lowest > ENOUGH_BYTES;
}

void dl__with_stack(void (*work)(void *), void *user)
{
    struct job job = {work, user};
    pthread_attr_t attributes;
    sigset_t all, before;
    bool started = false;
    pthread_t thread;

    if (!has_enough() && pthread_attr_init(&attributes) == 0) {
        /* The program's own threads must handle its signals. */
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        started = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
                  pthread_create(&thread, &attributes, run, &job) == 0;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&attributes);
    }
    if (started)
        pthread_join(thread, NULL);
    else
        work(user);
}
