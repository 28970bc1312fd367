/* Hooks of contexts, queues and what tells about them. */
#include "contexts.h"
#include "log.h"
#include "residence.h"
#include "hooks.h"
#include "options.h"
#include "pin.h"
#include "stats.h"

#include <stdlib.h>
#include <string.h>

static cl_context record_context(cl_context handle)
{
    struct dl__context *context = dl__object_make(DL__CONTEXT, handle, NULL);

    if (context)
        dl__context_begin(context);
    return handle;
}

cl_context CL_API_CALL dl__hook_clCreateContext(
    const cl_context_properties *properties, cl_uint device_count,
    const cl_device_id *devices,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user,
    cl_int *err)
{
    return record_context(
        dl__next.clCreateContext(properties, device_count, devices, notify, user, err));
}

cl_context CL_API_CALL dl__hook_clCreateContextFromType(
    const cl_context_properties *properties, cl_device_type type,
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user,
    cl_int *err)
{
    return record_context(
        dl__next.clCreateContextFromType(properties, type, notify, user, err));
}

cl_int CL_API_CALL dl__hook_clRetainContext(cl_context context)
{
    cl_int err = dl__next.clRetainContext(context);

    if (err == CL_SUCCESS)
        dl__object_retain(DL__CONTEXT, context);
    return err;
}

cl_int CL_API_CALL dl__hook_clReleaseContext(cl_context context)
{
    dl__object_release(DL__CONTEXT, context);
    return dl__next.clReleaseContext(context);
}

/* DL's events are not to be counted where the program counts. */
static void settle(struct dl__context *context)
{
    if (context)
        dl__stats_settle();
    if (dl__context_is_annotated(context))
        dl__context_settle(context);
}

cl_int CL_API_CALL dl__hook_clGetContextInfo(cl_context handle, cl_context_info name,
                                             size_t bytes, void *value, size_t *ret)
{
    struct dl__context *context = NULL;
    cl_int err;

    if (name == CL_CONTEXT_REFERENCE_COUNT) {
        context = dl__context_find(handle);
        settle(context);
    }
    err = dl__next.clGetContextInfo(handle, name, bytes, value, ret);
    if (err != CL_SUCCESS || !context || !value)
        return err;
    if (dl__context_is_annotated(context)) {
        dl__context_lock(context);
        *(cl_uint *)value -= context->driver_refs;
        dl__context_unlock(context);
    }
    return err;
}

/* ---- queues
 * --------------------------------------------------------------------------------- */

/* More queues than DL can tell apart: no buffer of the context is tiled any more. */
static void leave_alone(struct dl__context *context)
{
    struct dl__mem *next;

    if (!context->pinned && dl__context_is_annotated(context))
        dl__log(DL__LOG_WARNING,
                "the context has more than %d queues: its kernels run as written",
                DL__QUEUE_SLOTS);
    context->pinned = true;
    for (struct dl__mem *mem = context->tiled; mem; mem = next) {
        next = mem->next_tiled;
        dl__mem_bring_back_now(mem, "a context of too many queues");
    }
}

static cl_command_queue record_queue(cl_command_queue handle, cl_context context_handle,
                                     cl_device_id device,
                                     cl_command_queue_properties properties,
                                     bool profiling_added)
{
    bool on_device = properties & CL_QUEUE_ON_DEVICE;
    struct dl__context *context = dl__context_find(context_handle);
    struct dl__queue *queue = dl__object_make(DL__QUEUE, handle, context);

    if (!queue)
        return handle;
    queue->device = device;
    queue->out_of_order = properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    queue->profiling_added = profiling_added;
    atomic_fetch_add(&context->queue_count, 1);
    dl__context_lock(context);
    if (on_device || !dl__context_slot_take(context, queue))
        queue->slot = DL__QUEUE_SLOTS;
    if (!on_device && queue->slot == DL__QUEUE_SLOTS)
        leave_alone(context);
    dl__context_unlock(context);
    dl__stats_device(device);
    return handle;
}

cl_command_queue CL_API_CALL
dl__hook_clCreateCommandQueue(cl_context context, cl_device_id device,
                              cl_command_queue_properties properties, cl_int *err)
{
    bool added = dl__options_get()->stats && !(properties & CL_QUEUE_PROFILING_ENABLE);

    return record_queue(dl__next.clCreateCommandQueue(
                            context, device,
                            added ? properties | CL_QUEUE_PROFILING_ENABLE : properties,
                            err),
                        context, device, properties, added);
}

