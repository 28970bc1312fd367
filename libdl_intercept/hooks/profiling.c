/* SPDX-License-Identifier: MIT */
/* Which queues have profiling by DL. */
#include "profiling.h"

#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/trace/trace.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Queues that have it, by handle: their events may outlive DL's record of the queue. A
 * handle that is used again is judged anew. */
struct profiled {
    cl_command_queue handle;
    struct profiled *next;
};
static struct dl__mutex profiled_lock = DL__MUTEX_INITIALIZER;
static struct profiled *profiled DL__GUARDED_BY(profiled_lock);
static atomic_bool any_profiled; /* a queue ever was */

static bool is_profiled(cl_command_queue handle)
{
    const struct profiled *at;

    dl__mutex_lock(&profiled_lock);
    for (at = profiled; at && at->handle != handle; at = at->next)
        ;
    dl__mutex_unlock(&profiled_lock);
    return at != NULL;
}

void dl__profiling_note(cl_command_queue handle, bool now)
{
    struct profiled **at, *entry;

    if (!now && !atomic_load(&any_profiled))
        return;
    dl__mutex_lock(&profiled_lock);
    for (at = &profiled; *at && (*at)->handle != handle; at = &(*at)->next)
        ;
    entry = *at;
    if (now && !entry && (entry = malloc(sizeof *entry))) {
        *entry = (struct profiled){handle, profiled};
        profiled = entry;
        atomic_store(&any_profiled, true);
    } else if (!now && entry) {
        *at = entry->next;
        free(entry);
    }
    dl__mutex_unlock(&profiled_lock);
}

bool dl__profiling_is_hidden(cl_event event)
{
    cl_command_queue handle = NULL;

    return atomic_load(&any_profiled) &&
           dl__next.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof handle, &handle,
                                   NULL) == CL_SUCCESS &&
           is_profiled(handle);
}

/* OpenCL 1.0's clSetCommandQueueProperty is gone from most drivers, and a loader may end
 * the program where it is. NVIDIA's has it (docs/notes/policy.md). */
static bool can_be_switched(cl_device_id device)
{
    static const char nvidia[] = "NVIDIA ";
    cl_platform_id platform = NULL;
    char vendor[256] = "";

    return dl__next.clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform,
                                    &platform, NULL) == CL_SUCCESS &&
           dl__next.clGetPlatformInfo(platform, CL_PLATFORM_VENDOR, sizeof vendor, vendor,
                                      NULL) == CL_SUCCESS &&
           strncmp(vendor, nvidia, sizeof nvidia - 1) == 0;
}

enum dl__profiling dl__profiling_to_add(cl_device_id device,
                                        cl_command_queue_properties properties)
{
    enum { SUPPORTED_KHR = 0x129A, REQUIRED_KHR = 0x12AA };
    cl_command_queue_properties supported = CL_QUEUE_PROFILING_ENABLE, required = 0;
    bool all = dl__options_get()->stats || dl__trace_is_on();

    if (!(all || dl__policy_wants_profiling()) ||
        properties & (CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_ON_DEVICE))
        return DL__PROFILING_NONE;
    if (dl__next.clGetDeviceInfo(device, SUPPORTED_KHR, sizeof supported, &supported,
                                 NULL) != CL_SUCCESS)
        supported = CL_QUEUE_PROFILING_ENABLE;
    if (dl__next.clGetDeviceInfo(device, REQUIRED_KHR, sizeof required, &required,
                                 NULL) != CL_SUCCESS)
        required = 0;
    if (!(supported & ~required & CL_QUEUE_PROFILING_ENABLE))
        return DL__PROFILING_NONE;
    return !all && can_be_switched(device) ? DL__PROFILING_BY_TURNS
                                           : DL__PROFILING_ALWAYS;
}

cl_command_queue dl__profiling_try(cl_command_queue handle, enum dl__profiling *added)
{
    if (!handle)
        return NULL;
    if (dl__next.clSetCommandQueueProperty(handle, CL_QUEUE_PROFILING_ENABLE, CL_TRUE,
                                           NULL) == CL_SUCCESS &&
        dl__next.clSetCommandQueueProperty(handle, CL_QUEUE_PROFILING_ENABLE, CL_FALSE,
                                           NULL) == CL_SUCCESS)
        return handle;
    dl__next.clReleaseCommandQueue(handle);
    *added = DL__PROFILING_ALWAYS;
    return NULL;
}
