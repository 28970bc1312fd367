/* SPDX-License-Identifier: MIT */
/* What a small OpenCL program does. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

enum { STRUCTS = 2000, STRUCT_BYTES = 32 };

#define ADVANCE                                                                          \
    "__kernel void advance(__global item *items, int n)\n"                               \
    "{\n"                                                                                \
    "    int i = get_global_id(0);\n"                                                    \
    "    if (i < n) { items[i].b += items[i].a * 0.5f; items[i].e[2] += i; }\n"          \
    "}\n"

static const char plain[] =
    "typedef struct { float a, b, c, d; int e[4]; } item;\n" ADVANCE;
static const char annotated[] =
    "typedef struct { float a, b, c, d; int e[4]; } item;\n//DL: AoS: items[n]\n" ADVANCE;
static const char discrete[] =
    "//DL: SoA: items[n][8]\n"
    "__kernel void advance(__global float *items, int n)\n"
    "{ int i = get_global_id(0); if (i < n) items[n + i] += items[i] * 0.5f; }\n";

static const char *text_of(const char *kernel)
{
    if (kernel && strcmp(kernel, "annotated") == 0)
        return annotated;
    return kernel && strcmp(kernel, "soa") == 0 ? discrete : plain;
}

static void check(const char *call, cl_int err)
{
    if (err == CL_SUCCESS)
        return;
    printf("%s: error %d\n", call, err);
    fflush(stdout);
    _Exit(9);
}

static struct {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem items;
} cl;

void guest_begin(void)
{
    const char *text = text_of(getenv("GUEST_KERNEL"));
    cl_int err, count = STRUCTS;
    cl_platform_id platform;
    cl_device_id device;
    float *start = malloc(STRUCTS * STRUCT_BYTES);

    for (size_t i = 0; i < STRUCTS * STRUCT_BYTES / sizeof *start; i++)
        start[i] = (float)(i % 1000) * 0.25f;
    check("clGetPlatformIDs", clGetPlatformIDs(1, &platform, NULL));
    check("clGetDeviceIDs",
          clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl.context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    check("clCreateContext", err);
    cl.queue = clCreateCommandQueue(cl.context, device, CL_QUEUE_PROFILING_ENABLE, &err);
    check("clCreateCommandQueue", err);
    cl.program = clCreateProgramWithSource(cl.context, 1, &text, NULL, &err);
    check("clCreateProgramWithSource", err);
    check("clBuildProgram", clBuildProgram(cl.program, 1, &device, "", NULL, NULL));
    cl.kernel = clCreateKernel(cl.program, "advance", &err);
    check("clCreateKernel", err);
    cl.items = clCreateBuffer(cl.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                              STRUCTS * STRUCT_BYTES, start, &err);
    check("clCreateBuffer", err);
    check("clSetKernelArg", clSetKernelArg(cl.kernel, 0, sizeof cl.items, &cl.items));
    check("clSetKernelArg", clSetKernelArg(cl.kernel, 1, sizeof count, &count));
    free(start);
}

void guest_mistakes(void)
{
    static void *nothing[64];
    cl_device_id device = (cl_device_id)nothing;
    cl_int err = CL_SUCCESS;

    /* As behind a call for devices that has failed: the context is looked at first. */
    clCreateCommandQueue(NULL, device, 0, &err);
    printf("no context %d\n", err);
    printf("no program %d\n", clBuildProgram(NULL, 1, &device, "", NULL, NULL));
    clCreateKernel(NULL, "advance", &err);
    printf("no program %d\n", err);
    fflush(stdout);
}

void guest_launch(int launches)
{
    size_t n = STRUCTS;

    for (int i = 0; i < launches; i++)
        check("clEnqueueNDRangeKernel",
              clEnqueueNDRangeKernel(cl.queue, cl.kernel, 1, NULL, &n, NULL, 0, NULL,
                                     NULL));
}

int guest_launch_empty_groups(void)
{
    const size_t n = STRUCTS, none = 0;

    return clEnqueueNDRangeKernel(cl.queue, cl.kernel, 1, NULL, &n, &none, 0, NULL, NULL);
}

void guest_touch(void)
{
    const int four = 4;
    cl_int err;
    int *mapped;

    check("clEnqueueFillBuffer",
          clEnqueueFillBuffer(cl.queue, cl.items, &four, sizeof four, 64, 640, 0, NULL,
                              NULL));
    mapped = clEnqueueMapBuffer(cl.queue, cl.items, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                1024, 512, 0, NULL, NULL, &err);
    check("clEnqueueMapBuffer", err);
    mapped[7]++;
    check("clEnqueueUnmapMemObject",
          clEnqueueUnmapMemObject(cl.queue, cl.items, mapped, 0, NULL, NULL));
}

void guest_wait(void)
{
    check("clFinish", clFinish(cl.queue));
}

static unsigned long hash_of(const unsigned char *bytes)
{
    unsigned long hash = 14695981039346656037ul;

    for (size_t i = 0; i < STRUCTS * STRUCT_BYTES; i++)
        hash = (hash ^ bytes[i]) * 1099511628211ul;
    return hash;
}

static void release_all_else(void)
{
    clReleaseKernel(cl.kernel);
    clReleaseProgram(cl.program);
    clReleaseCommandQueue(cl.queue);
    clReleaseContext(cl.context);
}

unsigned long guest_end_mapped(void)
{
    unsigned long hash;
    cl_int err;
    unsigned char *mapped =
        clEnqueueMapBuffer(cl.queue, cl.items, CL_TRUE, CL_MAP_READ, 0,
                           STRUCTS * STRUCT_BYTES, 0, NULL, NULL, &err);

    check("clEnqueueMapBuffer", err);
    check("clReleaseMemObject", clReleaseMemObject(cl.items));
    guest_wait();
    hash = hash_of(mapped);
    release_all_else();
    return hash;
}

unsigned long guest_end(void)
{
    unsigned long hash;
    unsigned char *bytes = malloc(STRUCTS * STRUCT_BYTES);

    check("clEnqueueReadBuffer",
          clEnqueueReadBuffer(cl.queue, cl.items, CL_TRUE, 0, STRUCTS * STRUCT_BYTES,
                              bytes, 0, NULL, NULL));
    hash = hash_of(bytes);
    clReleaseMemObject(cl.items);
    release_all_else();
    free(bytes);
    return hash;
}

unsigned long guest_work(int launches)
{
    guest_begin();
    guest_launch(launches);
    guest_wait();
    return guest_end();
}
