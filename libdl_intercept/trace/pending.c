/* SPDX-License-Identifier: MIT */
/* Commands whose times are still to be read, in the order in which they were enqueued. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inner.h"
#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"

/* Some 7 MB at most. Now and then the oldest are looked at. */
enum { PENDING_FIRST = 256, PENDING_MAX = 16384, SETTLED_EVERY = 64, UNDER_WAY_MAX = 64 };

static struct dl__trace_command *pending DL__GUARDED_BY(dl__trace_lock);
static unsigned pending_room DL__GUARDED_BY(dl__trace_lock);
static unsigned pending_count DL__GUARDED_BY(dl__trace_lock);
static unsigned since_settled DL__GUARDED_BY(dl__trace_lock);
static uint64_t left_out DL__GUARDED_BY(dl__trace_lock);

static void let_go(struct dl__trace_command *command)
{
    if (command->first)
        dl__next.clReleaseEvent(command->first);
    if (command->last)
        dl__next.clReleaseEvent(command->last);
    for (unsigned i = 0; i < command->wait_count; i++)
        if (command->waits[i])
            dl__next.clReleaseEvent(command->waits[i]);
}

static bool read_time(cl_event event, cl_profiling_info what, cl_ulong *ns)
{
    *ns = 0;
    return dl__next.clGetEventProfilingInfo(event, what, sizeof *ns, ns, NULL) ==
           CL_SUCCESS;
}

/* What has ended; its times, where they are told. */
static DL__REQUIRES(dl__trace_lock) bool has_ended(struct dl__trace_command *command)
{
    struct dl__trace_times *times = &command->times;
    cl_int status = dl__event_status(command->last);

    *times = (struct dl__trace_times){0};
    if (status > CL_COMPLETE)
        return false;
    if (status < CL_COMPLETE)
        return true; /* it was cancelled: it did not run */
    if (!read_time(command->first, CL_PROFILING_COMMAND_START, &times->start) ||
        !read_time(command->last, CL_PROFILING_COMMAND_END, &times->end) ||
        times->end == 0 || times->end < times->start) {
        times->end = 0;
        left_out++;
        return true;
    }
    read_time(command->first, CL_PROFILING_COMMAND_QUEUED, &times->queued);
    dl__trace_clock_learn(command->lane, times, command->before_ns);
    return true;
}

/* From when it was queued until the last of what DL made it wait for was over. */
static DL__REQUIRES(dl__trace_lock) void write_wait(
    const struct dl__trace_command *command, const struct dl__trace_slice *placed)
{
    struct dl__trace_slice slice = *placed;
    cl_ulong latest = 0, end;
    char args[DL__TRACE_NAME_BYTES + 64];

    for (unsigned i = 0; i < command->wait_count; i++)
        if (read_time(command->waits[i], CL_PROFILING_COMMAND_END, &end) && end > latest)
            latest = end;
    if (latest > command->times.start)
        latest = command->times.start;
    if (command->times.queued == 0 || latest <= command->times.queued)
        return;
    snprintf(args, sizeof args, "\"command\":\"%s\",\"events\":%u", command->name,
             command->wait_count);
    slice.category = "wait";
    slice.name = "wait that DL added";
    slice.args = args;
    slice.start_ns = dl__trace_clock_map(command->lane, command->times.queued);
    slice.end_ns = dl__trace_clock_map(command->lane, latest);
    dl__trace_write_beside(&slice);
}

static DL__REQUIRES(dl__trace_lock) void write_command(struct dl__trace_command *command)
{
    const struct dl__trace_times *times = &command->times;
    struct dl__trace_slice slice = {
        .category = command->category, .name = command->name, .args = command->args};

    slice.start_ns = dl__trace_clock_map(command->lane, times->start);
    slice.end_ns = dl__trace_clock_map(command->lane, times->end);
    dl__trace_put_speed(command->args, sizeof command->args, command->bytes,
                        times->end - times->start);
    dl__trace_lane_place(command->lane, &slice);
    dl__trace_write_slice(&slice);
    if (command->host_ns)
        dl__trace_write_arrow(command, &slice);
    if (command->wait_count)
        write_wait(command, &slice);
}

/* Looks at commands, the oldest first, until so many are found that are still under way.
 * All that have ended say how the clocks stand before the first is written. */
static DL__REQUIRES(dl__trace_lock) void settle(unsigned most)
{
    unsigned kept = 0, looked = 0;

    for (unsigned waiting = 0; looked < pending_count && waiting < most; looked++) {
        pending[looked].ended = has_ended(&pending[looked]);
        waiting += !pending[looked].ended;
    }
    for (unsigned i = 0; i < pending_count; i++) {
        if (i >= looked || !pending[i].ended) {
            if (kept != i)
                pending[kept] = pending[i];
            kept++;
            continue;
        }
        if (pending[i].times.end)
            write_command(&pending[i]);
        let_go(&pending[i]);
    }
    pending_count = kept;
    since_settled = 0;
}

void dl__trace_pending_settle(void)
{
    settle(PENDING_MAX);
}

/* False: there is none. */
static DL__REQUIRES(dl__trace_lock) bool make_room(void)
{
    unsigned room = pending_room ? 2 * pending_room : PENDING_FIRST;
    struct dl__trace_command *more;

    if (since_settled >= SETTLED_EVERY)
        settle(UNDER_WAY_MAX);
    if (pending_count < pending_room)
        return true;
    if (room > PENDING_MAX)
        return false;
    more = realloc(pending, room * sizeof *more);
    if (!more)
        return false;
    pending = more;
    pending_room = room;
    return true;
}

void dl__trace_pend(const struct dl__trace_command *command)
{
    struct dl__trace_command *own;
    struct dl__trace_slice call;

    if (command->lane == DL__TRACE_NO_LANE || !make_room()) {
        left_out++;
        return;
    }
    since_settled++;
    own = &pending[pending_count];
    *own = *command;
    if (dl__trace_call_name()) {
        dl__trace_host_lane(&call);
        own->host_process = call.process;
        own->host_lane = call.lane;
        own->host_ns = command->before_ns ? command->before_ns : dl__trace_clock_ns();
    }
    own->first = dl__event_share(command->first);
    own->last = dl__event_share(command->last);
    own->wait_count = 0;
    for (unsigned i = 0; i < command->wait_count; i++) {
        own->waits[own->wait_count] = dl__event_share(command->waits[i]);
        own->wait_count += own->waits[own->wait_count] != NULL;
    }
    if (own->first && own->last) {
        pending_count++;
        return;
    }
    let_go(own);
    left_out++;
}

void dl__trace_pending_drop(void)
{
    if (left_out)
        dl__log(DL__LOG_WARNING,
                "%llu commands are missing from the trace: the driver did not tell their "
                "times, or too many were under way",
                (unsigned long long)left_out);
    left_out = 0;
    for (unsigned i = 0; i < pending_count; i++)
        let_go(&pending[i]);
    pending_count = 0;
}

unsigned dl__trace_references(cl_event event)
{
    unsigned count = 0;

    if (!dl__trace_is_on())
        return 0;
    dl__mutex_lock(&dl__trace_lock);
    for (unsigned i = 0; i < pending_count; i++) {
        count += (pending[i].first == event) + (pending[i].last == event);
        for (unsigned w = 0; w < pending[i].wait_count; w++)
            count += pending[i].waits[w] == event;
    }
    dl__mutex_unlock(&dl__trace_lock);
    return count;
}
