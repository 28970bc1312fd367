/* SPDX-License-Identifier: MIT */
/* Buffers brought back without a kernel, by a function that the driver calls in a queue's
 * order. */
#ifndef DL_INTERCEPT_AT_HOST_H
#define DL_INTERCEPT_AT_HOST_H

#include "objects.h"
#include "records.h"

/* PoCL links a kernel when it is first launched, by a program that it looks for in PATH,
 * and ends the process where that fails: true on a CPU once the program's PATH has lost
 * the linker that it began with, and no kernel of DL's may be launched that was not
 * before. */
bool dl__device_lacks_linker(const struct dl__device *device);
/* Brings `mem` back to AoS, all of it in place, behind the events of the list.
 *   done    out; the caller releases it; may be NULL
 *   errors  the driver's; CL_OUT_OF_HOST_MEMORY */
cl_int dl__mem_back_at_host(struct dl__mem *mem, struct dl__queue *queue,
                            cl_uint wait_count, const cl_event *wait,
                            cl_event *done) DL__WITH_LOCK;

#endif
