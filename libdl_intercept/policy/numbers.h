/* SPDX-License-Identifier: MIT */
/* What math.h has, without its library, which the program may not have. */
#ifndef DL_INTERCEPT_POLICY_NUMBERS_H
#define DL_INTERCEPT_POLICY_NUMBERS_H

#include <float.h>
#include <stdbool.h>

static inline double dl__min(double a, double b)
{
    return a < b ? a : b;
}

static inline double dl__max(double a, double b)
{
    return a > b ? a : b;
}

/* A time that may be believed. */
static inline bool dl__is_time(double seconds)
{
    return seconds > 0 && seconds <= DBL_MAX;
}

#endif
