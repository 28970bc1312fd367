/* SPDX-License-Identifier: MIT */
/* dl-builder: the process in which DL reads texts and builds for a program. DL starts it,
 * preloaded into it and with a board on descriptor 3
 * (libdl_intercept/programs/builder.h), and does the work, with the transformer that is
 * linked here; started otherwise it does nothing. */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "annotate/annotate.h"
#include "libdl_intercept/programs/serve.h"

enum { BOARD = 3, PROGRAM = 4 };

/* A function of the library, or of OpenCL as DL has it. */
static void *find(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

/* The first call makes a loader known to DL, or DL to the loader. */
static void start_drivers(void)
{
    typedef int (*platforms_fn)(unsigned count, void **platforms, unsigned *found);
    void *found = find("clGetPlatformIDs"), *platform;
    platforms_fn platforms;

    memcpy(&platforms, &found, sizeof found);
    if (found)
        platforms(1, &platform, NULL);
}

int main(void)
{
    static const struct dl__transformer transformer = {dl_annotate_rewrite,
                                                       dl_annotate_libclang};
    dl__serve_fn serve;
    sigset_t none;
    void *found;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (fcntl(BOARD, F_GETFD) < 0) {
        fputs("dl-builder: DL starts this program by itself; it is not meant to be run "
              "by hand\n",
              stderr);
        return 2;
    }
    if (!(found = find("clServeBuildsDL")))
        return 1;
    memcpy(&serve, &found, sizeof found);
    return serve(BOARD, fcntl(PROGRAM, F_GETFD) < 0 ? -1 : PROGRAM, &transformer,
                 start_drivers);
}
