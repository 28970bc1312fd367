/* SPDX-License-Identifier: MIT */
/* dl-bench overhead: the program that is counted, without annotations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "overhead.h"

enum { MEMS = 300, KERNELS = 16, LARGE_BYTES = 200, ARG_LIMIT = 100, LAUNCH_LIMIT = 160 };

static struct {
    cl_command_queue queue;
    /* in turn: none of them lies better or worse in a table */
    cl_kernel kernels[KERNELS];
    cl_mem mems[MEMS];
} program;

void overhead_must(cl_int err, const char *what)
{
    if (err == CL_SUCCESS)
        return;
    fprintf(stderr, "dl-bench overhead: %s gave %d\n", what, err);
    exit(1);
}

static void call_arg_buffer(unsigned i)
{
    overhead_must(clSetKernelArg(program.kernels[i % KERNELS], 0, sizeof(cl_mem),
                                 &program.mems[i % MEMS]),
                  "clSetKernelArg");
}

static void call_arg_number(unsigned i)
{
    overhead_must(clSetKernelArg(program.kernels[i % KERNELS], 1, sizeof i, &i),
                  "clSetKernelArg");
}

static void call_arg_large(unsigned i)
{
    unsigned char value[LARGE_BYTES];

    memset(value, (int)i, sizeof value);
    overhead_must(clSetKernelArg(program.kernels[i % KERNELS], 2, sizeof value, value),
                  "clSetKernelArg");
}

static void call_arg_local(unsigned i)
{
    overhead_must(clSetKernelArg(program.kernels[i % KERNELS], 3, 64 + i % 2, NULL),
                  "clSetKernelArg");
}

static void call_launch(unsigned i)
{
    const size_t global = 64 + i % 2, local = 1;

    overhead_must(clEnqueueNDRangeKernel(program.queue, program.kernels[i % KERNELS], 1,
                                         NULL, &global, &local, 0, NULL, NULL),
                  "clEnqueueNDRangeKernel");
}

static void call_launch_event(unsigned i)
{
    static cl_event previous;
    const size_t global = 64;
    cl_event event;

    overhead_must(clEnqueueNDRangeKernel(program.queue, program.kernels[i % KERNELS], 1,
                                         NULL, &global, NULL, previous ? 1 : 0,
                                         previous ? &previous : NULL, &event),
                  "clEnqueueNDRangeKernel");
    if (previous)
        clReleaseEvent(previous);
    previous = event;
}

static const struct overhead_case cases[] = {
    {"clSetKernelArg, a buffer", call_arg_buffer, ARG_LIMIT, 0},
    {"clSetKernelArg, a number", call_arg_number, ARG_LIMIT, 0},
    {"clSetKernelArg, a large struct", call_arg_large, ARG_LIMIT, 0},
    {"clSetKernelArg, local memory", call_arg_local, ARG_LIMIT, 0},
    {"clEnqueueNDRangeKernel", call_launch, LAUNCH_LIMIT, 0},
    {"clEnqueueNDRangeKernel, events", call_launch_event, LAUNCH_LIMIT, 0},
};

static void program_open(void)
{
    static const char *const source =
        "typedef struct { int v[50]; } large;\n"
        "__kernel void nothing(__global int *a, int n, large b, __local char *l)\n"
        "{ if (n < 0) a[0] = b.v[1] + l[0]; }\n";
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_program built;
    cl_int err;

    overhead_find(&platform, &device);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    overhead_must(err, "clCreateContext");
    program.queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
    overhead_must(err, "clCreateCommandQueueWithProperties");
    built = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &err);
    overhead_must(err, "clCreateProgramWithSource");
    overhead_must(clBuildProgram(built, 1, &device, "", NULL, NULL), "clBuildProgram");
    for (size_t k = 0; k < KERNELS; k++) {
        program.kernels[k] = clCreateKernel(built, "nothing", &err);
        overhead_must(err, "clCreateKernel");
    }
    /* A table of objects is slower to look up in when there are many. */
    for (size_t m = 0; m < MEMS; m++) {
        program.mems[m] = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, &err);
        overhead_must(err, "clCreateBuffer");
    }
}

static void program_finish(void)
{
    overhead_must(clFinish(program.queue), "clFinish");
}

const struct overhead_program overhead_plain = {.title = "without annotations",
                                                .open = program_open,
                                                .finish = program_finish,
                                                .cases = cases,
                                                .case_count =
                                                    sizeof cases / sizeof *cases};
