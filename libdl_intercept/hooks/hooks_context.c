/* SPDX-License-Identifier: MIT */
/* Hooks of contexts, queues and what tells about them. */
#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/programs/shadow.h"
#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/reports/facts.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/state/queues.h"
#include "libdl_intercept/state/residence.h"
#include "libdl_intercept/trace/trace.h"
#include "hooks.h"
#include "interrupt.h"
#include "pin.h"
#include "profiling.h"

#include <stdlib.h>
#include <string.h>

static cl_context record_context(cl_context handle)
{
    dl__binaries_offer();
    if (handle) {
        dl__facts_context();
        dl__interrupt_begin();
    }
    dl__context_make(handle);
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
        dl__object_retain(&dl__context_type, context);
    return err;
}

cl_int CL_API_CALL dl__hook_clReleaseContext(cl_context context)
{
    dl__object_release(&dl__context_type, context);
    return dl__next.clReleaseContext(context);
}

/* DL's events are not to be counted where the program counts. */
static void settle(struct dl__context *context)
{
    if (context) {
        dl__stats_settle();
        dl__trace_settle();
    }
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
    dl__context_lock_quietly(context);
    *(cl_uint *)value -= dl__context_count_own(context);
    dl__context_unlock(context);
    return err;
}

/* ---- queues ---- */

/* More queues than DL can tell apart: no buffer of the context is tiled any more. */
static DL__WITH_LOCK void leave_alone(struct dl__context *context)
{
    struct dl__mem *next;

    if (!context->pinned && dl__context_is_annotated(context))
        dl__log(DL__LOG_WARNING,
                "the context has more than %d queues: its kernels run as written",
                DL__QUEUE_SLOTS);
    context->pinned = true;
    for (struct dl__mem *mem = context->tiled; mem; mem = next) {
        next = mem->residence.next_tiled;
        dl__mem_bring_back_now(mem, "a context of too many queues");
    }
}

/* NULL: no record. */
static struct dl__queue *record_queue(cl_command_queue handle, cl_context context_handle,
                                      cl_device_id device,
                                      cl_command_queue_properties properties,
                                      enum dl__profiling added)
{
    bool on_device = properties & CL_QUEUE_ON_DEVICE;
    struct dl__context *context = dl__context_find(context_handle);
    struct dl__queue *queue = dl__object_make(&dl__queue_type, handle, context);

    if (!queue)
        return NULL;
    queue->device = device;
    queue->out_of_order = properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    queue->profiling_added = added != DL__PROFILING_NONE;
    queue->times_by_turns = added == DL__PROFILING_BY_TURNS;
    queue->profiled = queue->profiling_added || properties & CL_QUEUE_PROFILING_ENABLE;
    dl__profiling_note(handle, queue->profiling_added);
    atomic_fetch_add(&context->queue_count, 1);
    dl__context_lock(context);
    if (on_device || !dl__context_slot_take(context, queue))
        queue->slot = DL__QUEUE_SLOTS;
    if (!on_device && queue->slot == DL__QUEUE_SLOTS)
        leave_alone(context);
    dl__context_unlock(context);
    dl__stats_device(device);
    dl__trace_queue(handle, device, false);
    return queue;
}

cl_command_queue CL_API_CALL
dl__hook_clCreateCommandQueue(cl_context context, cl_device_id device,
                              cl_command_queue_properties properties, cl_int *err)
{
    enum dl__profiling added = dl__profiling_to_add(device, properties);
    cl_command_queue queue = NULL;

    if (added == DL__PROFILING_BY_TURNS)
        queue = dl__profiling_try(
            dl__next.clCreateCommandQueue(context, device, properties, err), &added);
    if (added == DL__PROFILING_ALWAYS)
        queue = dl__next.clCreateCommandQueue(
            context, device, properties | CL_QUEUE_PROFILING_ENABLE, err);
    /* What the program asked for may be had, and else gives its own error. */
    if (!queue) {
        if (added == DL__PROFILING_ALWAYS)
            added = DL__PROFILING_NONE;
        queue = dl__next.clCreateCommandQueue(context, device, properties, err);
    }
    record_queue(queue, context, device, properties, added);
    return queue;
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
    record_queue(queue, context, device, queue_bits(properties), DL__PROFILING_NONE);
}

