/* SPDX-License-Identifier: MIT */
/* Launches of kernels that have grids (layout/grid.h): one grid a launch, for all buffers
 * that are such. */
#ifndef DL_INTERCEPT_GRIDS_H
#define DL_INTERCEPT_GRIDS_H

#include "args.h"
#include "libdl_intercept/state/order.h"

/* False of grids where the layout is one of structs, and of those where it is a grid's.
 */
bool dl__grids_may_move(const struct dl_buffer_note *note);
/* The grid of this launch, for *layout. False: it has none, or one that is none: what is
 * wrong with it is said once, and the kernel must run as written. */
bool dl__grids_choose(const struct dl__ndrange *range,
                      struct dl_layout *layout) DL__WITH_LOCK;
/* What a buffer is to be in, of a kernel with grids where the launch is on `layout`, or
 * of any where that is a grid's. */
struct dl_layout dl__grids_wanted(const struct dl__kernel *kernel, size_t buffer,
                                  const struct dl_launch *launch,
                                  const struct dl_layout *layout) DL__WITH_LOCK;
/* The same of a launch that is not evaluated yet. */
struct dl_layout dl__grids_bound(const struct dl__ndrange *range, size_t buffer,
                                 const struct dl_layout *layout) DL__WITH_LOCK;

#endif
