/* SPDX-License-Identifier: MIT */
/* Hooks of user events, by which a program may cancel its commands, and of what tells
 * that a queue has nothing left to cancel. */
#include <stdlib.h>

#include "libdl_intercept/base/thread_cancel.h"
#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/state/callouts.h"
#include "libdl_intercept/state/user_events.h"
#include "libdl_intercept/trace/trace.h"
#include "hooks.h"

cl_event CL_API_CALL dl__hook_clCreateUserEvent(cl_context context, cl_int *err)
{
    cl_event event = dl__next.clCreateUserEvent(context, err);

    if (event)
        dl__user_event_begin(context, event);
    return event;
}

cl_int CL_API_CALL dl__hook_clSetUserEventStatus(cl_event event, cl_int status)
{
    struct dl__seen seen = dl__user_event_failing(event, status);
    cl_int err = dl__next.clSetUserEventStatus(event, status);

    dl__user_event_set(&seen, err);
    return err;
}

struct callback {
    void(CL_CALLBACK *notify)(cl_event, cl_int, void *);
    void *user;
};

static void CL_CALLBACK call_back(cl_event event, cl_int status, void *user)
{
    struct callback callback = *(struct callback *)user;

    free(user);
    dl__callback_begin();
    callback.notify(event, status, callback.user);
    dl__callback_end();
}

/* What the program enqueues from there must not wait (callouts.h). */
cl_int CL_API_CALL dl__hook_clSetEventCallback(cl_event event, cl_int when,
                                               void(CL_CALLBACK *notify)(cl_event, cl_int,
                                                                         void *),
                                               void *user)
{
    struct callback *callback = notify ? malloc(sizeof *callback) : NULL;
    cl_int err;

    if (!callback)
        return dl__next.clSetEventCallback(event, when, notify, user);
    *callback = (struct callback){notify, user};
    err = dl__next.clSetEventCallback(event, when, call_back, callback);
    if (err != CL_SUCCESS)
        free(callback);
    return err;
}

cl_int CL_API_CALL dl__hook_clRetainEvent(cl_event event)
{
    cl_int err = dl__next.clRetainEvent(event);

    if (err == CL_SUCCESS && dl__user_events_exist())
        dl__object_retain(&dl__user_event_type, event);
    return err;
}

cl_int CL_API_CALL dl__hook_clReleaseEvent(cl_event event)
{
    if (dl__user_events_exist())
        dl__object_release(&dl__user_event_type, event);
    return dl__next.clReleaseEvent(event);
}

cl_int CL_API_CALL dl__hook_clFinish(cl_command_queue queue)
{
    int before = dl__cancel_put_off();
    struct dl__finish finish;
    cl_int err;

    dl__trace_call_begin("clFinish");
    finish = dl__finish_begin(queue);
    dl__cancel_allow(before);
    err = dl__next.clFinish(queue);
    before = dl__cancel_put_off();
    if (err == CL_SUCCESS) {
        dl__finish_end(&finish);
        dl__policy_waited();
    }
    dl__trace_call_end();
    dl__cancel_allow(before);
    return err;
}
