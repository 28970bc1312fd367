/* SPDX-License-Identifier: MIT */
/* What programs of random kernels share. */
#include "random_programs.h"

#include <stdio.h>
#include <stdlib.h>

cl_context context;
cl_device_id device;
cl_command_queue queue;

static uint32_t state;

void draw_from(uint32_t seed, uint32_t kind)
{
    state = seed * 2654435761u + kind;
}

uint32_t below(uint32_t n)
{
    state = state * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)(state >> 8) * n >> 24);
}

void must_at(cl_int err, int line)
{
    if (err == CL_SUCCESS)
        return;
    printf("line %d: error %d\n", line, err);
    exit(1);
}

int random_programs(int argc, char **argv, void (*run)(uint32_t seed, bool text_alone))
{
    uint32_t first = argc > 1 ? (uint32_t)atoi(argv[1]) : 1;
    uint32_t count = argc > 2 ? (uint32_t)atoi(argv[2]) : 1;
    cl_platform_id platform;
    cl_uint found = 0;
    cl_int err;

    if (clGetPlatformIDs(1, &platform, &found) != CL_SUCCESS || !found ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return 77;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    must(err);
    queue = clCreateCommandQueue(context, device, 0, &err);
    must(err);
    for (uint32_t seed = first; seed < first + count; seed++)
        run(seed, argc > 3);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
