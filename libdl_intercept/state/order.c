/* SPDX-License-Identifier: MIT */
/* Wait lists, order among the commands and conversions of a buffer across queues, and
 * what DL keeps of these. */
#include "order.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/trace/trace.h"
#include "contexts.h"

enum { TURNS = 2000, TURN_MICROSECONDS = 100 };

void dl__wait_begin(struct dl__wait *wait, cl_uint count, const cl_event *list)
{
    memset(wait, 0, offsetof(struct dl__wait, small));
    wait->count = count;
    wait->list = list;
}

void dl__wait_begin_on(struct dl__wait *wait, cl_command_queue queue, cl_uint count,
                       const cl_event *list)
{
    dl__wait_begin(wait, count, list);
    wait->queue = queue;
}

void dl__wait_begin_from(struct dl__wait *wait, const struct dl__wait *other)
{
    dl__wait_begin(wait, other->count, other->list);
    wait->queue = other->queue;
    wait->failed = other->failed;
    wait->lost = other->lost;
    wait->mem_count = 0;
}

static bool make_room(struct dl__wait *wait)
{
    cl_uint room = wait->count < DL__WAIT_INLINE ? DL__WAIT_INLINE : wait->count * 2;
    cl_event *events;

    if (wait->events && wait->count < wait->room)
        return true;
    events = room == DL__WAIT_INLINE ? wait->small : malloc(room * sizeof *events);
    if (!events)
        return false;
    if (wait->count)
        memmove(events, wait->list, wait->count * sizeof *events);
    if (wait->events != wait->small)
        free(wait->events);
    wait->events = events;
    wait->list = events;
    wait->room = room;
    return true;
}

/* An event that the driver does not keep for DL is waited for here; not for ever, for the
 * lock is held, and a callback of the program's may be what the event waits for. */
static bool has_ended(cl_event event)
{
    cl_int status = dl__event_status(event);

    dl__event_flush(event, NULL);
    for (int turn = 0; turn < TURNS && status > CL_COMPLETE; turn++) {
        usleep(TURN_MICROSECONDS);
        status = dl__event_status(event);
    }
    return status == CL_COMPLETE;
}

/* A list with a count and no events, or the other way round, is passed on as it is: most
 * drivers refuse it, and the program is to hear of it. Some take it; then the command
 * comes behind a barrier. */
static bool put_behind(cl_command_queue queue, cl_event event)
{
    if (!queue)
        return true;
    if (dl__next.clEnqueueBarrierWithWaitList)
        return dl__next.clEnqueueBarrierWithWaitList(queue, 1, &event, NULL) ==
               CL_SUCCESS;
    return dl__next.clEnqueueWaitForEvents(queue, 1, &event) == CL_SUCCESS;
}

void dl__wait_add(struct dl__wait *wait, cl_event event, bool given)
{
    cl_event *more;

    if (!event)
        return;
    if (!wait->events && (wait->count > 0) != (wait->list != NULL)) {
        wait->failed |= !put_behind(wait->queue, event);
        if (given)
            dl__next.clReleaseEvent(event);
        return;
    }
    if (!given && !dl__event_share(event)) {
        wait->failed = wait->failed || !has_ended(event);
        return;
    }
    more = realloc(wait->owned, (wait->owned_count + 1) * sizeof *more);
    if (more)
        wait->owned = more;
    if (!more || !make_room(wait)) {
        wait->failed = true;
        dl__next.clReleaseEvent(event);
        return;
    }
    wait->events[wait->count++] = event;
    wait->owned[wait->owned_count++] = event;
    dl__trace_waits_for(event);
}

cl_int dl__wait_error(const struct dl__wait *wait)
{
    return wait->lost     ? CL_OUT_OF_RESOURCES
           : wait->failed ? CL_OUT_OF_HOST_MEMORY
                          : CL_SUCCESS;
}

void dl__wait_end(struct dl__wait *wait)
{
    for (cl_uint i = 0; i < wait->owned_count; i++)
        dl__next.clReleaseEvent(wait->owned[i]);
    free(wait->owned);
    if (wait->events != wait->small)
        free(wait->events);
}

