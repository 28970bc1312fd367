/* SPDX-License-Identifier: MIT */
/* Comparing a rewritten launch on the program's buffers with the program's own on copies,
 * byte for byte, before the program sees it. Where they differ, the program gets what its
 * own kernel gave. */
#ifndef DL_INTERCEPT_COMPARE_H
#define DL_INTERCEPT_COMPARE_H

#include "copies.h"

struct dl__compare;

/* What has come of it. */
struct dl__compared {
    enum dl__verdict_of_copies verdict;
    double spent_seconds; /* wall time that it took beyond the launch itself */
    /* Where it DIFFERS. */
    unsigned argument; /* whose buffer does */
    size_t byte;       /* the first that does */
    /* Of that buffer, `count` bytes from `first` on, as the rewritten kernel and the
     * program's own gave them: those that a leaf with this byte in it may have. 0: they
     * can't be read */
    size_t first, count;
    unsigned char ours[2 * DL_LEAF_BYTES_MAX], native[2 * DL_LEAF_BYTES_MAX];
};

/* Copies what the buffers of the launch hold, wherever they lie; what comes before it has
 * been waited for (dl__explore_wait). NULL: it can't be compared, *why. Buffers may lie
 * elsewhere than before: a plan must be made again. */
struct dl__compare *dl__compare_begin(struct dl__kernel *kernel, struct dl__queue *queue,
                                      const struct dl__ndrange *range,
                                      const char **why) DL__WITH_LOCK;
/* The rewritten kernel is enqueued, or with another `err` is not. Where something differs
 * the program's own runs up to three times more: one that does not repeat itself is
 * UNJUDGED. Where it DIFFERS the buffers hold what the program's own gave, and lie as it
 * has them. Frees `compare`, which may be NULL: NOT_EXPLORED. */
void dl__compare_end(struct dl__compare *compare, cl_int err,
                     struct dl__compared *out) DL__WITH_LOCK;

#endif
