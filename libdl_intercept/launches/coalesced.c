/* SPDX-License-Identifier: MIT */
/* Launches of kernels that access whole structs together (annotate/coalesce). Nothing
 * moves: the shadow kernel has the program's arguments, and where it can't be had the
 * program's kernel runs. */
#include "coalesced.h"

#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/programs/shadow.h"
#include "libdl_intercept/programs/rewrite.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/trace/trace.h"
#include "libdl_intercept/reports/reasons.h"
#include "bind.h"
#include "args.h"

enum { GROUP_ITEMS_MAX = 4096, LARGE_LOCAL_BYTES = 48 << 10 };

/* True when a group of the launch, and the local memory that it takes, are what the
 * device has. */
static bool fits(cl_kernel handle, cl_device_id device, const struct dl__ndrange *range)
{
    cl_ulong taken = 0, there = 0;
    size_t most = 0, items = 1;

    if (dl__next.clGetKernelWorkGroupInfo(handle, device, CL_KERNEL_LOCAL_MEM_SIZE,
                                          sizeof taken, &taken, NULL) != CL_SUCCESS ||
        dl__next.clGetKernelWorkGroupInfo(handle, device, CL_KERNEL_WORK_GROUP_SIZE,
                                          sizeof most, &most, NULL) != CL_SUCCESS ||
        dl__next.clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof there, &there,
                                 NULL) != CL_SUCCESS)
        return false;
    for (cl_uint d = 0; range->local && d < range->work_dim && d < 3; d++) {
        if (range->local[d] > most)
            return false;
        items *= range->local[d];
    }
    return taken <= there && items <= most;
}

/* The work-items of every group, of a size that the program has chosen; 0: they differ,
 * or are not known. */
static unsigned group_items(const struct dl__ndrange *range)
{
    size_t items = 1;

    if (!range->local)
        return 0;
    for (cl_uint d = 0; d < range->work_dim; d++) {
        if (range->local[d] == 0 || range->global[d] % range->local[d] ||
            range->local[d] > GROUP_ITEMS_MAX)
            return 0;
        items *= range->local[d];
    }
    return items <= GROUP_ITEMS_MAX ? (unsigned)items : 0;
}

/* Structs of 48 words and more take 32 KiB for groups of 128: on an H200 the halves of a
 * group one after the other lose a quarter. */
static bool has_large_local(cl_device_id device)
{
    cl_ulong there = 0;

    return dl__next.clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof there,
                                    &there, NULL) == CL_SUCCESS &&
           there >= LARGE_LOCAL_BYTES;
}

static bool is_chosen(const struct dl__ndrange *range)
{
    return range->choice && range->choice->asked &&
           range->choice->answer.candidate == DL__COALESCED;
}

/* Where `auto` has chosen it, it chooses anew. */
static DL__WITH_LOCK void leave(const struct dl__ndrange *range)
{
    struct dl__kernel *kernel = range->kernel;

    if (dl__options_get()->coalesced)
        dl__give_up_on(kernel, range->queue->device);
    else
        dl__choice_building(range);
    kernel->launched.uncoalesced = true;
}

/* True where work-groups are, or may be, one work-item wide and longer in another
 * direction: on CPUs PoCL 3.1 runs some of what stands before a barrier twice then, in
 * texts that have barriers from DL alone as well. */
static DL__WITH_LOCK bool is_narrow(const struct dl__ndrange *range)
{
    const struct dl__device *device;

    if (range->work_dim < 2 ||
        (range->local &&
         (range->local[0] != 1 ||
          (range->local[1] == 1 && (range->work_dim < 3 || range->local[2] == 1)))))
        return false;
    device = dl__context_device(range->kernel->object.context, range->queue->device);
    return device && !(device->type & CL_DEVICE_TYPE_GPU);
}

