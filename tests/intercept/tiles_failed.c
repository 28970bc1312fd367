/* SPDX-License-Identifier: MIT */
/* The cases of host_tiles: after a user event has failed, until all queues are finished.
 */
#include "host_tiles.h"

static void failed_until_all_queues_are_finished(void)
{
    cl_command_queue other;
    cl_event user;

    open_all();
    other = make_queue(0);
    user = user_event();
    plain_behind(queue, a, user);
    end_event(user, -1);
    step_on(other, step, b);
    must(clFinish(other));
    step_on(other, step, b);
    must(clFinish(queue));
    step_on(other, step, b);
    must(clFinish(other));
    must(clReleaseCommandQueue(other));
}

/* A queue that nobody can finish any more, and one that comes after it. */
static void failed_on_a_queue_that_is_gone(void)
{
    cl_command_queue other;
    cl_event user;

    open_all();
    other = make_queue(0);
    user = user_event();
    plain_behind(other, a, user);
    must(clReleaseCommandQueue(other));
    end_event(user, -1);
    other = make_queue(0);
    must(clFinish(other));
    must(clFinish(queue));
    step_on(queue, step, b);
    must(clFinish(queue));
    must(clReleaseCommandQueue(other));
}

/* The program has waited for all that it knows of; DL's own commands have ended, too,
 * when what waits for them is cancelled. */
static void cancelled_behind_a_conversion(void)
{
    unsigned char bytes[BYTES];
    cl_command_queue other;
    cl_event user, gate;

    open_all();
    other = make_queue(0);
    step_on(queue, step, a);
    gate = hold_back();
    must(clFlush(queue));
    step_on(queue, step, a);
    user = user_event();
    must(clEnqueueReadBuffer(other, a, CL_FALSE, 0, BYTES, bytes, 1, &user, NULL));
    end_event(user, -1);
    let_go(gate);
    must(clFinish(other));
    must(clFinish(queue));
    must(clReleaseCommandQueue(other));
}

static void cancelled_behind_a_mark(void)
{
    cl_event user, gate;

    open_all();
    plain_on(plain, a);
    must(clFinish(queue));
    gate = hold_back();
    user = user_event();
    plain_behind(queue, a, user);
    end_event(user, -1);
    let_go(gate);
    must(clFinish(queue));
}

static cl_event late;

static void CL_CALLBACK fail_late(cl_event event, cl_int status, void *unused)
{
    (void)event;
    (void)status;
    (void)unused;
    must(clSetUserEventStatus(late, -1));
}

/* One fails while a queue is being finished, which may have more on it then. */
static void failed_while_a_queue_is_finished(void)
{
    cl_event failed, begin;

    open_all();
    failed = user_event();
    late = user_event();
    end_event(failed, -1);
    must(clEnqueueMarkerWithWaitList(queue, 0, NULL, &begin));
    must(clSetEventCallback(begin, CL_COMPLETE, fail_late, NULL));
    must(clFinish(queue));
    step_on(queue, step, b);
    must(clFinish(queue));
    step_on(queue, step, b);
    must(clReleaseEvent(begin));
    must(clReleaseEvent(late));
}

static void CL_CALLBACK launch_late(cl_event event, cl_int status, void *unused)
{
    (void)event;
    (void)status;
    (void)unused;
    plain_on(plain, a);
}

/* What another thread, or a callback, enqueues while a queue is being finished is there
 * when it has been. */
static void launched_while_a_queue_is_finished(void)
{
    cl_command_queue other;
    cl_event begin;

    open_all();
    other = make_queue(0);
    end_event(user_event(), -1);
    must(clFinish(other));
    must(clEnqueueMarkerWithWaitList(queue, 0, NULL, &begin));
    must(clSetEventCallback(begin, CL_COMPLETE, launch_late, NULL));
    must(clFinish(queue));
    step_on(other, step, a);
    must(clFlush(queue));
    must(clFinish(other));
    must(clFinish(queue));
    must(clReleaseEvent(begin));
    must(clReleaseCommandQueue(other));
}

/* What a finished queue did is nothing to wait for, whatever comes on it. */
static void failed_and_finished_is_over(void)
{
    cl_command_queue other;
    cl_event user, gate;

    open_all();
    other = make_queue(0);
    user = user_event();
    plain_behind(queue, a, user);
    end_event(user, -1);
    must(clFinish(other));
    must(clFinish(queue));
    gate = hold_back();
    step_on(other, step, a);
    must(clFinish(other));
    let_go(gate);
    must(clReleaseCommandQueue(other));
}

const struct tiles_case tiles_failed[] = {
    TILES_CASE(failed_until_all_queues_are_finished),
    TILES_CASE(failed_on_a_queue_that_is_gone),
    TILES_CASE(cancelled_behind_a_conversion),
    TILES_CASE(cancelled_behind_a_mark),
    TILES_CASE(failed_while_a_queue_is_finished),
    TILES_CASE(launched_while_a_queue_is_finished),
    TILES_CASE(failed_and_finished_is_over),
    {NULL, NULL},
};
