/* SPDX-License-Identifier: MIT */
/* Commands that run code of the program's on the host: native kernels. They may go on only after the program's
 * next call has returned, so no call may wait for what is behind one. Threads: any. */
#ifndef DL_INTERCEPT_CALLOUTS_H
#define DL_INTERCEPT_CALLOUTS_H

#include <stdbool.h>

#include <CL/cl.h>

/* Such a command is enqueued, and has this event. */
void dl__callout_begin(cl_event event);
/* True while one of them, of any context, may be about to run or running. */
bool dl__callouts_run(void);

#endif
