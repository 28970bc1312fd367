/* dl-builder: the process in which DL builds for a program, so that the program does not wait. DL starts
 * it, preloaded into it and with a board on descriptor 3 (libdl_intercept/programs/builder.h), and does
 * the work; started otherwise it does nothing. */
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
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

int main(void)
{
    const struct sched_param any = {0};
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
    if (sched_setscheduler(0, SCHED_IDLE, &any) != 0 && nice(19) == -1)
        return 1;
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
