/* SPDX-License-Identifier: MIT */
/* Exploring a part of a launch: its first work-groups, on the structs that these access.
 * Copies of the others are made, as far as addresses go, and never filled. So a slice is
 * for kernels that write structs of the work-item's number, and for devices where most of
 * what a copy takes is the touching of fresh memory; what is only read, by other numbers,
 * is copied whole. What reads beyond its slice gives other bytes than the whole launch
 * has, and what writes beyond it may change none in it: such a kernel is explored whole.
 */
#ifndef DL_INTERCEPT_SLICE_H
#define DL_INTERCEPT_SLICE_H

#include "bind.h"
#include "copies.h"

/* Work-items of the launch's slice; 0: it is explored whole. */
size_t dl__slice_items(struct dl__kernel *kernel, const struct dl__queue *queue,
                       const struct dl__ndrange *range) DL__WITH_LOCK;
/* Bytes of a buffer that so many of them access, from its begin; all of what is only
 * read. 0: that can't be told. */
uint64_t dl__slice_bytes(const struct dl__kernel *kernel, struct dl__mem *const *mems,
                         const struct dl__mem *mem, size_t items) DL__WITH_LOCK;
/* Converts the slice, from the begin of WORK to the plan's layout in WORK, or back to the
 * begin.
 *   again  what is not written has been converted before */
cl_int dl__slice_convert(struct dl__copies *copies, const struct dl__plan *plan,
                         bool there, bool again) DL__WITH_LOCK;
/* Whether WORK differs from another copy, or the buffer. False: that can't be told. */
bool dl__slice_compare(const struct dl__copies *copies, const struct dl__copied *copied,
                       cl_mem other, bool *differ) DL__WITH_LOCK;

#endif
