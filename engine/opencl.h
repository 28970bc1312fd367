/* SPDX-License-Identifier: MIT */
/* The device of one OpenCL context. */
#ifndef DL_OPENCL_H
#define DL_OPENCL_H

#include <CL/cl_icd.h>

#include "binaries.h"
#include "device_ops.h"

struct dl__opencl {
    const cl_icd_dispatch *cl; /* borrowed */
    cl_context context;        /* retained by the objects made in it */
    cl_device_id device;
    const struct dl__binaries *binaries; /* borrowed; NULL: none are kept */
    bool kept_only; /* builds from source fail: CL_COMPILER_NOT_AVAILABLE */
    /* NVIDIA reports 256 as the largest work-group of every kernel, even of those that it
     * has built for larger ones and runs. */
    bool understates_groups;
};

/* Keeps a program's binary if its length is not `bytes`, and sets that. */
void dl__opencl_keep(const struct dl__opencl *opencl, size_t count, const char **texts,
                     cl_program program, size_t *bytes);

/* The functions for a `struct dl__opencl`. OpenCL is reached only through `cl`, never by
 * name, so that what is called here cannot be intercepted by DL itself. Only OpenCL 1.2
 * is used. */
extern const struct dl__device_ops dl__opencl_ops;

#endif
