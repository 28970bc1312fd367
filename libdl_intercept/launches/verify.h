/* SPDX-License-Identifier: MIT */
/* The oracle, --verify: a transformed launch also runs as the program wrote it, on
 * copies, and every buffer that it may write is compared byte for byte (compare.h). It
 * blocks: for finding out, not for every day. All want the context's lock held. */
#ifndef DL_INTERCEPT_VERIFY_H
#define DL_INTERCEPT_VERIFY_H

#include "compare.h"
#include "libdl_intercept/base/options.h"

struct dl__verify;

/* Before the lock is taken for a launch that may be verified: waits for what comes before
 * it, whose callbacks may want the lock. False: it did not. Where --verify asks for any.
 */
bool dl__verify_wait(struct dl__queue *queue, const struct dl__ndrange *range);
/* Remembers what the buffers of the launch hold, where this launch is to be verified.
 * NULL: it is not, or can't be (said). */
struct dl__verify *dl__verify_begin(struct dl__kernel *kernel, struct dl__queue *queue,
                                    const struct dl__ndrange *range) DL__WITH_LOCK;
/* Counts what has come of a comparison, whoever wanted it. */
void dl__verify_count(const struct dl__compared *compared);
/* The transformed kernel is enqueued, or with another `err` is not, and nothing is
 * compared: runs the program's own on copies and compares. On a difference says what
 * differs, puts the native result into the buffers and leaves the kernel native from now
 * on. Frees `verify`, which may be NULL. */
void dl__verify_end(struct dl__verify *verify, cl_int err) DL__WITH_LOCK;

#endif
