/* SPDX-License-Identifier: MIT */
/* Per-context state that is DL's own. */
#include "contexts.h"

#include <stdlib.h>

#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/trace/trace.h"

static struct dl__mutex
    all_lock DL__ACQUIRED_BEFORE(dl__context_at_hand) = DL__MUTEX_INITIALIZER;
static struct dl__context *all DL__GUARDED_BY(all_lock);
static _Atomic(const struct dl__binaries *) kept_binaries;

static void end_context(void *record)
{
    struct dl__context *context = record;
    struct dl__device *device;

    dl__mutex_lock(&all_lock);
    for (struct dl__context **at = &all; *at; at = &(*at)->next) {
        if (*at == context) {
            *at = context->next;
            break;
        }
    }
    dl__mutex_unlock(&all_lock);
    dl__context_lock(context);
    for (unsigned i = 0; i < DL__QUEUE_SLOTS; i++) {
        if (context->slots[i].retired)
            dl__next.clReleaseEvent(context->slots[i].retired);
        if (context->slots[i].mark)
            dl__next.clReleaseEvent(context->slots[i].mark);
    }
    dl__kept_end(context);
    while ((device = context->devices)) {
        context->devices = device->next;
        if (device->marshal)
            dl_marshal_free(device->marshal);
        free(device);
    }
    dl__context_unlock(context);
    pthread_mutex_destroy(&context->lock.posix);
}

struct dl__type dl__context_type = {
    .bytes = sizeof(struct dl__context), .is_context = true, .end = end_context};

struct dl__context *dl__context_make(cl_context handle)
{
    struct dl__context *context = dl__object_make(&dl__context_type, handle, NULL);
    pthread_mutexattr_t recursive;

    if (!context)
        return NULL;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&context->lock.posix, &recursive);
    pthread_mutexattr_destroy(&recursive);
    dl__mutex_lock(&all_lock);
    context->next = all;
    all = context;
    dl__mutex_unlock(&all_lock);
    return context;
}

void dl__contexts_visit(void (*visit)(struct dl__context *, void *), void *user)
{
    dl__mutex_lock(&all_lock);
    for (struct dl__context *context = all; context; context = context->next)
        visit(context, user);
    dl__mutex_unlock(&all_lock);
}

static atomic_bool any_annotated;

bool dl__contexts_any_annotated(void)
{
    return atomic_load(&any_annotated);
}

void dl__context_set_annotated(struct dl__context *context)
{
    dl__context_lock(context);
    if (!dl__context_is_annotated(context)) {
        for (unsigned i = 0; i < DL__QUEUE_SLOTS; i++) {
            if (context->slots[i].queue)
                context->early_queues |= UINT64_C(1) << i;
        }
        atomic_store_explicit(&context->annotated, true, memory_order_release);
        atomic_store(&any_annotated, true);
    }
    dl__context_unlock(context);
}

bool dl__context_has_devices(const struct dl__context *context, cl_uint count,
                             const cl_device_id *devices)
{
    size_t bytes = 0;
    cl_device_id *its = context ? dl__info_get(DL__OF_CONTEXT, context->object.handle,
                                               NULL, CL_CONTEXT_DEVICES, &bytes)
                                : NULL;
    bool has = its != NULL;

    for (cl_uint c = 0; has && c < count; c++) {
        has = false;
        for (size_t d = 0; d < bytes / sizeof *its; d++)
            has |= its[d] == devices[c];
    }
    free(its);
    return has;
}

struct dl__device *dl__context_device(struct dl__context *context, cl_device_id id)
{
    struct dl__device *device;
    cl_ulong global_bytes = 0;
    cl_bool unified = CL_FALSE;

    for (device = context->devices; device; device = device->next) {
        if (device->id == id)
            return device;
    }
    device = calloc(1, sizeof *device);
    if (!device)
        return NULL;
    device->id = id;
    dl__next.clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof device->type, &device->type,
                             NULL);
    dl__next.clGetDeviceInfo(id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof global_bytes,
                             &global_bytes, NULL);
    dl__next.clGetDeviceInfo(id, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified, &unified,
                             NULL);
    device->global_bytes = global_bytes;
    device->unified = unified;
    device->next = context->devices;
    context->devices = device;
    return device;
}

