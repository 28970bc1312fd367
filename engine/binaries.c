/* SPDX-License-Identifier: MIT */
/* Binaries of built programs, out of a driver and back. */
#include "binaries.h"

#include <stdlib.h>

#include "poclbin.h"

enum { BINARY_BYTES_MAX = 64 << 20 };

/* Makes each kernel once. A driver that crashes on one of them then does so before the
 * binary is kept. Otherwise the next program would take the binary from the cache and
 * crash itself. */
static void make_kernels_once(const cl_icd_dispatch *cl, cl_program program)
{
    cl_kernel *kernels;
    cl_uint count = 0;

    if (cl->clCreateKernelsInProgram(program, 0, NULL, &count) != CL_SUCCESS || !count ||
        !(kernels = calloc(count, sizeof *kernels)))
        return;
    if (cl->clCreateKernelsInProgram(program, count, kernels, NULL) == CL_SUCCESS)
        for (cl_uint k = 0; k < count; k++)
            cl->clReleaseKernel(kernels[k]);
    free(kernels);
}

void *dl__binary_of(const cl_icd_dispatch *cl, cl_program program, cl_device_id device,
                    size_t *bytes)
{
    cl_device_id *devices = NULL;
    unsigned char **binaries = NULL, *binary = NULL;
    size_t *sizes = NULL, at = 0;
    cl_uint count = 0;

    if (cl->clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof count, &count,
                             NULL) != CL_SUCCESS ||
        !count)
        return NULL;
    make_kernels_once(cl, program);
    devices = calloc(count, sizeof *devices);
    sizes = calloc(count, sizeof *sizes);
    binaries = calloc(count, sizeof *binaries);
    if (!devices || !sizes || !binaries ||
        cl->clGetProgramInfo(program, CL_PROGRAM_DEVICES, count * sizeof *devices,
                             devices, NULL) != CL_SUCCESS ||
        cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, count * sizeof *sizes,
                             sizes, NULL) != CL_SUCCESS)
        goto out;
    while (at < count && devices[at] != device)
        at++;
    if (at == count || !sizes[at] || sizes[at] > BINARY_BYTES_MAX)
        goto out;
    /* The others stay NULL: they are not wanted. */
    binary = binaries[at] = calloc(1, sizes[at]);
    *bytes = sizes[at];
    if (binary &&
        (cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES, count * sizeof *binaries,
                              binaries, NULL) != CL_SUCCESS ||
         dl__poclbin_is_broken(binary, *bytes))) {
        free(binary);
        binary = NULL;
    }
out:
    free(devices);
    free(sizes);
    free(binaries);
    return binary;
}

cl_program dl__binary_build(const cl_icd_dispatch *cl, cl_context context,
                            cl_device_id device, const void *binary, size_t bytes,
                            const char *options)
{
    const unsigned char *from = binary;
    cl_int err, status = CL_SUCCESS;
    cl_program program;

    if (dl__poclbin_is_broken(binary, bytes))
        return NULL;
    program =
        cl->clCreateProgramWithBinary(context, 1, &device, &bytes, &from, &status, &err);
    if (program &&
        (err != CL_SUCCESS || status != CL_SUCCESS ||
         cl->clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS)) {
        cl->clReleaseProgram(program);
        program = NULL;
    }
    return program;
}
