/* SPDX-License-Identifier: MIT */
/* What the hooks of programs and their kernels share. */
#ifndef DL_INTERCEPT_HOOKS_PROGRAM_H
#define DL_INTERCEPT_HOOKS_PROGRAM_H

#include "libdl_intercept/programs/rewrite.h"

/* The record of a program that the driver has just made; NULL: none. */
struct dl__program *dl__program_record(cl_program handle, cl_context context,
                                       enum dl__origin origin);
/* The devices that a program is built for: those given, or the context's. NULL: not to be
 * had. The caller frees it. Annotations are read for the first one's compiler. */
cl_device_id *dl__built_devices(cl_context context, cl_uint count,
                                const cl_device_id *devices, cl_uint *count_out);
/* Before a launch of a kernel whose text was not read when it was made: it may be by now.
 */
void dl__kernel_read(struct dl__kernel *kernel);
/* It is built anew: its binaries have other sizes. */
void dl__program_forget_bytes(struct dl__program *program) DL__WITH_LOCK;
/* What building a program from a binary that DL knows may make of it, not settled yet;
 * NULL: nothing that concerns DL. */
struct dl__rewrite *dl__recalled_rewrite(const struct dl__program *program,
                                         const char *options, cl_uint device_count,
                                         const cl_device_id *devices);
/* It is built: says if it is not transformed because of the options. */
void dl__recalled_warn(const struct dl__program *program, const char *options);

#endif
