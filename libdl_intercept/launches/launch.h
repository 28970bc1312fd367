/* SPDX-License-Identifier: MIT */
/* Launches in a context with annotated programs. */
#ifndef DL_INTERCEPT_LAUNCH_H
#define DL_INTERCEPT_LAUNCH_H

#include "libdl_intercept/state/records.h"
#include "args.h"

/* Launches the kernel, transformed where its annotations allow, with its buffers in the
 * layouts that takes. `kernel` may be NULL: one DL does not know, `handle` is launched as
 * it is. Fills in the rest of `range`. Takes the context's lock. Returns what the program
 * gets. */
cl_int dl__launch(struct dl__queue *queue, struct dl__kernel *kernel, cl_kernel handle,
                  struct dl__ndrange *range);

/* A kernel has been made: what its launches will most likely want is asked of the builder
 * now. */
void dl__choice_expect(struct dl__kernel *kernel) DL__WITH_LOCK;
/* The same of one whose text is still being read: the builder finds out what that is. */
void dl__choice_expect_unread(struct dl__kernel *kernel) DL__WITH_LOCK;

/* Holding back: while a group of buffers is explored, a program that runs ahead of its
 * device would have everything enqueued as written before anything is known. So an
 * enqueue waits until few launches are pending on its queue: two, or what takes 20 ms.
 * The host may be what a launch waits for, where nothing tells DL so: no wait takes
 * longer than twice what is expected, and a queue that has not kept to that three times
 * in a row is never held back again. */

/* A launch of such a group was enqueued, which is expected to take so long; 0: it is not
 * known. The kernel's first may take 0.2 s, in which the driver compiles the kernel. */
void dl__hold_note(struct dl__queue *queue, struct dl__kernel *kernel,
                   double seconds) DL__WITH_LOCK;

#endif
