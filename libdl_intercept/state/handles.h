/* SPDX-License-Identifier: MIT */
/* The table from the program's OpenCL handles to DL's records of them.
 *
 * Look-ups take no lock and write no shared memory, because clSetKernelArg does one; insertions
 * and removals are serialised. Handles are driver pointers and are reused as soon as they are
 * released: remove a handle before the driver's release, insert it after the driver's create. */
#ifndef DL_INTERCEPT_HANDLES_H
#define DL_INTERCEPT_HANDLES_H

#include <stdbool.h>

/* The record of a live handle, or NULL for one DL does not know. */
void *dl__handles_find(const void *handle);
/* Adds or replaces. False: out of memory, the handle stays unknown. */
bool dl__handles_insert(const void *handle, void *record);
void dl__handles_remove(const void *handle);

#endif