static DL__WITH_LOCK bool has_text(const struct dl__ndrange *range)
{
    const struct dl__kernel *kernel = range->kernel;
    const struct dl__queue *queue = range->queue;

    return kernel->note->coalesced && !kernel->launched.uncoalesced &&
           !dl__is_given_up(kernel, queue->device) && !kernel->svm_indirect &&
           dl__ndrange_is_valid(range) && !is_narrow(range) &&
           !dl__lacks_linker(kernel, queue) &&
           dl__rewrite_is_for(kernel->rewrite, queue->device);
}

/* One build for the groups that it is launched with first, and one for all others. */
static DL__WITH_LOCK struct dl__shadow_knobs knobs_for(const struct dl__ndrange *range)
{
    struct dl__kernel *kernel = range->kernel;
    struct dl__shadow_knobs knobs = {.coalesced = true,
                                     .group_items = group_items(range),
                                     .large_local =
                                         has_large_local(range->queue->device)};

    if (!kernel->launched.group_items)
        kernel->launched.group_items = knobs.group_items;
    if (kernel->launched.group_items != knobs.group_items)
        knobs.group_items = 0;
    return knobs;
}

static DL__WITH_LOCK bool is_ready(struct dl__kernel *kernel, struct dl__queue *queue,
                                   struct dl__shadow_knobs *knobs)
{
    return dl__shadow_ask(kernel, queue->device, knobs) == DL__READY;
}

bool dl__coalesced_may(const struct dl__ndrange *range, bool *ready)
{
    struct dl__kernel *kernel = range->kernel;

    if (!(kernel->note->coalesced_loads | kernel->note->coalesced_stores) ||
        !has_text(range))
        return false;
    if (ready) {
        struct dl__shadow_knobs knobs = knobs_for(range);

        *ready = is_ready(kernel, range->queue, &knobs);
    }
    return true;
}

struct dl__shadow_kernel *dl__coalesced_kernel(const struct dl__ndrange *range,
                                               const char **why)
{
    struct dl__queue *queue = range->queue;
    const struct dl__options *options = dl__options_get();
    struct dl__shadow_kernel *shadow;
    struct dl__shadow_knobs knobs;

    *why = dl__why_text(DL__WHY_NOT_TOGETHER);
    if (!has_text(range))
        return NULL;
    knobs = knobs_for(range);
    /* Of groups of another size than it was asked for with: nobody waits for a compiler.
     */
    *why = dl__why_text(DL__WHY_BUILDING);
    if (!options->coalesced && !options->policy_test &&
        !is_ready(range->kernel, queue, &knobs))
        return NULL;
    *why = "";
    shadow = dl__shadow_kernel_get(range->kernel, queue, range->mems, &knobs, why);
    if (!shadow || fits(shadow->handle, queue->device, range))
        return shadow;
    *why = dl__why_text(DL__WHY_NOT_FITTING);
    return NULL;
}

struct dl__shadow_kernel *dl__coalesced_begin(const struct dl__ndrange *range)
{
    struct dl__kernel *kernel = range->kernel;
    struct dl__shadow_kernel *shadow;
    const char *why;

    if (!dl__options_get()->coalesced && !is_chosen(range))
        return NULL;
    kernel->launched.narrow = is_narrow(range);
    /* The driver refuses such a launch, and knows best how. */
    for (unsigned i = 0; i < kernel->arg_count; i++)
        if (kernel->args[i].serial == 0)
            return NULL;
    shadow = dl__coalesced_kernel(range, &why);
    if (shadow || why == dl__why_text(DL__WHY_NOT_TOGETHER))
        return shadow;
    if (why == dl__why_text(DL__WHY_BUILDING)) {
        dl__choice_building(range);
    } else {
        leave(range);
        dl__log(DL__LOG_REMARK, "kernel '%s' runs as written: %s", kernel->name, why);
    }
    return NULL;
}

void dl__coalesced_end(const struct dl__ndrange *range, cl_int err)
{
    if (err == CL_SUCCESS)
        return;
    leave(range);
    dl__log(DL__LOG_WARNING,
            "kernel '%s': the kernel that accesses structs together can't be launched "
            "(%d); it runs as written",
            range->kernel->name, err);
}
