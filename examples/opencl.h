/* SPDX-License-Identifier: MIT */
/* OpenCL for the examples, besides the library: a device, a queue, a buffer, an end. */
#ifndef EXAMPLES_OPENCL_H
#define EXAMPLES_OPENCL_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct opencl {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
};

static inline void check(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "%s failed\n", what);
    exit(1);
}

/* The first device of a type whose name has `part` in it; 0: there is none. */
static inline int opencl_find(cl_device_type type, const char *part, cl_device_id *device)
{
    cl_platform_id platforms[16];
    cl_uint platform_count = 0;

    check(clGetPlatformIDs(16, platforms, &platform_count) == CL_SUCCESS,
          "clGetPlatformIDs");
    for (cl_uint p = 0; p < platform_count && p < 16; p++) {
        cl_device_id devices[16];
        cl_uint count = 0;

        if (clGetDeviceIDs(platforms[p], type, 16, devices, &count) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < count && d < 16; d++) {
            char name[256] = "";

            clGetDeviceInfo(devices[d], CL_DEVICE_NAME, sizeof name, name, NULL);
            *device = devices[d];
            if (strstr(name, part))
                return 1;
        }
    }
    return 0;
}

/* A device whose name has `part` in it, a GPU where there is one. */
static inline struct opencl opencl_open(const char *part)
{
    struct opencl cl;
    cl_int err;

    check(opencl_find(CL_DEVICE_TYPE_GPU, part, &cl.device) ||
              opencl_find(CL_DEVICE_TYPE_ALL, part, &cl.device),
          "finding a device");
    cl.context = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &err);
    check(err == CL_SUCCESS, "clCreateContext");
    cl.queue = clCreateCommandQueue(cl.context, cl.device, 0, &err);
    check(err == CL_SUCCESS, "clCreateCommandQueue");
    return cl;
}

/* `host` is what it holds at first, or NULL. */
static inline cl_mem opencl_buffer(const struct opencl *cl, size_t bytes, void *host)
{
    cl_int err;
    cl_mem mem =
        clCreateBuffer(cl->context, CL_MEM_READ_WRITE | (host ? CL_MEM_COPY_HOST_PTR : 0),
                       bytes, host, &err);

    check(err == CL_SUCCESS, "clCreateBuffer");
    return mem;
}

static inline void opencl_read(const struct opencl *cl, cl_mem mem, size_t bytes,
                               void *host)
{
    check(clEnqueueReadBuffer(cl->queue, mem, CL_TRUE, 0, bytes, host, 0, NULL, NULL) ==
              CL_SUCCESS,
          "clEnqueueReadBuffer");
}

static inline void opencl_close(struct opencl *cl)
{
    clReleaseCommandQueue(cl->queue);
    clReleaseContext(cl->context);
}

#endif
