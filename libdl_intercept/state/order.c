/* SPDX-License-Identifier: MIT */
/* Wait lists, order among the commands and conversions of a buffer across queues, and
 * what DL keeps of these; user events, by which a program may cancel its commands or hold
 * them back. */
#include "order.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contexts.h"
#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/trace/trace.h"

/* ---- commands that may be cancelled or held back ---- */

/* Periods in which bringing back costs nothing later, and the bound of what it may cost.
 */
enum { RETURNS_FREE = 2, RETURNS_MAX = 20 };

const char dl__cancel_reason[] = "a user event may hold back or cancel what uses it";

/* True in a period. */
static DL__WITH_LOCK bool cancel_in_period(const struct dl__context *context)
{
    return context->cancel.open_events > 0 || atomic_load(&context->cancel.falling) != 0;
}

bool dl__cancel_possible(const struct dl__context *context)
{
    return cancel_in_period(context) || context->cancel.passing > 0;
}

bool dl__cancel_holds(const struct dl__mem *mem)
{
    const struct dl__context *context = mem->object.context;

    return cancel_in_period(context) && mem->order.used_in == context->cancel.periods;
}

void dl__cancel_returned(struct dl__context *context)
{
    struct dl__cancel *cancel = &context->cancel;

    if (!cancel_in_period(context) || cancel->returned_in == cancel->periods)
        return;
    cancel->returned_in = cancel->periods;
    cancel->returns++;
    if (cancel->returns > RETURNS_FREE)
        cancel->launches_left =
            1U << (cancel->returns < RETURNS_MAX ? cancel->returns : RETURNS_MAX);
}

bool dl__cancel_waits(struct dl__context *context)
{
    if (context->cancel.launches_left == 0)
        return false;
    context->cancel.launches_left--;
    return true;
}

/* ---- wait lists, and order ---- */

/* How long a wait for DL's own commands, or a user event that fails, is held up at most.
 */
enum { TURNS = 2000, TURN_MICROSECONDS = 100 };

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
    if (!make_room(wait)) {
        wait->failed = true;
        dl__next.clReleaseEvent(event);
        return;
    }
    wait->events[wait->count++] = event;
    dl__trace_waits_for(event);
}

void dl__wait_end(struct dl__wait *wait)
{
    for (cl_uint i = wait->given; i < wait->count; i++)
        dl__next.clReleaseEvent(wait->events[i]);
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

static void end_use(struct dl__use **at)
{
    struct dl__use *use = *at;

    *at = use->next;
    dl__next.clReleaseEvent(use->last);
    free(use);
}

static DL__WITH_LOCK void forget_uses(struct dl__mem *mem)
{
    while (mem->order.uses)
        end_use(&mem->order.uses);
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
        if ((*at)->slot != slot)
            continue;
        end_use(at);
        return;
    }
}

/* True when the last conversion has ended: nobody has to wait for it any more. */
static DL__WITH_LOCK bool conversion_is_done(struct dl__mem *mem)
{
    struct dl__order *order = &mem->order;
    cl_int status = dl__event_status(order->marshaled);

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
        end_use(at);
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
 * with a list as well). Up to this number are marked one by one; a command after more of
 * them waits for the queue, also for later commands that do not concern the buffer. */
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

