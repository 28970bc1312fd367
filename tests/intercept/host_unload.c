/* SPDX-License-Identifier: MIT */
/* An annotated program that opens OpenCL anew each time it wants it, and closes it after:
 *
 *   host_unload loader          libOpenCL.so.1 itself, by dlopen and dlsym
 *   host_unload plugin FILE     a library that is linked with it (unload_work.c)
 *   host_unload fork FILE       the same, and forks while another thread works: children
 *                               that exit, that end at once, and that run another program
 *
 * Says how often what came back was right. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unload_work.h"

static atomic_bool stop;
static work_fn forked_work;

static work_fn open_work(const char *file, void **handle)
{
    work_fn run = NULL;
    void *found;

    *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    found = *handle ? dlsym(*handle, "work_run") : NULL;
    if (found)
        memcpy(&run, &found, sizeof run);
    else
        fprintf(stderr, "host_unload: %s\n", dlerror());
    return run;
}

static void *work_on(void *unused)
{
    (void)unused;
    while (!atomic_load(&stop))
        forked_work(dlsym, NULL);
    return NULL;
}

static int child(int number, char **argv)
{
    pid_t pid = fork();
    int status = -1;

    if (pid == 0) {
        if (number % 3 == 0)
            exit(0);
        if (number % 3 == 1)
            _exit(0);
        execl(argv[0], argv[0], "plugin", argv[2], (char *)NULL);
        _exit(1);
    }
    waitpid(pid, &status, 0);
    return status;
}

int main(int argc, char **argv)
{
    const char *file = argc > 2 ? argv[2] : "libOpenCL.so.1";
    bool loader = argc == 2, forks = argc > 2 && strcmp(argv[1], "fork") == 0;
    pthread_t thread;
    int right = 0, ended = 0;
    void *handle;

    setvbuf(stdout, NULL, _IONBF, 0);
    for (int round = 0; round < 4; round++) {
        if (loader) {
            handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
            right += handle && work_through(dlsym, handle) == 0;
        } else {
            work_fn run = open_work(file, &handle);

            right += run && run(dlsym, NULL) == 0;
            if (forks)
                forked_work = run;
        }
        if (handle && !forks)
            dlclose(handle);
    }
    printf("right %d\n", right);
    if (!forks || !forked_work)
        return 0;
    pthread_create(&thread, NULL, work_on, NULL);
    for (int number = 0; number < 12; number++)
        ended += child(number, argv) == 0;
    atomic_store(&stop, true);
    pthread_join(thread, NULL);
    printf("ended %d\n", ended);
    return 0;
}
