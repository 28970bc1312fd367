/* SPDX-License-Identifier: MIT */
/* Holding back. */
#include "hold.h"

#include "libdl_intercept/base/clock.h"
#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/state/callouts.h"
#include "libdl_intercept/state/cancel.h"
#include "libdl_intercept/state/contexts.h"

/* What may be pending is two parts, each a launch, or several that take so long together.
 */
#define PART_SECONDS 0.01
/* An expectation is no better than this, and twice as much after each wait that ran out.
 */
#define LEAST_SECONDS 0.005

enum { PARTS = 2, RAN_OUT_MAX = 3 };

struct part {
    cl_event last; /* NULL: it is open, or empty */
    double seconds;
};

/* What is kept with a queue. */
struct held {
    struct dl__kept kept;
    unsigned ran_out DL__UNDER_LOCK;         /* waits in a row that took too long */
    struct part parts[PARTS] DL__UNDER_LOCK; /* closed, the oldest first */
    unsigned count DL__UNDER_LOCK;
    double open_seconds DL__UNDER_LOCK; /* of launches behind those */
    double longest DL__UNDER_LOCK;      /* wait that has ended */
};

static DL__WITH_LOCK void drop_oldest(struct dl__queue *queue, struct held *held)
{
    struct dl__context *context = queue->object.context;
    cl_uint before = dl__context_count_begin(context);

    dl__next.clReleaseEvent(held->parts[0].last);
    dl__context_count_end(context, before);
    for (unsigned p = 1; p < held->count; p++)
        held->parts[p - 1] = held->parts[p];
    held->count--;
}

static DL__WITH_LOCK void end_held(void *record, void *kept)
{
    struct held *held = kept;

    while (held->count)
        drop_oldest(record, held);
}

static const struct dl__keeper keeper = {.bytes = sizeof(struct held), .end = end_held};

void dl__hold_note(struct dl__queue *queue, double seconds)
{
    struct held *held = dl__kept_get(queue, &keeper);
    cl_event last = NULL;
    cl_uint before;

    if (!held || held->ran_out >= RAN_OUT_MAX ||
        dl__cancel_possible(queue->object.context))
        return;
    held->open_seconds += seconds;
    if (seconds > 0 && held->open_seconds < PART_SECONDS)
        return;
    queue->object.context->counts = true; /* a text may still be in the builder's hands */
    before = dl__context_count_begin(queue->object.context);
    dl__next.clEnqueueMarkerWithWaitList(queue->object.handle, 0, NULL, &last);
    dl__context_count_end(queue->object.context, before);
    if (!last)
        return;
    while (held->count == PARTS)
        drop_oldest(queue, held);
    held->parts[held->count++] =
        (struct part){.last = last, .seconds = held->open_seconds};
    held->open_seconds = 0;
}

/* True while a region of one of the context's buffers is mapped: a kernel may look at
 * what the host writes there. */
static DL__WITH_LOCK bool is_any_mapped(const struct dl__context *context)
{
    for (const struct dl__mem *mem = context->used; mem; mem = mem->order.next_used)
        if (atomic_load(&mem->maps))
            return true;
    return false;
}

/* The end of what is to be waited for, retained; NULL: there is nothing, or nothing may
 * be waited for.
 *   limit_seconds  out */
static cl_event pending(struct dl__queue *queue, double *limit_seconds)
{
    struct dl__context *context = queue->object.context;
    struct held *held;
    cl_event last = NULL;
    double expected = 0, seconds = LEAST_SECONDS;
    unsigned ran_out = 0;

    dl__context_lock_quietly(context);
    held = dl__kept_find(queue, &keeper);
    while (held && held->count && dl__event_is_done(held->parts[0].last))
        drop_oldest(queue, held);
    if (held && held->count == PARTS && held->ran_out < RAN_OUT_MAX &&
        !dl__cancel_possible(context) && !dl__callouts_run() &&
        !dl__callouts_share_memory() && !is_any_mapped(context))
        last = dl__event_share(held->parts[0].last);
    for (unsigned p = 0; last && p < held->count; p++)
        expected += held->parts[p].seconds;
    if (last && held->longest > seconds)
        seconds = held->longest;
    if (last)
        ran_out = held->ran_out;
    dl__context_unlock(context);
    *limit_seconds = 2 * (expected > seconds ? expected : seconds) * (1 << ran_out);
    return last;
}

double dl__hold_back(struct dl__queue *queue)
{
    struct dl__context *context = queue->object.context;
    double begun, limit, waited;
    cl_event last = pending(queue, &limit);
    struct held *held;
    bool ended;

    if (!last)
        return 0;
    begun = dl__clock_seconds();
    ended = dl__queue_flush(queue->object.handle) && dl__event_ends_within(last, limit);
    dl__next.clReleaseEvent(last);
    waited = dl__clock_seconds() - begun;
    dl__context_lock_quietly(context);
    held = dl__kept_find(queue, &keeper);
    if (held)
        held->ran_out = ended ? 0 : held->ran_out + 1;
    if (held && ended && waited > held->longest)
        held->longest = waited;
    dl__context_unlock(context);
    return waited;
}
