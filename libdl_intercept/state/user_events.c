/* SPDX-License-Identifier: MIT */
/* User events, by which a program may cancel its commands or hold them back; and
 * functions of the program's that drivers call. */
#include "user_events.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "contexts.h"
#include "order.h"

struct user_event {
    struct dl__object object;
    atomic_bool open; /* its status is not set */
};

static atomic_uint running;
static atomic_bool shared;
static _Thread_local unsigned callbacks;

static void CL_CALLBACK ended(cl_event event, cl_int status, void *unused)
{
    (void)event, (void)status, (void)unused;
    atomic_fetch_sub(&running, 1);
}

void dl__callout_begin(cl_event event)
{
    atomic_fetch_add(&running, 1);
    /* One whose end nobody tells of has none. */
    dl__next.clSetEventCallback(event, CL_COMPLETE, ended, NULL);
}

void dl__callback_begin(void)
{
    callbacks++;
}

void dl__callback_end(void)
{
    callbacks--;
}

bool dl__callouts_run(void)
{
    return callbacks > 0 || atomic_load(&running) > 0;
}

void dl__callout_shares_memory(void)
{
    atomic_store(&shared, true);
}

bool dl__callouts_share_memory(void)
{
    return atomic_load(&shared);
}

/* ---- user events ---- */

/* How long a user event that fails is held up, at most. */
enum { TURNS = 2000, TURN_MICROSECONDS = 100, TOLD_MICROSECONDS = 2000 };

static atomic_uint events_alive;
static atomic_bool any_foreign; /* some context's `foreign` is set */

bool dl__user_events_exist(void)
{
    return atomic_load_explicit(&events_alive, memory_order_relaxed) > 0;
}

static void close_event(struct user_event *event)
{
    struct dl__context *context = event->object.context;

    if (!atomic_exchange(&event->open, false))
        return;
    dl__context_lock(context);
    context->cancel.open_events--;
    dl__context_unlock(context);
}

static void end_event(void *record)
{
    close_event(record);
    atomic_fetch_sub(&events_alive, 1);
}

struct dl__type dl__user_event_type = {.bytes = sizeof(struct user_event),
                                       .end = end_event};

/* True of PoCL: what is cancelled while a command that it waits for ends may be run all
 * the same. */
static bool is_pocl(cl_context context)
{
    cl_device_id device = NULL, *devices;
    cl_platform_id platform = NULL;
    char name[64] = "";
    size_t bytes = 0;

    if (dl__next.clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &bytes) !=
            CL_SUCCESS ||
        !(devices = malloc(bytes)))
        return false;
    if (dl__next.clGetContextInfo(context, CL_CONTEXT_DEVICES, bytes, devices, NULL) ==
        CL_SUCCESS)
        device = devices[0];
    free(devices);
    return device &&
           dl__next.clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform,
                                    &platform, NULL) == CL_SUCCESS &&
           dl__next.clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name,
                                      NULL) == CL_SUCCESS &&
           strcmp(name, "Portable Computing Language") == 0;
}

static DL__WITH_LOCK void ask(struct dl__context *context)
{
    if (!context->cancel.asked)
        context->cancel.races = is_pocl(context->object.handle);
    context->cancel.asked = true;
}

static DL__WITH_LOCK void open_one(struct dl__context *context)
{
    if (!dl__cancel_in_period(context)) {
        context->cancel.periods++;
        if (dl__context_is_annotated(context)) {
            ask(context);
            dl__context_mark_uses(context);
        }
    }
    context->cancel.open_events++;
}

void dl__user_events_awaited(struct dl__context *context, cl_uint count,
                             const cl_event *list)
{
    for (cl_uint i = 0; list && i < count && !context->cancel.foreign; i++) {
        const struct dl__seen seen = dl__object_see(&dl__user_event_type, list[i]);
        const struct user_event *event = seen.record;

        if (!event || event->object.context == context)
            continue;
        context->cancel.foreign = true;
        atomic_store(&any_foreign, true);
        open_one(context);
        dl__log(DL__LOG_REMARK, "a launch waits for a user event of another context: "
                                "kernels run as written from now on");
    }
}

