/* SPDX-License-Identifier: MIT */
/* Which rewritten launches are compared with what the program's own kernel gives (compare.h): of kernels that nobody annotated, or
 * that are not shown to access what the program's own do (programs/unit_proof.h), the first, unless it was explored;
 * where DL chooses, launches 2, 8, 64, ..., within a hundredth of the time so far, and one more when an argument's value
 * first changes. A kernel that gives something else runs as written from then on. */
#ifndef DL_INTERCEPT_CHECK_H
#define DL_INTERCEPT_CHECK_H

#include "bind.h"
#include "compare.h"

struct dl__checked;

enum dl__check {
    DL__CHECK_NOT, /* it runs as planned */
    DL__CHECK_NOW,
    DL__CHECK_WAIT, /* what comes before must be waited for, without the lock */
    DL__CHECK_AS_WRITTEN
};

/* Before any buffer is moved for a launch that is planned. With NOW, buffers may lie elsewhere than before: the plan must be
 * made again.
 *   checked, compare  out, for dl__check_end; may be NULL */
enum dl__check dl__check_begin(struct dl__kernel *kernel, struct dl__queue *queue,
                               const struct dl__ndrange *range,
                               const struct dl__plan *plan, struct dl__checked **checked,
                               struct dl__compare **compare) DL__WITH_LOCK;
/* The rewritten kernel is enqueued, or with another `err` is not. False: it gave other bytes, which the program does not
 * see. */
bool dl__check_end(const struct dl__ndrange *range, struct dl__checked *checked,
                   struct dl__compare *compare, cl_int err) DL__WITH_LOCK;

#endif
