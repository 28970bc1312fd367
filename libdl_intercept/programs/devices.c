/* SPDX-License-Identifier: MIT */
/* Devices and their compilers: what they are, how they are found by name, what their
 * compilers take to be so, and how fast they copy. */
#include "devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/state/contexts.h"
#include "cache.h"

bool dl__device_is_gpu(cl_device_id device)
{
    cl_device_type type = 0;

    if (device)
        dl__next.clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    return type & CL_DEVICE_TYPE_GPU;
}

char *dl__options_quiet(const char *options, const char *more)
{
    static const char no_warnings[] = " -w";
    size_t bytes = strlen(options) + strlen(more) + sizeof no_warnings + 1;
    char *text = malloc(bytes);
    char *error;

    if (!text)
        return NULL;
    snprintf(text, bytes, "%s %s%s", options, more, no_warnings);
    for (error = text; (error = strstr(error, "-Werror")); error++)
        if (error == text || strchr(" \t\n", error[-1]))
            memset(error, ' ', strcspn(error, " \t\n"));
    return text;
}

static void file_rates(cl_device_id device, bool is_cpu, struct dl_rates *out)
{
    char name[256] = "";

    dl__next.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    dl_marshal_rates(name, is_cpu, out);
}

/* ---- the builder's devices ---- */

enum { PLATFORMS_MAX = 16, DEVICES_MAX = 64 };

static void (*start_opencl)(void); /* NULL: done */
static struct dl__mutex starting = DL__MUTEX_INITIALIZER;

void dl__devices_start(void (*start_drivers)(void))
{
    start_opencl = start_drivers;
}

static bool is_named(cl_device_id device, const void *name, size_t bytes)
{
    struct dl__pack own;
    bool same = dl__cache_name_device(&own, device) && own.bytes == bytes &&
                memcmp(own.data, name, bytes) == 0;

    dl__pack_free(&own);
    return same;
}

cl_device_id dl__devices_find(const void *name, size_t bytes)
{
    cl_platform_id platforms[PLATFORMS_MAX];
    cl_uint platform_count = 0;

    dl__mutex_lock(&starting);
    if (start_opencl)
        start_opencl();
    start_opencl = NULL;
    dl__mutex_unlock(&starting);
    if (!name || !dl__next.clGetPlatformIDs ||
        dl__next.clGetPlatformIDs(PLATFORMS_MAX, platforms, &platform_count) !=
            CL_SUCCESS)
        return NULL;
    for (cl_uint p = 0; p < platform_count && p < PLATFORMS_MAX; p++) {
        cl_device_id devices[DEVICES_MAX];
        cl_uint count = 0;

        if (dl__next.clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, DEVICES_MAX,
                                    devices, &count) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < count && d < DEVICES_MAX; d++)
            if (is_named(devices[d], name, bytes))
                return devices[d];
    }
    return NULL;
}

struct dl__context *dl__devices_context(cl_device_id device)
{
    static _Thread_local struct {
        cl_device_id device;
        struct dl__context *context;
    } made[DEVICES_MAX];
    static _Thread_local size_t count;
    cl_context handle;
    cl_int err;

    for (size_t m = 0; m < count; m++)
        if (made[m].device == device)
            return made[m].context;
    if (count == DEVICES_MAX)
        return NULL;
    handle = dl__next.clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    if (err != CL_SUCCESS)
        return NULL;
    made[count].device = device;
    made[count].context = dl__context_make(handle);
    return made[count++].context;
}

/* ---- how fast devices copy ---- */

enum { COPIES = 6 };

/* Beyond what caches hold, of a device's memory a small part. */
static const cl_ulong copy_bytes = 64 << 20, memory_part = 32;

static bool key_begin(struct dl__pack *key, cl_device_id device)
{
    return dl__cache_key_begin_lasting(key, "copy speed", device);
}

/* MB a second; 0: nobody knows, or it could not be told. False: nothing is kept. */
static bool recall(cl_device_id device, uint64_t *copy_mb)
{
    struct dl__pack key;
    void *value = NULL;
    size_t bytes;
    bool kept = key_begin(&key, device) && dl__cache_get(&key, &value, &bytes);

    if (kept && bytes == sizeof *copy_mb)
        memcpy(copy_mb, value, sizeof *copy_mb);
    else
        *copy_mb = 0;
    kept = kept && bytes == sizeof *copy_mb;
    free(value);
    dl__pack_free(&key);
    return kept;
}

void dl__device_rates(cl_device_id device, bool is_cpu, struct dl_rates *out)
{
    uint64_t copy_mb;

    file_rates(device, is_cpu, out);
    if (!out->copy_guess || is_cpu || !recall(device, &copy_mb) || copy_mb == 0 ||
        copy_mb > UINT32_MAX)
        return;
    out->copy_mb = (unsigned)copy_mb;
    out->copy_guess = 0;
    dl__log(DL__LOG_DEBUG, "a copy within the device moves %u MB/s, as was measured here",
            out->copy_mb);
}

/* ---- measured ---- */

/* The fastest of a few copies: others may be beside another program's work. 0: it can't
 * be told. */
static double fastest(cl_command_queue queue, cl_mem from, cl_mem to, size_t bytes)
{
    double least = 0;

    for (int i = 0; i < COPIES; i++) {
        cl_event event = NULL;
        double seconds = 0;

        if (dl__next.clEnqueueCopyBuffer(queue, from, to, 0, 0, bytes, 0, NULL, &event) !=
            CL_SUCCESS)
            return 0;
        if (dl__next.clWaitForEvents(1, &event) == CL_SUCCESS)
            seconds = dl__event_seconds(event, event);
        dl__next.clReleaseEvent(event);
        if (seconds == 0)
            return 0;
        if (least == 0 || seconds < least)
            least = seconds;
    }
    return least;
}

/* MB a second; 0: it can't be told. */
static uint64_t measure(cl_context context, cl_device_id device, size_t bytes)
{
    double seconds = 0;
    cl_int err[3];
    cl_mem from = dl__next.clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, err),
           to = dl__next.clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, err + 1);
    cl_command_queue queue = dl__next.clCreateCommandQueue(
        context, device, CL_QUEUE_PROFILING_ENABLE, err + 2);

    if (from && to && queue)
        seconds = fastest(queue, from, to, bytes);
    if (queue)
        dl__next.clReleaseCommandQueue(queue);
    if (from)
        dl__next.clReleaseMemObject(from);
    if (to)
        dl__next.clReleaseMemObject(to);
    return seconds > 0 ? (uint64_t)(2 * (double)bytes / seconds * 1e-6) : 0;
}

void dl__device_measure(cl_context context, cl_device_id device)
{
    cl_ulong memory = 0;
    struct dl_rates rates;
    struct dl__pack key;
    uint64_t copy_mb;
    size_t bytes;

    dl__next.clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory,
                             NULL);
    if (!dl__device_is_gpu(device))
        return;
    file_rates(device, false, &rates);
    if (!rates.copy_guess || !dl__cache_is_on() || recall(device, &copy_mb))
        return;
    bytes = memory / memory_part < copy_bytes ? memory / memory_part : copy_bytes;
    copy_mb = bytes ? measure(context, device, bytes) : 0;
    if (key_begin(&key, device))
        dl__cache_put(&key, &copy_mb, sizeof copy_mb);
    dl__pack_free(&key);
}
