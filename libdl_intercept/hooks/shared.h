/* SPDX-License-Identifier: MIT */
/* Functions through which one file of hooks calls another. */
#ifndef DL_INTERCEPT_HOOKS_SHARED_H
#define DL_INTERCEPT_HOOKS_SHARED_H

#include "libdl_intercept/programs/kernels.h"
#include "libdl_intercept/state/records.h"

/* True when the kernel of this program, for which there is no note, reads discrete
 * arrays. */
bool dl__demands_kernel(const struct dl__program *program,
                        const char *kernel) DL__WITH_LOCK;

/* The errors that a driver has for the wait list of a command. */
cl_int dl__waits_check(const struct dl__queue *queue, cl_uint count,
                       const cl_event *list);

/* Buffers that the host wants to see in another layout than AoS (hooks_layout.c). */

/* Has the buffer as its host wants it. */
cl_int dl__mem_to_host(struct dl__mem *mem, struct dl__queue *queue) DL__WITH_LOCK;
/* Prepares what dl__mem_written_by_host needs, before a command that overwrites the whole
 * buffer. */
cl_int dl__mem_prepare_host(struct dl__mem *mem, struct dl__queue *queue) DL__WITH_LOCK;
/* The host overwrote the whole buffer: it lies as the host wants it. */
void dl__mem_written_by_host(struct dl__mem *mem) DL__WITH_LOCK;

#endif