/* ---- order ---- */

/* PoCL may run a command that is cancelled while another that it waits for ends, and then
 * aborts (docs/notes/cancelled-commands.md). It can't if the other has ended before the
 * command is enqueued, so there DL waits: for conversions, and for markers behind what
 * has probably ended. */
#define CONVERSION_SECONDS 0.2
#define MARKER_SECONDS 0.002

static uint64_t slot_bit(unsigned slot)
{
    return slot < DL__QUEUE_SLOTS ? UINT64_C(1) << slot : 0;
}

bool dl__queue_needs_events(const struct dl__queue *queue)
{
    return queue->out_of_order || queue->slot >= DL__QUEUE_SLOTS ||
           atomic_load(&queue->object.context->queue_count) > 1;
}

static DL__WITH_LOCK struct dl__use *find_use(const struct dl__mem *mem, unsigned slot)
{
    for (struct dl__use *use = mem->order.uses; use; use = use->next) {
        if (use->slot == slot)
            return use;
    }
    return NULL;
}

static DL__WITH_LOCK void forget_uses(struct dl__mem *mem)
{
    struct dl__use *use;

    while ((use = mem->order.uses)) {
        mem->order.uses = use->next;
        dl__next.clReleaseEvent(use->last);
        free(use);
    }
    mem->order.users = mem->order.crowded = 0;
}

void dl__mem_order_end(struct dl__mem *mem)
{
    for (struct dl__mem **at = &mem->object.context->used; mem->order.is_used && *at;
         at = &(*at)->order.next_used) {
        if (*at == mem) {
            *at = mem->order.next_used;
            break;
        }
    }
    forget_uses(mem);
    if (mem->order.marshaled)
        dl__next.clReleaseEvent(mem->order.marshaled);
}

/* The end of the queue's commands on the buffer is not known any more: all of the queue
 * will be waited for, until set_use. */
static void drop_use(struct dl__mem *mem, unsigned slot)
{
    for (struct dl__use **at = &mem->order.uses; *at; at = &(*at)->next) {
        struct dl__use *use = *at;

        if (use->slot != slot)
            continue;
        *at = use->next;
        dl__next.clReleaseEvent(use->last);
        free(use);
        return;
    }
}

/* True when the last conversion has ended: nobody has to wait for it any more. */
static DL__WITH_LOCK bool conversion_is_done(struct dl__mem *mem)
{
    struct dl__order *order = &mem->order;
    cl_int status = CL_QUEUED;

    dl__next.clGetEventInfo(order->marshaled, CL_EVENT_COMMAND_EXECUTION_STATUS,
                            sizeof status, &status, NULL);
    if (status > CL_COMPLETE)
        return false;
    if (status < CL_COMPLETE && !order->lost) {
        dl__log(DL__LOG_ERROR,
                "a conversion of buffer %u has failed on the device (%d): commands on it "
                "fail until it is overwritten as a whole",
                mem->id, status);
        order->lost = true;
    }
    dl__next.clReleaseEvent(order->marshaled);
    order->marshaled = NULL;
    order->marshaled_slot = DL__QUEUE_SLOTS;
    return true;
}

/* Lets go of the events of what is done: nobody has to wait for it any more. */
static DL__WITH_LOCK void mem_settle(struct dl__mem *mem)
{
    struct dl__order *order = &mem->order;
    struct dl__use **at = &order->uses, *use;

    while ((use = *at)) {
        if (!dl__event_is_done(use->last)) {
            at = &use->next;
            continue;
        }
        order->users &= ~slot_bit(use->slot);
        *at = use->next;
        dl__next.clReleaseEvent(use->last);
        free(use);
    }
    if (order->marshaled)
        conversion_is_done(mem);
}

/* `event`, which it retains, is the end of the queue's commands on the buffer. */
static DL__WITH_LOCK void set_use(struct dl__mem *mem, unsigned slot, cl_event event)
{
    struct dl__use *use;

    drop_use(mem, slot);
    use = calloc(1, sizeof *use);
    if (!use || !dl__event_share(event)) {
        free(use);
        return;
    }
    *use = (struct dl__use){.next = mem->order.uses, .slot = slot, .last = event};
    mem->order.uses = use;
    mem->order.crowded &= ~slot_bit(slot);
}

