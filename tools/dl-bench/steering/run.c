/* SPDX-License-Identifier: MIT */
/* dl-bench steering: buffers, launches and checks. */
#include "tools/dl-bench/steering/steering.h"

#include <stdlib.h>
#include <string.h>

extern const char bench_steering_cl[];

enum { REPS_MAX = 64, STEPS_MAX = 1 << 24 };
static const float saxpy_a = 2.0f;

/* ---- opening ---- */

static bool program_build(struct steering_bench *bench)
{
    const struct device *device = &bench->device;
    const char *text = bench_steering_cl;
    char options[64];
    cl_int err;
    const struct {
        const char *name;
        cl_kernel *kernel;
    } kernels[] = {{"number_words", &bench->number},
                   {"chase", &bench->chase},
                   {"saxpy_fill", &bench->saxpy_fill},
                   {"saxpy", &bench->saxpy},
                   {"saxpy_check", &bench->saxpy_check}};

    snprintf(options, sizeof options, "-cl-std=CL1.2 -DCHAINS=%zu", bench->chains);
    bench->program = clCreateProgramWithSource(device->context, 1, &text, NULL, &err);
    if (err == CL_SUCCESS)
        err = device->cl.clBuildProgram(bench->program, 1, &device->id, options, NULL,
                                        NULL);
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels && err == CL_SUCCESS; k++)
        *kernels[k].kernel = clCreateKernel(bench->program, kernels[k].name, &err);
    if (err != CL_SUCCESS)
        fprintf(stderr, "dl-bench steering: the kernels can't be had: OpenCL error %d\n",
                err);
    return err == CL_SUCCESS;
}

static bool buffers_make(struct steering_bench *bench)
{
    cl_context context = bench->device.context;
    const size_t ends = bench->groups * bench->chains;
    cl_int err[3] = {0};

    bench->words =
        clCreateBuffer(context, CL_MEM_READ_WRITE, bench->bytes, NULL, &err[0]);
    bench->other =
        clCreateBuffer(context, CL_MEM_READ_WRITE, bench->bytes, NULL, &err[1]);
    bench->ends = clCreateBuffer(context, CL_MEM_READ_WRITE, ends * 4, NULL, &err[2]);
    bench->got = malloc(ends * 4);
    return bench->words && bench->other && bench->ends && bench->got;
}

static bool values_parse(struct steering_bench *bench,
                         const struct steering_options *options)
{
    const bool is_cpu = (bench->device.type & CL_DEVICE_TYPE_CPU) != 0;
    cl_uint units = 1;

    clGetDeviceInfo(bench->device.id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units,
                    NULL);
    bench->bytes =
        *options->bytes ? bytes_parse(options->bytes) : UINT64_C(1) << (is_cpu ? 28 : 32);
    bench->groups = *options->groups ? strtoul(options->groups, NULL, 10)
                                     : 32 * (size_t)(units ? units : 1);
    bench->chains = strtoul(options->chains, NULL, 10);
    bench->reps = atoi(options->reps);
    if (bench->bytes >= 4096 && bench->bytes <= UINT64_C(1) << 34 &&
        (bench->bytes & (bench->bytes - 1)) == 0 && bench->groups >= 1 &&
        bench->groups <= 1 << 20 && bench->chains >= 1 && bench->chains <= 32 &&
        bench->reps >= 1 && bench->reps <= REPS_MAX)
        return true;
    fprintf(stderr, "dl-bench steering: look at --bytes (a power of two from 4K to 16G), "
                    "--groups, --chains (up to 32) and --reps\n");
    return false;
}

bool steering_open(struct steering_bench *bench, const struct steering_options *options)
{
    memset(bench, 0, sizeof *bench);
    if (!device_open(&bench->device, options->device))
        return false;
    if (!values_parse(bench, options) || !program_build(bench))
        return false;
    if (buffers_make(bench))
        return true;
    fprintf(stderr, "dl-bench steering: no memory for two buffers of %llu bytes\n",
            (unsigned long long)bench->bytes);
    return false;
}

void steering_close(struct steering_bench *bench)
{
    const cl_kernel kernels[] = {bench->number, bench->chase, bench->saxpy_fill,
                                 bench->saxpy, bench->saxpy_check};
    const cl_mem mems[] = {bench->words, bench->other, bench->ends};

    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        if (kernels[k])
            clReleaseKernel(kernels[k]);
    for (size_t m = 0; m < sizeof mems / sizeof *mems; m++)
        if (mems[m])
            clReleaseMemObject(mems[m]);
    if (bench->program)
        clReleaseProgram(bench->program);
    free(bench->got);
    device_close(&bench->device);
}

/* ---- timing ---- */

/* Runs a kernel once to warm up and then `reps` times. */
static bool kernel_time(struct steering_bench *bench, cl_kernel kernel, size_t global,
                        size_t local, double *seconds)
{
    double times[REPS_MAX];

    for (int r = -1; r < bench->reps; r++) {
        cl_event event = NULL;
        cl_int err = clEnqueueNDRangeKernel(bench->device.queue, kernel, 1, NULL, &global,
                                            &local, 0, NULL, &event);
        double s;

        if (err != CL_SUCCESS) {
            fprintf(stderr, "dl-bench steering: a launch failed: OpenCL error %d\n", err);
            return false;
        }
        clRetainEvent(event);
        s = device_seconds(event, event);
        if (r >= 0)
            times[r] = s;
    }
    *seconds = median_of(times, (size_t)bench->reps);
    return true;
}