struct dl_marshal *dl__device_marshal(struct dl__context *context,
                                      struct dl__device *device)
{
    enum dl_status status;
    cl_uint before;

    if (device->marshal || device->marshal_failed)
        return device->marshal;
    before = dl__context_count_begin(context);
    /* A conversion is one thing in a trace, whatever it takes. */
    status = dl_marshal_make(dl__trace_below(), context->object.handle, device->id,
                             &device->marshal);
    dl__context_count_end(context, before);
    if (status != DL_OK) {
        device->marshal = NULL;
        device->marshal_failed = true;
        dl__log(DL__LOG_WARNING,
                "this device can't convert layouts: %s; kernels run as written",
                dl_status_text(status));
    } else {
        dl_marshal_use_binaries(device->marshal, atomic_load(&kept_binaries));
    }
    return device->marshal;
}

void dl__contexts_use_binaries(const struct dl__binaries *binaries)
{
    atomic_store(&kept_binaries, binaries);
}

static cl_uint driver_count(struct dl__context *context)
{
    cl_uint count = 0;

    dl__next.clGetContextInfo(context->object.handle, CL_CONTEXT_REFERENCE_COUNT,
                              sizeof count, &count, NULL);
    return count;
}

/* Learns how many references a buffer, or a queue, adds to the context's count, by one
 * that is made for it. */
static DL__WITH_LOCK cl_uint learn(struct dl__context *context, struct dl__refs *refs,
                                   bool queue)
{
    cl_context handle = context->object.handle;
    cl_command_queue made_queue = NULL;
    cl_mem made = NULL;
    cl_uint before;
    cl_int err;

    if (refs->known || (queue && !context->devices))
        return refs->each;
    before = driver_count(context);
    if (queue)
        made_queue = dl__next.clCreateCommandQueue(handle, context->devices->id, 0, &err);
    else
        made = dl__next.clCreateBuffer(handle, CL_MEM_READ_WRITE, 1, NULL, &err);
    if (err != CL_SUCCESS)
        return 0;
    *refs = (struct dl__refs){driver_count(context) > before, true};
    if (queue)
        dl__next.clReleaseCommandQueue(made_queue);
    else
        dl__next.clReleaseMemObject(made);
    return refs->each;
}

/* Of these buffers of DL's, and of workspaces, which come and go by themselves. */
static DL__WITH_LOCK cl_uint refs_of_buffers(struct dl__context *context, cl_uint count)
{
    for (struct dl__device *device = context->devices; device; device = device->next)
        if (device->marshal)
            count += dl_marshal_workspaces(device->marshal);
    return count ? count * learn(context, &context->refs_of_buffer, false) : 0;
}

static DL__WITH_LOCK cl_uint count_without_workspaces(struct dl__context *context)
{
    cl_uint refs = refs_of_buffers(context, 0);

    return driver_count(context) - refs;
}

/* Where DL makes nothing that lasts, the driver is not asked. */
static DL__WITH_LOCK bool counts(struct dl__context *context)
{
    return context->counts || dl__context_is_annotated(context);
}

cl_uint dl__context_count_begin(struct dl__context *context)
{
    return counts(context) ? count_without_workspaces(context) : 0;
}

void dl__context_count_end(struct dl__context *context, cl_uint before)
{
    if (counts(context))
        context->driver_refs += count_without_workspaces(context) - before;
}

cl_uint dl__context_count_own(struct dl__context *context)
{
    cl_uint queues = context->own_queues;

    if (!counts(context))
        return 0;
    if (queues)
        queues *= learn(context, &context->refs_of_queue, true);
    return context->driver_refs + refs_of_buffers(context, context->own_buffers) + queues;
}
