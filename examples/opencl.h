/* SPDX-License-Identifier: MIT */
/* What the examples need of OpenCL besides the library: a device, a queue, a buffer, an
 * end. */
#ifndef EXAMPLES_OPENCL_H
#define EXAMPLES_OPENCL_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

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

/* The first device of the first platform. */
static inline struct opencl opencl_open(void)
{
    struct opencl cl;
    cl_platform_id platform;
    cl_int err;

    check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &cl.device, NULL) == CL_SUCCESS,
          "clGetDeviceIDs");
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