/* ---- chases ---- */

bool steering_number(struct steering_bench *bench)
{
    const size_t items = 1 << 16;
    const cl_ulong words = bench->bytes / 4;

    clSetKernelArg(bench->number, 0, sizeof bench->words, &bench->words);
    clSetKernelArg(bench->number, 1, sizeof words, &words);
    return clEnqueueNDRangeKernel(bench->device.queue, bench->number, 1, NULL, &items,
                                  NULL, 0, NULL, NULL) == CL_SUCCESS &&
           clFinish(bench->device.queue) == CL_SUCCESS;
}

static cl_uint chase_errors(struct steering_bench *bench, uint64_t stride, uint64_t jump,
                            cl_uint steps)
{
    const size_t ends = bench->groups * bench->chains;
    const uint64_t last_word = bench->bytes / 4 - 1;
    cl_uint errors = 0;

    memset(bench->got, 0xff, ends * 4);
    clEnqueueReadBuffer(bench->device.queue, bench->ends, CL_TRUE, 0, ends * 4,
                        bench->got, 0, NULL, NULL);
    for (size_t e = 0; e < ends; e++)
        errors += bench->got[e] != ((e * stride + jump * steps) & last_word);
    return errors;
}

struct steering_result steering_chase(struct steering_bench *bench, uint64_t stride_bytes,
                                      bool moves, cl_uint steps)
{
    const size_t ends = bench->groups * bench->chains;
    const cl_ulong stride = stride_bytes / 4, jump = moves ? stride * ends : 0;
    const cl_uint last_word = (cl_uint)(bench->bytes / 4 - 1);
    struct steering_result result = {.counts = (uint64_t)ends * steps};

    clSetKernelArg(bench->chase, 0, sizeof bench->words, &bench->words);
    clSetKernelArg(bench->chase, 1, sizeof last_word, &last_word);
    clSetKernelArg(bench->chase, 2, sizeof stride, &stride);
    clSetKernelArg(bench->chase, 3, sizeof jump, &jump);
    clSetKernelArg(bench->chase, 4, sizeof steps, &steps);
    clSetKernelArg(bench->chase, 5, sizeof bench->ends, &bench->ends);
    result.good = kernel_time(bench, bench->chase, bench->groups, 1, &result.seconds);
    if (result.good)
        result.errors = chase_errors(bench, stride, jump, steps);
    return result;
}

cl_uint steering_steps(struct steering_bench *bench, bool moves, double seconds)
{
    cl_uint steps = 16;

    for (int round = 0; round < 8; round++) {
        struct steering_result result = steering_chase(bench, 256, moves, steps);

        if (!result.good)
            return 0;
        if (result.seconds > seconds / 2 || steps >= STEPS_MAX)
            break;
        steps *= result.seconds > seconds / 16 ? 2 : 8;
    }
    return steps;
}

/* ---- SAXPY ---- */

static size_t saxpy_arguments(cl_kernel kernel, const cl_mem *mems, size_t mem_count,
                              cl_ulong count, cl_ulong stride)
{
    cl_uint argument = 0;

    for (size_t m = 0; m < mem_count; m++)
        clSetKernelArg(kernel, argument++, sizeof *mems, &mems[m]);
    clSetKernelArg(kernel, argument++, sizeof count, &count);
    clSetKernelArg(kernel, argument++, sizeof stride, &stride);
    return argument;
}

struct steering_result steering_saxpy(struct steering_bench *bench, uint64_t stride,
                                      uint64_t stride_max)
{
    const cl_ulong count = bench->bytes / 4 / stride_max;
    const size_t local = 64, global = (count + local - 1) / local * local;
    const cl_mem mems[] = {bench->words, bench->other};
    const float times = saxpy_a * (float)(bench->reps + 1);
    const cl_uint zero = 0;
    struct steering_result result = {.counts = 12 * count};
    cl_command_queue queue = bench->device.queue;
    cl_uint next;

    saxpy_arguments(bench->saxpy_fill, mems, 2, count, stride);
    next = (cl_uint)saxpy_arguments(bench->saxpy, mems, 2, count, stride);
    clSetKernelArg(bench->saxpy, next, sizeof saxpy_a, &saxpy_a);
    next = (cl_uint)saxpy_arguments(bench->saxpy_check, &bench->other, 1, count, stride);
    clSetKernelArg(bench->saxpy_check, next, sizeof times, &times);
    clSetKernelArg(bench->saxpy_check, next + 1, sizeof bench->ends, &bench->ends);
    result.good = clEnqueueNDRangeKernel(queue, bench->saxpy_fill, 1, NULL, &global,
                                         &local, 0, NULL, NULL) == CL_SUCCESS &&
                  kernel_time(bench, bench->saxpy, global, local, &result.seconds) &&
                  clEnqueueWriteBuffer(queue, bench->ends, CL_FALSE, 0, 4, &zero, 0, NULL,
                                       NULL) == CL_SUCCESS &&
                  clEnqueueNDRangeKernel(queue, bench->saxpy_check, 1, NULL, &global,
                                         &local, 0, NULL, NULL) == CL_SUCCESS &&
                  clEnqueueReadBuffer(queue, bench->ends, CL_TRUE, 0, 4, &result.errors,
                                      0, NULL, NULL) == CL_SUCCESS;
    return result;
}
