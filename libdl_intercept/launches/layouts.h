/* SPDX-License-Identifier: MIT */
/* The layouts that a device likes, and what candidates are on it. */
#ifndef DL_INTERCEPT_LAYOUTS_H
#define DL_INTERCEPT_LAYOUTS_H

#include "libdl_intercept/programs/kernels.h"
#include "libdl_intercept/state/records.h"
#include "libdl_intercept/policy/estimate.h"
#include "args.h"

/* The layout that the options want of a kernel's buffers. False: the program's own kernel
 * is what this device should run. */
bool dl__layout_by_options(struct dl__kernel *kernel, struct dl__queue *queue,
                           struct dl_layout *layout) DL__WITH_LOCK;

/* What a candidate is for the launch; without a length of tiles, it can't be on it.
 * `range` may be NULL: not known. */
void dl__choice_layout(enum dl__candidate_id id, struct dl__kernel *kernel,
                       const struct dl__ndrange *range, struct dl__device *device,
                       struct dl_layout *layout) DL__WITH_LOCK;

#endif