/* On an out-of-order queue a marker waits for all that has not ended: one for each of
 * many commands would wait for as many each (PoCL: 11 s for a thousand, and for markers
 * with a list as well). So many are marked one by one; who comes behind more waits for
 * the queue, also for what came later on it and has nothing to do with the buffer. */
enum { CROWD = 32 };

static DL__WITH_LOCK void note_crowd(struct dl__mem *mem, const struct dl__queue *queue)
{
    const struct dl__use *use = queue->out_of_order ? find_use(mem, queue->slot) : NULL;

    if (!use)
        return;
    mem->order.crowd = dl__event_is_done(use->last) ? 0 : mem->order.crowd + 1;
    if (mem->order.crowd >= CROWD)
        mem->order.crowded |= slot_bit(queue->slot);
}

static DL__WITH_LOCK bool is_crowded(const struct dl__wait *command,
                                     const struct dl__queue *queue)
{
    bool crowded = false;

    for (unsigned i = 0; i < command->mem_count; i++)
        crowded |= (command->mems[i]->order.crowded & slot_bit(queue->slot)) != 0;
    return crowded;
}

void dl__mems_used(const struct dl__wait *command, struct dl__queue *queue)
{
    cl_event marker = NULL;

    /* A marker may fall with the command; no conversion comes behind it as long as it
     * may. */
    if (command->mem_count == 0 || !dl__queue_needs_events(queue) ||
        queue->slot >= DL__QUEUE_SLOTS || dl__cancel_possible(queue->object.context) ||
        is_crowded(command, queue) ||
        dl__next.clEnqueueMarkerWithWaitList(queue->object.handle, 0, NULL, &marker) !=
            CL_SUCCESS)
        return;
    for (unsigned i = 0; i < command->mem_count; i++)
        set_use(command->mems[i], queue->slot, marker);
    dl__next.clReleaseEvent(marker);
}

/* Everything enqueued so far on the queue of a slot. */
static DL__WITH_LOCK void wait_for_slot(struct dl__context *context, unsigned number,
                                        struct dl__wait *wait)
{
    struct dl__queue_slot *slot = &context->slots[number];
    cl_event marker = NULL;

    if (slot->queue) {
        cl_command_queue handle = slot->queue->object.handle;

        /* What comes now may fall, or wait for the program: too late for this. */
        if (dl__cancel_possible(context) || dl__next.clEnqueueMarkerWithWaitList(
                                                handle, 0, NULL, &marker) != CL_SUCCESS) {
            wait->failed = true;
            return;
        }
        /* Another queue is going to wait for it, and it may wait for others. */
        wait->failed |= !dl__queue_flush(handle);
        for (unsigned i = 0; slot->queue->out_of_order && i < DL__QUEUE_SLOTS; i++)
            if (i != number && context->slots[i].queue)
                dl__queue_flush(context->slots[i].queue->object.handle);
        dl__wait_add(wait, marker, true);
    } else if (slot->retired && !dl__event_is_done(slot->retired)) {
        dl__wait_add(wait, slot->retired, false);
    }
}

static DL__WITH_LOCK void settle_early(struct dl__mem *mem)
{
    struct dl__order *order = &mem->order;

    if (order->early)
        order->users |= mem->object.context->early_queues;
    order->early = false;
}

