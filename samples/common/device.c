/* SPDX-License-Identifier: MIT */
/* The samples' way to a device, a program and a timed run of steps. */
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 256, PLATFORMS_MAX = 16, DEVICES_MAX = 16 };

bool sample_cl_ok(cl_int error, const char *call)
{
    if (error != CL_SUCCESS)
        fprintf(stderr, "%s failed: OpenCL error %d\n", call, (int)error);
    return error == CL_SUCCESS;
}

/* ---- the device ---- */

static void device_name(cl_platform_id platform, cl_device_id device, char *out,
                        size_t out_bytes)
{
    char platform_name[NAME_BYTES] = "?", name[NAME_BYTES] = "?";
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof platform_name, platform_name,
                      NULL);
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    snprintf(out, out_bytes, "%s / %s", platform_name, name);
}

/* Calls `visit` for every device until it returns true; false when it never does. */
static bool visit_devices(cl_device_type type,
                          bool (*visit)(const char *name, cl_device_id device,
                                        void *user),
                          void *user)
{
    cl_platform_id platforms[PLATFORMS_MAX];
    cl_device_id devices[DEVICES_MAX];
    cl_uint platform_count = 0, device_count;
    if (clGetPlatformIDs(PLATFORMS_MAX, platforms, &platform_count) != CL_SUCCESS)
        return false;
    for (cl_uint i = 0; i < platform_count && i < PLATFORMS_MAX; i++) {
        if (clGetDeviceIDs(platforms[i], type, DEVICES_MAX, devices, &device_count) !=
            CL_SUCCESS)
            continue;
        for (cl_uint j = 0; j < device_count && j < DEVICES_MAX; j++) {
            char name[2 * NAME_BYTES + 4];
            device_name(platforms[i], devices[j], name, sizeof name);
            if (visit(name, devices[j], user))
                return true;
        }
    }
    return false;
}

struct device_search {
    const char *name_part; /* NULL: any */
    cl_device_id found;
};

static bool device_matches(const char *name, cl_device_id device, void *user)
{
    struct device_search *search = user;
    cl_device_type type = 0;
    if (search->name_part && !strcasestr(name, search->name_part))
        return false;
    search->found = device;
    clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    printf("device: %s\ndevice_type: %s\n", name,
           type & CL_DEVICE_TYPE_GPU   ? "GPU"
           : type & CL_DEVICE_TYPE_CPU ? "CPU"
                                       : "other");
    return true;
}

static bool device_list(const char *name, cl_device_id device, void *user)
{
    (void)device;
    (void)user;
    fprintf(stderr, "    %s\n", name);
    return false;
}

/* The device that sample_cl_open opens; NULL: there is none, and a message says so. */
static cl_device_id find_device(const char *name_part)
{
    struct device_search search = {name_part, NULL};
    if ((name_part || !visit_devices(CL_DEVICE_TYPE_GPU, device_matches, &search)) &&
        !visit_devices(CL_DEVICE_TYPE_ALL, device_matches, &search)) {
        fprintf(stderr, "no OpenCL device%s%s; there are:\n", name_part ? " like " : "",
                name_part ? name_part : "");
        visit_devices(CL_DEVICE_TYPE_ALL, device_list, NULL);
    }
    return search.found;
}

bool sample_cl_devices(const char *name_part, cl_device_id *out, cl_uint *count)
{
    cl_device_id first = find_device(name_part);
    cl_platform_id platform = NULL;
    cl_device_type type = 0;
    cl_uint room = *count;
    if (!first ||
        !sample_cl_ok(
            clGetDeviceInfo(first, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL),
            "clGetDeviceInfo") ||
        !sample_cl_ok(clGetDeviceInfo(first, CL_DEVICE_TYPE, sizeof type, &type, NULL),
                      "clGetDeviceInfo") ||
        !sample_cl_ok(clGetDeviceIDs(platform, type, room, out, count), "clGetDeviceIDs"))
        return false;
    if (*count > room)
        *count = room;
    printf("devices: %u\n", *count);
    return true;
}

bool sample_cl_open(const char *name_part, bool profile, struct sample_cl *out)
{
    cl_int error;
    memset(out, 0, sizeof *out);
    sample_timeline_note("opening");
    out->device = find_device(name_part);
    if (!out->device)
        return false;
    out->context = clCreateContext(NULL, 1, &out->device, NULL, NULL, &error);
    if (!sample_cl_ok(error, "clCreateContext"))
        return false;
    profile = profile || sample_timeline_wanted();
    out->queue = clCreateCommandQueue(out->context, out->device,
                                      profile ? CL_QUEUE_PROFILING_ENABLE : 0, &error);
    sample_timeline_note("opened");
    return sample_cl_ok(error, "clCreateCommandQueue");
}

void sample_cl_close(struct sample_cl *cl)
{
    sample_timeline_note("closing");
    if (cl->program)
        clReleaseProgram(cl->program);
    if (cl->queue)
        clReleaseCommandQueue(cl->queue);
    if (cl->context)
        clReleaseContext(cl->context);
    memset(cl, 0, sizeof *cl);
    sample_timeline_note("closed");
}

/* ---- the program ---- */

/* The contents of a file, NUL-terminated; the caller frees it. */
static char *read_file(const char *name)
{
    char *text = NULL;
    long bytes = -1;
    FILE *file = fopen(name, "rb");
    if (file && fseek(file, 0, SEEK_END) == 0 && (bytes = ftell(file)) >= 0)
        text = malloc((size_t)bytes + 1);
    if (text) {
        rewind(file);
        text[fread(text, 1, (size_t)bytes, file)] = '\0';
    } else {
        perror(name);
    }
    if (file)
        fclose(file);
    return text;
}

