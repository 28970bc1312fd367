/* SPDX-License-Identifier: MIT */
/* How fast devices copy. */
#include "rates.h"

#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "cache.h"

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

static void file_rates(cl_device_id device, bool is_cpu, struct dl_rates *out)
{
    char name[256] = "";

    dl__next.clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    dl_marshal_rates(name, is_cpu, out);
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

/* Seconds that the command took on the device; 0: it does not say. */
static double seconds_of(cl_event event)
{
    cl_ulong start = 0, end = 0;

    if (dl__next.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start,
                                         &start, NULL) != CL_SUCCESS ||
        dl__next.clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end,
                                         &end, NULL) != CL_SUCCESS ||
        end <= start)
        return 0;
    return (double)(end - start) * 1e-9;
}

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
            seconds = seconds_of(event);
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
    cl_device_type type = 0;
    cl_ulong memory = 0;
    struct dl_rates rates;
    struct dl__pack key;
    uint64_t copy_mb;
    size_t bytes;

    dl__next.clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    dl__next.clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory,
                             NULL);
    if (!(type & CL_DEVICE_TYPE_GPU))
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
