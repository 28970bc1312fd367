/* SPDX-License-Identifier: MIT */
/* User events: the program's calls that open and close periods in which its commands may
 * be cancelled (contexts.h), and of what tells that a queue has nothing left to cancel.
 */
#ifndef DL_INTERCEPT_USER_EVENTS_H
#define DL_INTERCEPT_USER_EVENTS_H

#include <CL/cl.h>
#include <stdbool.h>

#include "objects.h"
#include "records.h"

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
