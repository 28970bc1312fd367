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

enum dl__asked {
    DL__OF_CONTEXT,
    DL__OF_DEVICE,
    DL__OF_PROGRAM,
    DL__OF_BUILD,
    DL__OF_KERNEL
};

/* Returns all that the driver says of an object under a name, with a zero behind it,
 * which the caller frees; NULL: it says nothing, or there is no memory. device  of
 * DL__OF_BUILD: the program's build for it bytes   out, without the zero; may be NULL */
void *dl__info_get(enum dl__asked asked, void *object, cl_device_id device, cl_uint name,
                   size_t *bytes);

#endif
