/* SPDX-License-Identifier: MIT */
/* See unload_work.h. As a library it is linked with OpenCL, and has work_run. */
#include "unload_work.h"

#include <string.h>

#include <CL/cl.h>

enum { ITEMS = 77, BYTES = ITEMS * 12 };

static const char *const source =
    "typedef struct { float x, y; int n; } particle;\n"
    "//DL: AoS: p[n]\n"
    "__kernel void fake_step(__global particle *p, int n)\n"
    "{ int i = get_global_id(0); if (i < n) { p[i].x += p[i].y; p[i].n++; } }\n";

/* What is used of OpenCL. */
#define FUNCTIONS(X)                                                                     \
    X(clGetPlatformIDs)                                                                  \
    X(clGetDeviceIDs)                                                                    \
    X(clCreateContext)                                                                   \
    X(clCreateCommandQueueWithProperties)                                                \
    X(clCreateProgramWithSource)                                                         \
    X(clBuildProgram)                                                                    \
    X(clCreateKernel)                                                                    \
    X(clCreateBuffer)                                                                    \
    X(clSetKernelArg)                                                                    \
    X(clEnqueueNDRangeKernel)                                                            \
    X(clEnqueueReadBuffer)                                                               \
    X(clReleaseMemObject)                                                                \
    X(clReleaseKernel)                                                                   \
    X(clReleaseProgram)                                                                  \
    X(clReleaseCommandQueue)                                                             \
    X(clReleaseContext)

struct functions {
#define X(name) __typeof__(name) *name;
    FUNCTIONS(X)
#undef X
};

static int work(const struct functions *cl)
{
    const size_t global = ITEMS;
    const cl_int n = ITEMS;
    unsigned char bytes[BYTES];
    cl_int err[6], failed = 0;
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem buffer;

    memset(bytes, 3, sizeof bytes);
    if (cl->clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
        cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return 1;
    context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &err[0]);
    queue = cl->clCreateCommandQueueWithProperties(context, device, NULL, &err[1]);
    program =
        cl->clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &err[2]);
    err[3] = cl->clBuildProgram(program, 1, &device, "", NULL, NULL);
    kernel = cl->clCreateKernel(program, "fake_step", &err[4]);
    buffer = cl->clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, BYTES,
                                bytes, &err[5]);
    for (int i = 0; i < 6; i++)
        failed |= err[i];
    for (int launch = 0; launch < 3 && !failed; launch++) {
        failed |= cl->clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
        failed |= cl->clSetKernelArg(kernel, 1, sizeof n, &n);
        failed |= cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0,
                                             NULL, NULL);
        failed |= cl->clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, BYTES, bytes, 0,
                                          NULL, NULL);
    }
    failed |= cl->clReleaseMemObject(buffer);
    failed |= cl->clReleaseKernel(kernel);
    failed |= cl->clReleaseProgram(program);
    failed |= cl->clReleaseCommandQueue(queue);
    failed |= cl->clReleaseContext(context);
    return failed;
}

#ifdef UNLOAD_LINKED
int work_run(lookup_fn lookup, void *library);
int work_run(lookup_fn lookup, void *library)
{
    const struct functions linked = {
#define X(name) name,
        FUNCTIONS(X)
#undef X
    };

    (void)lookup;
    (void)library;
    return work(&linked);
}
#else
int work_through(lookup_fn lookup, void *library)
{
    struct functions found;
    void *function;

#define X(name)                                                                          \
    function = lookup(library, #name);                                                   \
    if (!function)                                                                       \
        return 1;                                                                        \
    memcpy(&found.name, &function, sizeof function);
    FUNCTIONS(X)
#undef X
    return work(&found);
}
#endif
