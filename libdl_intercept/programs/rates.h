/* SPDX-License-Identifier: MIT */
/* What a device is good for before anything is measured in this run: what its file says
 * (marshal_kernels/marshal.h), and how fast it copies where that is a guess and an
 * earlier run's builder has measured it. */
#ifndef DL_INTERCEPT_RATES_H
#define DL_INTERCEPT_RATES_H

#include "marshal_kernels/marshal.h"

#include <CL/cl.h>

/* Reads the cache, for a GPU that has no file. */
void dl__device_rates(cl_device_id device, bool is_cpu, struct dl_rates *out);

/* In the builder. Copies a few times within the device, some milliseconds on a slow GPU,
 * where nobody has measured the device and nothing is kept of it; what comes out is kept.
 * CPUs are left alone: what they copy hangs on who else has the cores. */
void dl__device_measure(cl_context context, cl_device_id device);

#endif
