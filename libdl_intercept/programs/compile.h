/* SPDX-License-Identifier: MIT */
/* Programs of DL's own: making and building them. */
#ifndef DL_INTERCEPT_COMPILE_H
#define DL_INTERCEPT_COMPILE_H

#include <stdbool.h>

#include <CL/cl.h>

/* CL_DEVICE_EXTENSIONS; NULL: not to be had. The caller frees it. */
char *dl__device_extensions(cl_device_id device);

/* "-D__OPENCL_VERSION__=300" of a device of "OpenCL 3.0 ..."; false: it does not say. */
bool dl__device_version(cl_device_id device, char *out, size_t bytes);
/* True when kernels get texts that access whole structs together: where they are asked
 * for, or `auto` may try them since it is known what they bring on the device; or in
 * tests. */
bool dl__device_has_second_texts(cl_device_id device);
/* Build options without -Werror and with -w, and `more`: generated text may warn where
 * the program's does not, and a compiler in the process (PoCL's) counts warnings on
 * standard error. NULL: out of memory; the caller frees it. */
char *dl__options_quiet(const char *options, const char *more);
/* A program of DL's own; NULL: it can't be made. */
cl_program dl__program_from_text(cl_context context, const char *text);
/* The build log, at debug level. */
void dl__program_log_build(cl_program program, cl_device_id device);

#endif
