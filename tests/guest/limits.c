/* SPDX-License-Identifier: MIT */
/* limits CASE [NUMBER]: what a program has of its process, with some OpenCL work. Prints
 * a hash of its results, and
 *
 *   work      nothing more
 *   stack N   launches on a thread with so many bytes of stack
 *   maps NAME whether a file with that in its name is mapped
 *   handlers  whose handlers the signals of crashes have, before, after building and
 *             after launching */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work.h"

enum { LAUNCHES = 30 };

static void *launch(void *unused)
{
    guest_launch(LAUNCHES);
    return unused;
}

/* False: there can't be such a thread. */
static bool launch_on(size_t stack_bytes)
{
    pthread_attr_t attributes;
    pthread_t thread;

    if (pthread_attr_init(&attributes) != 0 ||
        pthread_attr_setstacksize(&attributes, stack_bytes) != 0 ||
        pthread_create(&thread, &attributes, launch, NULL) != 0)
        return false;
    return pthread_join(thread, NULL) == 0;
}

static bool is_mapped(const char *name)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[4096];
    bool found = false;

    while (maps && fgets(line, sizeof line, maps))
        found = found || strstr(line, name);
    if (maps)
        fclose(maps);
    return found;
}

/* Whose handlers the signals of crashes have. */
static void show_handlers(const char *when)
{
    static const int signals[] = {SIGSEGV, SIGFPE, SIGABRT, SIGILL, SIGBUS, SIGTRAP};

    printf("%s:", when);
    for (size_t s = 0; s < sizeof signals / sizeof *signals; s++) {
        struct sigaction action;
        Dl_info owner = {.dli_fname = NULL};
        void *handler;

        sigaction(signals[s], NULL, &action);
        memcpy(&handler, &action.sa_handler, sizeof handler);
        if (handler)
            dladdr(handler, &owner);
        printf(" %s", !handler ? "default" : owner.dli_fname ? owner.dli_fname : "own");
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "work";
    bool handlers = strcmp(what, "handlers") == 0;

    if (handlers)
        show_handlers("before");
    guest_begin();
    if (handlers)
        show_handlers("built");
    if (strcmp(what, "stack") == 0) {
        if (!launch_on(strtoul(argv[2], NULL, 10)))
            return 3;
    } else {
        guest_launch(LAUNCHES);
    }
    guest_wait();
    if (handlers)
        show_handlers("launched");
    if (strcmp(what, "maps") == 0)
        printf("%s is mapped: %d\n", argv[2], is_mapped(argv[2]));
    printf("%s %016lx\n", what, guest_end());
    return 0;
}
