/* SPDX-License-Identifier: MIT */
/* The device that is measured, inputs, checks and the copy that everything is compared
 * with. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

extern const char bench_check_cl[];

/* As the samples do: `part` may be of the platform's or the device's name. */
static bool device_find(struct device *device, const char *part)
{
    char platform[64] = "", both[sizeof platform + sizeof device->name];
    cl_platform_id platforms[16];
    cl_uint platform_count = 0;

    if (clGetPlatformIDs(16, platforms, &platform_count) != CL_SUCCESS)
        return false;
    for (cl_uint p = 0; p < platform_count && p < 16; p++) {
        cl_device_id ids[16];
        cl_uint count = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 16, ids, &count) !=
            CL_SUCCESS)
            continue;
        clGetPlatformInfo(platforms[p], CL_PLATFORM_NAME, sizeof platform, platform,
                          NULL);
        for (cl_uint d = 0; d < count && d < 16; d++) {
            clGetDeviceInfo(ids[d], CL_DEVICE_NAME, sizeof device->name, device->name,
                            NULL);
            clGetDeviceInfo(ids[d], CL_DRIVER_VERSION, sizeof device->driver,
                            device->driver, NULL);
            clGetDeviceInfo(ids[d], CL_DEVICE_TYPE, sizeof device->type, &device->type,
                            NULL);
            device->id = ids[d];
            snprintf(both, sizeof both, "%s / %s", platform, device->name);
            if (strstr(both, part))
                return true;
        }
    }
    return false;
}

static cl_int device_build(struct device *device)
{
    const char *source = bench_check_cl;
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE,
                                        0};
    cl_int err;

    device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &err);
    if (err == CL_SUCCESS)
        device->queue = clCreateCommandQueueWithProperties(device->context, device->id,
                                                           properties, &err);
    if (err == CL_SUCCESS)
        device->program =
            clCreateProgramWithSource(device->context, 1, &source, NULL, &err);
    if (err == CL_SUCCESS)
        err =
            clBuildProgram(device->program, 1, &device->id, "-cl-std=CL1.2", NULL, NULL);
    if (err == CL_SUCCESS)
        device->fill = clCreateKernel(device->program, "fill", &err);
    if (err == CL_SUCCESS)
        device->check = clCreateKernel(device->program, "check", &err);
    if (err == CL_SUCCESS)
        device->check_axes = clCreateKernel(device->program, "check_axes", &err);
    if (err == CL_SUCCESS)
        device->copy = clCreateKernel(device->program, "copy", &err);
    if (err == CL_SUCCESS)
        device->touch = clCreateKernel(device->program, "touch", &err);
    if (err == CL_SUCCESS)
        device->errors =
            clCreateBuffer(device->context, CL_MEM_READ_WRITE, 4, NULL, &err);
    return err;
}

/* Says why a kernel does not build. */
static cl_int CL_API_CALL build_or_say(cl_program program, cl_uint count,
                                       const cl_device_id *devices, const char *options,
                                       void(CL_CALLBACK *notify)(cl_program, void *),
                                       void *data)
{
    cl_int err = clBuildProgram(program, count, devices, options, notify, data);
    char log[4096] = "";

    if (err != CL_SUCCESS && count > 0) {
        clGetProgramBuildInfo(program, devices[0], CL_PROGRAM_BUILD_LOG, sizeof log - 1,
                              log, NULL);
        fprintf(stderr, "dl-bench: a kernel does not build, %d: %s\n", err, log);
    }
    return err;
}

