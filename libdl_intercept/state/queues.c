/* SPDX-License-Identifier: MIT */
/* Queues. */
#include "queues.h"

#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/trace/trace.h"
#include "contexts.h"
#include "order.h"

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
static DL__WITH_LOCK bool slot_is_used(struct dl__context *context, unsigned number)
{
    const uint64_t bit = UINT64_C(1) << number;
    bool used = (context->early_queues & bit) != 0;

    for (struct dl__mem *mem = context->used; mem; mem = mem->order.next_used) {
        dl__mem_settle(mem);
        used = used || (mem->order.users & bit) || mem->order.marshaled_slot == number;
    }
    for (const struct dl__kept *kept = context->object.kept; kept; kept = kept->next)
        used = used || (kept->keeper->uses_slot && kept->keeper->uses_slot(kept, number));
    return used;
}

void dl__context_slot_retire(struct dl__context *context, struct dl__queue *queue)
{
    struct dl__queue_slot *slot;

    if (queue->slot >= DL__QUEUE_SLOTS)
        return;
    slot = &context->slots[queue->slot];
    slot->queue = NULL;
    /* A context that ends needs no further order. */
    if (atomic_load(&context->object.live) > 1 && slot_is_used(context, queue->slot))
        dl__next.clEnqueueMarkerWithWaitList(queue->object.handle, 0, NULL,
                                             &slot->retired);
    for (struct dl__kept *kept = context->object.kept; slot->retired && kept;
         kept = kept->next) {
        if (kept->keeper->retire_slot)
            kept->keeper->retire_slot(kept, queue->slot, slot->retired);
    }
}

static void end_queue(void *record)
{
    struct dl__queue *queue = record;
    struct dl__context *context = queue->object.context;

    dl__context_lock(context);
    dl__context_slot_retire(context, queue);
    atomic_fetch_sub(&context->queue_count, 1);
    dl__context_unlock(context);
}

struct dl__type dl__queue_type = {.bytes = sizeof(struct dl__queue), .end = end_queue};

void dl__context_settle(struct dl__context *context)
{
    dl__context_lock(context);
    dl__context_settle_users(context);
    for (unsigned i = 0; i < DL__QUEUE_SLOTS; i++) {
        struct dl__queue_slot *slot = &context->slots[i];

        if (!slot->retired || !dl__event_is_done(slot->retired))
            continue;
        dl__next.clReleaseEvent(slot->retired);
        slot->retired = NULL;
    }
    for (struct dl__kept *kept = context->object.kept; kept; kept = kept->next) {
        if (kept->keeper->settle)
            kept->keeper->settle(context, kept);
    }
    for (struct dl__device *device = context->devices; device; device = device->next)
        if (device->marshal)
            dl_marshal_settle(device->marshal);
    dl__context_unlock(context);
}

/* A command of another thread may be timed as well, or not be timed for it: then its
 * times are not told. */
static void set_timing(struct dl__queue *queue, cl_bool on)
{
    dl__next.clSetCommandQueueProperty(queue->object.handle, CL_QUEUE_PROFILING_ENABLE,
                                       on, NULL);
}

void dl__queue_time_begin(struct dl__queue *queue)
{
    if (queue->times_by_turns && atomic_fetch_add(&queue->timing, 1) == 0)
        set_timing(queue, CL_TRUE);
}

void dl__queue_time_end(struct dl__queue *queue)
{
    if (queue->times_by_turns && atomic_fetch_sub(&queue->timing, 1) == 1)
        set_timing(queue, CL_FALSE);
}

cl_int dl__queue_apart_begin(struct dl__context *context, cl_device_id device,
                             struct dl__queue *own)
{
    cl_uint before = dl__context_count_begin(context);
    cl_int err = CL_SUCCESS;

    *own = (struct dl__queue){.slot = DL__QUEUE_SLOTS, .device = device};
    own->object.context = context;
    own->object.handle = dl__next.clCreateCommandQueue(
        context->object.handle, device,
        dl__options_get()->stats || dl__trace_is_on() ? CL_QUEUE_PROFILING_ENABLE : 0,
        &err);
    dl__trace_queue(own->object.handle, device, true);
    dl__context_count_end(context, before);
    return err;
}

void dl__queue_apart_end(struct dl__queue *own)
{
    struct dl__context *context = own->object.context;
    cl_uint before = dl__context_count_begin(context);

    dl__queue_flush(own->object.handle);
    dl__next.clReleaseCommandQueue(own->object.handle);
    dl__context_count_end(context, before);
}
