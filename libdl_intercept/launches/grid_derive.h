/* SPDX-License-Identifier: MIT */
/* Layouts of grids that nobody gave one: derived from the accesses, the work-groups and the device. */
#ifndef DL_INTERCEPT_GRID_DERIVE_H
#define DL_INTERCEPT_GRID_DERIVE_H

#include "annotate/notes.h"
#include "libdl_intercept/state/queues.h"

/* False: there is none, or it is the program's own; *reason is a static clause. */
bool dl__grid_derive(const struct dl_buffer_note *note, const struct dl_grid *grid,
                     const struct dl_launch *launch, struct dl__queue *queue,
                     struct dl_grid_layout *out, const char **reason) DL__WITH_LOCK;

#endif
