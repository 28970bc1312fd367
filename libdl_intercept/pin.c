/* Buffers that commands outside DL's sight refer to: brought back to the program's
 * layout, and kept there. */
#include "pin.h"

#include "contexts.h"
#include "launch.h"
#include "log.h"
#include "residence.h"
#include "stats.h"

/* Bringing back that recorded commands may have to wait for, on queues not yet known. */
enum { PENDING_MAX = 64 };
static pthread_mutex_t pending_lock = PTHREAD_MUTEX_INITIALIZER;
static cl_event pending[PENDING_MAX];
static cl_uint pending_count;

static void forget_done(void)
{
    cl_uint kept = 0;

    for (cl_uint i = 0; i < pending_count; i++) {
        cl_int status = CL_COMPLETE;

        dl__next.clGetEventInfo(pending[i], CL_EVENT_COMMAND_EXECUTION_STATUS,
                                sizeof status, &status, NULL);
        if (status > CL_COMPLETE)
            pending[kept++] = pending[i];
        else
            dl__next.clReleaseEvent(pending[i]);
    }
    pending_count = kept;
}

/* The program may flush only the queue that the recorded commands run on. */
static void flush_pending(void)
{
    for (cl_uint i = 0; i < pending_count; i++) {
        cl_command_queue queue = NULL;

        dl__next.clGetEventInfo(pending[i], CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL);
        if (queue)
            dl__next.clFlush(queue);
    }
}

static void add_pending(cl_event event)
{
    bool added;

    pthread_mutex_lock(&pending_lock);
    forget_done();
    added = pending_count < PENDING_MAX;
    if (added) {
        dl__next.clRetainEvent(event);
        pending[pending_count++] = event;
    }
    pthread_mutex_unlock(&pending_lock);
    if (!added)
        dl__next.clWaitForEvents(1, &event);
}

static void pin(struct dl__mem *mem)
{
    struct dl__context *context;

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
        add_pending(mem->marshaled);
    dl__context_unlock(context);
}

void dl__pin_mem(cl_mem mem)
{
    pin(dl__mem_find(mem));
}

void dl__pin_kernel_args(cl_kernel handle)
{
    struct dl__kernel *kernel = dl__kernel_find(handle);

    for (unsigned i = 0; kernel && i < kernel->arg_count; i++)
        pin(dl__arg_mem(&kernel->args[i]));
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

void dl__pin_order(cl_uint queue_count, const cl_command_queue *queues)
{
    pthread_mutex_lock(&pending_lock);
    if (pending_count > 0)
        forget_done();
    flush_pending();
    if (pending_count > 0 && queue_count > 0 && queues) {
        for (cl_uint q = 0; q < queue_count; q++)
            dl__next.clEnqueueBarrierWithWaitList(queues[q], pending_count, pending,
                                                  NULL);
    } else if (pending_count > 0) {
        dl__next.clWaitForEvents(pending_count, pending);
    }
    pthread_mutex_unlock(&pending_lock);
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
