/* SPDX-License-Identifier: MIT */
/* --trace: what happens when, as events for Perfetto and chrome://tracing. Host lanes,
 * one a thread, have the program's calls that DL looks at, builds, and waits that DL
 * added; device lanes, one a queue, have the program's commands and DL's conversions
 * (docs/stats.md).
 *
 * Every function is a no-op unless a trace was asked for. Threads: safe. */
#ifndef DL_INTERCEPT_TRACE_H
#define DL_INTERCEPT_TRACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <CL/cl.h>
#include <CL/cl_icd.h>

#include "layout/layout.h"

extern atomic_bool dl__trace_on;

static inline bool dl__trace_is_on(void)
{
    return __builtin_expect(atomic_load_explicit(&dl__trace_on, memory_order_relaxed), 0);
}

/* A function dl__trace_NAME that is no more than a look at a flag where there is no
 * trace.
 */
#define DL__TRACE_NOTE(name, parameters, arguments)                                      \
    void dl__trace_note_##name parameters;                                               \
    static inline void dl__trace_##name parameters                                       \
    {                                                                                    \
        if (dl__trace_is_on())                                                           \
            dl__trace_note_##name arguments;                                             \
    }

/* Puts functions that watch commands, builds and waits in place of the driver's, where a
 * trace was asked for. Called once, by next.c, before any hook can run. */
void dl__trace_insert(cl_icd_dispatch *next);
/* The driver's own functions, for commands that the trace knows of as a whole. */
const cl_icd_dispatch *dl__trace_below(void);

/* ---- on the host ---- */

/* Nanoseconds of the trace's clock; 0 where there is no trace. */
uint64_t dl__trace_now(void);
/* This thread is in the program's call of this name, a literal, until it ends. Commands
 * of the same name that DL gives the driver meanwhile are the program's. */
DL__TRACE_NOTE(call_begin, (const char *name), (name))
DL__TRACE_NOTE(call_end, (void), ())
/* The call launches this kernel; NULL: it has no name. */
DL__TRACE_NOTE(call_about, (const char *kernel), (kernel))
/* This thread describes its next command here, by the functions below. */
enum { DL__TRACE_ADDED_MAX = 16 };
extern _Thread_local struct dl__trace_said {
    unsigned own;
    bool own_wait;
    bool launch; /* `layout` is of the next launch */
    struct dl_layout layout;
    cl_event added[DL__TRACE_ADDED_MAX]; /* the last; for comparison alone */
    unsigned added_count;
} dl__trace_said;

/* Between these, this thread asks the driver for DL's own ends, whatever the program has
 * called. They nest. */
static inline void dl__trace_own_begin(void)
{
    if (dl__trace_is_on())
        dl__trace_said.own++;
}
static inline void dl__trace_own_end(void)
{
    if (dl__trace_is_on())
        dl__trace_said.own--;
}
/* The program's call blocks: the wait that follows on this thread is its own, not one
 * that DL added. */
static inline void dl__trace_wait_is_its_own(void)
{
    if (dl__trace_is_on())
        dl__trace_said.own_wait = true;
}
/* A build of DL's took this thread from `start_ns` until now, if it took time at all. The
 * name is in plain words; the build was for the program's call. */
void dl__trace_build(const char *name, uint64_t start_ns);
/* Between processes: the builder was asked at `start_ns`, and what it makes is ready now.
 */
void dl__trace_built(const char *name, uint64_t start_ns);

/* ---- on devices ---- */

/* A queue was made; `own`: by DL, for a moment. */
void dl__trace_queue(cl_command_queue queue, cl_device_id device, bool own);
/* The next launch of this thread is of a rewritten kernel, on this layout. */
static inline void dl__trace_launch_in(struct dl_layout layout)
{
    if (!dl__trace_is_on())
        return;
    dl__trace_said.launch = true;
    dl__trace_said.layout = layout;
}
/* The next command of this thread that has the event in its wait list waits for it by
 * DL's doing. */
static inline void dl__trace_waits_for(cl_event event)
{
    struct dl__trace_said *said = &dl__trace_said;

    if (dl__trace_is_on())
        said->added[said->added_count++ % DL__TRACE_ADDED_MAX] = event;
}
/* The next conversion of this thread waits for these, which DL is about to let go of. */
void dl__trace_conversion_waits(cl_uint count, const cl_event *list);
/* A conversion; borrows the events. */
void dl__trace_conversion(cl_command_queue queue, unsigned buffer, struct dl_layout from,
                          struct dl_layout to, uint64_t bytes, cl_event first,
                          cl_event done);
/* A part of a buffer was gathered from its tiles, or scattered into them; borrows the
 * event. */
void dl__trace_part(cl_command_queue queue, unsigned buffer, bool gathered,
                    uint64_t bytes, cl_event event);

/* How many references to the program's event the trace holds now. */
unsigned dl__trace_references(cl_event event);
/* A queue or context is about to end, or was waited for: reads what its events say while
 * they can be read. */
void dl__trace_settle(void);
/* The process ends. */
void dl__trace_end(void);

#endif