/* The properties with profiling added; NULL: out of memory. */
static cl_queue_properties *with_profiling(const cl_queue_properties *properties,
                                           bool *property_added)
{
    size_t count = 0;
    cl_queue_properties *copy;

    *property_added = true;
    while (properties && properties[count])
        count += 2;
    copy = calloc(count + 3, sizeof *copy);
    if (!copy)
        return NULL;
    if (count)
        memcpy(copy, properties, count * sizeof *copy);
    for (size_t i = 0; i < count; i += 2) {
        if (copy[i] == CL_QUEUE_PROPERTIES) {
            copy[i + 1] |= CL_QUEUE_PROFILING_ENABLE;
            *property_added = false;
        }
    }
    if (*property_added) {
        copy[count] = CL_QUEUE_PROPERTIES;
        copy[count + 1] = CL_QUEUE_PROFILING_ENABLE;
    }
    return copy;
}

cl_command_queue CL_API_CALL dl__hook_clCreateCommandQueueWithProperties(
    cl_context context, cl_device_id device, const cl_queue_properties *properties,
    cl_int *err)
{
    cl_queue_properties *changed = NULL;
    cl_command_queue handle = NULL;
    bool property_added = false;
    struct dl__queue *queue;
    enum dl__profiling added = dl__profiling_to_add(device, queue_bits(properties));

    if (added == DL__PROFILING_BY_TURNS)
        handle = dl__profiling_try(
            dl__next.clCreateCommandQueueWithProperties(context, device, properties, err),
            &added);
    if (added == DL__PROFILING_ALWAYS)
        changed = with_profiling(properties, &property_added);
    if (changed)
        handle =
            dl__next.clCreateCommandQueueWithProperties(context, device, changed, err);
    free(changed);
    if (!handle) {
        changed = NULL;
        handle =
            dl__next.clCreateCommandQueueWithProperties(context, device, properties, err);
    }
    if (added == DL__PROFILING_ALWAYS && !changed)
        added = DL__PROFILING_NONE;
    queue = record_queue(handle, context, device, queue_bits(properties), added);
    if (queue) {
        queue->has_list = properties != NULL;
        queue->list_changed = changed != NULL;
        queue->property_added = property_added;
    }
    return handle;
}

cl_int CL_API_CALL dl__hook_clRetainCommandQueue(cl_command_queue queue)
{
    cl_int err = dl__next.clRetainCommandQueue(queue);

    if (err == CL_SUCCESS)
        dl__object_retain(&dl__queue_type, queue);
    return err;
}

cl_int CL_API_CALL dl__hook_clReleaseCommandQueue(cl_command_queue queue)
{
    dl__stats_settle();
    dl__trace_settle();
    dl__policy_settle();
    dl__object_release(&dl__queue_type, queue);
    return dl__next.clReleaseCommandQueue(queue);
}

/* CL_QUEUE_PROPERTIES_ARRAY of a queue whose list DL has changed. */
static cl_int give_properties(const struct dl__queue *queue, size_t bytes, void *value,
                              size_t *ret)
{
    cl_command_queue handle = queue->object.handle;
    size_t whole = 0, count = 0, kept = 0;
    cl_queue_properties *list = NULL;
    cl_int err = dl__next.clGetCommandQueueInfo(handle, CL_QUEUE_PROPERTIES_ARRAY, 0,
                                                NULL, &whole);

    if (err == CL_SUCCESS && queue->has_list && whole > 0) {
        list = calloc(1, whole + sizeof *list); /* ended, whatever the driver gives */
        err = list ? dl__next.clGetCommandQueueInfo(handle, CL_QUEUE_PROPERTIES_ARRAY,
                                                    whole, list, NULL)
                   : CL_OUT_OF_HOST_MEMORY;
        count = whole / sizeof *list;
    }
    for (size_t i = 0; err == CL_SUCCESS && i < count; i += 2) {
        bool ours = list[i] == CL_QUEUE_PROPERTIES;

        if (ours && queue->property_added)
            continue;
        list[kept++] = list[i];
        if (i + 1 < count)
            list[kept++] =
                ours ? list[i + 1] & ~(cl_queue_properties)CL_QUEUE_PROFILING_ENABLE
                     : list[i + 1];
    }
    if (err == CL_SUCCESS && value && bytes < kept * sizeof *list)
        err = CL_INVALID_VALUE;
    if (err == CL_SUCCESS && value && kept)
        memcpy(value, list, kept * sizeof *list);
    if (err == CL_SUCCESS && ret)
        *ret = kept * sizeof *list;
    free(list);
    return err;
}