/* CL_QUEUE_PROPERTIES of a property list. */
static cl_command_queue_properties queue_bits(const cl_queue_properties *properties)
{
    for (size_t i = 0; properties && properties[i]; i += 2) {
        if (properties[i] == CL_QUEUE_PROPERTIES)
            return properties[i + 1];
    }
    return 0;
}

void dl__pin_adopt_queue(cl_context context, cl_device_id device,
                         const cl_queue_properties *properties, cl_command_queue queue)
{
    record_queue(queue, context, device, queue_bits(properties), false);
}

/* The properties with profiling added; NULL: nothing to add, or out of memory. */
static cl_queue_properties *with_profiling(const cl_queue_properties *properties)
{
    size_t count = 0;
    bool found = false;
    cl_queue_properties *copy;

    while (properties && properties[count])
        count += 2;
    copy = calloc(count + 3, sizeof *copy);
    if (!copy)
        return NULL;
    if (count)
        memcpy(copy, properties, count * sizeof *copy);
    for (size_t i = 0; i < count; i += 2) {
        if (copy[i] != CL_QUEUE_PROPERTIES)
            continue;
        found = true;
        if (copy[i + 1] & (CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_ON_DEVICE)) {
            free(copy);
            return NULL;
        }
        copy[i + 1] |= CL_QUEUE_PROFILING_ENABLE;
    }
    if (!found) {
        copy[count] = CL_QUEUE_PROPERTIES;
        copy[count + 1] = CL_QUEUE_PROFILING_ENABLE;
    }
    return copy;
}

cl_command_queue CL_API_CALL dl__hook_clCreateCommandQueueWithProperties(
    cl_context context, cl_device_id device, const cl_queue_properties *properties,
    cl_int *err)
{
    cl_queue_properties *changed =
        dl__options_get()->stats ? with_profiling(properties) : NULL;
    cl_command_queue queue;

    queue = dl__next.clCreateCommandQueueWithProperties(
        context, device, changed ? changed : properties, err);
    queue = record_queue(queue, context, device, queue_bits(properties), changed != NULL);
    free(changed);
    return queue;
}

cl_int CL_API_CALL dl__hook_clRetainCommandQueue(cl_command_queue queue)
{
    cl_int err = dl__next.clRetainCommandQueue(queue);

    if (err == CL_SUCCESS)
        dl__object_retain(DL__QUEUE, queue);
    return err;
}

cl_int CL_API_CALL dl__hook_clReleaseCommandQueue(cl_command_queue queue)
{
    dl__stats_settle();
    dl__object_release(DL__QUEUE, queue);
    return dl__next.clReleaseCommandQueue(queue);
}

cl_int CL_API_CALL dl__hook_clGetCommandQueueInfo(cl_command_queue handle,
                                                  cl_command_queue_info name,
                                                  size_t bytes, void *value, size_t *ret)
{
    const struct dl__queue *queue;
    cl_int err;

    if (name == CL_QUEUE_REFERENCE_COUNT) {
        queue = dl__queue_find(handle);
        if (queue)
            settle(queue->object.context);
    }
    err = dl__next.clGetCommandQueueInfo(handle, name, bytes, value, ret);
    if (err != CL_SUCCESS || name != CL_QUEUE_PROPERTIES || !value)
        return err;
    queue = dl__queue_find(handle);
    if (queue && queue->profiling_added)
        *(cl_command_queue_properties *)value &=
            ~(cl_command_queue_properties)CL_QUEUE_PROFILING_ENABLE;
    return err;
}

cl_int CL_API_CALL dl__hook_clGetEventInfo(cl_event event, cl_event_info name,
                                           size_t bytes, void *value, size_t *ret)
{
    cl_int err = dl__next.clGetEventInfo(event, name, bytes, value, ret);

    if (err == CL_SUCCESS && name == CL_EVENT_REFERENCE_COUNT && value)
        *(cl_uint *)value -= dl__stats_references(event);
    return err;
}

cl_int CL_API_CALL dl__hook_clGetEventProfilingInfo(cl_event event,
                                                    cl_profiling_info name, size_t bytes,
                                                    void *value, size_t *ret)
{
    cl_command_queue handle = NULL;
    const struct dl__queue *queue;

    if (dl__options_get()->stats &&
        dl__next.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof handle, &handle,
                                NULL) == CL_SUCCESS) {
        queue = dl__queue_find(handle);
        if (queue && queue->profiling_added)
            return CL_PROFILING_INFO_NOT_AVAILABLE;
    }
    return dl__next.clGetEventProfilingInfo(event, name, bytes, value, ret);
}
