/* SPDX-License-Identifier: MIT */
/* A program's use of OpenCL, the same whichever way it reached the functions: all wrapped
 * entry points, right and wrong. CALL(name) is the function, and counts its calls. */
#ifndef TESTS_INTERCEPT_CALLS_H
#define TESTS_INTERCEPT_CALLS_H

#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>

/* The functions that calls.c uses and libdl_intercept does not wrap. */
#define UNWRAPPED_MAP(X)                                                                 \
    X(clGetPlatformIDs)                                                                  \
    X(clGetPlatformInfo)                                                                 \
    X(clGetDeviceIDs)                                                                    \
    X(clGetProgramBuildInfo)                                                             \
    X(clGetKernelInfo)                                                                   \
    X(clGetKernelArgInfo)                                                                \
    X(clGetKernelWorkGroupInfo)                                                          \
    X(clWaitForEvents)                                                                   \
    X(clSetMemObjectDestructorCallback)                                                  \
    X(clEnqueueMarkerWithWaitList)                                                       \
    X(clSVMAlloc)                                                                        \
    X(clSVMFree)                                                                         \
    X(clFlush)

/* Prints what it sees to standard output; CALLS_COUNTS names a file for the counts. */
void calls_run(void);

#endif
