/* SPDX-License-Identifier: MIT */
/* Queues: the slots that tell them apart, their end, and queues of DL's own. */
#ifndef DL_INTERCEPT_QUEUES_H
#define DL_INTERCEPT_QUEUES_H

#include "records.h"

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
/* The program's last release of the queue is about to be forwarded: keep an event that
 * stands for all its commands. */
void dl__context_slot_retire(struct dl__context *context,
                             struct dl__queue *queue) DL__WITH_LOCK;
/* Lets go of DL's own events and objects that nothing running needs. Drivers count what
 * an event belongs to as being referred to by it, and the program asks for such counts.
 */
void dl__context_settle(struct dl__context *context);

/* A passing queue of DL's own, where nothing falls and nothing waits for the program. */
cl_int dl__queue_apart_begin(struct dl__context *context, cl_device_id device,
                             struct dl__queue *own) DL__WITH_LOCK;
void dl__queue_apart_end(struct dl__queue *own) DL__WITH_LOCK;

#endif
