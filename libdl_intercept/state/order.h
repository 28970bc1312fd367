/* SPDX-License-Identifier: MIT */
/* Order among the commands and conversions of a buffer.
 *
 * A command on a buffer is ordered after the conversions before it, and a conversion
 * after the commands before it, also across queues: within an in-order queue by the
 * queue, otherwise by events. Order among the program's own commands stays the program's
 * affair. */
#ifndef DL_INTERCEPT_ORDER_H
#define DL_INTERCEPT_ORDER_H

#include <CL/cl.h>
#include <stdbool.h>

#include "records.h"

/* A wait list that DL adds to. Until something is added it is the program's own, passed
 * on as it came, so that the driver judges it. */

enum { DL__WAIT_INLINE = 16, DL__WAIT_MEMS = 16 };

struct dl__mem;

struct dl__wait {
    cl_uint count;
    const cl_event *list; /* the program's, or `events` */
    cl_event *events;     /* NULL until something was added; may be `small` */
    cl_uint room;
    cl_event *owned; /* to be released at the end */
    cl_uint owned_count;
    cl_command_queue queue; /* that the command goes to; NULL: one of DL's own commands */
    bool failed; /* the list is incomplete, or what is in it may never be submitted */
    bool lost;   /* what a buffer of the command holds is not known */
    unsigned mem_count;
    /* the buffers that the command uses, as many as fit */
    struct dl__mem *mems[DL__WAIT_MEMS];
    cl_event small[DL__WAIT_INLINE];
};

void dl__wait_begin(struct dl__wait *wait, cl_uint count, const cl_event *list);
/* The same, of a command of the program's. */
void dl__wait_begin_on(struct dl__wait *wait, cl_command_queue queue, cl_uint count,
                       const cl_event *list);
/* Starts from another wait's present list, borrowing its events. */
void dl__wait_begin_from(struct dl__wait *wait, const struct dl__wait *other);
/* Adds an event of DL's own. `given`: the wait takes over the caller's reference; else it
 * takes one of its own, since a blocking command waits without the lock that guards the
 * event. NULL events are ignored. */
void dl__wait_add(struct dl__wait *wait, cl_event event, bool given);
/* What the command must fail with instead of being enqueued; CL_SUCCESS: it may be. */
cl_int dl__wait_error(const struct dl__wait *wait);
void dl__wait_end(struct dl__wait *wait);

/* True when commands may run in another order than they were enqueued in: several queues,
 * or one that is out of order. */
bool dl__queue_needs_events(const struct dl__queue *queue) DL__WITH_LOCK;

/* So many commands on buffers more. Others only read it. */
static inline DL__WITH_LOCK void dl__queue_count(struct dl__queue *queue, unsigned count)
{
    unsigned before = atomic_load_explicit(&queue->commands, memory_order_relaxed);

    atomic_store_explicit(&queue->commands, before + count, memory_order_relaxed);
}

/* A command on `queue` is about to be enqueued that uses the buffer: adds to its wait
 * list what it must wait for, and remembers the queue. */
void dl__mem_order(struct dl__mem *mem, struct dl__queue *queue,
                   struct dl__wait *command) DL__WITH_LOCK;
/* True when a command on `queue`, which is alone and in order, has nothing to wait for.
 */
static inline DL__WITH_LOCK bool dl__mem_is_in_order(const struct dl__mem *mem,
                                                     const struct dl__queue *queue)
{
    const struct dl__order *order = &mem->order;

    return order->is_used && !order->early && !order->lost && !order->uses &&
           (order->marshaled_slot == queue->slot ||
            (!order->marshaled && order->marshaled_slot >= DL__QUEUE_SLOTS));
}
/* The same as dl__mem_order of such a command, but for queue->commands. */
static inline DL__WITH_LOCK void dl__mem_order_again(struct dl__mem *mem,
                                                     const struct dl__queue *queue)
{
    mem->order.used_in = mem->object.context->cancel.periods;
    mem->order.users |= UINT64_C(1) << queue->slot;
}
/* Notes where each queue's commands on the context's buffers end, for conversions that
 * must not come behind what is enqueued later. */
void dl__context_mark_uses(struct dl__context *context) DL__WITH_LOCK;
/* True when one of these markers, or a conversion, was not known to have ended before
 * this call. */
bool dl__context_own_commands_run(struct dl__context *context) DL__WITH_LOCK;
/* Lets go of what has ended, for all of the context's buffers. */
void dl__context_settle_users(struct dl__context *context) DL__WITH_LOCK;
/* All commands of the slot's queue have ended. */
void dl__context_forget_users(struct dl__context *context, unsigned slot) DL__WITH_LOCK;
/* Before the record of a buffer ends. */
void dl__mem_order_end(struct dl__mem *mem) DL__WITH_LOCK;
/* The command with this wait list is enqueued: later conversions of the buffers it uses
 * wait for it, but not for what comes after it on its queue. */
void dl__mems_used(const struct dl__wait *command, struct dl__queue *queue) DL__WITH_LOCK;

/* Adds what a conversion on `queue` must wait for: all commands on the buffer so far. */
void dl__mem_wait_for_users(struct dl__mem *mem, struct dl__queue *queue,
                            struct dl__wait *wait) DL__WITH_LOCK;
/* A conversion is enqueued, behind all of those. `done` is its event, taken over; NULL:
 * the queue is in order, and alone. */
void dl__mem_converted(struct dl__mem *mem, struct dl__queue *queue,
                       cl_event done) DL__WITH_LOCK;
/* Where a queue was alone, its last conversion has no event: a marker behind it becomes
 * that.
 *   errors  the driver's code; there is still none */
cl_int dl__mem_mark_conversion(struct dl__mem *mem) DL__WITH_LOCK;
/* DL writes to the buffer on a queue of its own; every command on it from now on waits
 * for `done`, which is taken over. */
void dl__mem_written_apart(struct dl__mem *mem, cl_event done) DL__WITH_LOCK;

/* Queues: the slots that tell them apart, their end, and queues of DL's own. */

extern struct dl__type dl__queue_type;

static inline struct dl__queue *dl__queue_find(cl_command_queue handle)
{
    return dl__object_find(&dl__queue_type, handle);
}

/* What is enqueued between these two tells its times, where queue->profiled. On NVIDIA's
 * driver an event of a profiled queue costs 5.8 us a launch, and switching 0.05
 * (docs/notes/policy.md). */
void dl__queue_time_begin(struct dl__queue *queue);
void dl__queue_time_end(struct dl__queue *queue);

/* The slot of a new queue. False: all taken; DL then leaves the context alone. */
bool dl__context_slot_take(struct dl__context *context,
                           struct dl__queue *queue) DL__WITH_LOCK;
/* Lets go of DL's own events and objects that nothing running needs. Drivers count what
 * an event belongs to as being referred to by it, and the program asks for such counts.
 */
void dl__context_settle(struct dl__context *context);

/* A passing queue of DL's own, where nothing falls and nothing waits for the program. */
cl_int dl__queue_apart_begin(struct dl__context *context, cl_device_id device,
                             struct dl__queue *own) DL__WITH_LOCK;
void dl__queue_apart_end(struct dl__queue *own) DL__WITH_LOCK;

/* Waits for a command of DL's, for so long at most that nobody is locked out for good. */
cl_int dl__queue_wait_for(struct dl__queue *queue, cl_event event) DL__WITH_LOCK;

#endif
