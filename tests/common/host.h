/* SPDX-License-Identifier: MIT */
/* For small OpenCL programs that a test runs as they are and under DL: a device with what
 * is made on it. The first call that fails ends the program with exit code 1, or 77 where
 * the device has no such images. */
#ifndef DL_TESTS_HOST_H
#define DL_TESTS_HOST_H

#include <stdio.h>
#include <stdlib.h>

#include <CL/cl.h>

struct host {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
};

static inline void must_at(cl_int err, const char *file, int line)
{
    if (err == CL_SUCCESS)
        return;
    printf("%s:%d: error %d\n", file, line, err);
    exit(err == CL_IMAGE_FORMAT_NOT_SUPPORTED ? 77 : 1);
}
#define must(err) must_at(err, __FILE__, __LINE__)

static inline cl_command_queue host_queue(const struct host *host)
{
    cl_int err;
    cl_command_queue queue = clCreateCommandQueue(host->context, host->device, 0, &err);

    must(err);
    return queue;
}

/* Without a program. */
static inline struct host host_open(void)
{
    struct host host = {NULL};
    cl_platform_id platform;
    cl_int err;

    must(clGetPlatformIDs(1, &platform, NULL));
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &host.device, NULL));
    host.context = clCreateContext(NULL, 1, &host.device, NULL, NULL, &err);
    must(err);
    host.queue = host_queue(&host);
    return host;
}

/* With a program of this text. */
static inline struct host host_open_with(const char *text)
{
    struct host host = host_open();
    cl_int err;

    host.program = clCreateProgramWithSource(host.context, 1, &text, NULL, &err);
    must(err);
    must(clBuildProgram(host.program, 1, &host.device, "", NULL, NULL));
    return host;
}

static inline cl_kernel host_kernel(const struct host *host, const char *name)
{
    cl_int err;
    cl_kernel kernel = clCreateKernel(host->program, name, &err);

    must(err);
    return kernel;
}

/* A buffer that begins with these bytes. */
static inline cl_mem host_buffer(const struct host *host, void *data, size_t bytes)
{
    cl_int err;
    cl_mem mem = clCreateBuffer(host->context, CL_MEM_COPY_HOST_PTR, bytes, data, &err);

    must(err);
    return mem;
}

static inline void host_launch(cl_command_queue queue, cl_kernel kernel, size_t items)
{
    must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
}

static inline void host_close(struct host *host)
{
    must(clReleaseProgram(host->program));
    must(clReleaseCommandQueue(host->queue));
    must(clReleaseContext(host->context));
}

#endif
