/* SPDX-License-Identifier: MIT */
/* What a small OpenCL program does. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "work.h"

#include <stdio.h>
#include <stdlib.h>

#include <CL/cl.h>

enum { STRUCTS = 2000, STRUCT_BYTES = 32 };

static const char *const text =
    "typedef struct { float a, b, c, d; int e[4]; } item;\n"
    "__kernel void advance(__global item *items, int n)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (i < n) { items[i].b += items[i].a * 0.5f; items[i].e[2] += i; }\n"
    "}\n";

static void check(const char *call, cl_int err)
{
    if (err == CL_SUCCESS)
        return;
    printf("%s: error %d\n", call, err);
    fflush(stdout);
    _Exit(9);
}

unsigned long guest_work(int launches)
{
    size_t n = STRUCTS;
    cl_int err, count = STRUCTS;
    cl_platform_id platform;
    cl_device_id device;
    unsigned char *bytes = malloc(STRUCTS * STRUCT_BYTES);
    unsigned long hash = 14695981039346656037ul;

    for (size_t i = 0; i < STRUCTS * STRUCT_BYTES / sizeof(float); i++)
        ((float *)bytes)[i] = (float)(i % 1000) * 0.25f;
    check("clGetPlatformIDs", clGetPlatformIDs(1, &platform, NULL));
    check("clGetDeviceIDs",
          clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    check("clCreateContext", err);
    cl_command_queue queue =
        clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &err);
    check("clCreateCommandQueue", err);
    cl_program program =
        clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &err);
    check("clCreateProgramWithSource", err);
    check("clBuildProgram", clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "advance", &err);
    check("clCreateKernel", err);
    cl_mem items = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                  STRUCTS * STRUCT_BYTES, bytes, &err);
    check("clCreateBuffer", err);
    check("clSetKernelArg", clSetKernelArg(kernel, 0, sizeof items, &items));
    check("clSetKernelArg", clSetKernelArg(kernel, 1, sizeof count, &count));
    for (int i = 0; i < launches; i++)
        check("clEnqueueNDRangeKernel",
              clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL));
    check("clEnqueueReadBuffer",
          clEnqueueReadBuffer(queue, items, CL_TRUE, 0, STRUCTS * STRUCT_BYTES, bytes, 0,
                              NULL, NULL));
    check("clFinish", clFinish(queue));
    for (size_t i = 0; i < STRUCTS * STRUCT_BYTES; i++)
        hash = (hash ^ bytes[i]) * 1099511628211ul;
    clReleaseMemObject(items);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(bytes);
    return hash;
}
