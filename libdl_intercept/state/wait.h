/* SPDX-License-Identifier: MIT */
/* A wait list that DL adds to. Until something is added it is the program's own, passed
 * on as it came, so that the driver judges it. */
#ifndef DL_INTERCEPT_WAIT_H
#define DL_INTERCEPT_WAIT_H

#include <stdbool.h>

#include <CL/cl.h>

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

#endif
