/* Per-context state that is DL's own. */
#include "contexts.h"

#include <stdlib.h>

#include "libdl_intercept/base/log.h"
#include "libdl_intercept/host/maps.h"
#include "libdl_intercept/hooks/pin.h"
#include "libdl_intercept/programs/probe.h"
#include "residence.h"
#include "libdl_intercept/host/staging.h"

static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static struct dl__context *all;

void dl__contexts_visit(void (*visit)(struct dl__context *, void *), void *user)
{
    pthread_mutex_lock(&all_lock);
    for (struct dl__context *context = all; context; context = context->next)
        visit(context, user);
    pthread_mutex_unlock(&all_lock);
}

void dl__context_begin(struct dl__context *context)
{
    pthread_mutex_lock(&all_lock);
    context->next = all;
    all = context;
    pthread_mutex_unlock(&all_lock);
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
    }
    dl__context_unlock(context);
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
    status =
        dl_marshal_make(&dl__next, context->object.handle, device->id, &device->marshal);
    dl__context_count_end(context, before);
    if (status != DL_OK) {
        device->marshal = NULL;
        device->marshal_failed = true;
        dl__log(DL__LOG_WARNING,
                "this device can't convert layouts: %s; kernels run as written",
                dl_status_text(status));
    }
    return device->marshal;
}

static cl_uint driver_count(struct dl__context *context)
{
    cl_uint count = 0;

    dl__next.clGetContextInfo(context->object.handle, CL_CONTEXT_REFERENCE_COUNT,
                              sizeof count, &count, NULL);
    return count;
}

cl_uint dl__context_count_begin(struct dl__context *context)
{
    return dl__context_is_annotated(context) ? driver_count(context) : 0;
}

void dl__context_count_end(struct dl__context *context, cl_uint before)
{
    if (dl__context_is_annotated(context))
        context->driver_refs += driver_count(context) - before;
}

bool dl__event_is_done(cl_event event)
{
    cl_int status = CL_QUEUED;

    dl__next.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                            &status, NULL);
    return status <= CL_COMPLETE;
}

void dl__context_settle(struct dl__context *context)
{
    dl__context_lock(context);
    for (struct dl__mem *mem = context->used; mem; mem = mem->next_used)
        dl__mem_settle(mem);
    for (unsigned i = 0; i < DL__QUEUE_SLOTS; i++) {
        struct dl__queue_slot *slot = &context->slots[i];

        if (!slot->retired || !dl__event_is_done(slot->retired))
            continue;
        dl__next.clReleaseEvent(slot->retired);
        slot->retired = NULL;
    }
    dl__areas_free(context);
    dl__views_settle(context);
    dl__pin_settle(context);
    dl__context_unlock(context);
}

bool dl__context_slot_take(struct dl__context *context, struct dl__queue *queue)
{
    for (unsigned i = 0; i < DL__QUEUE_SLOTS; i++) {
        struct dl__queue_slot *slot = &context->slots[i];

        if (slot->queue || (slot->retired && !dl__event_is_done(slot->retired)) ||
            (atomic_load(&context->cancel.falling) >> i & 1))
            continue;
        if (slot->retired)
            dl__next.clReleaseEvent(slot->retired);
        slot->retired = NULL;
        slot->queue = queue;
        queue->slot = i;
        return true;
    }
    return false;
}

/* True when somebody may have to wait for commands of the slot's queue. */
static bool slot_is_used(struct dl__context *context, unsigned number)
{
    const uint64_t bit = UINT64_C(1) << number;
    bool used = (context->early_queues & bit) != 0;

    for (struct dl__mem *mem = context->used; mem; mem = mem->next_used) {
        dl__mem_settle(mem);
        used = used || (mem->users & bit) || mem->marshaled_slot == number;
    }
    return used || dl__areas_are_used(context, number);
}

void dl__context_slot_retire(struct dl__context *context, struct dl__queue *queue)
{
    struct dl__queue_slot *slot;

    if (queue->slot >= DL__QUEUE_SLOTS)
        return;
    slot = &context->slots[queue->slot];
    slot->queue = NULL;
    /* A context that ends needs no further order. */
    if (atomic_load(&context->live) > 1 && slot_is_used(context, queue->slot))
        dl__next.clEnqueueMarkerWithWaitList(queue->object.handle, 0, NULL,
                                             &slot->retired);
    if (slot->retired)
        dl__areas_retire(context, queue->slot, slot->retired);
}

void dl__context_end(struct dl__context *context)
{
    struct dl__device *device;

    pthread_mutex_lock(&all_lock);
    for (struct dl__context **at = &all; *at; at = &(*at)->next) {
        if (*at == context) {
            *at = context->next;
            break;
        }
    }
    pthread_mutex_unlock(&all_lock);
    for (unsigned i = 0; i < DL__QUEUE_SLOTS; i++) {
        if (context->slots[i].retired)
            dl__next.clReleaseEvent(context->slots[i].retired);
        if (context->slots[i].mark)
            dl__next.clReleaseEvent(context->slots[i].mark);
    }
    dl__views_free(context);
    dl__areas_free(context);
    dl__tokens_free(context);
    dl__probe_answers_free(context);
    dl__pin_forget(context);
    while ((device = context->devices)) {
        context->devices = device->next;
        if (device->marshal)
            dl_marshal_free(device->marshal);
        free(device);
    }
}
