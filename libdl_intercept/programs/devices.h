/* SPDX-License-Identifier: MIT */
/* Devices and their compilers: what they are, how they are found by name, what their
 * compilers take to be so, and how fast they copy. */
#ifndef DL_INTERCEPT_DEVICES_H
#define DL_INTERCEPT_DEVICES_H

#include <CL/cl.h>
#include <stdbool.h>

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/state/records.h"
#include "marshal_kernels/marshal.h"
#include "pack.h"

/* False of NULL. */
bool dl__device_is_gpu(cl_device_id device);
/* Build options without -Werror and with -w, and `more`: generated text may warn where
 * the program's does not, and a compiler in the process (PoCL's) counts warnings on
 * standard error. NULL: out of memory; the caller frees it. */
char *dl__options_quiet(const char *options, const char *more);
/* A program of DL's own; NULL: it can't be made. */
static inline cl_program dl__program_from_text(cl_context context, const char *text)
{
    cl_int err;
    cl_program program =
        dl__next.clCreateProgramWithSource(context, 1, &text, NULL, &err);

    return err == CL_SUCCESS ? program : NULL;
}

/* Sets the function that makes OpenCL known to the library, which is called when the
 * first device is looked for. */
void dl__devices_start(void (*start_drivers)(void));
/* NULL: the builder has no such device, as of sub-devices, or of those that only the
 * program sees.
 *   name  as of dl__cache_name_device */
cl_device_id dl__devices_find(const void *name, size_t bytes);
/* One for each device and thread, as old as the builder: what one thread builds holds
 * nobody up. NULL: none to be had. */
struct dl__context *dl__devices_context(cl_device_id device);

/* The rates of a device before anything is measured in this run: those of its file
 * (marshal_kernels/marshal.h), and its copy speed where the file only guesses that and
 * the builder of an earlier run has measured it. */

/* Reads the cache, for a GPU that has no file. */
void dl__device_rates(cl_device_id device, bool is_cpu, struct dl_rates *out);

/* In the builder. Copies a few times within the device, some milliseconds on a slow GPU,
 * where nobody has measured the device and nothing is kept of it; what comes out is kept.
 * CPUs are left alone: what they copy hangs on who else has the cores. */
void dl__device_measure(cl_context context, cl_device_id device);

#endif
