/* SPDX-License-Identifier: MIT */
/* The OpenCL device that the marshaling tests run on. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One context for all tests of a process: PoCL reads its library of built-in functions
 * anew for each context that builds something, which takes longer than to build one of
 * our programs. */
static cl_context kept;

cl_device_id device_find(cl_device_type type)
{
    const char *part = getenv("DL_TEST_DEVICE");
    cl_platform_id platforms[16];
    cl_uint platform_count = 0;

    if (clGetPlatformIDs(16, platforms, &platform_count) != CL_SUCCESS)
        platform_count = 0;
    for (cl_uint p = 0; p < platform_count && p < 16; p++) {
        cl_device_id ids[16];
        cl_uint count = 0;
        if (clGetDeviceIDs(platforms[p], part ? CL_DEVICE_TYPE_ALL : type, 16, ids,
                           &count) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < count && d < 16; d++) {
            char name[256] = "";
            clGetDeviceInfo(ids[d], CL_DEVICE_NAME, sizeof name - 1, name, NULL);
            if (part && strstr(name, part))
                printf("on %s\n", name);
            if (!part || strstr(name, part))
                return ids[d];
        }
    }
    if (part) {
        fprintf(stderr, "no OpenCL device has DL_TEST_DEVICE=%s in its name\n", part);
        exit(1);
    }
    return NULL;
}

void device_open(struct device *device)
{
    cl_int err = CL_SUCCESS;

    memset(device, 0, sizeof *device);
    device->id = device_find(CL_DEVICE_TYPE_ALL);
    if (!device->id) {
        fprintf(stderr, "no OpenCL device: skipped\n");
        exit(77);
    }
#define ENTRY(name) device->cl.name = name
    ENTRY(clGetDeviceInfo);
    ENTRY(clCreateProgramWithSource);
    ENTRY(clCreateProgramWithBinary);
    ENTRY(clGetProgramInfo);
    ENTRY(clBuildProgram);
    ENTRY(clGetProgramBuildInfo);
    ENTRY(clReleaseProgram);
    ENTRY(clCreateKernel);
    ENTRY(clCreateKernelsInProgram);
    ENTRY(clReleaseKernel);
    ENTRY(clSetKernelArg);
    ENTRY(clGetKernelWorkGroupInfo);
    ENTRY(clCreateBuffer);
    ENTRY(clReleaseMemObject);
    ENTRY(clCreateCommandQueue);
    ENTRY(clReleaseCommandQueue);
    ENTRY(clGetCommandQueueInfo);
    ENTRY(clEnqueueNDRangeKernel);
    ENTRY(clEnqueueNativeKernel);
    ENTRY(clEnqueueFillBuffer);
    ENTRY(clEnqueueReadBuffer);
    ENTRY(clEnqueueMarkerWithWaitList);
    ENTRY(clFinish);
    ENTRY(clGetEventInfo);
    ENTRY(clRetainEvent);
    ENTRY(clReleaseEvent);
#undef ENTRY
    if (!kept)
        kept = clCreateContext(NULL, 1, &device->id, NULL, NULL, &err);
    device->context = kept;
    if (kept)
        device->queue = device_queue_make(device, 0);
    if (!device->queue) {
        fprintf(stderr, "the OpenCL device can't be used: %d\n", err);
        exit(1);
    }
}

void device_close(struct device *device)
{
    clFinish(device->queue); /* what is left of one test is no other's */
    clReleaseCommandQueue(device->queue);
}

cl_command_queue device_queue_make(struct device *device,
                                   cl_command_queue_properties properties)
{
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, properties, 0};
    cl_int err;

    return clCreateCommandQueueWithProperties(device->context, device->id, list, &err);
}
