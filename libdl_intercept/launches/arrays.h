/* SPDX-License-Identifier: MIT */
/* Buffers in which host and kernel both have discrete arrays, and which kernels may be
 * given in tiles: as long as the arrays fill the buffer. Where they don't, the buffer
 * stays as it lies, and a rewritten kernel is told so: its other buffers may be in tiles
 * still. */
#ifndef DL_INTERCEPT_ARRAYS_H
#define DL_INTERCEPT_ARRAYS_H

#include "args.h"
#include "part.h"

/* True when only a launch knows the leaves of a buffer. */
static inline bool dl__leaves_are_open(const struct dl_buffer_note *note)
{
    return note->width || (note->arrays && note->leaves.leaf_count == 1);
}

/* The arrays that a launch finds in `mem`, which may be NULL, go to *leaves, which it
 * owns; one leaf alone: there are none that fill the buffer.
 *   errors  DL_ENOMEM: *leaves is as it was */
enum dl_status dl__arrays_make(const struct dl_buffer_note *note,
                               const struct dl_launch *launch, const struct dl__mem *mem,
                               struct dl_leaf_table *leaves);

/* What becomes of a bound buffer that kernels take for arrays or for structs: one of
 * arrays may be left as it lies. Why its kernel must run as written; NULL: it need not.
 */
const char *dl__arrays_settle(struct dl__kernel *kernel, const struct dl_launch *launch,
                              struct dl__binding *binding) DL__WITH_LOCK;
/* True when the launch would run a rewritten kernel on nothing but arrays that stay as
 * they lie. */
bool dl__arrays_for_nothing(const struct dl_kernel_note *note,
                            const struct dl__binding *bindings);

#endif
