/* SPDX-License-Identifier: MIT */
/* What drivers make of commands that fail: each probe does what one flag of
 * random_cancelled keeps out of its programs. A driver for which it does not end well
 * needs the flag. */
#include "cancelled.h"

#include <stdio.h>
#include <string.h>

static struct world w;

static cl_event user_event(void)
{
    cl_int err;
    cl_event user = clCreateUserEvent(w.context, &err);

    must(err);
    return user;
}

/* Whether the command comes to an end, as turns of this thread go by. */
static bool ends(cl_event event)
{
    cl_int status = CL_QUEUED;

    for (int turn = 0; turn < 1000 && status > CL_COMPLETE; turn++) {
        must(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                            &status, NULL));
        usleep(1000);
    }
    return status <= CL_COMPLETE;
}

static bool late_wait_ends(void)
{
    cl_event user = user_event(), event;

    must(clSetUserEventStatus(user, -1));
    world_launch(&w, w.queue, w.plain, w.buffer, 1, &user, &event);
    must(clFlush(w.queue));
    return ends(event);
}

static bool queue_goes_on(void)
{
    cl_command_queue queue = world_queue(&w, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_event user = user_event(), event, next;

    world_launch(&w, queue, w.plain, w.buffer, 1, &user, &event);
    must(clFlush(queue));
    must(clSetUserEventStatus(user, -1));
    if (!ends(event))
        return false;
    world_launch(&w, queue, w.plain, w.buffer, 0, NULL, &next);
    must(clFlush(queue));
    return ends(next) && clFinish(queue) == CL_SUCCESS &&
           clReleaseCommandQueue(queue) == CL_SUCCESS;
}

int probe(const char *flag)
{
    bool is_late = strcmp(flag, "no-late-waits") == 0;

    world_begin(&w);
    _exit((is_late ? late_wait_ends() : queue_goes_on()) ? 0 : 1);
}
