/* SPDX-License-Identifier: MIT */
/* The table of the functions below the hooks. */
#include "next.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/locks.h"

#define ENTRY_COUNT (sizeof(cl_icd_dispatch) / sizeof(void *))

cl_icd_dispatch dl__next;

static struct dl__mutex next_lock = DL__MUTEX_INITIALIZER;
static bool next_is_filled DL__GUARDED_BY(next_lock);

void dl__next_fill(const cl_icd_dispatch *table, cl_uint count)
{
    dl__mutex_lock(&next_lock);
    if (!next_is_filled) {
        if (count > ENTRY_COUNT)
            count = ENTRY_COUNT;
        memcpy(&dl__next, table, count * sizeof(void *));
        next_is_filled = true;
    }
    dl__mutex_unlock(&next_lock);
}

static cl_int ask(enum dl__asked asked, void *object, cl_device_id device, cl_uint name,
                  size_t bytes, void *value, size_t *ret)
{
    switch (asked) {
    case DL__OF_CONTEXT:
        return dl__next.clGetContextInfo(object, name, bytes, value, ret);
    case DL__OF_DEVICE:
        return dl__next.clGetDeviceInfo(object, name, bytes, value, ret);
    case DL__OF_PROGRAM:
        return dl__next.clGetProgramInfo(object, name, bytes, value, ret);
    case DL__OF_BUILD:
        return dl__next.clGetProgramBuildInfo(object, device, name, bytes, value, ret);
    case DL__OF_KERNEL:
        return dl__next.clGetKernelInfo(object, name, bytes, value, ret);
    }
    return CL_INVALID_VALUE;
}

void *dl__info_get(enum dl__asked asked, void *object, cl_device_id device, cl_uint name,
                   size_t *bytes)
{
    size_t room = 0;
    void *value;

    if (ask(asked, object, device, name, 0, NULL, &room) != CL_SUCCESS ||
        !(value = calloc(1, room + 1)))
        return NULL;
    if (ask(asked, object, device, name, room, value, NULL) != CL_SUCCESS) {
        free(value);
        return NULL;
    }
    if (bytes)
        *bytes = room;
    return value;
}
