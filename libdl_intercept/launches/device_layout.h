/* SPDX-License-Identifier: MIT */
/* The layouts that a device likes. */
#ifndef DL_INTERCEPT_DEVICE_LAYOUT_H
#define DL_INTERCEPT_DEVICE_LAYOUT_H

#include "libdl_intercept/programs/kernels.h"
#include "libdl_intercept/state/records.h"

/* The layout that the options want of a kernel's buffers. False: the program's own kernel
 * is what this device should run. */
bool dl__layout_by_options(struct dl__kernel *kernel, struct dl__queue *queue,
                           struct dl_layout *layout) DL__WITH_LOCK;
/* Structs in a tile on this device, fewer where those of a buffer are so large that it
 * would not fit local memory; 0: no tile of them is worth its conversion. */
uint32_t dl__device_tile(struct dl__kernel *kernel,
                         struct dl__device *device) DL__WITH_LOCK;
/* Discrete arrays as this device likes them. A CPU's compiler vectorises plain arrays,
 * which one tile of all structs is; elsewhere a short tile at the end lets buffers
 * convert fast. */
struct dl_layout dl__device_arrays(const struct dl__device *device);

#endif
