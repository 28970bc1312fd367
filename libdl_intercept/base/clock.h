/* SPDX-License-Identifier: MIT */
/* A clock that never goes back. */
#ifndef DL_INTERCEPT_CLOCK_H
#define DL_INTERCEPT_CLOCK_H

#include <time.h>

/* Seconds since some moment. */
static inline double dl__clock_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#endif
