/* SPDX-License-Identifier: MIT */
/* Which rewritten launches are compared with what the program's own kernel gives
 * (compare.h): where DL chooses the layout, those that the policy asks for
 * (policy/explore.c), annotated or not; else the first of a size, of kernels that nobody
 * annotated. A kernel that gives something else runs as written from then on. */
#ifndef DL_INTERCEPT_CHECK_H
#define DL_INTERCEPT_CHECK_H

#include "bind.h"
#include "compare.h"

enum dl__check_when {
    DL__CHECK_NOT, /* it runs as planned */
    DL__CHECK_NOW,
    DL__CHECK_WAIT, /* what comes before must be waited for, without the lock */
    DL__CHECK_AS_WRITTEN
};

/* Of a launch on its way. */
struct dl__check {
    enum dl__check_when when;
    struct dl__checked
        *size; /* NULL: of a launch that DL chose the layout of, or of no interest */
    struct dl__compare *compare; /* NULL: it is not compared */
};

/* Before any buffer is moved for a launch that a kernel built with `knobs` runs. With
 * NOW, buffers may lie elsewhere than before: the plan must be made again. */
struct dl__check dl__check_begin(struct dl__kernel *kernel, struct dl__queue *queue,
                                 const struct dl__ndrange *range,
                                 const struct dl__shadow_knobs *knobs) DL__WITH_LOCK;
/* The rewritten kernel is enqueued, or with another `err` is not. Where it gave other
 * bytes, the program does not see them. */
void dl__check_end(struct dl__kernel *kernel, const struct dl__ndrange *range,
                   struct dl__check *check, cl_int err) DL__WITH_LOCK;

#endif
