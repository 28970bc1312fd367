/* SPDX-License-Identifier: MIT */
/* A small matrix transposed again and again by one plan, beside a kernel that does
 * nothing, in turns:
 *
 *     transpose_small [ROWS COLS ELEMENT_BYTES [DEVICE]]
 *
 * What a call costs in a row of them, by the clock, and what its kernels take on the
 * device, each the median of several rows. DEVICE is a part of its name. Exit code 1: a
 * failure, or a wrong result. */
#include <CL/cl.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dl_transpose.h"

/* An even number of calls leaves a matrix as it was, if it is a square or its two plans
 * take turns. */
enum { CALLS = 1000, ROWS_OF_CALLS = 9 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue, timed; /* the latter with profiling */
static cl_kernel empty;

static bool open_device(const char *name)
{
    cl_platform_id platforms[8];
    cl_uint count = 0;

    clGetPlatformIDs(8, platforms, &count);
    for (cl_uint p = 0; p < count && p < 8; p++) {
        cl_device_id devices[8];
        cl_uint device_count = 0;
        clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 8, devices, &device_count);
        for (cl_uint d = 0; d < device_count && d < 8; d++) {
            char text[256] = "";
            clGetDeviceInfo(devices[d], CL_DEVICE_NAME, sizeof text - 1, text, NULL);
            if (!strstr(text, name))
                continue;
            device = devices[d];
            printf("device: %s\n", text);
            return true;
        }
    }
    return false;
}

static bool open_all(const char *name)
{
    const char *text = "__kernel void empty(__global int *a) {}";
    cl_program program;
    cl_int err;

    if (!open_device(name))
        return false;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    queue = clCreateCommandQueue(context, device, 0, &err);
    timed = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &err);
    program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
    if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS)
        return false;
    empty = clCreateKernel(program, "empty", &err);
    return err == CL_SUCCESS;
}

/* Both ways by plans, or nothing. */
struct work {
    struct dl_transpose_plan *plans[2]; /* NULL: the empty kernel */
    cl_mem mem;
};

static bool call(const struct work *work, cl_command_queue on, int number,
                 cl_event *event)
{
    const size_t global = 256, local = 256;

    if (work->plans[0])
        return dl_transpose_enqueue(work->plans[number % 2], on, work->mem, NULL, 0, NULL,
                                    event, NULL, NULL) == DL_OK;
    return clSetKernelArg(empty, 0, sizeof work->mem, &work->mem) == CL_SUCCESS &&
           clEnqueueNDRangeKernel(on, empty, 1, NULL, &global, &local, 0, NULL, event) ==
               CL_SUCCESS;
}

static double now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

/* Microseconds of a call in a row of them; negative after a failure. */
static double call_us(const struct work *work)
{
    double start_us;

    clFinish(queue);
    start_us = now_us();
    for (int c = 0; c < CALLS; c++)
        if (!call(work, queue, c, NULL))
            return -1;
    clFinish(queue);
    return (now_us() - start_us) / CALLS;
}

/* ... and of its kernel on the device. */
static double kernel_us(const struct work *work)
{
    cl_ulong sum = 0, times[2];

    for (int c = 0; c < CALLS / 10; c++) {
        cl_event event;
        if (!call(work, timed, c, &event) || clWaitForEvents(1, &event) != CL_SUCCESS)
            return -1;
        for (int end = 0; end < 2; end++)
            clGetEventProfilingInfo(
                event, end ? CL_PROFILING_COMMAND_END : CL_PROFILING_COMMAND_START,
                sizeof times[end], &times[end], NULL);
        sum += times[1] - times[0];
        clReleaseEvent(event);
    }
    return 1e-3 * (double)sum / (CALLS / 10);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static bool measure(const struct work *works, const char *const *names)
{
    double calls[2][ROWS_OF_CALLS], kernels[2][ROWS_OF_CALLS];

    for (int r = -1; r < ROWS_OF_CALLS; r++)
        for (int w = 0; w < 2; w++) {
            double us = call_us(&works[w]), device_us = kernel_us(&works[w]);
            if (us < 0 || device_us < 0)
                return false;
            if (r < 0) /* once ahead */
                continue;
            calls[w][r] = us;
            kernels[w][r] = device_us;
        }
    for (int w = 0; w < 2; w++) {
        qsort(calls[w], ROWS_OF_CALLS, sizeof(double), compare);
        qsort(kernels[w], ROWS_OF_CALLS, sizeof(double), compare);
        printf("%-14s %7.2f us a call, its kernel %7.2f us\n", names[w],
               calls[w][ROWS_OF_CALLS / 2], kernels[w][ROWS_OF_CALLS / 2]);
    }
    return true;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"a transpose", "an empty one"};
    struct dl_transpose_problem problem = {
        .struct_bytes = sizeof problem,
        .rows = argc > 3 ? strtoull(argv[1], NULL, 10) : 73,
        .cols = argc > 3 ? strtoull(argv[2], NULL, 10) : 50,
        .element_bytes = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 4};
    struct dl_transpose_error error = {""};
    struct dl_transpose *library;
    struct work works[2] = {{{NULL, NULL}, NULL}, {{NULL, NULL}, NULL}};
    size_t bytes = problem.rows * problem.cols * problem.element_bytes;
    unsigned char *before = malloc(bytes), *after = malloc(bytes);
    char why[1000];
    cl_int err;
    bool done;

    if (!open_all(argc > 4 ? argv[4] : "") ||
        dl_transpose_make(NULL, context, device, &library, &error) != DL_OK) {
        fprintf(stderr, "no such device, or none for the library: %s\n", error.text);
        return 1;
    }
    for (size_t b = 0; b < bytes; b++)
        before[b] = (unsigned char)(b * 2654435761u >> 13);
    works[0].mem = works[1].mem = clCreateBuffer(
        context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, before, &err);
    for (int way = 0; way < 2; way++) {
        problem.direction = way ? DL_TRANSPOSE_INVERSE : DL_TRANSPOSE_FORWARD;
        if (dl_transpose_plan_make(library, &problem, &works[0].plans[way], &error) !=
                DL_OK ||
            dl_transpose_plan_allocate(works[0].plans[way], &error) != DL_OK) {
            fprintf(stderr, "%s\n", error.text);
            return 1;
        }
    }
    dl_transpose_plan_explain(works[0].plans[0], why, sizeof why);
    printf("%llu x %llu of %u bytes: %s\n", (unsigned long long)problem.rows,
           (unsigned long long)problem.cols, problem.element_bytes, why);
    done = measure(works, names);
    clEnqueueReadBuffer(queue, works[0].mem, CL_TRUE, 0, bytes, after, 0, NULL, NULL);
    if (done && memcmp(before, after, bytes) != 0)
        fputs("WRONG: there and back is something else\n", stderr);
    return done && memcmp(before, after, bytes) == 0 ? 0 : 1;
}