/* What a command on `queue` must wait for to come after the last conversion of `mem`. */
static DL__WITH_LOCK void
wait_for_conversion(struct dl__mem *mem, struct dl__queue *queue, struct dl__wait *wait)
{
    struct dl__order *order = &mem->order;
    struct dl__context *context = mem->object.context;

    if (order->marshaled_slot == queue->slot && !queue->out_of_order &&
        queue->slot < DL__QUEUE_SLOTS)
        return;
    if (order->marshaled) {
        if (conversion_is_done(mem))
            return;
        if (order->marshaled_slot < DL__QUEUE_SLOTS &&
            order->marshaled_slot != queue->slot &&
            context->slots[order->marshaled_slot].queue)
            wait->failed |= !dl__queue_flush(
                context->slots[order->marshaled_slot].queue->object.handle);
        if (context->cancel.races && dl__cancel_in_period(context) &&
            dl__event_ends_within(order->marshaled, CONVERSION_SECONDS) &&
            conversion_is_done(mem))
            return;
        dl__wait_add(wait, order->marshaled, false);
    } else if (order->marshaled_slot < DL__QUEUE_SLOTS) {
        wait_for_slot(context, order->marshaled_slot, wait);
    }
}

void dl__mem_wait_for_users(struct dl__mem *mem, struct dl__queue *queue,
                            struct dl__wait *wait)
{
    struct dl__order *order = &mem->order;
    struct dl__context *context = mem->object.context;

    settle_early(mem);
    wait_for_conversion(mem, queue, wait);
    for (unsigned i = 0; i < DL__QUEUE_SLOTS; i++) {
        const struct dl__use *use;

        if (!(order->users & slot_bit(i)) || (i == queue->slot && !queue->out_of_order))
            continue;
        use = find_use(mem, i);
        if (!use) {
            wait_for_slot(context, i, wait);
            continue;
        }
        if (use->last == order->marshaled || dl__event_is_done(use->last))
            continue; /* wait_for_conversion has it, or it has ended */
        if (i != queue->slot && context->slots[i].queue)
            wait->failed |= !dl__queue_flush(context->slots[i].queue->object.handle);
        dl__wait_add(wait, use->last, false);
    }
}

static DL__WITH_LOCK bool is_marked(const struct dl__mem *mem, unsigned slot)
{
    return !(mem->order.users & slot_bit(slot)) || find_use(mem, slot);
}

/* True when one of the context's buffers has users on the slot's queue that nothing
 * stands for. */
static DL__WITH_LOCK bool has_unmarked(const struct dl__context *context, unsigned slot)
{
    for (const struct dl__mem *mem = context->used; mem; mem = mem->order.next_used) {
        if (!is_marked(mem, slot) ||
            (!mem->order.marshaled && mem->order.marshaled_slot == slot))
            return true;
    }
    return false;
}

void dl__context_mark_uses(struct dl__context *context)
{
    for (unsigned i = 0; i < DL__QUEUE_SLOTS; i++) {
        cl_event marker = NULL;
        cl_command_queue queue;

        if (!context->slots[i].queue || !has_unmarked(context, i))
            continue;
        queue = context->slots[i].queue->object.handle;
        if (dl__next.clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker) != CL_SUCCESS) {
            /* Nothing on it waits for the program yet. */
            if (dl__next.clFinish(queue) == CL_SUCCESS)
                dl__context_forget_users(context, i);
            continue;
        }
        for (struct dl__mem *mem = context->used; mem; mem = mem->order.next_used) {
            if (!is_marked(mem, i))
                set_use(mem, i, marker);
            if (!mem->order.marshaled && mem->order.marshaled_slot == i)
                mem->order.marshaled = dl__event_share(marker);
        }
        dl__queue_flush(queue);
        /* A program with work in flight where periods begin may have it each time. */
        if (context->cancel.races && !context->cancel.in_flight)
            context->cancel.in_flight = !dl__event_ends_within(marker, MARKER_SECONDS);
        if (context->slots[i].mark)
            dl__next.clReleaseEvent(context->slots[i].mark);
        context->slots[i].mark = marker;
    }
}

bool dl__context_own_commands_run(struct dl__context *context)
{
    bool run = false;

    for (unsigned i = 0; i < DL__QUEUE_SLOTS; i++) {
        cl_event *mark = &context->slots[i].mark;

        if (!*mark)
            continue;
        run = true;
        if (!dl__event_is_done(*mark))
            continue;
        dl__next.clReleaseEvent(*mark);
        *mark = NULL;
    }
    for (struct dl__mem *mem = context->used; mem; mem = mem->order.next_used) {
        if (!mem->order.marshaled)
            continue;
        run = true;
        conversion_is_done(mem);
    }
    return run;
}

