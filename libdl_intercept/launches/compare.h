/* SPDX-License-Identifier: MIT */
/* Comparing a rewritten launch on the program's buffers with the program's own on copies, byte for byte, before the program
 * sees it. Where they differ, the program gets what its own kernel gave. */
#ifndef DL_INTERCEPT_COMPARE_H
#define DL_INTERCEPT_COMPARE_H

#include "copies.h"

struct dl__compare;

/* Copies what the buffers of the launch hold, wherever they lie; what comes before it has been waited for (dl__explore_wait).
 * NULL: it can't be compared, *why. Buffers may lie elsewhere than before: a plan must be made again. */
struct dl__compare *dl__compare_begin(struct dl__kernel *kernel, struct dl__queue *queue,
                                      const struct dl__ndrange *range,
                                      const char **why) DL__WITH_LOCK;
/* The rewritten kernel is enqueued, or with another `err` is not. Where it differs the buffers hold what the program's own
 * gave, and lie as it has them. Frees `compare`, which may be NULL: NOT_EXPLORED.
 *   argument       out, where it DIFFERS: the argument whose buffer does
 *   spent_seconds  out, wall time that both took beyond the launch itself */
enum dl__verdict_of_copies dl__compare_end(struct dl__compare *compare, cl_int err,
                                           unsigned *argument,
                                           double *spent_seconds) DL__WITH_LOCK;

#endif
