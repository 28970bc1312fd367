/* SPDX-License-Identifier: MIT */
/* Order among the commands and conversions of a buffer.
 *
 * A command on a buffer is ordered after the conversions before it, and a conversion
 * after the commands before it, also across queues: within an in-order queue by the
 * queue, otherwise by events. Order among the program's own commands stays the program's
 * affair. */
#ifndef DL_INTERCEPT_ORDER_H
#define DL_INTERCEPT_ORDER_H

#include "records.h"
#include "wait.h"

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
/* Lets go of the events of what is done: nobody has to wait for it any more. */
void dl__mem_settle(struct dl__mem *mem) DL__WITH_LOCK;
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

#endif
