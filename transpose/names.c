/* SPDX-License-Identifier: MIT */
/* OpenCL by name: the functions of whatever ICD loader this library is linked to. */
#include "internal.h"

void dl__names_fill(cl_icd_dispatch *cl)
{
#define ENTRY(name) cl->name = name
    ENTRY(clGetDeviceInfo);
    ENTRY(clCreateProgramWithSource);
    ENTRY(clBuildProgram);
    ENTRY(clGetProgramBuildInfo);
    ENTRY(clReleaseProgram);
    ENTRY(clCreateKernel);
    ENTRY(clReleaseKernel);
    ENTRY(clSetKernelArg);
    ENTRY(clGetKernelWorkGroupInfo);
    ENTRY(clCreateBuffer);
    ENTRY(clReleaseMemObject);
    ENTRY(clGetMemObjectInfo);
    ENTRY(clGetCommandQueueInfo);
    ENTRY(clRetainCommandQueue);
    ENTRY(clReleaseCommandQueue);
    ENTRY(clEnqueueNDRangeKernel);
    ENTRY(clEnqueueMarkerWithWaitList);
    ENTRY(clGetEventInfo);
    ENTRY(clRetainEvent);
    ENTRY(clReleaseEvent);
#undef ENTRY
}
