/* SPDX-License-Identifier: MIT */
/* Events, whoever made them: sharing, asking and awaiting them, whatever the driver
 * refuses. */
#ifndef DL_INTERCEPT_EVENT_H
#define DL_INTERCEPT_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include <CL/cl.h>

#include "next.h"

/* Times that a driver is asked for what it may refuse once. */
enum { DL__EVENT_TRIES = 3 };

/* The event with a reference more; NULL: the driver refuses that, however often it is
 * asked. */
static inline cl_event dl__event_share(cl_event event)
{
    for (int tries = 0; event && tries < DL__EVENT_TRIES; tries++) {
        if (dl__next.clRetainEvent(event) == CL_SUCCESS)
            return event;
    }
    return NULL;
}

/* Its execution status; CL_QUEUED where the driver does not say. */
static inline cl_int dl__event_status(cl_event event)
{
    cl_int status = CL_QUEUED;

    dl__next.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                            &status, NULL);
    return status;
}

/* True when the command is complete, or has failed. */
static inline bool dl__event_is_done(cl_event event)
{
    return dl__event_status(event) <= CL_COMPLETE;
}

/* Submits the queue's commands, which a command on another queue is going to wait for: a
 * driver may otherwise keep them. False: the driver refuses that, however often it is
 * asked. */
static inline bool dl__queue_flush(cl_command_queue queue)
{
    cl_int err = CL_OUT_OF_RESOURCES;

    for (int tries = 0; tries < DL__EVENT_TRIES && err != CL_SUCCESS; tries++)
        err = dl__next.clFlush(queue);
    return err == CL_SUCCESS;
}

/* The same of the queue that the event's command is on, if it is not `own`. */
static inline bool dl__event_flush(cl_event event, cl_command_queue own)
{
    cl_command_queue queue = NULL;

    dl__next.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL);
    return !queue || queue == own || dl__queue_flush(queue);
}

/* Waits for the command's end, for so long at most. False: it has not ended. Without a
 * lock. */
bool dl__event_ends_within(cl_event event, double seconds);
/* Waits until the command has ended, which the program's call has to, whatever becomes of
 * the wait itself. Without a lock.
 *   errors  CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: the command has failed */
cl_int dl__event_wait(cl_event event);

/* From the begin of one command to the end of another, or the same; 0: not told. */
uint64_t dl__event_ns(cl_event first, cl_event last);
static inline double dl__event_seconds(cl_event first, cl_event last)
{
    return (double)dl__event_ns(first, last) * 1e-9;
}

#endif
