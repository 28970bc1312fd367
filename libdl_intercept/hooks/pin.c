/* Buffers that commands outside DL's sight refer to: brought back to the program's
 * layout, and kept there. */
#include "pin.h"

#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/launches/bind.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/launches/launch.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/state/residence.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/state/wait.h"

struct dl__pending {
    cl_event event;
    struct dl__pending *next;
};

struct dl__recording {
    const void *commands;
    struct dl__recording *next;
    cl_uint queue_count;
    cl_command_queue queues[];
};

static void forget_done(struct dl__context *context)
{
    struct dl__pending **at = &context->pending, *done;

    while ((done = *at)) {
        if (!dl__event_is_done(done->event)) {
            at = &done->next;
            continue;
        }
        *at = done->next;
        dl__next.clReleaseEvent(done->event);
        free(done);
    }
}

/* Recorded commands may have to wait for the event, on queues not yet known. */
static cl_int add_pending(struct dl__context *context, cl_event event)
{
    struct dl__pending *added;

    forget_done(context);
    added = calloc(1, sizeof *added);
    if (!added || !dl__event_share(event)) {
        free(added);
        return CL_OUT_OF_HOST_MEMORY;
    }
    *added = (struct dl__pending){.event = event, .next = context->pending};
    context->pending = added;
    return CL_SUCCESS;
}

void dl__pin_settle(struct dl__context *context)
{
    forget_done(context);
}

void dl__pin_forget(struct dl__context *context)
{
    struct dl__pending *pending;
    struct dl__recording *recording;

    while ((pending = context->pending)) {
        context->pending = pending->next;
        dl__next.clReleaseEvent(pending->event);
        free(pending);
    }
    while ((recording = context->recordings)) {
        context->recordings = recording->next;
        free(recording);
    }
}

static void pin(struct dl__mem *mem)
{
    struct dl__context *context;
    cl_int err = CL_SUCCESS;

    mem = dl__mem_root(mem);
    if (!mem)
        return;
    context = mem->object.context;
    dl__context_lock(context);
    if (!mem->recorded) {
        mem->recorded = true;
        mem->pins++;
    }
    if (dl__mem_bring_back_now(mem, "a recorded command") == CL_SUCCESS && mem->marshaled)
        err = add_pending(context, mem->marshaled);
    dl__context_unlock(context);
    if (err != CL_SUCCESS)
        dl__log(DL__LOG_ERROR,
                "out of memory: recorded commands may come before buffer %u "
                "is brought back",
                mem->id);
}

void dl__pin_mem(cl_mem mem)
{
    pin(dl__mem_find(mem));
}

bool dl__pin_kernel_args(cl_kernel handle)
{
    struct dl__kernel *kernel = dl__kernel_find(handle);

    if (kernel && (kernel->demanded || (kernel->note && dl__kernel_wants_soa(kernel)))) {
        dl__log(DL__LOG_ERROR,
                "kernel '%s' reads discrete arrays (SoA), which recorded commands and "
                "those of extensions can't be given: it is not enqueued; launch it by "
                "clEnqueueNDRangeKernel",
                kernel->name ? kernel->name : "(unknown)");
        return false;
    }
    for (unsigned i = 0; kernel && i < kernel->arg_count; i++)
        pin(dl__arg_mem(&kernel->args[i]));
    return true;
}

static void pin_context(struct dl__context *context, void *unused)
{
    struct dl__mem *next;

    (void)unused;
    dl__context_lock(context);
    context->pinned = true;
    for (struct dl__mem *mem = context->tiled; mem; mem = next) {
        next = mem->next_tiled;
        pin(mem);
    }
    dl__context_unlock(context);
}

void dl__pin_everything(void)
{
    dl__contexts_visit(pin_context, NULL);
}

void dl__pin_adopt_commands(cl_uint count, const cl_command_queue *queues, void *commands)
{
    struct dl__queue *queue = count && queues ? dl__queue_find(queues[0]) : NULL;
    struct dl__recording **at, *made;
    struct dl__context *context;

    made = queue ? malloc(sizeof *made + count * sizeof *made->queues) : NULL;
    if (!made)
        return;
    made->commands = commands;
    made->queue_count = count;
    memcpy(made->queues, queues, count * sizeof *made->queues);
    context = queue->object.context;
    dl__context_lock(context);
    /* A handle is used again once its command buffer is released, which DL is not told
     * of. */
    for (at = &context->recordings; *at; at = &(*at)->next) {
        struct dl__recording *same = *at;

        if (same->commands != commands)
            continue;
        *at = same->next;
        free(same);
        break;
    }
    made->next = context->recordings;
    context->recordings = made;
    dl__context_unlock(context);
}

/* The program may flush only the queue that the recorded commands run on. */
static void flush_queue_of(cl_event event)
{
    cl_command_queue queue = NULL;

    dl__next.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL);
    if (queue)
        dl__next.clFlush(queue);
}

/* Nothing that is enqueued on the queues from now on comes before what is pending. (L) */
static void order(struct dl__context *context, cl_uint queue_count,
                  const cl_command_queue *queues)
{
    struct dl__wait wait;

    forget_done(context);
    if (!context->pending)
        return;
    dl__wait_begin(&wait, 0, NULL);
    for (struct dl__pending *pending = context->pending; pending;
         pending = pending->next) {
        flush_queue_of(pending->event);
        dl__wait_add(&wait, pending->event, false);
    }
    for (cl_uint q = 0; q < queue_count; q++)
        dl__next.clEnqueueBarrierWithWaitList(queues[q], wait.count, wait.list, NULL);
    dl__wait_end(&wait);
}

struct enqueued {
    const void *commands;
    bool found;
};

static void order_recording(struct dl__context *context, void *user)
{
    struct enqueued *enqueued = user;

    dl__context_lock(context);
    for (struct dl__recording *at = context->recordings; at && !enqueued->found;
         at = at->next) {
        if (at->commands != enqueued->commands)
            continue;
        enqueued->found = true;
        order(context, at->queue_count, at->queues);
    }
    dl__context_unlock(context);
}

void dl__pin_order(cl_uint queue_count, const cl_command_queue *queues,
                   const void *commands)
{
    struct enqueued enqueued = {.commands = commands};
    struct dl__queue *queue;

    if (queue_count == 0 || !queues) {
        dl__contexts_visit(order_recording, &enqueued);
        return;
    }
    queue = dl__queue_find(queues[0]);
    if (!queue)
        return;
    dl__context_lock(queue->object.context);
    order(queue->object.context, queue_count, queues);
    dl__context_unlock(queue->object.context);
}

void dl__pin_forget_arg(cl_kernel handle, cl_uint index)
{
    struct dl__kernel *kernel = dl__kernel_find(handle);

    if (!kernel)
        return;
    /* It can't be set on a shadow, nor followed: the kernel runs as written. */
    kernel->svm_indirect = true;
    if (index < kernel->arg_count)
        kernel->args[index].svm = true;
}

void dl__pin_end(void)
{
    dl__stats_end();
}
