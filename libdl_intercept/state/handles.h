/* SPDX-License-Identifier: MIT */
/* The table from the program's OpenCL handles to DL's records of them.
 *
 * Look-ups take no lock and write no shared memory, because clSetKernelArg does one;
 * insertions and removals are serialised. Handles are driver pointers and are reused as
 * soon as they are released: remove a handle before the driver's release, insert it after
 * the driver's create. */
#ifndef DL_INTERCEPT_HANDLES_H
#define DL_INTERCEPT_HANDLES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

extern _Atomic uint64_t dl__handles_changes;

/* Rises with each insertion and removal: as long as it has not, each look-up gives what
 * it gave. */
static inline uint64_t dl__handles_version(void)
{
    return atomic_load_explicit(&dl__handles_changes, memory_order_acquire);
}

/* The record of a live handle, or NULL for one DL does not know. */
void *dl__handles_find(const void *handle);
/* Adds or replaces. False: out of memory, the handle stays unknown. */
bool dl__handles_insert(const void *handle, void *record);
void dl__handles_remove(const void *handle);

#endif