bool device_open(struct device *device, const char *part)
{
    cl_int err;

    memset(device, 0, sizeof *device);
    if (!device_find(device, part)) {
        if (*part)
            fprintf(stderr, "dl-bench: no OpenCL device has \"%s\" in its name\n", part);
        else
            fprintf(stderr, "dl-bench: no OpenCL device is there\n");
        return false;
    }
#define ENTRY(name) device->cl.name = name
    ENTRY(clGetDeviceInfo);
    ENTRY(clCreateProgramWithSource);
    device->cl.clBuildProgram = build_or_say;
    ENTRY(clGetProgramBuildInfo);
    ENTRY(clReleaseProgram);
    ENTRY(clCreateKernel);
    ENTRY(clCreateKernelsInProgram);
    ENTRY(clReleaseKernel);
    ENTRY(clSetKernelArg);
    ENTRY(clGetKernelWorkGroupInfo);
    ENTRY(clCreateBuffer);
    ENTRY(clReleaseMemObject);
    ENTRY(clGetCommandQueueInfo);
    ENTRY(clEnqueueNDRangeKernel);
    ENTRY(clEnqueueFillBuffer);
    ENTRY(clEnqueueMarkerWithWaitList);
    ENTRY(clGetEventInfo);
    ENTRY(clRetainEvent);
    ENTRY(clReleaseEvent);
#undef ENTRY
    err = device_build(device);
    if (err == CL_SUCCESS)
        return true;
    fprintf(stderr, "dl-bench: %s can't be used: OpenCL error %d\n", device->name, err);
    device_close(device);
    return false;
}

void device_close(struct device *device)
{
    if (device->errors)
        clReleaseMemObject(device->errors);
    if (device->copy)
        clReleaseKernel(device->copy);
    if (device->touch)
        clReleaseKernel(device->touch);
    if (device->check)
        clReleaseKernel(device->check);
    if (device->check_axes)
        clReleaseKernel(device->check_axes);
    if (device->fill)
        clReleaseKernel(device->fill);
    if (device->program)
        clReleaseProgram(device->program);
    if (device->queue)
        clReleaseCommandQueue(device->queue);
    if (device->context)
        clReleaseContext(device->context);
}

/* Enough work-items for the device, no more than there is work. */
static size_t grid_items(const struct device *device, uint64_t work)
{
    size_t most = device->type == CL_DEVICE_TYPE_CPU ? 256 : 1 << 20;

    return work < most ? (size_t)work + !work : most;
}

cl_int device_fill(struct device *device, cl_mem mem, uint64_t bytes)
{
    return device_fill_start(device, mem, bytes, NULL);
}

cl_int device_fill_start(struct device *device, cl_mem mem, uint64_t bytes,
                         cl_event *event)
{
    cl_ulong words = bytes / 4;
    size_t global = grid_items(device, words);

    clSetKernelArg(device->fill, 0, sizeof mem, &mem);
    clSetKernelArg(device->fill, 1, sizeof words, &words);
    return clEnqueueNDRangeKernel(device->queue, device->fill, 1, NULL, &global, NULL, 0,
                                  NULL, event);
}

cl_int device_touch_start(struct device *device, cl_mem mem, uint64_t bytes,
                          cl_event *event)
{
    cl_ulong vectors = bytes / 16;
    size_t local = 256, global = (vectors + local - 1) / local * local;

    clSetKernelArg(device->touch, 0, sizeof mem, &mem);
    clSetKernelArg(device->touch, 1, sizeof vectors, &vectors);
    return clEnqueueNDRangeKernel(device->queue, device->touch, 1, NULL, &global, &local,
                                  0, NULL, event);
}

cl_int device_check_axes(struct device *device, cl_mem mem, const struct bench_axes *axes,
                         cl_uint *errors)
{
    size_t global = grid_items(device, axes->elements);
    cl_uint zero = 0;
    cl_int err = clEnqueueWriteBuffer(device->queue, device->errors, CL_FALSE, 0, 4,
                                      &zero, 0, NULL, NULL);

    clSetKernelArg(device->check_axes, 0, sizeof mem, &mem);
    clSetKernelArg(device->check_axes, 1, sizeof *axes, axes);
    clSetKernelArg(device->check_axes, 2, sizeof device->errors, &device->errors);
    if (err == CL_SUCCESS)
        err = clEnqueueNDRangeKernel(device->queue, device->check_axes, 1, NULL, &global,
                                     NULL, 0, NULL, NULL);
    if (err == CL_SUCCESS)
        err = clEnqueueReadBuffer(device->queue, device->errors, CL_TRUE, 0, 4, errors, 0,
                                  NULL, NULL);
    return err;
}

