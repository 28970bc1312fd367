/* SPDX-License-Identifier: MIT */
/* Events. */
#include "event.h"

#include <unistd.h>

#include "clock.h"
#include "next.h"

enum { POLL_MICROSECONDS = 100 };

bool dl__event_ends_within(cl_event event, double seconds)
{
    double until = dl__clock_seconds() + seconds;
    cl_int status = CL_QUEUED;

    /* A driver that does not say is not asked again. */
    while (dl__next.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                   sizeof status, &status, NULL) == CL_SUCCESS) {
        if (status <= CL_COMPLETE || dl__clock_seconds() > until)
            return status <= CL_COMPLETE;
        usleep(POLL_MICROSECONDS);
    }
    return false;
}

cl_int dl__event_wait(cl_event event)
{
    cl_int err = CL_SUCCESS, status = CL_QUEUED;

    for (int tries = 0; tries < DL__EVENT_TRIES; tries++) {
        err = dl__next.clWaitForEvents(1, &event);
        if (err == CL_SUCCESS)
            return CL_SUCCESS;
        if (dl__next.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                    sizeof status, &status, NULL) == CL_SUCCESS &&
            status < CL_COMPLETE)
            return err;
    }
    /* The command may still use the program's memory. */
    dl__event_flush(event, NULL);
    while (status > CL_COMPLETE &&
           dl__next.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                                   sizeof status, &status, NULL) == CL_SUCCESS)
        usleep(POLL_MICROSECONDS);
    return status == CL_COMPLETE ? CL_SUCCESS : err;
}

uint64_t dl__event_ns(cl_event first, cl_event last)
{
    cl_ulong begin = 0, end = 0;

    if (dl__next.clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_START, sizeof begin,
                                         &begin, NULL) != CL_SUCCESS ||
        dl__next.clGetEventProfilingInfo(last, CL_PROFILING_COMMAND_END, sizeof end, &end,
                                         NULL) != CL_SUCCESS ||
        end <= begin)
        return 0;
    return end - begin;
}
