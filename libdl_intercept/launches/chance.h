/* SPDX-License-Identifier: MIT */
/* For tests, --policy-test SEED: launches are explored at random moments, and held back, whatever that costs. What they give on
 * copies must be what the program's own kernel gives: a warning says where it is not. */
#ifndef DL_INTERCEPT_CHANCE_H
#define DL_INTERCEPT_CHANCE_H

#include "explore.h"
#include "libdl_intercept/base/options.h"

/* True when the launch that comes is to be explored. Waits for what comes before it, without the lock. */
bool dl__chance_explores(struct dl__kernel *kernel, struct dl__queue *queue,
                         const struct dl__ndrange *range);
/* Makes the launch and explores it. False: it can't be explored, and is not made. */
bool dl__chance_launch(struct dl__kernel *kernel, struct dl__queue *queue,
                       cl_kernel handle, const struct dl__ndrange *range,
                       cl_int *err) DL__WITH_LOCK;

#endif