cl_int device_check(struct device *device, cl_mem mem, const struct dl_leaf_table *table,
                    const struct dl_tiling *tiling, cl_uint *errors)
{
    cl_ulong numbers[] = {tiling->structs, tiling->tile_structs, tiling->head_structs,
                          tiling->tail_structs};
    size_t global = grid_items(device, tiling->structs * table->leaf_count);
    cl_uint zero = 0;
    cl_int err;
    cl_mem leaves =
        clCreateBuffer(device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                       table->leaf_count * sizeof *table->leaves, table->leaves, &err);

    if (err != CL_SUCCESS)
        return err;
    clSetKernelArg(device->check, 0, sizeof mem, &mem);
    clSetKernelArg(device->check, 1, sizeof leaves, &leaves);
    clSetKernelArg(device->check, 2, 4, &table->leaf_count);
    clSetKernelArg(device->check, 3, 4, &table->struct_bytes);
    for (cl_uint n = 0; n < 4; n++)
        clSetKernelArg(device->check, 4 + n, sizeof numbers[n], &numbers[n]);
    clSetKernelArg(device->check, 8, sizeof device->errors, &device->errors);
    err = clEnqueueWriteBuffer(device->queue, device->errors, CL_FALSE, 0, 4, &zero, 0,
                               NULL, NULL);
    if (err == CL_SUCCESS)
        err = clEnqueueNDRangeKernel(device->queue, device->check, 1, NULL, &global, NULL,
                                     0, NULL, NULL);
    if (err == CL_SUCCESS)
        err = clEnqueueReadBuffer(device->queue, device->errors, CL_TRUE, 0, 4, errors, 0,
                                  NULL, NULL);
    clReleaseMemObject(leaves);
    return err;
}

double device_seconds(cl_event first, cl_event last)
{
    cl_ulong start = 0, end = 0;

    clWaitForEvents(1, &last);
    clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_START, sizeof start, &start,
                            NULL);
    clGetEventProfilingInfo(last, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    clReleaseEvent(first);
    clReleaseEvent(last);
    return (double)(end - start) * 1e-9;
}

double device_copy_speed(struct device *device, uint64_t bytes, int reps)
{
    cl_int err = CL_SUCCESS, err_to = CL_SUCCESS;
    cl_mem from = clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &err);
    cl_mem to = clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &err_to);
    size_t global = bytes / 16, local = 256;
    double best = 0, speed, seconds[64];

    if (err != CL_SUCCESS || err_to != CL_SUCCESS)
        return 0;
    device_fill(device, from, bytes);
    device_fill(device, to, bytes);
    clSetKernelArg(device->copy, 0, sizeof from, &from);
    clSetKernelArg(device->copy, 1, sizeof to, &to);
    global -= global % local;
    reps = reps < 64 ? reps : 64;
    for (int how = 0; how < 2; how++) {
        for (int r = -1; r < reps; r++) {
            cl_event event = NULL;
            double s;
            if (how == 0)
                clEnqueueCopyBuffer(device->queue, from, to, 0, 0, bytes, 0, NULL,
                                    &event);
            else
                clEnqueueNDRangeKernel(device->queue, device->copy, 1, NULL, &global,
                                       &local, 0, NULL, &event);
            clRetainEvent(event);
            s = device_seconds(event, event);
            if (r >= 0)
                seconds[r] = s;
        }
        speed = 2.0 * (double)bytes / median_of(seconds, (size_t)reps);
        printf("copy, by %s: %.1f GB/s\n", how ? "kernel" : "command", speed * 1e-9);
        if (speed > best)
            best = speed;
    }
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    return best;
}
