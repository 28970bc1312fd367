/* SPDX-License-Identifier: MIT */
/* An array's axes as the algorithms see them: those that stay together are one, those of
 * one element are gone, and what stays innermost is part of the element. */
#ifndef DL_TRANSPOSE_AXES_H
#define DL_TRANSPOSE_AXES_H

#include <stdbool.h>
#include <stdint.h>

#include "dl_transpose.h"

enum { DL__AXES_MAX = DL_TRANSPOSE_AXES_MAX + 1 /* the batch is one more */ };

/* By falling distance in the source. */
struct dl__axis {
    uint64_t extent, from_bytes, to_bytes; /* distances in the source and in the target */
};

struct dl__axes {
    unsigned count;
    struct dl__axis axes[DL__AXES_MAX];
    uint64_t element_bytes; /* what moves as one, all of it neighbours on both sides */
};

struct dl__task;

/* The problem's axes, checked, as they are (or that one is empty, or that they only
 * slide); and what they span in the source and in the target, in elements.
 *   errors  see dl_transpose_plan_make */
enum dl_status dl__axes_task(const struct dl_transpose_problem *problem,
                             struct dl__task *task, uint64_t span[2],
                             struct dl_transpose_error *error);
/* Reduces them, once the batch is known: the task is one of matrices, or says that it is
 * an array. */
void dl__axes_reduce(struct dl__task *task);
/* In which order the axes stand in the target: the order[0]-th of the source comes first.
 */
void dl__axes_order(const struct dl__axes *axes, unsigned *order);

#endif
