/* Events, whoever made them: sharing, asking and awaiting them, whatever the driver refuses. */
#ifndef DL_INTERCEPT_EVENT_H
#define DL_INTERCEPT_EVENT_H

#include <stdbool.h>

#include <CL/cl.h>

/* The event with a reference more; NULL: the driver refuses that, however often it is asked. */
cl_event dl__event_share(cl_event event);
/* Its execution status; CL_COMPLETE where the driver does not say. */
cl_int dl__event_status(cl_event event);
/* True when the command is complete, or has failed. */
bool dl__event_is_done(cl_event event);
/* Waits until the command has ended, which the program's call has to, whatever becomes of the wait
 * itself. Without a lock.
 *   errors  CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: the command has failed */
cl_int dl__event_wait(cl_event event);

#endif
