/* SPDX-License-Identifier: MIT */
/* The builder's own devices, found by the names that the program gives them, and its
 * context on each. */
#ifndef DL_INTERCEPT_DEVICES_H
#define DL_INTERCEPT_DEVICES_H

#include "libdl_intercept/state/records.h"
#include "pack.h"

/* What makes OpenCL known to the library; called when the first device is looked for. */
void dl__devices_start(void (*start_drivers)(void));
/* NULL: the builder has no such device, as of sub-devices, or of those that only the
 * program sees.
 *   name  as of dl__cache_name_device */
cl_device_id dl__devices_find(const void *name, size_t bytes);
/* One for each device and thread, as old as the builder: what one thread builds holds
 * nobody up. NULL: none to be had. */
struct dl__context *dl__devices_context(cl_device_id device);

#endif
