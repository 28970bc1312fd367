/* SPDX-License-Identifier: MIT */
/* Whether a launch would print. */
#include "tell.h"

#include <stdlib.h>

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/programs/ask.h"
#include "libdl_intercept/programs/rewrite.h"
#include "libdl_intercept/programs/shadow.h"
#include "libdl_intercept/state/contexts.h"
#include "on_copies.h"

const char dl__prints[] = "it prints, and what it prints must not be seen twice";

static cl_mem work_of(void *user, const struct dl__mem *root)
{
    return dl__copies_stand_in(user, DL__WORK, root);
}

static DL__WITH_LOCK struct dl__shadow_kernel *telling(struct dl__copies *copies,
                                                       const char **why)
{
    const struct dl__options *options = dl__options_get();
    struct dl__kernel *kernel = copies->kernel;
    struct dl__shadow_knobs knobs = {.printing = true};

    *why = "what tells whether it prints is still being built";
    if (options->layout_auto && !options->policy_test &&
        dl__shadow_ask(kernel->rewrite, kernel->object.context, kernel->note,
                       copies->queue->device, &knobs) != DL__READY)
        return NULL;
    return dl__shadow_kernel_get(kernel, copies->queue, copies->range.mems, &knobs, why);
}

static DL__WITH_LOCK cl_int run(struct dl__copies *copies,
                                struct dl__shadow_kernel *shadow, cl_mem flag,
                                cl_mem *parts)
{
    const struct dl__kernel *kernel = copies->kernel;
    const struct dl__ndrange *range = &copies->range;
    cl_event done = NULL;
    cl_int err;

    for (unsigned i = 0; i < kernel->arg_count && i < kernel->note->arg_count; i++)
        if (range->mems[i])
            shadow->args[i] = (struct dl__shadow_arg){0};
    err = dl__copies_set(shadow->handle, kernel, range, work_of, copies, parts);
    if (err == CL_SUCCESS)
        err = dl__next.clSetKernelArg(shadow->handle, kernel->note->arg_count,
                                      sizeof flag, &flag);
    if (err == CL_SUCCESS)
        err = dl__next.clEnqueueNDRangeKernel(
            copies->own.object.handle, shadow->handle, range->work_dim, range->offset,
            range->global, range->local, 0, NULL, &done);
    if (err == CL_SUCCESS)
        err = dl__copies_wait(&copies->own, done);
    if (done)
        dl__next.clReleaseEvent(done);
    return err;
}

const char *dl__copies_tell(struct dl__copies *copies)
{
    struct dl__context *context = copies->queue->object.context;
    struct dl__kernel *kernel = copies->kernel;
    const char *why = NULL;
    cl_mem *parts, flag = NULL;
    struct dl__shadow_kernel *shadow;
    cl_int err = CL_OUT_OF_HOST_MEMORY, printed = 0;
    cl_uint before;

    if (!kernel->note->tells)
        return NULL;
    shadow = telling(copies, &why);
    if (!shadow)
        return why;
    before = dl__context_count_begin(context);
    parts = calloc(kernel->arg_count + 1, sizeof *parts);
    if (parts)
        flag = dl__next.clCreateBuffer(context->object.handle,
                                       CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                       sizeof printed, &printed, &err);
    if (err == CL_SUCCESS)
        err = run(copies, shadow, flag, parts);
    if (err == CL_SUCCESS)
        err = dl__next.clEnqueueReadBuffer(copies->own.object.handle, flag, CL_TRUE, 0,
                                           sizeof printed, &printed, 0, NULL, NULL);
    dl__shadow_kernel_set(kernel, copies->range.mems, shadow);
    for (unsigned i = 0; parts && i < kernel->arg_count; i++)
        if (parts[i])
            dl__next.clReleaseMemObject(parts[i]);
    if (flag)
        dl__next.clReleaseMemObject(flag);
    free(parts);
    dl__context_count_end(context, before);
    if (err != CL_SUCCESS)
        return "it can't be told whether it prints";
    return printed ? dl__prints : NULL;
}
