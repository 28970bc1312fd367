/* SPDX-License-Identifier: MIT */
/* Whether a launch would print. */
#include "tell.h"

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/programs/ask.h"
#include "libdl_intercept/programs/rewrite.h"
#include "libdl_intercept/programs/shadow.h"
#include "libdl_intercept/state/contexts.h"

const char dl__prints[] = "it prints, and what it prints must not be seen twice";

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

const char *dl__copies_tell(struct dl__copies *copies)
{
    struct dl__context *context = copies->queue->object.context;
    struct dl__kernel *kernel = copies->kernel;
    const char *why = NULL;
    cl_mem flag = NULL;
    struct dl__shadow_kernel *shadow;
    cl_int err, printed = 0;
    double seconds;
    cl_uint before;

    if (!kernel->note->tells)
        return NULL;
    shadow = telling(copies, &why);
    if (!shadow)
        return why;
    before = dl__context_count_begin(context);
    flag = dl__next.clCreateBuffer(context->object.handle,
                                   CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   sizeof printed, &printed, &err);
    if (err == CL_SUCCESS)
        err = dl__next.clSetKernelArg(shadow->handle, kernel->note->arg_count,
                                      sizeof flag, &flag);
    if (err == CL_SUCCESS)
        err = dl__copies_run(copies, shadow, DL__WORK, &seconds);
    if (err == CL_SUCCESS)
        err = dl__next.clEnqueueReadBuffer(copies->own.object.handle, flag, CL_TRUE, 0,
                                           sizeof printed, &printed, 0, NULL, NULL);
    if (flag)
        dl__next.clReleaseMemObject(flag);
    dl__context_count_end(context, before);
    if (err != CL_SUCCESS)
        return "it can't be told whether it prints";
    return printed ? dl__prints : NULL;
}
