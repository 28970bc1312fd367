/* Enqueues a prepared conversion: its launches in a chain, on the caller's queue. */
#include "internal.h"

#include <stdlib.h>

static cl_int launch_set_args(const cl_icd_dispatch *cl, cl_kernel kernel,
                              const struct dl__launch *launch, cl_mem mem,
                              cl_mem workspace)
{
    cl_ulong never = 0; /* see dl_cycle_global */
    cl_uint index = 0;
    cl_int err = CL_SUCCESS;

#define SET(bytes, value)                                                                \
    do {                                                                                 \
        if (err == CL_SUCCESS)                                                           \
            err = cl->clSetKernelArg(kernel, index++, bytes, value);                     \
    } while (0)
    if (launch->entry == DL_ENTRY_CYCLE_CLEAR || launch->entry == DL_ENTRY_SUPER_CLEAR) {
        cl_ulong words = launch->workspace_bytes / 4;
        SET(sizeof workspace, &workspace);
        SET(sizeof words, &words);
        return err;
    }
    SET(sizeof mem, &mem);
    SET(sizeof launch->base_bytes, &launch->base_bytes);
    SET(sizeof launch->rows, &launch->rows);
    if (launch->workspace_bytes > 0)
        SET(sizeof workspace, &workspace);
    if (launch->local_bytes > 0)
        SET((size_t)launch->local_bytes, NULL);
    if (launch->entry == DL_ENTRY_PIPT)
        SET(sizeof launch->groups, &launch->groups);
    if (launch->entry == DL_ENTRY_CYCLE_GLOBAL || launch->entry == DL_ENTRY_SUPER)
        SET(sizeof never, &never);
    if (launch->entry == DL_ENTRY_SLIDE_SAVE || launch->entry == DL_ENTRY_SLIDE_MOVE)
        for (size_t n = 0; n < 4; n++)
            SET(sizeof launch->slide[n], &launch->slide[n]);
    if (launch->entry == DL_ENTRY_CUT_MOVE)
        SET(sizeof launch->searchers, &launch->searchers);
#undef SET
    return err;
}

cl_int dl__launch_enqueue(const struct dl_marshal *marshal, cl_command_queue queue,
                          const struct dl__launch *launch, cl_mem mem, cl_mem workspace,
                          cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    const cl_icd_dispatch *cl = marshal->cl;
    cl_kernel kernel = launch->program->kernels[launch->entry];
    cl_int err = launch_set_args(cl, kernel, launch, mem, workspace);

    if (err != CL_SUCCESS)
        return err;
    return cl->clEnqueueNDRangeKernel(queue, kernel, 2, NULL, launch->global,
                                      launch->local, wait_count, wait, event);
}

/* Nothing to move: the events must still say when the wait list is done. */
static cl_int enqueue_nothing(const cl_icd_dispatch *cl, cl_command_queue queue,
                              cl_uint wait_count, const cl_event *wait, cl_event *first,
                              cl_event *done)
{
    cl_event marker;
    cl_int err;

    if (!first && !done)
        return CL_SUCCESS;
    err = cl->clEnqueueMarkerWithWaitList(queue, wait_count, wait, &marker);
    if (err != CL_SUCCESS)
        return err;
    if (first && done)
        cl->clRetainEvent(marker);
    if (first)
        *first = marker;
    if (done)
        *done = marker;
    return CL_SUCCESS;
}

/* ---- a conversion's steps ---- */

/* How often a step is tried: what a device has no room for now it may have in a moment. */
enum { STEP_TRIES = 3 };

struct dl_rest {
    const struct dl_conversion *conversion;
    cl_mem mem;
    size_t step; /* the next one */
    struct dl__workspace *workspace;
    bool moved;
};

/* One run along the steps. */
struct run {
    struct dl_marshal *marshal;
    cl_command_queue queue;
    bool in_order;
    cl_uint wait_count; /* for the next step */
    const cl_event *wait;
    cl_event begin, last; /* owned: of the first step, and of the last that has one */
    bool wants_begin, wants_last;
};

static cl_int run_begin(struct run *run, cl_command_queue queue, cl_uint wait_count,
                        const cl_event *wait)
{
    cl_command_queue_properties properties = 0;
    cl_int err = run->marshal->cl->clGetCommandQueueInfo(
        queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);

    run->queue = queue;
    run->in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    run->wait_count = wait_count;
    run->wait = wait;
    return err;
}

/* The step that was just enqueued has this event, or none; the next one comes behind it. */
static void run_step_done(struct run *run, cl_event event)
{
    const cl_icd_dispatch *cl = run->marshal->cl;

    if (event) {
        if (run->last)
            cl->clReleaseEvent(run->last);
        run->last = event;
    }
    run->wait_count = run->in_order ? 0 : 1;
    run->wait = run->in_order ? NULL : &run->last;
}

/* Clearing flags and saving copies leave the buffer as it is. */
static bool step_moves(const struct dl__launch *launch)
{
    return launch->entry != DL_ENTRY_CYCLE_CLEAR && launch->entry != DL_ENTRY_CUT_SAVE &&
           launch->entry != DL_ENTRY_SLIDE_SAVE && launch->entry != DL_ENTRY_SUPER_CLEAR;
}

