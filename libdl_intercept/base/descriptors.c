/* SPDX-License-Identifier: MIT */
#include "descriptors.h"

#include <fcntl.h>
#include <sys/resource.h>

bool dl__descriptors_are_left(void)
{
    /* A linker has some ten files open, a driver's own threads and the program others. */
    enum { WANTED = 32 };
    struct rlimit limit;
    int free = 0;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return true;
    for (rlim_t number = 0; number < limit.rlim_cur && free < WANTED; number++)
        free += fcntl((int)number, F_GETFD) < 0;
    return free == WANTED;
}
