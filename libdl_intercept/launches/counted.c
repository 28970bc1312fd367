/* SPDX-License-Identifier: MIT */
/* Launches as the driver gets them, counted. */
#include "counted.h"

#include <stdio.h>

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/programs/promise.h"
#include "libdl_intercept/reports/reasons.h"
#include "libdl_intercept/state/cancel.h"
#include "libdl_intercept/state/queues.h"
#include "bind.h"
#include "choose.h"
#include "on_device.h"

static const char *why_unread(struct dl__kernel *kernel, cl_device_id device)
{
    static const enum dl__why whys[] = {[DL__PROMISE_NOT_ASKED] = DL__WHYS,
                                        [DL__PROMISE_MADE] = DL__WHY_UNREAD,
                                        [DL__PROMISE_BROKEN] = DL__WHY_UNREAD_AGAIN,
                                        [DL__PROMISE_NOBODY] = DL__WHY_UNREAD_NO_CACHE};
    const enum dl__why why = whys[dl__promise_of(kernel->program, device)];

    return why == DL__WHYS ? "" : dl__why_text(why);
}

/* Of a kernel that is not rewritten at all. */
static const char *why_never(struct dl__kernel *kernel, cl_device_id device)
{
    const enum dl__why plain =
        dl__options_get()->detect ? DL__WHY_NOTHING_FOUND : DL__WHY_NO_ANNOTATION;
    const enum dl__why whys[DL__ORIGINS] = {[DL__FROM_SOURCE] = plain,
                                            [DL__FROM_KNOWN_BINARY] = plain,
                                            [DL__FROM_BINARY] = DL__WHY_BINARY,
                                            [DL__FROM_IL] = DL__WHY_IL,
                                            [DL__BUILT_IN] = DL__WHY_BUILT_IN};

    if (dl__options_as_written(dl__options_get()))
        return dl__why_text(DL__WHY_AOS);
    if (atomic_load(&kernel->unread))
        return why_unread(kernel, device);
    if (kernel->read_status == DL_ENOLIB)
        return dl__why_text(DL__WHY_NO_LIBCLANG);
    if (kernel->read_status != DL_OK)
        return dl__why_text(DL__WHY_UNREADABLE);
    return kernel->program ? dl__why_text(whys[kernel->program->origin]) : "";
}

static DL__WITH_LOCK const char *why_native(struct dl__kernel *kernel,
                                            struct dl__queue *queue,
                                            const struct dl__choice *choice)
{
    const struct dl__options *options = dl__options_get();

    if (options->advise)
        return dl__why_text(DL__WHY_ADVISE);
    if (dl__options_as_written(options))
        return dl__why_text(DL__WHY_AOS);
    if (options->coalesced && !kernel->note->coalesced)
        return dl__why_text(DL__WHY_NOT_TOGETHER);
    if (options->coalesced && kernel->launched.narrow)
        return dl__why_text(DL__WHY_NARROW);
    if (choice->why_not)
        return choice->why_not;
    if (kernel->launched.differed)
        return dl__why_text(DL__WHY_DIFFERED);
    if (dl__is_given_up(kernel, queue->device))
        return dl__why_text(DL__WHY_GIVEN_UP);
    if (kernel->svm_indirect)
        return dl__why_text(DL__WHY_POINTERS);
    if (kernel->object.context->pinned)
        return dl__why_text(DL__WHY_PINNED);
    if (dl__lacks_linker(kernel, queue))
        return dl__why_text(DL__WHY_LINKER);
    if (!dl__plan_may_shadow(kernel, queue))
        return "";
    if (!options->layout_auto && options->layout == DL_LAYOUT_GRID &&
        !dl__cancel_possible(kernel->object.context) &&
        kernel->object.context->cancel.launches_left == 0)
        return dl__why_text(DL__WHY_NO_GRID);
    return dl__why_text(DL__WHY_NO_BUFFER);
}

void dl__launch_describe(struct dl__kernel *kernel, struct dl__queue *queue,
                         const struct dl__ndrange *range, bool transformed,
                         struct dl__launch_said *said)
{
    const struct dl__choice *choice = range->choice;
    const char *why = "";

    *said->why = '\0';
    said->bytes = 0;
    said->native_seconds = 0;
    if (!kernel)
        return;
    if (!kernel->note) {
        snprintf(said->why, sizeof said->why, "%s", why_never(kernel, queue->device));
        return;
    }
    said->bytes = dl__launch_bytes(kernel, range);
    said->native_seconds = dl__choice_native_seconds(choice);
    if (choice->asked && dl__options_get()->policy_test) {
        snprintf(said->why, sizeof said->why, "%s", dl__why_text(DL__WHY_POLICY_TEST));
        return;
    }
    if (choice->asked && !choice->why_not) {
        dl__choice_say(choice, said->why, sizeof said->why);
        return;
    }
    if (!transformed)
        why = why_native(kernel, queue, choice);
    else if (dl__kernel_wants_soa(kernel))
        why = dl__why_text(DL__WHY_SOA);
    else if (dl__options_get()->tile_structs == 1)
        why = dl__why_text(DL__WHY_TILE_1);
    else
        why = dl__why_text(DL__WHY_LAYOUT);
    snprintf(said->why, sizeof said->why, "%s", why);
}

static void count(const struct dl__queue *queue, struct dl__kernel *kernel,
                  bool transformed, const struct dl__launch_said *said, cl_event event)
{
    struct dl__launch_said never;

    if (!said && dl__options_get()->counts && !kernel->note) {
        never = (struct dl__launch_said){.bytes = 0};
        snprintf(never.why, sizeof never.why, "%s", why_never(kernel, queue->device));
        said = &never;
    }
    dl__stats_launch(kernel->name, transformed, said, event);
}

static cl_int enqueue(struct dl__queue *queue, cl_kernel handle,
                      const struct dl__ndrange *range, const struct dl__wait *wait,
                      cl_event *event)
{
    if (range->task)
        return dl__next.clEnqueueTask(queue->object.handle, handle, wait->count,
                                      wait->list, event);
    return dl__next.clEnqueueNDRangeKernel(queue->object.handle, handle, range->work_dim,
                                           range->offset, range->global, range->local,
                                           wait->count, wait->list, event);
}

cl_int dl__launch_counted(struct dl__queue *queue, struct dl__kernel *kernel,
                          cl_kernel handle, const struct dl__ndrange *range,
                          const struct dl__wait *wait, bool transformed,
                          const struct dl__launch_said *said)
{
    cl_event own = NULL, *event = range->event;
    bool sampled = range->choice && range->choice->answer.sample;
    cl_int err;

    if (dl__wait_error(wait) != CL_SUCCESS)
        return dl__wait_error(wait);
    if (!event && (dl__options_get()->stats || sampled))
        event = &own;
    if (sampled)
        dl__queue_time_begin(queue);
    err = enqueue(queue, handle, range, wait, event);
    if (sampled)
        dl__queue_time_end(queue);
    if (err == CL_SUCCESS && kernel)
        count(queue, kernel, transformed, said, event ? *event : NULL);
    if (err == CL_SUCCESS && range->choice)
        dl__choice_launched(range->choice, transformed, event ? *event : NULL);
    if (own)
        dl__next.clReleaseEvent(own);
    return err;
}