static cl_int run_step(struct run *run, struct dl_rest *rest)
{
    const struct dl__launch_list *list = &rest->conversion->list;
    const struct dl__launch *launch = &list->launches[rest->step];
    const cl_icd_dispatch *cl = run->marshal->cl;
    bool is_last = rest->step + 1 == list->count;
    bool wants_begin = run->wants_begin && rest->step == 0;
    bool wants_event = !run->in_order || wants_begin ||
                       (is_last && (run->wants_last || rest->workspace));
    cl_event event = NULL;
    cl_int err = CL_SUCCESS;

    for (int tries = 0; tries < STEP_TRIES; tries++) {
        err = dl__launch_enqueue(run->marshal, run->queue, launch, rest->mem,
                                 rest->workspace ? rest->workspace->mem : NULL,
                                 run->wait_count, run->wait, wants_event ? &event : NULL);
        if (err == CL_SUCCESS)
            break;
    }
    if (err != CL_SUCCESS)
        return err;
    if (wants_begin && event) {
        cl->clRetainEvent(event);
        run->begin = event;
    }
    run_step_done(run, event);
    rest->step++;
    rest->moved = rest->moved || step_moves(launch);
    return CL_SUCCESS;
}

/* Runs the steps from rest->step on; the marshal's lock is held. */
static enum dl_status run_steps(struct run *run, struct dl_rest *rest)
{
    const struct dl__launch_list *list = &rest->conversion->list;

    while (rest->step < list->count) {
        cl_int err = run_step(run, rest);

        if (err != CL_SUCCESS)
            return dl__status_of_cl(err);
    }
    return DL_OK;
}

static void give_workspace(struct dl_marshal *marshal, struct dl_rest *rest,
                           cl_event last, bool idle)
{
    /* A chain that broke off without an event may still use its workspace: then nobody
     * gets it. */
    if (rest->workspace && (last || idle))
        dl__workspace_give(marshal, rest->workspace, last);
    rest->workspace = NULL;
}

/* Hands the outcome on: `rest` is freed, or kept for later where data has moved. */
static void run_end(struct run *run, struct dl_rest *rest, enum dl_status st,
                    cl_event *first, cl_event *done, struct dl_rest **left)
{
    const cl_icd_dispatch *cl = run->marshal->cl;
    bool stays = st != DL_OK && rest->moved;

    if (!stays)
        give_workspace(run->marshal, rest, run->last, st == DL_OK || rest->step == 0);
    *left = stays ? rest : NULL;
    if (!stays)
        free(rest);
    if (st == DL_OK && first)
        *first = run->begin;
    else if (run->begin)
        cl->clReleaseEvent(run->begin);
    if ((st == DL_OK || stays) && done)
        *done = run->last;
    else if (run->last)
        cl->clReleaseEvent(run->last);
}

/* Takes the workspace, and sees that it is there before data moves. */
static enum dl_status prepare_workspace(struct run *run, struct dl_rest *rest)
{
    const struct dl__launch_list *list = &rest->conversion->list;
    cl_event event = NULL;
    enum dl_status st;

    if (list->workspace_bytes == 0)
        return DL_OK;
    st = dl__workspace_take(run->marshal, list->workspace_bytes, &rest->workspace);
    /* Where the first launch needs no workspace, a later one must not find that there is none. */
    if (st != DL_OK || rest->workspace->touched || list->launches[0].workspace_bytes != 0)
        return st;
    st = dl__workspace_touch(run->marshal->cl, run->queue, rest->workspace,
                             run->wait_count, run->wait, run->in_order ? NULL : &event);
    if (st == DL_OK)
        run_step_done(run, event);
    return st;
}

enum dl_status dl_marshal_enqueue(struct dl_marshal *marshal, cl_command_queue queue,
                                  const struct dl_conversion *conversion, cl_mem mem,
                                  cl_uint wait_count, const cl_event *wait,
                                  cl_event *first, cl_event *done, struct dl_rest **left)
{
    struct run run = {
        .marshal = marshal, .wants_begin = first != NULL, .wants_last = done != NULL};
    struct dl_rest *rest;
    enum dl_status st;
    cl_int err;

    *left = NULL;
    if (conversion->list.count == 0)
        return dl__status_of_cl(
            enqueue_nothing(marshal->cl, queue, wait_count, wait, first, done));
    err = run_begin(&run, queue, wait_count, wait);
    if (err != CL_SUCCESS)
        return dl__status_of_cl(err);
    rest = calloc(1, sizeof *rest);
    if (!rest)
        return DL_ENOMEM;
    *rest = (struct dl_rest){.conversion = conversion, .mem = mem};
    pthread_mutex_lock(&marshal->lock);
    st = prepare_workspace(&run, rest);
    if (st == DL_OK)
        st = run_steps(&run, rest);
    run_end(&run, rest, st, first, done, left);
    pthread_mutex_unlock(&marshal->lock);
    return st;
}

enum dl_status dl_marshal_resume(struct dl_marshal *marshal, cl_command_queue queue,
                                 struct dl_rest *rest, cl_uint wait_count,
                                 const cl_event *wait, cl_event *done,
                                 struct dl_rest **left)
{
    struct run run = {.marshal = marshal, .wants_last = done != NULL};
    cl_int err = run_begin(&run, queue, wait_count, wait);
    enum dl_status st;

    *left = rest;
    if (err != CL_SUCCESS)
        return dl__status_of_cl(err);
    pthread_mutex_lock(&marshal->lock);
    st = run_steps(&run, rest);
    run_end(&run, rest, st, NULL, done, left);
    pthread_mutex_unlock(&marshal->lock);
    return st;
}

void dl_rest_free(struct dl_marshal *marshal, struct dl_rest *rest)
{
    pthread_mutex_lock(&marshal->lock);
    give_workspace(marshal, rest, NULL, false);
    pthread_mutex_unlock(&marshal->lock);
    free(rest);
}
