/* SPDX-License-Identifier: MIT */
/* OpenCL by name: the functions of whatever ICD loader this library is linked to. */
#include "internal.h"

#define NAMES(X)                                                                         \
    X(clGetDeviceInfo)                                                                   \
    X(clCreateProgramWithSource)                                                         \
    X(clBuildProgram)                                                                    \
    X(clGetProgramBuildInfo)                                                             \
    X(clReleaseProgram)                                                                  \
    X(clCreateKernel)                                                                    \
    X(clReleaseKernel)                                                                   \
    X(clSetKernelArg)                                                                    \
    X(clGetKernelWorkGroupInfo)                                                          \
    X(clCreateBuffer)                                                                    \
    X(clReleaseMemObject)                                                                \
    X(clGetMemObjectInfo)                                                                \
    X(clGetCommandQueueInfo)                                                             \
    X(clRetainCommandQueue)                                                              \
    X(clReleaseCommandQueue)                                                             \
    X(clEnqueueNDRangeKernel)                                                            \
    X(clEnqueueMarkerWithWaitList)                                                       \
    X(clGetEventInfo)                                                                    \
    X(clRetainEvent)                                                                     \
    X(clReleaseEvent)

/* Python's is linked to none: there may be no loader but the one in pyopencl's package.
 */
#ifdef DL_WITHOUT_LOADER
#define WEAK(name) extern __typeof__(name) name __attribute__((weak));
NAMES(WEAK)
#endif

void dl__names_fill(cl_icd_dispatch *cl)
{
#define FILL(name) cl->name = name;
    NAMES(FILL)
}
