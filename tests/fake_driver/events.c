/* SPDX-License-Identifier: MIT */
/* Events. */
#include "fake.h"

#include <string.h>

cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int *err)
{
    cl_int status = fake_inject(__func__);
    struct fake_event *event = NULL;

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(context, FAKE_CONTEXT))
        status = CL_INVALID_CONTEXT;
    if (status == CL_SUCCESS) {
        event = fake_new(FAKE_EVENT, sizeof *event, fake_event_destroy);
        event->context = (struct fake_context *)context;
        event->type = CL_COMMAND_USER;
        event->status = CL_SUBMITTED;
        fake_hold(context);
    }
    fake_log("%s(%s) = %s %d", __func__, NAME(context), NAME(event), status);
    fake_leave();
    if (err)
        *err = status;
    return (cl_event)event;
}

cl_int CL_API_CALL clSetUserEventStatus(cl_event handle, cl_int wanted)
{
    struct fake_event *event = (struct fake_event *)handle;
    cl_int status = fake_inject(__func__);

    fake_enter();
    if (status == CL_SUCCESS && (!fake_is(handle, FAKE_EVENT) || event->queue))
        status = CL_INVALID_EVENT;
    else if (status == CL_SUCCESS && wanted > 0)
        status = CL_INVALID_VALUE;
    else if (status == CL_SUCCESS && event->status <= 0)
        status = CL_INVALID_OPERATION;
    fake_log("%s(%s, %d) = %d", __func__, NAME(handle), wanted, status);
    if (status == CL_SUCCESS) {
        if (wanted < 0)
            fake_log_cancelled(event);
        fake_event_end(event, wanted);
        fake_pump();
    }
    fake_leave();
    return status;
}

cl_int CL_API_CALL clWaitForEvents(cl_uint count, const cl_event *list)
{
    cl_int status = fake_inject(__func__);

    fake_enter();
    fake_log("%s(%u, %s)", __func__, count, count && list ? NAME(list[0]) : "NULL");
    if (status == CL_SUCCESS && (count == 0 || !list))
        status = CL_INVALID_VALUE;
    for (cl_uint i = 0; status == CL_SUCCESS && i < count; i++)
        if (!fake_is(list[i], FAKE_EVENT))
            status = CL_INVALID_EVENT;
    for (cl_uint i = 0; status == CL_SUCCESS && i < count; i++) {
        struct fake_event *event = (struct fake_event *)list[i];
        fake_hold(event);
        if (event->queue)
            fake_queue_flush(event->queue);
        while (event->status > 0) {
            fake_wait();
            fake_pump();
        }
        if (event->status < 0)
            status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        fake_drop(event);
    }
    fake_leave();
    return status;
}

cl_int CL_API_CALL clRetainEvent(cl_event event)
{
    cl_int status = fake_inject(__func__);

    fake_enter();
    if (status == CL_SUCCESS)
        status = fake_retain(event, FAKE_EVENT, CL_INVALID_EVENT);
    fake_log("%s(%s) = %d", __func__, NAME(event), status);
    fake_leave();
    return status;
}

cl_int CL_API_CALL clReleaseEvent(cl_event event)
{
    cl_int status = fake_inject(__func__);

    fake_enter();
    fake_log("%s(%s)", __func__, NAME(event));
    if (status == CL_SUCCESS)
        status = fake_release(event, FAKE_EVENT, CL_INVALID_EVENT);
    fake_leave();
    return status;
}