void dl__context_settle_users(struct dl__context *context)
{
    for (struct dl__mem *mem = context->used; mem; mem = mem->order.next_used)
        mem_settle(mem);
}

void dl__context_forget_users(struct dl__context *context, unsigned slot)
{
    for (struct dl__mem *mem = context->used; mem; mem = mem->order.next_used) {
        drop_use(mem, slot);
        mem->order.users &= ~slot_bit(slot);
        mem->order.crowded &= ~slot_bit(slot);
        if (mem->order.marshaled_slot == slot && !mem->order.marshaled)
            mem->order.marshaled_slot = DL__QUEUE_SLOTS;
    }
}

void dl__mem_order(struct dl__mem *mem, struct dl__queue *queue, struct dl__wait *command)
{
    struct dl__order *order = &mem->order;

    if (!order->is_used) {
        order->is_used = true;
        order->next_used = mem->object.context->used;
        mem->object.context->used = mem;
    }
    settle_early(mem);
    wait_for_conversion(mem, queue, command);
    if (order->lost)
        command->lost = true;
    order->used_in = mem->object.context->cancel.periods;
    order->users |= slot_bit(queue->slot);
    dl__queue_count(queue, 1);
    /* Nobody may take an earlier command's end for this one's: its own is noted only once
     * it is enqueued, and only where order takes events. */
    note_crowd(mem, queue);
    drop_use(mem, queue->slot);
    if (command->mem_count < DL__WAIT_MEMS)
        command->mems[command->mem_count++] = mem;
}

void dl__mem_converted(struct dl__mem *mem, struct dl__queue *queue, cl_event done)
{
    struct dl__order *order = &mem->order;

    if (order->marshaled)
        dl__next.clReleaseEvent(order->marshaled);
    order->marshaled = done;
    order->marshaled_slot = queue->slot;
    forget_uses(mem);
    order->users = slot_bit(queue->slot);
    if (done && queue->slot < DL__QUEUE_SLOTS)
        set_use(mem, queue->slot, done);
}

cl_int dl__mem_mark_conversion(struct dl__mem *mem)
{
    struct dl__order *order = &mem->order;
    const struct dl__queue_slot *slots = mem->object.context->slots;

    if (order->marshaled || order->marshaled_slot >= DL__QUEUE_SLOTS ||
        !slots[order->marshaled_slot].queue)
        return CL_SUCCESS;
    return dl__next.clEnqueueMarkerWithWaitList(
        slots[order->marshaled_slot].queue->object.handle, 0, NULL, &order->marshaled);
}

void dl__mem_written_apart(struct dl__mem *mem, cl_event done)
{
    struct dl__order *order = &mem->order;

    if (order->marshaled)
        dl__next.clReleaseEvent(order->marshaled);
    order->marshaled = done;
    order->marshaled_slot = DL__QUEUE_SLOTS;
}

/* ---- queues ---- */

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
        mem_settle(mem);
        used = used || (mem->order.users & bit) || mem->order.marshaled_slot == number;
    }
    for (const struct dl__kept *kept = context->object.kept; kept; kept = kept->next)
        used = used || (kept->keeper->uses_slot && kept->keeper->uses_slot(kept, number));
    return used;
}

/* The program's last release of the queue is about to be forwarded: keep an event that
 * stands for all its commands. */
static DL__WITH_LOCK void context_slot_retire(struct dl__context *context,
                                              struct dl__queue *queue)
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
    context_slot_retire(context, queue);
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

/* A command of DL's may wait for a driver's thread that is in a callback of the
 * program's, which waits for the lock. */
#define WAIT_SECONDS 10.0

cl_int dl__queue_wait_for(struct dl__queue *queue, cl_event event)
{
    if (!dl__queue_flush(queue->object.handle) ||
        !dl__event_ends_within(event, WAIT_SECONDS))
        return CL_OUT_OF_RESOURCES;
    return dl__event_status(event) == CL_COMPLETE ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}
