/* SPDX-License-Identifier: MIT */
/* The program's own kernel on copies of the buffers that a launch names: what the rewritten one is compared
 * with. */
#ifndef DL_INTERCEPT_ON_COPIES_H
#define DL_INTERCEPT_ON_COPIES_H

#include "args.h"

/* The copy that stands in for a buffer, never for a view of it; NULL: it is left alone. */
typedef cl_mem (*dl__copy_fn)(void *user, const struct dl__mem *root);

/* Launches the kernel on copies, parts of these standing in for sub-buffers. It has the program's arguments
 * again, whatever comes of it.
 *   done  out, the launch's event, which the caller waits for and releases; NULL: it is waited for here */
cl_int dl__launch_on_copies(struct dl__kernel *kernel, struct dl__queue *queue,
                            const struct dl__ndrange *range, dl__copy_fn copy_of,
                            void *user, cl_event *done) DL__WITH_LOCK;
/* Sets the arguments of `handle` that name buffers to copies.
 *   parts  out, by argument: of the copies, for sub-buffers; the caller releases them */
cl_int dl__copies_set(cl_kernel handle, const struct dl__kernel *kernel,
                      const struct dl__ndrange *range, dl__copy_fn copy_of, void *user,
                      cl_mem *parts) DL__WITH_LOCK;
/* Gives a buffer what the program's own kernel gave, wherever it lay before; one that kernels must not write
 * is left. A write that fails is tried again.
 *   copy   of all of the buffer, the copying is not waited for; or NULL
 *   bytes  the same in host memory, where there is no copy; waited for */
void dl__put_native(struct dl__mem *mem, struct dl__queue *queue, cl_mem copy,
                    const void *bytes) DL__WITH_LOCK;

#endif
