/* SPDX-License-Identifier: MIT */
/* What only a launch knows of a flat buffer: how wide its rows are, or how many arrays it has. */
#ifndef DL_INTERCEPT_WIDTH_H
#define DL_INTERCEPT_WIDTH_H

#include "args.h"

/* Makes the leaves of a flat buffer as wide as this launch says. False: the kernel must run as
 * written. */
bool dl__width_set(struct dl__kernel *kernel, struct dl__mem *const *mems, size_t buffer,
                   const struct dl_launch *launch) DL__WITH_LOCK;

#endif
