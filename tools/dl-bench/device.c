/* SPDX-License-Identifier: MIT */
/* The device that is measured, inputs, checks and the copy that everything is compared
 * with. */
#include "bench.h"

#include <string.h>

#include "transpose/library.h"

extern const char bench_check_cl[];

bool device_find(const char *part, cl_device_id *found, FILE *others)
{
    char text[192];
    cl_platform_id platforms[16];
    cl_uint platform_count = 0;

    if (clGetPlatformIDs(16, platforms, &platform_count) != CL_SUCCESS)
        return false;
    for (cl_uint p = 0; p < platform_count && p < 16; p++) {
        cl_device_id ids[16];
        cl_uint count = 0;
        size_t used;

        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 16, ids, &count) !=
            CL_SUCCESS)
            continue;
        text[0] = '\0';
        clGetPlatformInfo(platforms[p], CL_PLATFORM_NAME, 64, text, NULL);
        used = strlen(strcat(text, " / "));
        for (cl_uint d = 0; d < count && d < 16; d++) {
            text[used] = '\0';
            clGetDeviceInfo(ids[d], CL_DEVICE_NAME, sizeof text - used, text + used,
                            NULL);
            *found = ids[d];
            if (strstr(text, part))
                return true;
            if (others)
                fprintf(others, "  %s\n", text);
        }
    }
    return false;
}

cl_int kernels_make(const struct device *device, const char *text, const char *options,
                    const char *const *names, size_t count, struct kernels *out)
{
    cl_int err;

    out->program = clCreateProgramWithSource(device->context, 1, &text, NULL, &err);
    if (err == CL_SUCCESS)
        err =
            device->cl.clBuildProgram(out->program, 1, &device->id, options, NULL, NULL);
    for (size_t k = 0; k < count && err == CL_SUCCESS; k++)
        out->of[k] = clCreateKernel(out->program, names[k], &err);
    return err;
}

static cl_int device_build(struct device *device)
{
    static const char *const names[] = {"fill",  "check",  "check_axes", "copy",
                                        "touch", "access", "update"};
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE,
                                        0};
    cl_int err;

    device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &err);
    if (err == CL_SUCCESS)
        device->queue = clCreateCommandQueueWithProperties(device->context, device->id,
                                                           properties, &err);
    if (err == CL_SUCCESS)
        err = kernels_make(device, bench_check_cl, "-cl-std=CL1.2", names, COUNT(names),
                           &device->kernels);
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
    if (!device_find(part, &device->id, NULL)) {
        if (*part)
            fprintf(stderr, "dl-bench: no OpenCL device has \"%s\" in its name\n", part);
        else
            fprintf(stderr, "dl-bench: no OpenCL device was found\n");
        return false;
    }
    clGetDeviceInfo(device->id, CL_DEVICE_NAME, sizeof device->name, device->name, NULL);
    clGetDeviceInfo(device->id, CL_DRIVER_VERSION, sizeof device->driver, device->driver,
                    NULL);
    clGetDeviceInfo(device->id, CL_DEVICE_TYPE, sizeof device->type, &device->type, NULL);
    dl__names_fill(&device->cl);
    device->cl.clBuildProgram = build_or_say;
    device->cl.clCreateKernelsInProgram = clCreateKernelsInProgram;
    device->cl.clEnqueueFillBuffer = clEnqueueFillBuffer;
    err = device_build(device);
    if (err == CL_SUCCESS)
        return true;
    fprintf(stderr, "dl-bench: %s can't be used: OpenCL error %d\n", device->name, err);
    device_close(device);
    return false;
}

void device_close(struct device *device)
{
    mems_free(&device->errors, 1);
    kernels_free(&device->kernels);
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

cl_int device_fill(struct device *device, cl_mem mem, uint64_t bytes, cl_event *event)
{
    cl_ulong words = bytes / 4;

    KERNEL_ARGS(device->kernels.of[DEVICE_FILL], ARG(mem), ARG(words));
    return device_launch(device, device->kernels.of[DEVICE_FILL],
                         grid_items(device, words), 0, event);
}

cl_int device_count_errors(struct device *device, cl_kernel kernel, uint64_t work,
                           cl_uint *errors)
{
    const cl_uint zero = 0;
    cl_int err = clEnqueueWriteBuffer(device->queue, device->errors, CL_TRUE, 0, 4, &zero,
                                      0, NULL, NULL);

    if (err == CL_SUCCESS)
        err = device_launch(device, kernel, grid_items(device, work), 0, NULL);
    if (err == CL_SUCCESS)
        err = clEnqueueReadBuffer(device->queue, device->errors, CL_TRUE, 0, 4, errors, 0,
                                  NULL, NULL);
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

bool median_time(bool (*once)(void *what, double *seconds), void *what, int reps,
                 double *seconds)
{
    double times[REPS_MAX];

    for (int r = -1; r < reps; r++)
        if (!once(what, &times[r < 0 ? 0 : r]))
            return false;
    *seconds = median_of(times, (size_t)reps);
    return true;
}

/* A launch of a kernel, or else a copy of a buffer. */
struct timed {
    const struct device *device;
    cl_kernel kernel;
    cl_mem from, to;
    size_t global, local; /* of a copy, `global` bytes */
};

static bool timed_once(void *what, double *seconds)
{
    const struct timed *t = what;
    cl_event event = NULL;
    cl_int err = t->kernel
                     ? device_launch(t->device, t->kernel, t->global, t->local, &event)
                     : clEnqueueCopyBuffer(t->device->queue, t->from, t->to, 0, 0,
                                           t->global, 0, NULL, &event);

    if (err != CL_SUCCESS) {
        fprintf(stderr, "dl-bench: a launch has failed: OpenCL error %d\n", err);
        return false;
    }
    clRetainEvent(event);
    *seconds = device_seconds(event, event);
    return true;
}

bool kernel_time(const struct device *device, cl_kernel kernel, size_t global,
                 size_t local, int reps, double *seconds)
{
    struct timed timed = {
        .device = device, .kernel = kernel, .global = global, .local = local};

    return median_time(timed_once, &timed, reps, seconds);
}

bool device_copy_time(struct device *device, uint64_t bytes, int reps)
{
    struct timed timed[2] = {
        {.device = device, .global = bytes},
        {.device = device, .global = bytes / 16 / 256 * 256, .local = 256}};
    cl_mem mems[2];
    cl_int err[2];

    printf("%s, driver %s\n", device->name, device->driver);
    for (int m = 0; m < 2; m++)
        mems[m] =
            clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &err[m]);
    timed[0].from = mems[0];
    timed[0].to = mems[1];
    timed[1].kernel = device->kernels.of[DEVICE_COPY];
    KERNEL_ARGS(timed[1].kernel, ARG(mems[0]), ARG(mems[1]));
    if (mems[0] && mems[1] && device_fill(device, mems[0], bytes, NULL) == CL_SUCCESS &&
        device_fill(device, mems[1], bytes, NULL) == CL_SUCCESS)
        for (int how = 0; how < 2; how++) {
            double seconds, speed;

            if (!median_time(timed_once, &timed[how], reps, &seconds))
                break;
            speed = 2.0 * (double)bytes / seconds;
            printf("copy, by %s: %.1f GB/s\n", how ? "kernel" : "command", speed * 1e-9);
            device->copy = speed > device->copy ? speed : device->copy;
        }
    mems_free(mems, 2);
    if (device->copy == 0)
        fprintf(stderr, "dl-bench: no device memory for a copy\n");
    return device->copy > 0;
}