void dl__user_event_begin(cl_context context_handle, cl_event handle)
{
    struct dl__context *context = dl__context_find(context_handle);
    struct user_event *event;

    if (!context)
        return;
    dl__context_lock(context);
    /* One without a record stays open for ever. */
    open_one(context);
    event = dl__object_make(&dl__user_event_type, handle, context);
    if (event) {
        atomic_store(&event->open, true);
        atomic_fetch_add(&events_alive, 1);
    }
    dl__context_unlock(context);
}

static DL__WITH_LOCK uint64_t slots_in_use(const struct dl__context *context)
{
    uint64_t slots = 0;

    for (unsigned i = 0; i < DL__QUEUE_SLOTS; i++) {
        if (context->slots[i].queue || context->slots[i].retired)
            slots |= UINT64_C(1) << i;
    }
    return slots;
}

/* The program's commands wait for DL's own, too: conversions, and the markers before them
 * on their queues. In PoCL a command that is cancelled while another that it waits for
 * ends may be run all the same, and freed twice. A program that has waited for its own
 * commands is safe from that, and must be under DL. PoCL shows that a command has ended
 * before it has told those that wait for it, the thread that is to tell them may have
 * lost its processor, and before a copy it moves memory by commands that nobody sees:
 * hence the sleep at the end. This may run in a callback that DL's commands have to wait
 * for, so it gives up in the end. */
static void let_own_commands_end(struct dl__context *context)
{
    bool run = dl__context_is_annotated(context), races = false;

    for (int turn = 0; run && turn < TURNS; turn++) {
        dl__context_lock(context);
        run = dl__context_own_commands_run(context);
        ask(context);
        races = context->cancel.races;
        dl__context_unlock(context);
        if (run)
            usleep(TURN_MICROSECONDS);
    }
    if (races)
        usleep(TOLD_MICROSECONDS);
}

static void let_those_end_too(struct dl__context *context, void *unused)
{
    bool foreign;

    (void)unused;
    dl__context_lock(context);
    foreign = context->cancel.foreign;
    dl__context_unlock(context);
    if (foreign)
        let_own_commands_end(context);
}

struct dl__seen dl__user_event_failing(cl_event handle, cl_int status)
{
    struct dl__seen seen = dl__object_see(&dl__user_event_type, handle);
    struct user_event *event = seen.record;
    struct dl__context *context;

    if (!event || status >= 0 || !atomic_load(&event->open))
        return seen;
    context = event->object.context;
    dl__context_lock(context);
    atomic_fetch_add(&context->cancel.failures, 1);
    atomic_fetch_or(&context->cancel.falling, slots_in_use(context));
    dl__context_unlock(context);
    let_own_commands_end(context);
    if (atomic_load(&any_foreign))
        dl__contexts_visit(let_those_end_too, NULL);
    if (dl__context_is_annotated(context))
        dl__log(DL__LOG_REMARK, "a user event has failed: kernels run as written until "
                                "clFinish has returned for each queue");
    return seen;
}

void dl__user_event_set(const struct dl__seen *seen, cl_int err)
{
    struct user_event *event = dl__object_seen(seen);

    if (event && err == CL_SUCCESS)
        close_event(event);
}

struct dl__finish dl__finish_begin(cl_command_queue handle)
{
    struct dl__finish finish = {.queue = dl__object_see(&dl__queue_type, handle)};
    const struct dl__queue *queue = finish.queue.record;

    if (queue) {
        finish.failures = atomic_load(&queue->object.context->cancel.failures);
        finish.commands = atomic_load(&queue->commands);
    }
    return finish;
}

void dl__finish_end(const struct dl__finish *finish)
{
    struct dl__queue *queue = dl__object_seen(&finish->queue);
    struct dl__context *context = queue ? queue->object.context : NULL;

    if (!queue || queue->slot >= DL__QUEUE_SLOTS ||
        atomic_load(&context->cancel.falling) == 0)
        return;
    dl__context_lock(context);
    /* What has failed meanwhile may have been enqueued meanwhile, too. */
    if (atomic_load(&context->cancel.failures) == finish->failures) {
        atomic_fetch_and(&context->cancel.falling, ~(UINT64_C(1) << queue->slot));
        /* What another thread or a callback has enqueued meanwhile goes on. */
        if (atomic_load(&queue->commands) == finish->commands)
            dl__context_forget_users(context, queue->slot);
        else
            dl__context_settle_users(context);
    }
    dl__context_unlock(context);
}
