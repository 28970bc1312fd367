/* SPDX-License-Identifier: MIT */
/* Wait lists. */
#include "wait.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/trace/trace.h"

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
