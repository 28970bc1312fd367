/* SPDX-License-Identifier: MIT */
/* Giving the driver a launch, and telling those who count launches. */
#ifndef DL_INTERCEPT_COUNTED_H
#define DL_INTERCEPT_COUNTED_H

#include "args.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/state/wait.h"

/* DL's own event, which only counting wants, is not the program's to see.
 *   kernel       NULL: not known
 *   handle       what is launched, the program's or a shadow: `transformed`
 *   said         NULL: nothing is */
cl_int dl__launch_counted(struct dl__queue *queue, struct dl__kernel *kernel,
                          cl_kernel handle, const struct dl__ndrange *range,
                          const struct dl__wait *wait, bool transformed,
                          const struct dl__launch_said *said);
/* What the statistics say of a launch, in a context with annotations. `kernel` may be
 * NULL. */
void dl__launch_describe(struct dl__kernel *kernel, struct dl__queue *queue,
                         const struct dl__ndrange *range, bool transformed,
                         struct dl__launch_said *said) DL__WITH_LOCK;

#endif
