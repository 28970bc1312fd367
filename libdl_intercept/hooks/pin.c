/* SPDX-License-Identifier: MIT */
/* Buffers that commands outside DL's sight refer to: brought back to the program's
 * layout, and kept there. */
#include "pin.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/launches/bind.h"
#include "libdl_intercept/programs/rewrite.h"
#include "libdl_intercept/reports/facts.h"
#include "libdl_intercept/trace/trace.h"
#include "libdl_intercept/state/residence.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/state/order.h"

struct pending {
    cl_event event;
    struct pending *next;
};

struct recording {
    const void *commands;
    struct recording *next;
    cl_uint queue_count;
    cl_command_queue queues[];
};

/* Kept with a context. */
struct recorded {
    struct dl__kept kept;
    struct pending *pending DL__UNDER_LOCK;      /* that recorded commands wait for */
    struct recording *recordings DL__UNDER_LOCK; /* command buffers */
};

static void forget_done(struct dl__context *context, void *kept)
{
    struct pending **at = &((struct recorded *)kept)->pending, *done;

    (void)context;

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

static DL__WITH_LOCK void end_recorded(void *context, void *kept)
{
    struct recorded *recorded = kept;
    struct pending *pending;
    struct recording *recording;

    (void)context;
    while ((pending = recorded->pending)) {
        recorded->pending = pending->next;
        dl__next.clReleaseEvent(pending->event);
        free(pending);
    }
    while ((recording = recorded->recordings)) {
        recorded->recordings = recording->next;
        free(recording);
    }
}

static const struct dl__keeper keeper = {
    .bytes = sizeof(struct recorded), .end = end_recorded, .settle = forget_done};

/* Recorded commands may have to wait for the event, on queues not yet known. */
static DL__WITH_LOCK cl_int add_pending(struct dl__context *context, cl_event event)
{
    struct recorded *recorded = dl__kept_get(context, &keeper);
    struct pending *added;

    if (!recorded)
        return CL_OUT_OF_HOST_MEMORY;
    forget_done(context, recorded);
    added = calloc(1, sizeof *added);
    if (!added || !dl__event_share(event)) {
        free(added);
        return CL_OUT_OF_HOST_MEMORY;
    }
    *added = (struct pending){.event = event, .next = recorded->pending};
    recorded->pending = added;
    return CL_SUCCESS;
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
    if (!mem->residence.recorded) {
        mem->residence.recorded = true;
        mem->residence.pins++;
    }
    if (dl__mem_bring_back_now(mem, "a recorded command") == CL_SUCCESS)
        err = dl__mem_mark_conversion(mem);
    if (err == CL_SUCCESS && mem->order.marshaled)
        err = add_pending(context, mem->order.marshaled);
    dl__context_unlock(context);
    if (err != CL_SUCCESS)
        dl__log(DL__LOG_ERROR,
                "recorded commands may come before buffer %u is converted back, which "
                "can't be waited for (%d)",
                mem->id, err);
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
        next = mem->residence.next_tiled;
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
    struct recording **at, *made;
    struct dl__context *context;
    struct recorded *recorded;

    made = queue ? malloc(sizeof *made + count * sizeof *made->queues) : NULL;
    if (!made)
        return;
    made->commands = commands;
    made->queue_count = count;
    memcpy(made->queues, queues, count * sizeof *made->queues);
    context = queue->object.context;
    dl__context_lock(context);
    recorded = dl__kept_get(context, &keeper);
    if (!recorded) {
        dl__context_unlock(context);
        free(made);
        return;
    }
    /* A handle is used again once its command buffer is released, which DL is not told
     * of. */
    for (at = &recorded->recordings; *at; at = &(*at)->next) {
        struct recording *same = *at;

        if (same->commands != commands)
            continue;
        *at = same->next;
        free(same);
        break;
    }
    made->next = recorded->recordings;
    recorded->recordings = made;
    dl__context_unlock(context);
}

/* Nothing that is enqueued on the queues from now on comes before what is pending. */
static DL__WITH_LOCK void order(struct dl__context *context, cl_uint queue_count,
                                const cl_command_queue *queues)
{
    struct recorded *recorded = dl__kept_find(context, &keeper);
    struct dl__wait wait;

    if (recorded)
        forget_done(context, recorded);
    if (!recorded || !recorded->pending)
        return;
    dl__wait_begin(&wait, 0, NULL);
    for (struct pending *pending = recorded->pending; pending; pending = pending->next) {
        dl__event_flush(pending->event, NULL);
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
    const struct recorded *recorded;

    dl__context_lock(context);
    recorded = dl__kept_find(context, &keeper);
    for (struct recording *at = recorded ? recorded->recordings : NULL;
         at && !enqueued->found; at = at->next) {
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

static void begin(void)
{
    dl__trace_insert(&dl__next);
}

void dl__pin_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, begin);
}

void dl__pin_end(void)
{
    dl__trace_end();
    dl__reports_end();
}
