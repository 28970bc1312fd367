/* SPDX-License-Identifier: MIT */
/* Profiling, which statistics, traces and the policy add to queues, and nobody may see.
 */
#ifndef DL_INTERCEPT_PROFILING_H
#define DL_INTERCEPT_PROFILING_H

#include <stdbool.h>

#include <CL/cl.h>

enum dl__profiling {
    DL__PROFILING_NONE,
    DL__PROFILING_ALWAYS,  /* from the queue's creation on */
    DL__PROFILING_BY_TURNS /* for what the policy times (dl__queue_time_begin) */
};

/* What a queue of these properties gets. Where profiling would decide whether a command
 * buffer can be made for the queue, or used on it, nothing. */
enum dl__profiling dl__profiling_to_add(cl_device_id device,
                                        cl_command_queue_properties properties);
/* Of a new queue that was made without it: itself. Where the driver can't switch it, it
 * is released, and to be made anew: NULL. */
cl_command_queue dl__profiling_try(cl_command_queue handle, enum dl__profiling *added);
/* Whether DL added it to a queue: of a new one, whose handle may be that of another
 * before. */
void dl__profiling_note(cl_command_queue handle, bool added);
/* True when the event has times only because DL added profiling to its queue. */
bool dl__profiling_is_hidden(cl_event event);

#endif
