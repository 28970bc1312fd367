/* SPDX-License-Identifier: MIT */
/* dl-builder: the process in which DL builds for a program, so that the program does not wait. DL starts
 * it, preloaded into it and with a board on descriptor 3 (libdl_intercept/programs/builder.h), and does
 * the work; started otherwise it does nothing. */
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { BOARD = 3, PROGRAM = 4 };

typedef void *(*find_fn)(void *platform, const char *name);
typedef int (*platforms_fn)(unsigned count, void **platforms, unsigned *found);
typedef int (*serve_fn)(int board, int program);

/* A function of OpenCL, as DL has it. */
static void *find(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

/* Where the device is a CPU, it keeps every core busy, and what runs at idle priority never gets to run.
 * Ten steps down, the builder has at most a tenth of one core beside it, which is 5 % of two; on a
 * single core 14 steps leave it 4 %. */
static void step_back(void)
{
    const struct sched_param any = {0};
    int steps = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 10 : 14;

    /* There are not so many left below the program. */
    if (getpriority(PRIO_PROCESS, 0) + steps > 19)
        sched_setscheduler(0, SCHED_IDLE, &any);
    else if (nice(steps) != -1)
        sched_setscheduler(0, SCHED_BATCH, &any);
}

int main(void)
{
    sigset_t none;
    void *platform = NULL, *found;
    platforms_fn platforms;
    find_fn find_extension;
    serve_fn serve;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (fcntl(BOARD, F_GETFD) < 0) {
        fputs("dl-builder: DL starts this program by itself; there is nothing to be done "
              "with it by hand\n",
              stderr);
        return 2;
    }
    step_back();
    if (!(found = find("clGetPlatformIDs")))
        return 1;
    memcpy(&platforms, &found, sizeof found);
    if (platforms(1, &platform, NULL) != 0)
        return 1;
    if (!(found = find("clGetExtensionFunctionAddressForPlatform")))
        return 1;
    memcpy(&find_extension, &found, sizeof found);
    if (!(found = find_extension(platform, "clServeBuildsDL")))
        return 1;
    memcpy(&serve, &found, sizeof found);
    return serve(BOARD, fcntl(PROGRAM, F_GETFD) < 0 ? -1 : PROGRAM);
}
