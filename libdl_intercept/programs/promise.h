/* SPDX-License-Identifier: MIT */
/* Whether it may be said that the next run has what was not read in time in this one:
 * only where something keeps it, and once for each text and driver. A promise that was
 * made in an earlier run was not kept.
 *
 * Threads: safe. */
#ifndef DL_INTERCEPT_PROMISE_H
#define DL_INTERCEPT_PROMISE_H

#include "kernels.h"

enum dl__promise {
    DL__PROMISE_NOT_ASKED,
    DL__PROMISE_MADE,
    DL__PROMISE_BROKEN, /* made in an earlier run */
    DL__PROMISE_NOBODY  /* nothing is kept */
};

/* The same answer as long as the program's record lives. Notes in the cache that it was
 * made. */
enum dl__promise dl__promise_of(struct dl__program *program, cl_device_id device);

#endif