void dl__mems_used(const struct dl__wait *command, struct dl__queue *queue, cl_event end)
{
    cl_event marker = NULL;

    /* A marker may fall with the command; no conversion comes behind it as long as it
     * may. */
    if (command->mem_count == 0 || !dl__queue_needs_events(queue) ||
        queue->slot >= DL__QUEUE_SLOTS || dl__cancel_possible(queue->object.context) ||
        is_crowded(command, queue) ||
        (!end && dl__next.clEnqueueMarkerWithWaitList(queue->object.handle, 0, NULL,
                                                      &marker) != CL_SUCCESS))
        return;
    for (unsigned i = 0; i < command->mem_count; i++)
        set_use(command->mems[i], queue->slot, end ? end : marker);
    if (marker)
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

        /* A command that is enqueued now may be cancelled, or wait for the program: it is
         * too late for a marker. */
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

/* Makes a command on `queue` wait for the last conversion of `mem`. */
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
        if (context->cancel.races && cancel_in_period(context) &&
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

/* All commands of the slot's queue have ended. */
static DL__WITH_LOCK void context_forget_users(struct dl__context *context, unsigned slot)
{
    for (struct dl__mem *mem = context->used; mem; mem = mem->order.next_used) {
        drop_use(mem, slot);
        mem->order.users &= ~slot_bit(slot);
        mem->order.crowded &= ~slot_bit(slot);
        if (mem->order.marshaled_slot == slot && !mem->order.marshaled)
            mem->order.marshaled_slot = DL__QUEUE_SLOTS;
    }
}

/* Notes where each queue's commands on the context's buffers end, for conversions that
 * must not come behind what is enqueued later. */
static DL__WITH_LOCK void context_mark_uses(struct dl__context *context)
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
                context_forget_users(context, i);
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

/* True when one of these markers, or a conversion, was not known to have ended before
 * this call. */
static DL__WITH_LOCK bool context_own_commands_run(struct dl__context *context)
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

/* Lets go of what has ended, for all of the context's buffers. */
static DL__WITH_LOCK void context_settle_users(struct dl__context *context)
{
    for (struct dl__mem *mem = context->used; mem; mem = mem->order.next_used)
        mem_settle(mem);
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
    context_settle_users(context);
    for (unsigned i = 0; i < DL__QUEUE_SLOTS; i++) {
        struct dl__queue_slot *slot = &context->slots[i];

        if (!slot->retired || !dl__event_is_done(slot->retired))
            continue;
        dl__next.clReleaseEvent(slot->retired);
        slot->retired = NULL;
    }
    DL__TELL(context->object, settle, context, kept);
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

/* ---- functions of the program's that drivers call ---- */

struct user_event {
    struct dl__object object;
    atomic_bool open; /* its status is not set */
};

static atomic_uint running;
static atomic_bool shared;
static _Thread_local unsigned callbacks;

static void CL_CALLBACK ended(cl_event event, cl_int status, void *unused)
{
    (void)event, (void)status, (void)unused;
    atomic_fetch_sub(&running, 1);
}

void dl__callout_begin(cl_event event)
{
    atomic_fetch_add(&running, 1);
    /* One whose end nobody tells of has none. */
    dl__next.clSetEventCallback(event, CL_COMPLETE, ended, NULL);
}

void dl__callback_begin(void)
{
    callbacks++;
}

void dl__callback_end(void)
{
    callbacks--;
}

bool dl__callouts_run(void)
{
    return callbacks > 0 || atomic_load(&running) > 0;
}

void dl__callout_shares_memory(void)
{
    atomic_store(&shared, true);
}

bool dl__callouts_share_memory(void)
{
    return atomic_load(&shared);
}

/* ---- user events ---- */

enum { TOLD_MICROSECONDS = 2000 };

static atomic_uint events_alive;
static atomic_bool any_foreign; /* some context's `foreign` is set */

bool dl__user_events_exist(void)
{
    return atomic_load_explicit(&events_alive, memory_order_relaxed) > 0;
}

static void close_event(struct user_event *event)
{
    struct dl__context *context = event->object.context;

    if (!atomic_exchange(&event->open, false))
        return;
    dl__context_lock(context);
    context->cancel.open_events--;
    dl__context_unlock(context);
}

static void end_event(void *record)
{
    close_event(record);
    atomic_fetch_sub(&events_alive, 1);
}

struct dl__type dl__user_event_type = {.bytes = sizeof(struct user_event),
                                       .end = end_event};

/* True of PoCL: what is cancelled while a command that it waits for ends may be run all
 * the same. */
static bool is_pocl(cl_context context)
{
    cl_device_id *devices =
        dl__info_get(DL__OF_CONTEXT, context, NULL, CL_CONTEXT_DEVICES, NULL);
    cl_platform_id platform = NULL;
    char name[64] = "";
    bool is = devices &&
              dl__next.clGetDeviceInfo(devices[0], CL_DEVICE_PLATFORM, sizeof platform,
                                       &platform, NULL) == CL_SUCCESS &&
              dl__next.clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name,
                                         NULL) == CL_SUCCESS &&
              strcmp(name, "Portable Computing Language") == 0;

    free(devices);
    return is;
}

static DL__WITH_LOCK void ask(struct dl__context *context)
{
    if (!context->cancel.asked)
        context->cancel.races = is_pocl(context->object.handle);
    context->cancel.asked = true;
}

static DL__WITH_LOCK void open_one(struct dl__context *context)
{
    if (!cancel_in_period(context)) {
        context->cancel.periods++;
        if (dl__context_is_annotated(context)) {
            ask(context);
            context_mark_uses(context);
        }
    }
    context->cancel.open_events++;
}

void dl__user_events_awaited(struct dl__context *context, cl_uint count,
                             const cl_event *list)
{
    for (cl_uint i = 0; list && i < count && !context->cancel.foreign; i++) {
        const struct dl__seen seen =
            dl__record_see(dl__object_find(&dl__user_event_type, list[i]));
        const struct user_event *event = seen.record;

        if (!event || event->object.context == context)
            continue;
        context->cancel.foreign = true;
        atomic_store(&any_foreign, true);
        open_one(context);
        dl__log(DL__LOG_REMARK, "a launch waits for a user event of another context: "
                                "kernels run as written from now on");
    }
}

void dl__user_event_begin(cl_context context_handle, cl_event handle)
{
    struct dl__context *context = dl__context_find(context_handle);
    struct user_event *event;

    if (!context)
        return;
    dl__context_lock(context);
    /* One without a record stays open for ever. */
    open_one(context);
    event = dl__object_make(&dl__user_event_type, handle, context);
    if (event) {
        atomic_store(&event->open, true);
        atomic_fetch_add(&events_alive, 1);
    }
    dl__context_unlock(context);
}

static DL__WITH_LOCK uint64_t slots_in_use(const struct dl__context *context)
{
    uint64_t slots = 0;

    for (unsigned i = 0; i < DL__QUEUE_SLOTS; i++) {
        if (context->slots[i].queue || context->slots[i].retired)
            slots |= UINT64_C(1) << i;
    }
    return slots;
}

/* The program's commands wait for DL's own, too: conversions, and the markers before them
 * on their queues. In PoCL a command that is cancelled while another that it waits for
 * ends may be run all the same, and freed twice. A program that has waited for its own
 * commands is safe from that, and must be under DL. PoCL shows that a command has ended
 * before it has told those that wait for it, the thread that is to tell them may have
 * lost its processor, and before a copy it moves memory by commands that nobody sees:
 * hence the sleep at the end. This may run in a callback that DL's commands have to wait
 * for, so it gives up in the end. */
static void let_own_commands_end(struct dl__context *context)
{
    bool run = dl__context_is_annotated(context), races = false;

    for (int turn = 0; run && turn < TURNS; turn++) {
        dl__context_lock(context);
        run = context_own_commands_run(context);
        ask(context);
        races = context->cancel.races;
        dl__context_unlock(context);
        if (run)
            usleep(TURN_MICROSECONDS);
    }
    if (races)
        usleep(TOLD_MICROSECONDS);
}

static void let_those_end_too(struct dl__context *context, void *unused)
{
    bool foreign;

    (void)unused;
    dl__context_lock(context);
    foreign = context->cancel.foreign;
    dl__context_unlock(context);
    if (foreign)
        let_own_commands_end(context);
}

struct dl__seen dl__user_event_failing(cl_event handle, cl_int status)
{
    struct dl__seen seen = dl__record_see(dl__object_find(&dl__user_event_type, handle));
    struct user_event *event = seen.record;
    struct dl__context *context;

    if (!event || status >= 0 || !atomic_load(&event->open))
        return seen;
    context = event->object.context;
    dl__context_lock(context);
    atomic_fetch_add(&context->cancel.failures, 1);
    atomic_fetch_or(&context->cancel.falling, slots_in_use(context));
    dl__context_unlock(context);
    let_own_commands_end(context);
    if (atomic_load(&any_foreign))
        dl__contexts_visit(let_those_end_too, NULL);
    if (dl__context_is_annotated(context))
        dl__log(DL__LOG_REMARK, "a user event has failed: kernels run as written until "
                                "clFinish has returned for each queue");
    return seen;
}

void dl__user_event_set(const struct dl__seen *seen, cl_int err)
{
    struct user_event *event = dl__object_seen(seen);

    if (event && err == CL_SUCCESS)
        close_event(event);
}

struct dl__finish dl__finish_begin(cl_command_queue handle)
{
    struct dl__finish finish = {
        .queue = dl__record_see(dl__object_find(&dl__queue_type, handle))};
    const struct dl__queue *queue = finish.queue.record;

    if (queue) {
        finish.failures = atomic_load(&queue->object.context->cancel.failures);
        finish.commands = atomic_load(&queue->commands);
    }
    return finish;
}

void dl__finish_end(const struct dl__finish *finish)
{
    struct dl__queue *queue = dl__object_seen(&finish->queue);
    struct dl__context *context = queue ? queue->object.context : NULL;

    if (!queue || queue->slot >= DL__QUEUE_SLOTS ||
        atomic_load(&context->cancel.falling) == 0)
        return;
    dl__context_lock(context);
    /* A command that has failed meanwhile may also have been enqueued meanwhile. */
    if (atomic_load(&context->cancel.failures) == finish->failures) {
        atomic_fetch_and(&context->cancel.falling, ~(UINT64_C(1) << queue->slot));
        /* Commands that another thread or a callback has enqueued meanwhile are still
         * pending. */
        if (atomic_load(&queue->commands) == finish->commands)
            context_forget_users(context, queue->slot);
        else
            context_settle_users(context);
    }
    dl__context_unlock(context);
}
