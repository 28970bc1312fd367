/* SPDX-License-Identifier: MIT */
/* Launches as the dimensions of annotations see them: whether these fit their buffers,
 * and what only a launch knows of a flat one, how wide its rows are, or how many arrays
 * it has. */
#ifndef DL_INTERCEPT_DIMENSIONS_H
#define DL_INTERCEPT_DIMENSIONS_H

#include "args.h"
#include "part.h"

/* The launch as the dimensions see it, to be ended in any case. False: the driver will
 * reject it anyway, or there is no memory. */
bool dl__launch_begin(const struct dl__kernel *kernel, const struct dl__ndrange *range,
                      struct dl_launch *launch) DL__WITH_LOCK;
void dl__launch_end(struct dl_launch *launch);
/* True when ids lie beyond what rewritten texts take them to be. */
bool dl__has_far_ids(const struct dl_launch *launch);
/* Checks the annotated dimension against the buffer. False: the kernel must run as
 * written. */
bool dl__dimension_check(struct dl__kernel *kernel, const struct dl__binding *binding,
                         const struct dl_launch *launch) DL__WITH_LOCK;
/* Makes the leaves of a flat buffer as wide as this launch says. False: the kernel must
 * run as written. */
bool dl__width_set(struct dl__kernel *kernel, struct dl__mem *const *mems, size_t buffer,
                   const struct dl_launch *launch) DL__WITH_LOCK;

#endif
