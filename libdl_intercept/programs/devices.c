/* SPDX-License-Identifier: MIT */
/* The builder's devices. */
#include "devices.h"

#include <string.h>

#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/state/contexts.h"
#include "cache.h"

enum { PLATFORMS_MAX = 16, DEVICES_MAX = 64 };

static void (*start)(void); /* NULL: done */
static struct dl__mutex starting = DL__MUTEX_INITIALIZER;

void dl__devices_start(void (*start_drivers)(void))
{
    start = start_drivers;
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
    if (start)
        start();
    start = NULL;
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
