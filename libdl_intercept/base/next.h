/* SPDX-License-Identifier: MIT */
/* The functions below the hooks, the loader's or the driver's, which DL itself calls.
 *
 * dl__next is filled exactly once, before any hook can run: from the loader's target
 * dispatch (as a layer), or from the real library's symbols (as a preload under a loader
 * without layers). An entry is NULL when the loader below does not have it; the hook of
 * such an entry is never called. */
#ifndef DL_INTERCEPT_NEXT_H
#define DL_INTERCEPT_NEXT_H

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

extern cl_icd_dispatch dl__next;

/* Fills dl__next unless it is filled. `table` has `count` entries; missing ones become
 * NULL. */
void dl__next_fill(const cl_icd_dispatch *table, cl_uint count);

#endif