static void print_build_log(const struct sample_cl *cl)
{
    size_t bytes = 0;
    char *log = NULL;
    clGetProgramBuildInfo(cl->program, cl->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes);
    log = calloc(1, bytes + 1);
    if (log && clGetProgramBuildInfo(cl->program, cl->device, CL_PROGRAM_BUILD_LOG, bytes,
                                     log, NULL) == CL_SUCCESS)
        fprintf(stderr, "%s\n", log);
    free(log);
}

bool sample_cl_build(struct sample_cl *cl, const char *file, const char *text,
                     const char *build_options)
{
    bool built = false;
    cl_int error;
    char *read = file ? read_file(file) : NULL;
    const char *source = file ? read : text;
    if (!source)
        return false;
    cl->program = clCreateProgramWithSource(cl->context, 1, &source, NULL, &error);
    if (!sample_cl_ok(error, "clCreateProgramWithSource"))
        goto out;
    error = clBuildProgram(cl->program, 1, &cl->device, build_options, NULL, NULL);
    built = sample_cl_ok(error, "clBuildProgram");
    if (!built)
        print_build_log(cl);
out:
    free(read);
    return built;
}

cl_mem sample_cl_buffer(struct sample_cl *cl, size_t bytes, const void *data)
{
    cl_int error;
    cl_mem buffer = clCreateBuffer(cl->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    if (!sample_cl_ok(error, "clCreateBuffer"))
        return NULL;
    if (data) {
        error = clEnqueueWriteBuffer(cl->queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL,
                                     NULL);
        if (!sample_cl_ok(error, "clEnqueueWriteBuffer")) {
            clReleaseMemObject(buffer);
            return NULL;
        }
    }
    return buffer;
}

/* ---- the steps ---- */

static bool enqueue_step(struct sample_cl *cl, const struct sample_run *run, int step,
                         cl_event *event)
{
    if (run->prepare && !run->prepare(run->kernel, step, run->user))
        return false;
    return sample_cl_ok(clEnqueueNDRangeKernel(cl->queue, run->kernel, run->work_dim,
                                               NULL, run->global_size, run->local_size, 0,
                                               NULL, event),
                        "clEnqueueNDRangeKernel");
}

/* One that the timeline sees. */
static bool enqueue_seen(struct sample_cl *cl, const struct sample_run *run, int step)
{
    cl_event event = NULL;
    if (!enqueue_step(cl, run, step, &event) || !sample_timeline_add(event))
        return false;
    sample_timeline_step();
    return !run->look || run->look(cl, step, run->user);
}

static bool run_seen(struct sample_cl *cl, const struct sample_run *run, double *wall_s,
                     double *device_s)
{
    double start_s;

    if (!sample_timeline_turn(cl))
        return false;
    start_s = sample_now_s();
    for (int step = 0; step < run->step_count; step++)
        if (!enqueue_seen(cl, run, step))
            return false;
    if (!sample_timeline_finish(cl))
        return false;
    *wall_s = sample_now_s() - start_s;
    *device_s = 0;
    return true;
}

/* The summed times of events that have completed. */
static bool sum_device_s(const cl_event *events, int event_count, double *out)
{
    double sum_s = 0;
    for (int i = 0; i < event_count; i++) {
        cl_ulong start_ns = 0, end_ns = 0;
        if (!sample_cl_ok(clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_START,
                                                  sizeof start_ns, &start_ns, NULL),
                          "clGetEventProfilingInfo") ||
            !sample_cl_ok(clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_END,
                                                  sizeof end_ns, &end_ns, NULL),
                          "clGetEventProfilingInfo"))
            return false;
        sum_s += 1e-9 * (double)(end_ns - start_ns);
    }
    *out = sum_s;
    return true;
}

bool sample_run_steps(struct sample_cl *cl, const struct sample_run *run, double *wall_s,
                      double *device_s)
{
    bool done = false;
    int event_count = 0;
    double start_s;
    cl_event *events = NULL;
    if (sample_timeline_wanted())
        return run_seen(cl, run, wall_s, device_s);
    if (run->profile) {
        events = calloc((size_t)run->step_count, sizeof *events);
        if (!events) {
            fputs("out of memory\n", stderr);
            return false;
        }
    }
    if (!enqueue_step(cl, run, 0, NULL) || !sample_cl_ok(clFinish(cl->queue), "clFinish"))
        goto out;

    start_s = sample_now_s();
    for (int step = 0; step < run->step_count; step++) {
        if (!enqueue_step(cl, run, step, events ? &events[step] : NULL))
            goto out;
        event_count += events != NULL;
        if (run->look && !run->look(cl, step, run->user))
            goto out;
    }
    if (!sample_cl_ok(clFinish(cl->queue), "clFinish"))
        goto out;
    *wall_s = sample_now_s() - start_s;
    *device_s = 0;
    done = sum_device_s(events, event_count, device_s);
out:
    for (int i = 0; i < event_count; i++)
        clReleaseEvent(events[i]);
    free(events);
    return done;
}

size_t sample_round_up(size_t length, size_t multiple)
{
    return (length + multiple - 1) / multiple * multiple;
}

size_t sample_group_length(size_t length)
{
    size_t best = 32;
    for (size_t group = 64; group <= 128; group *= 2)
        if (sample_round_up(length, group) <= sample_round_up(length, best))
            best = group;
    return best;
}