cl_int CL_API_CALL dl__hook_clGetCommandQueueInfo(cl_command_queue handle,
                                                  cl_command_queue_info name,
                                                  size_t bytes, void *value, size_t *ret)
{
    const struct dl__queue *queue = NULL;
    cl_int err;

    if (name == CL_QUEUE_REFERENCE_COUNT || name == CL_QUEUE_PROPERTIES_ARRAY ||
        name == CL_QUEUE_PROPERTIES)
        queue = dl__queue_find(handle);
    if (queue && name == CL_QUEUE_REFERENCE_COUNT)
        settle(queue->object.context);
    if (queue && name == CL_QUEUE_PROPERTIES_ARRAY && queue->list_changed)
        return give_properties(queue, bytes, value, ret);
    err = dl__next.clGetCommandQueueInfo(handle, name, bytes, value, ret);
    if (err == CL_SUCCESS && name == CL_QUEUE_PROPERTIES && value && queue &&
        queue->profiling_added)
        *(cl_command_queue_properties *)value &=
            ~(cl_command_queue_properties)CL_QUEUE_PROFILING_ENABLE;
    return err;
}

/* Of OpenCL 1.0. From now on profiling is as the program says. */
cl_int CL_API_CALL dl__hook_clSetCommandQueueProperty(
    cl_command_queue handle, cl_command_queue_properties properties, cl_bool enable,
    cl_command_queue_properties *before)
{
    cl_int err = dl__next.clSetCommandQueueProperty(handle, properties, enable, before);
    struct dl__queue *queue = err == CL_SUCCESS ? dl__queue_find(handle) : NULL;

    if (!queue)
        return err;
    if (queue->profiling_added && before)
        *before &= ~(cl_command_queue_properties)CL_QUEUE_PROFILING_ENABLE;
    if (queue->profiling_added && properties & CL_QUEUE_PROFILING_ENABLE) {
        queue->profiling_added = queue->times_by_turns = false;
        dl__profiling_note(handle, false);
    }
    if (properties & CL_QUEUE_PROFILING_ENABLE)
        queue->profiled = enable;
    if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
        queue->out_of_order = enable;
    return err;
}

static void settle_annotated(struct dl__context *context, void *unused)
{
    (void)unused;
    if (dl__context_is_annotated(context))
        dl__context_settle(context);
}

cl_int CL_API_CALL dl__hook_clGetEventInfo(cl_event event, cl_event_info name,
                                           size_t bytes, void *value, size_t *ret)
{
    cl_int err;

    /* Of what is done DL need not keep the event. */
    if (name == CL_EVENT_REFERENCE_COUNT)
        dl__contexts_visit(settle_annotated, NULL);
    err = dl__next.clGetEventInfo(event, name, bytes, value, ret);
    if (err == CL_SUCCESS && name == CL_EVENT_REFERENCE_COUNT && value)
        *(cl_uint *)value -= dl__stats_references(event) + dl__trace_references(event) +
                             dl__policy_references(event);
    return err;
}

cl_int CL_API_CALL dl__hook_clGetEventProfilingInfo(cl_event event,
                                                    cl_profiling_info name, size_t bytes,
                                                    void *value, size_t *ret)
{
    if (dl__profiling_is_hidden(event))
        return CL_PROFILING_INFO_NOT_AVAILABLE;
    return dl__next.clGetEventProfilingInfo(event, name, bytes, value, ret);
}
