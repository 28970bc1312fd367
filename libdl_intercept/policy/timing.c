/* SPDX-License-Identifier: MIT */
/* Times of events. */
#include "timing.h"

#include <stdatomic.h>

#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"

enum { PENDING_MAX = 128, LOOKS_MAX = 2, MISSES_MAX = 4, PAUSE_MAX = 8 };

static struct pending {
    void *context;
    cl_event first, last;
    struct dl__timed timed;
} pending[PENDING_MAX]; /* by age */
static atomic_uint pending_count;
/* Launches before the next look, and how many there are after one that finds nothing. */
static unsigned pause_left, pause;

bool dl__timing_is_full(void)
{
    return pending_count == PENDING_MAX;
}

bool dl__timing_is_any(void)
{
    return atomic_load_explicit(&pending_count, memory_order_relaxed) > 0;
}

void dl__timing_add(void *context, cl_event first, cl_event last,
                    const struct dl__timed *timed)
{
    if (dl__timing_is_full() || !first || !last || !dl__event_share(first))
        return;
    if (!dl__event_share(last)) {
        dl__next.clReleaseEvent(first);
        return;
    }
    pending[pending_count++] = (struct pending){context, first, last, *timed};
}

/* Seconds from the one's start to the other's end; 0: they can't be told. */
static double seconds_of(const struct pending *item)
{
    cl_ulong start = 0, end = 0;

    if (dl__event_status(item->last) != CL_COMPLETE ||
        dl__next.clGetEventProfilingInfo(item->first, CL_PROFILING_COMMAND_START,
                                         sizeof start, &start, NULL) != CL_SUCCESS ||
        dl__next.clGetEventProfilingInfo(item->last, CL_PROFILING_COMMAND_END, sizeof end,
                                         &end, NULL) != CL_SUCCESS)
        return 0;
    if (end > start)
        return (double)(end - start) * 1e-9;
    return 0;
}

static void let_go(struct pending *item)
{
    dl__next.clReleaseEvent(item->first);
    dl__next.clReleaseEvent(item->last);
}

static void tell(struct pending *item)
{
    struct dl__timed *timed = &item->timed;
    double seconds = seconds_of(item);

    if (seconds == 0 && dl__policy_untold(timed->policy))
        dl__log(DL__LOG_REMARK,
                "policy: the driver's events tell no times, or times that "
                "can't be: only what the texts say decides");
    if (timed->ticket.row)
        dl__policy_measured(timed->policy, &timed->ticket, seconds);
    else
        dl__policy_move_measured(timed->policy, &timed->move, seconds);
    let_go(item);
}

/* Asks of at most so many, until so many are not complete. True when something was. */
static bool poll(const void *context, unsigned most, unsigned misses_most)
{
    unsigned before = pending_count, kept = 0, looks = 0, misses = 0;

    for (unsigned i = 0; i < before; i++) {
        bool asked = (!context || pending[i].context == context) && looks < most &&
                     misses < misses_most;

        looks += asked;
        if (asked && dl__event_is_done(pending[i].last)) {
            tell(&pending[i]);
            continue;
        }
        misses += asked;
        if (kept != i)
            pending[kept] = pending[i];
        kept++;
    }
    pending_count = kept;
    return kept < before;
}

void dl__timing_poll_some(void)
{
    if (pending_count == 0)
        return;
    if (pause_left > 0) {
        pause_left--;
        return;
    }
    if (poll(NULL, LOOKS_MAX, LOOKS_MAX))
        pause = 0;
    else if (pause < PAUSE_MAX)
        pause = 2 * pause + 1;
    pause_left = pause;
}

void dl__timing_poll(const void *context, bool all)
{
    poll(context, PENDING_MAX, all ? PENDING_MAX : MISSES_MAX);
}

void dl__timing_drop(const void *context)
{
    unsigned kept = 0;

    dl__timing_poll(context, true);
    for (unsigned i = 0; i < pending_count; i++) {
        if (pending[i].context == context) {
            let_go(&pending[i]);
        } else {
            pending[kept++] = pending[i];
        }
    }
    pending_count = kept;
}

unsigned dl__timing_references(cl_event event)
{
    unsigned count = 0;

    for (unsigned i = 0; i < pending_count; i++)
        count += (pending[i].first == event) + (pending[i].last == event);
    return count;
}
