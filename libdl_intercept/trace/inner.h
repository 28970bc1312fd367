/* SPDX-License-Identifier: MIT */
/* The trace's own calls, from those that stand in place of the driver's (commands.c) to
 * the thread's state, the lanes and the file (trace.c). */
#ifndef DL_INTERCEPT_TRACE_INNER_H
#define DL_INTERCEPT_TRACE_INNER_H

#include "libdl_intercept/base/locks.h"
#include "trace.h"

enum { DL__TRACE_NAME_BYTES = 96, DL__TRACE_ARGS_BYTES = 224, DL__TRACE_WAITS = 4 };

extern struct dl__mutex dl__trace_lock;

/* By the device's clock. */
struct dl__trace_times {
    cl_ulong queued, start, end;
};

struct dl__trace_command {
    cl_event first, last; /* may be the same */
    unsigned lane;
    const char *category;            /* a literal */
    char name[DL__TRACE_NAME_BYTES]; /* quoted */
    char args[DL__TRACE_ARGS_BYTES]; /* members, quoted */
    uint64_t bytes;                  /* that it moves; 0: not known */
    uint64_t before_ns; /* the driver was given it after that; 0: not known */
    bool ended;
    /* Once it has ended; no end: they are not told, or it did not run. */
    struct dl__trace_times times;
    cl_event waits[DL__TRACE_WAITS]; /* that DL made it wait for */
    unsigned wait_count;
    int host_process, host_lane; /* of the call that it is for, */
    uint64_t host_ns;            /* at this time; 0: there is none */
};

uint64_t dl__trace_clock_ns(void);
/* Plain text as the inside of a JSON string; `bytes` of room. Returns `out`. */
const char *dl__trace_quote(char *out, size_t bytes, const char *text);
/* The number of a queue's lane, for a command. */
unsigned dl__trace_lane_of(cl_command_queue queue) DL__REQUIRES(dl__trace_lock);
/* Takes references to the events of its own. */
void dl__trace_pend(const struct dl__trace_command *command) DL__REQUIRES(dl__trace_lock);
/* Has dl__trace_end called at the process's end. */
void dl__trace_end_at_exit(void);
/* No more of it, in this process. */
void dl__trace_stop(void);
/* The program's call on this thread; NULL: none. */
const char *dl__trace_call_name(void);
/* It has launched this: members, quoted. */
void dl__trace_call_launched(const char *args);
/* So much of it was the driver's; `blocked`: the call has waited for the device. */
void dl__trace_call_below(uint64_t ns, bool blocked);
/* True of a command of this name that stands for the program's call. */
bool dl__trace_is_the_programs(const char *name);
/* Takes what dl__trace_wait_is_its_own said. */
bool dl__trace_take_own_wait(void);
/* The layout of the launch to come, or none: takes it. */
bool dl__trace_take_launch(struct dl_layout *layout);
/* True when DL added the event to a wait list since the call began. */
bool dl__trace_is_added(cl_event event);

#endif
