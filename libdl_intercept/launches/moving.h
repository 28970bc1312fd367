/* SPDX-License-Identifier: MIT */
/* The buffers of a launch, where it wants them: moved to its layout, or named to its
 * kernel by what stands in for them. */
#ifndef DL_INTERCEPT_MOVING_H
#define DL_INTERCEPT_MOVING_H

#include "args.h"
#include "bind.h"
#include "libdl_intercept/state/wait.h"

/* Has the plan's buffers in its layout, and those of all other arguments in the
 * program's. */
cl_int dl__buffers_move(struct dl__queue *queue, struct dl__kernel *kernel,
                        const struct dl__ndrange *range, const struct dl__plan *plan,
                        struct dl__wait *command) DL__WITH_LOCK;
/* Reading a buffer to verify a launch may have brought it back. */
cl_int dl__buffers_move_again(struct dl__queue *queue, const struct dl__plan *plan,
                              size_t count, struct dl__wait *command) DL__WITH_LOCK;
/* A copy of DL's own stands in for some buffers, and a buffer for a sub-buffer. A shadow
 * gets its argument anew at the next launch, the program's kernel right after this one:
 * `back`. */
cl_int dl__stand_ins_set(struct dl__kernel *kernel, const struct dl__plan *plan,
                         bool back) DL__WITH_LOCK;

#endif