cl_int CL_API_CALL clGetEventInfo(cl_event handle, cl_event_info name, size_t bytes,
                                  void *value, size_t *ret)
{
    struct fake_event *event = (struct fake_event *)handle;
    cl_int status = fake_inject(__func__);
    cl_uint count;

    fake_gate_asked();
    fake_enter();
    if (status == CL_SUCCESS && !fake_is(handle, FAKE_EVENT))
        status = CL_INVALID_EVENT;
    if (status == CL_SUCCESS) {
        switch (name) {
        case CL_EVENT_COMMAND_QUEUE:
            status = fake_give(&event->queue, sizeof event->queue, bytes, value, ret);
            break;
        case CL_EVENT_CONTEXT:
            status = fake_give(&event->context, sizeof event->context, bytes, value, ret);
            break;
        case CL_EVENT_COMMAND_TYPE:
            status = fake_give(&event->type, sizeof event->type, bytes, value, ret);
            break;
        case CL_EVENT_COMMAND_EXECUTION_STATUS:
            status = fake_give(&event->status, sizeof event->status, bytes, value, ret);
            break;
        case CL_EVENT_REFERENCE_COUNT:
            count = fake_count(event);
            status = fake_give(&count, sizeof count, bytes, value, ret);
            break;
        default:
            status = CL_INVALID_VALUE;
        }
    }
    fake_log("%s(%s, 0x%x, %zu, %s) = %d", __func__, NAME(handle), name, bytes,
             PTR(value), status);
    fake_leave();
    return status;
}

/* How long it takes until anything else has happened. */
static cl_ulong tick_ns(void)
{
    const char *text = getenv("FAKE_TICK_NS");

    return text ? strtoul(text, NULL, 10) : 1;
}

cl_int CL_API_CALL clGetEventProfilingInfo(cl_event handle, cl_profiling_info name,
                                           size_t bytes, void *value, size_t *ret)
{
    struct fake_event *event = (struct fake_event *)handle;
    cl_int status = fake_inject(__func__);

    fake_enter();
    if (status == CL_SUCCESS && !fake_is(handle, FAKE_EVENT))
        status = CL_INVALID_EVENT;
    else if (status == CL_SUCCESS &&
             (!event->queue ||
              !(event->profiled ||
                event->queue->properties & CL_QUEUE_PROFILING_ENABLE) ||
              event->status != CL_COMPLETE))
        status = CL_PROFILING_INFO_NOT_AVAILABLE;
    else if (status == CL_SUCCESS &&
             (name < CL_PROFILING_COMMAND_QUEUED || name > CL_PROFILING_COMMAND_END))
        status = CL_INVALID_VALUE;
    if (status == CL_SUCCESS) {
        cl_ulong time = tick_ns() * event->times[name - CL_PROFILING_COMMAND_QUEUED];

        status = fake_give(&time, sizeof time, bytes, value, ret);
    }
    fake_log("%s(%s, 0x%x, %zu, %s) = %d", __func__, NAME(handle), name, bytes,
             PTR(value), status);
    fake_leave();
    return status;
}

static void call_event(struct fake_callback *callback)
{
    void(CL_CALLBACK * function)(cl_event, cl_int, void *);

    memcpy(&function, &callback->function, sizeof function);
    function((cl_event)callback->object, callback->status, callback->user);
    fake_enter();
    fake_drop(callback->object);
    fake_leave();
}

cl_int CL_API_CALL clSetEventCallback(cl_event handle, cl_int when,
                                      void(CL_CALLBACK *notify)(cl_event, cl_int, void *),
                                      void *user)
{
    struct fake_event *event = (struct fake_event *)handle;
    cl_int status = fake_inject(__func__);
    void *function;

    memcpy(&function, &notify, sizeof function);
    fake_enter();
    if (status == CL_SUCCESS && !fake_is(handle, FAKE_EVENT))
        status = CL_INVALID_EVENT;
    else if (status == CL_SUCCESS && (!notify || when < 0 || when > CL_SUBMITTED))
        status = CL_INVALID_VALUE;
    fake_log("%s(%s, %d) = %d", __func__, NAME(handle), when, status);
    if (status == CL_SUCCESS) {
        fake_hold(event);
        fake_callback_add(&event->callbacks, call_event, function, handle, user);
        if (event->status <= 0)
            fake_event_end(event, event->status);
    }
    fake_leave();
    return status;
}
