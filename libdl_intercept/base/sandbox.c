/* SPDX-License-Identifier: MIT */
/* Filters of system calls, counted. */
#include "sandbox.h"

#include <stdio.h>
#include <sys/prctl.h>

static int at_start;

/* How many filters the thread has; of a kernel that doesn't count them, or without /proc,
 * whether it has any. */
static int filter_count(void)
{
    FILE *status = fopen("/proc/thread-self/status", "re");
    int mode = 0, filters = 0;
    char line[64];

    if (!status)
        return prctl(PR_GET_SECCOMP) > 0;
    while (fgets(line, sizeof line, status)) {
        sscanf(line, "Seccomp: %d", &mode);
        sscanf(line, "Seccomp_filters: %d", &filters);
    }
    fclose(status);
    return filters ? filters : mode > 0;
}

/* Outside of containers no file is read. */
__attribute__((constructor)) static void begin(void)
{
    at_start = prctl(PR_GET_SECCOMP) > 0 ? filter_count() : 0;
}

bool dl__sandbox_is_new(void)
{
    return filter_count() > at_start;
}
