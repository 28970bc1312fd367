/* SPDX-License-Identifier: MIT */
/* Launches in a context with annotated programs. */
#ifndef DL_INTERCEPT_LAUNCH_H
#define DL_INTERCEPT_LAUNCH_H

#include "args.h"

/* Launches the kernel, transformed where its annotations allow, with its buffers in the
 * layouts that takes. `kernel` may be NULL: one DL does not know, `handle` is launched as
 * it is. Fills in the rest of `range`. Takes the context's lock. Returns what the program
 * gets. */
cl_int dl__launch(struct dl__queue *queue, struct dl__kernel *kernel, cl_kernel handle,
                  struct dl__ndrange *range);

/* The launch as the program wrote it, its buffers in the program's layout. */
cl_int dl__launch_native(struct dl__queue *queue, struct dl__kernel *kernel,
                         cl_kernel handle, const struct dl__ndrange *range) DL__WITH_LOCK;

#endif
