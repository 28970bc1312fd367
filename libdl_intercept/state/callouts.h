/* SPDX-License-Identifier: MIT */
/* Code of the program's that a driver runs on the host: native kernels, and what is
 * called at the end of a command. A native kernel may go on only after the program's next
 * call has returned, so no call may wait for what is behind one; a driver's thread that
 * calls the program back may be what its other commands wait for. Threads: any. */
#ifndef DL_INTERCEPT_CALLOUTS_H
#define DL_INTERCEPT_CALLOUTS_H

#include <stdbool.h>

#include <CL/cl.h>

/* A native kernel is enqueued, and has this event. */
void dl__callout_begin(cl_event event);
/* The program is called back on this thread, and has returned. */
void dl__callback_begin(void);
void dl__callback_end(void);
/* True while a native kernel, of any context, may be about to run or running, or when
 * this thread is in a callback. */
bool dl__callouts_run(void);

/* A kernel is given memory that the host may write while it runs: shared virtual memory.
 */
void dl__callout_shares_memory(void);
bool dl__callouts_share_memory(void);

#endif
