/* SPDX-License-Identifier: MIT */
/* Hooks of kernel launches. */
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/base/thread_cancel.h"
#include "libdl_intercept/launches/launch.h"
#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/state/queues.h"
#include "libdl_intercept/trace/trace.h"
#include "hooks.h"
#include "program.h"

/* A kernel that reads discrete arrays, of which there is no text, would take structs for
 * them. */
static __attribute__((noinline)) cl_int refuse(struct dl__kernel *kernel)
{
    bool said;

    dl__context_lock(kernel->object.context);
    said = kernel->launched.refusal_said;
    kernel->launched.refusal_said = true;
    dl__context_unlock(kernel->object.context);
    if (!said)
        dl__log(
            DL__LOG_ERROR,
            "kernel '%s' reads discrete arrays (SoA), but its program was loaded from or "
            "linked with a binary or IL, so DL can't give it these arrays: its launches "
            "fail; empty or turn off the program's own cache of binaries to have it "
            "built from "
            "source",
            kernel->name ? kernel->name : "(unknown)");
    return CL_OUT_OF_RESOURCES;
}

/* True when it has not been read yet, and its launches are held back until it is. */
static __attribute__((noinline)) bool read_kernel(cl_kernel handle)
{
    struct dl__kernel *kernel = dl__kernel_find(handle);

    if (kernel && atomic_load(&kernel->unread)) {
        const int before = dl__cancel_put_off();

        dl__kernel_read(kernel);
        dl__cancel_allow(before);
    }
    return kernel && atomic_load(&kernel->unread) && dl__policy_is_on();
}

static inline __attribute__((always_inline)) bool concerns(const struct dl__queue *queue,
                                                           cl_kernel kernel)
{
    if (dl__any_kernel_unread() && read_kernel(kernel))
        return true;
    return dl__context_is_annotated(queue->object.context) || dl__options_get()->counts;
}

/* The way of a launch that DL has to look at. */
static inline __attribute__((always_inline)) cl_int
launch(struct dl__queue *queue, cl_kernel handle, struct dl__ndrange *range)
{
    struct dl__kernel *kernel = dl__kernel_find(handle);
    const int before = dl__cancel_put_off();
    cl_int err;

    dl__trace_call_begin(range->task ? "clEnqueueTask" : "clEnqueueNDRangeKernel");
    dl__trace_call_about(kernel ? kernel->name : NULL);
    err = kernel && kernel->demanded ? refuse(kernel)
                                     : dl__launch(queue, kernel, handle, range);
    dl__trace_call_end();
    dl__cancel_allow(before);
    return err;
}

/* Apart, with the arguments where they came, so that what all others pass through is a
 * jump. */
static __attribute__((noinline)) cl_int
launch_looked_at(struct dl__queue *queue, cl_kernel kernel_handle, cl_uint work_dim,
                 const size_t *offset, const size_t *global, const size_t *local,
                 cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    struct dl__ndrange range;

    /* One by one: a compiler would clear the whole first, which takes longer than all of
     * this. */
    range.task = false;
    range.work_dim = work_dim;
    range.offset = offset;
    range.global = global;
    range.local = local;
    range.wait_count = wait_count;
    range.wait = wait;
    range.event = event;
    range.mems = NULL;
    range.waited = false;
    range.wait_failed = false;
    range.wants_wait = false;
    range.known = NULL;
    range.choice = NULL;
    range.shown = NULL;
    return launch(queue, kernel_handle, &range);
}

cl_int CL_API_CALL dl__hook_clEnqueueNDRangeKernel(
    cl_command_queue queue_handle, cl_kernel kernel_handle, cl_uint work_dim,
    const size_t *offset, const size_t *global, const size_t *local, cl_uint wait_count,
    const cl_event *wait, cl_event *event)
{
    struct dl__queue *queue = dl__queue_find(queue_handle);

    if (!queue || !concerns(queue, kernel_handle))
        return dl__next.clEnqueueNDRangeKernel(queue_handle, kernel_handle, work_dim,
                                               offset, global, local, wait_count, wait,
                                               event);
    return launch_looked_at(queue, kernel_handle, work_dim, offset, global, local,
                            wait_count, wait, event);
}

cl_int CL_API_CALL dl__hook_clEnqueueTask(cl_command_queue queue_handle,
                                          cl_kernel kernel_handle, cl_uint wait_count,
                                          const cl_event *wait, cl_event *event)
{
    struct dl__queue *queue = dl__queue_find(queue_handle);

    if (!queue || !concerns(queue, kernel_handle))
        return dl__next.clEnqueueTask(queue_handle, kernel_handle, wait_count, wait,
                                      event);
    return launch(
        queue, kernel_handle,
        &(struct dl__ndrange){
            .task = true, .wait_count = wait_count, .wait = wait, .event = event});
}
