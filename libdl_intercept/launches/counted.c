/* SPDX-License-Identifier: MIT */
/* Launches as the driver gets them, counted. */
#include "counted.h"

#include <stdio.h>

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/programs/promise.h"
#include "libdl_intercept/state/cancel.h"
#include "libdl_intercept/state/queues.h"
#include "bind.h"
#include "choose.h"
#include "given_up.h"
#include "members.h"

static const char layout_aos[] = "--layout aos asks for it";

static const char *why_unread(struct dl__kernel *kernel, cl_device_id device)
{
    static const char *const whys[] = {
        [DL__PROMISE_NOT_ASKED] = "",
        [DL__PROMISE_MADE] = "DL had not read its text yet: the next run has it",
        [DL__PROMISE_BROKEN] =
            "DL had not read its text yet, as in an earlier run (--layout asta waits for "
            "it, --log remark says what stands in the way)",
        [DL__PROMISE_NOBODY] = "DL had not read its text yet, and no cache keeps it for "
                               "the next run (--layout asta waits for it)"};

    return whys[dl__promise_of(kernel->program, device)];
}

/* Of a kernel that is not rewritten at all. */
static const char *why_never(struct dl__kernel *kernel, cl_device_id device)
{
    static const char *const whys[DL__ORIGINS] = {
        [DL__FROM_SOURCE] = "it has no annotation that DL can follow",
        [DL__FROM_BINARY] = "it came from a binary, in which DL sees no annotations",
        [DL__FROM_IL] = "it came from IL, in which DL sees no annotations",
        [DL__BUILT_IN] = "it is built into the device"};

    if (dl__options_as_written(dl__options_get()))
        return layout_aos;
    if (atomic_load(&kernel->unread))
        return why_unread(kernel, device);
    if (kernel->read_status == DL_ENOLIB)
        return "its text is not read without libclang (dl-run --doctor says what to do)";
    if (kernel->read_status != DL_OK)
        return "DL can't read its text (--log remark says why)";
    if (kernel->program && kernel->program->origin == DL__FROM_SOURCE &&
        dl__options_get()->detect)
        return "it has no annotation that DL can follow, and DL found no buffer to "
               "convert "
               "(--log remark)";
    return kernel->program ? whys[kernel->program->origin] : "";
}

static DL__WITH_LOCK const char *why_native(struct dl__kernel *kernel,
                                            struct dl__queue *queue,
                                            const struct dl__choice *choice)
{
    const struct dl__options *options = dl__options_get();

    if (options->advise)
        return "--advise only looks at it";
    if (dl__options_as_written(options))
        return layout_aos;
    if (options->coalesced && !kernel->note->coalesced)
        return "it accesses no whole structs that a work-group can load or store "
               "together";
    if (options->coalesced && kernel->launched.narrow)
        return "its work-groups may be one work-item wide, where PoCL runs what stands "
               "before a barrier twice";
    if (choice->why_not)
        return choice->why_not;
    if (kernel->launched.differed)
        return "what it was rewritten to gave other bytes, as was said";
    if (dl__is_given_up(kernel, queue->device))
        return "what it was rewritten to can't be built or launched";
    if (kernel->svm_indirect)
        return "it may reach its buffers by pointers";
    if (kernel->object.context->pinned)
        return "the context has commands that DL can't see, or too many queues";
    if (dl__lacks_linker(kernel, queue))
        return "the program has taken PATH away, where the driver looks for its linker";
    if (!dl__plan_may_shadow(kernel, queue))
        return "";
    if (!options->layout_auto && options->layout == DL_LAYOUT_MEMBERS &&
        !dl__cancel_possible(kernel->object.context) &&
        kernel->object.context->cancel.launches_left == 0)
        return dl__members_have_constant(kernel->note)
                   ? "it has a buffer in constant memory, which can't have members "
                     "beside it"
                   : "no kernel says which members are hot: all use more than three "
                     "quarters of the struct at once";
    if (!options->layout_auto && options->layout == DL_LAYOUT_GRID &&
        !dl__cancel_possible(kernel->object.context) &&
        kernel->object.context->cancel.launches_left == 0)
        return "it has no grid that a layout is known for";
    return "no buffer that it is given can lie otherwise, as far as DL can see";
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
        snprintf(said->why, sizeof said->why, "--policy-test chose so");
        return;
    }
    if (choice->asked && !choice->why_not) {
        dl__choice_say(choice, said->why, sizeof said->why);
        return;
    }
    if (!transformed)
        why = why_native(kernel, queue, choice);
    else if (dl__kernel_wants_soa(kernel))
        why = "it asks for discrete arrays";
    else if (dl__options_get()->tile_structs == 1)
        why = "--tile 1 asks for it";
    else
        why = "--layout asks for it";
    snprintf(said->why, sizeof said->why, "%s", why);
}

static void count(const struct dl__queue *queue, struct dl__kernel *kernel,
                  bool transformed, const struct dl__launch_said *said, cl_event event)
{
    struct dl__launch_said never;

    if (!said && dl__options_get()->stats && !kernel->note) {
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
