/* SPDX-License-Identifier: MIT */
/* Order among the commands and conversions of a buffer.
 *
 * A command on a buffer is ordered after the conversions before it, and a conversion
 * after the commands before it, also across queues: within an in-order queue by the
 * queue, otherwise by events. Order among the program's own commands stays the program's
 * affair. */
#ifndef DL_INTERCEPT_ORDER_H
#define DL_INTERCEPT_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <CL/cl.h>

#include "objects.h"
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
    cl_uint given; /* by the program; those behind them are released at the end */
    cl_command_queue queue; /* that the command goes to; NULL: one of DL's own commands */
    bool failed; /* the list is incomplete, or what is in it may never be submitted */
    bool lost;   /* what a buffer of the command holds is not known */
    unsigned mem_count;
    /* the buffers that the command uses, as many as fit */
    struct dl__mem *mems[DL__WAIT_MEMS];
    cl_event small[DL__WAIT_INLINE];
};

static inline void dl__wait_begin(struct dl__wait *wait, cl_uint count,
                                  const cl_event *list)
{
    memset(wait, 0, offsetof(struct dl__wait, small));
    wait->count = wait->given = count;
    wait->list = list;
}

/* The same, of a command of the program's. */
static inline void dl__wait_begin_on(struct dl__wait *wait, cl_command_queue queue,
                                     cl_uint count, const cl_event *list)
{
    dl__wait_begin(wait, count, list);
    wait->queue = queue;
}

/* Adds an event of DL's own. `given`: the wait takes over the caller's reference; else it
 * takes one of its own, since a blocking command waits without the lock that guards the
 * event. NULL events are ignored. */
void dl__wait_add(struct dl__wait *wait, cl_event event, bool given);
/* Returns the error with which the command must fail instead of being enqueued;
 * CL_SUCCESS: it may be enqueued. */
static inline cl_int dl__wait_error(const struct dl__wait *wait)
{
    return wait->lost     ? CL_OUT_OF_RESOURCES
           : wait->failed ? CL_OUT_OF_HOST_MEMORY
                          : CL_SUCCESS;
}

void dl__wait_end(struct dl__wait *wait);

/* True when commands may run in another order than they were enqueued in: several queues,
 * or one that is out of order. */
bool dl__queue_needs_events(const struct dl__queue *queue) DL__WITH_LOCK;

/* Counts additional commands on buffers. Others only read it. */
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
/* Before the record of a buffer ends. */
void dl__mem_order_end(struct dl__mem *mem) DL__WITH_LOCK;
/* The command with this wait list is enqueued: later conversions of the buffers it uses
 * wait for it, but not for what comes after it on its queue.
 *   end  its event, on a queue that is in order; NULL: a marker is enqueued behind it,
 *        which takes PoCL as long as a short launch */
void dl__mems_used(const struct dl__wait *command, struct dl__queue *queue,
                   cl_event end) DL__WITH_LOCK;

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

/* Commands that are enqueued between these two calls have times, if queue->profiled. On
 * NVIDIA's driver an event of a profiled queue costs 5.8 us a launch, and switching 0.05
 * (docs/notes/policy.md). */
void dl__queue_time_begin(struct dl__queue *queue);
void dl__queue_time_end(struct dl__queue *queue);

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

/* ---- commands that may never run ---- */

/* Commands that may never run. What waits for a user event is held back until the program
 * sets it, and is cancelled when the program sets it to an error; with it goes what waits
 * for its event, and with some drivers all that comes behind it on its queue.
 *
 * So while a user event is open, and after one has failed until the queues are finished,
 * the program's commands run as they are, on buffers in the program's layout: then the
 * bytes are right whatever becomes of a command, and no conversion has to wait for one
 * that the program holds back. A buffer that is in tiles when such a command needs it is
 * brought back behind the commands from before, which can't be cancelled, on a queue
 * where nothing can be cancelled.
 *
 * A period is the time from when the first user event is opened until none is open and
 * nothing can fall any more. */

/* True in a period, or while a call that blocks is on its way. */
bool dl__cancel_possible(const struct dl__context *context) DL__WITH_LOCK;
/* True when a command of this period uses the buffer: no conversion may come behind it.
 */
bool dl__cancel_holds(const struct dl__mem *mem) DL__WITH_LOCK;
/* Why buffers stay as they are in a period. */
extern const char dl__cancel_reason[];

/* A buffer is brought back because of a user event. The more periods that happens in, the
 * longer nothing is tiled afterwards. */
void dl__cancel_returned(struct dl__context *context) DL__WITH_LOCK;
/* True when this launch is one of those that run as written after that. */
bool dl__cancel_waits(struct dl__context *context) DL__WITH_LOCK;

/* ---- user events, which open and close periods ---- */

extern struct dl__type dl__user_event_type;

/* The program has made a user event. Takes the context's lock. */
void dl__user_event_begin(cl_context context, cl_event event);
/* The program is about to set its status, and has set it (err: what the driver said).
 * They take the context's lock. */
struct dl__seen dl__user_event_failing(cl_event event, cl_int status);
void dl__user_event_set(const struct dl__seen *seen, cl_int err);
/* A launch is about to wait for these. OpenCL allows no events of other contexts; where
 * the driver takes them, all kernels of the context run as written from now on. */
void dl__user_events_awaited(struct dl__context *context, cl_uint count,
                             const cl_event *list) DL__WITH_LOCK;
/* False: there are none, and so no need to look one up. */
bool dl__user_events_exist(void);

/* A clFinish on its way. */
struct dl__finish {
    struct dl__seen queue;
    unsigned failures; /* of user events, so far */
    unsigned commands; /* of the queue, so far */
};
/* The queue is about to be finished, and has been: nothing on it can fall. */
struct dl__finish dl__finish_begin(cl_command_queue queue);
void dl__finish_end(const struct dl__finish *finish);

/* Code of the program's that a driver runs on the host: native kernels, and what is
 * called at the end of a command. A native kernel may go on only after the program's next
 * call has returned, so no call may wait for what is behind one; a driver's thread that
 * calls the program back may be what its other commands wait for. Threads: any. */

/* A native kernel is enqueued, and has this event. */
void dl__callout_begin(cl_event event);
/* The program is called back on this thread, and has returned. */
void dl__callback_begin(void);
void dl__callback_end(void);
/* True while a native kernel, of any context, may be about to run or running, or when
 * this thread is in a callback. */
bool dl__callouts_run(void);

/* A kernel is given memory that the host may write while it runs: shared virtual memory.
 */
void dl__callout_shares_memory(void);
bool dl__callouts_share_memory(void);

#endif
