/* SPDX-License-Identifier: MIT */
/* Buffers that the host wants to see in another layout than AoS (include/dl.h). */
#ifndef DL_INTERCEPT_HOST_LAYOUT_H
#define DL_INTERCEPT_HOST_LAYOUT_H

#include "libdl_intercept/state/residence.h"

/* What the host wants of the buffer; AoS: as the program wrote it. Takes over `leaves`.
 *   errors  CL_OUT_OF_HOST_MEMORY: nothing has changed */
cl_int dl__mem_set_host(struct dl__mem *mem, struct dl_layout layout,
                        struct dl_leaf_table *leaves) DL__WITH_LOCK;

/* Converts the buffer to the layout on the queue, where it is not there already.
 *   errors  CL_INVALID_OPERATION: it can't be converted; the driver's code */
cl_int dl__mem_convert(struct dl__mem *mem, struct dl__queue *queue,
                       struct dl_layout layout,
                       const struct dl_leaf_table *leaves) DL__WITH_LOCK;

/* Has the buffer as its host wants it. */
cl_int dl__mem_to_host(struct dl__mem *mem, struct dl__queue *queue) DL__WITH_LOCK;
/* Prepares what dl__mem_written_by_host needs, before a command that overwrites the whole
 * buffer. */
cl_int dl__mem_prepare_host(struct dl__mem *mem, struct dl__queue *queue) DL__WITH_LOCK;
/* The host overwrote the whole buffer: it lies as the host wants it. */
void dl__mem_written_by_host(struct dl__mem *mem) DL__WITH_LOCK;

#endif
