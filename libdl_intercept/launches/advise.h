/* SPDX-License-Identifier: MIT */
/* What a launch could gain, for --advise. */
#ifndef DL_INTERCEPT_ADVISE_H
#define DL_INTERCEPT_ADVISE_H

#include "args.h"

/* Counts a launch that runs as written, where its kernel has buffers that nobody
 * annotated. */
void dl__advise(struct dl__kernel *kernel, struct dl__queue *queue,
                const struct dl__ndrange *range) DL__WITH_LOCK;

#endif
