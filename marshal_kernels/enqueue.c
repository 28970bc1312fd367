/* Enqueues a prepared conversion: its launches in a chain, on the caller's queue. */
#include "internal.h"

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

enum dl_status dl_marshal_enqueue(struct dl_marshal *marshal, cl_command_queue queue,
                                  const struct dl_conversion *conversion, cl_mem mem,
                                  cl_uint wait_count, const cl_event *wait,
                                  cl_event *first, cl_event *done, bool *moved)
{
    const cl_icd_dispatch *cl = marshal->cl;
    const struct dl__launch_list *list = &conversion->list;
    cl_command_queue_properties properties = 0;
    cl_event begin = NULL, last = NULL;
    struct dl__workspace *workspace = NULL;
    enum dl_status st = DL_OK;
    cl_int err = CL_SUCCESS;
    bool in_order;

    *moved = false;
    if (list->count == 0)
        return dl__status_of_cl(
            enqueue_nothing(cl, queue, wait_count, wait, first, done));
    err = cl->clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties,
                                    &properties, NULL);
    if (err != CL_SUCCESS)
        return dl__status_of_cl(err);
    in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);

    pthread_mutex_lock(&marshal->lock);
    if (list->workspace_bytes > 0)
        st = dl__workspace_take(marshal, list->workspace_bytes, &workspace);
    /* Where the first launch needs no workspace, a later one must not find that there is none. */
    if (workspace && !workspace->touched && list->launches[0].workspace_bytes == 0) {
        st = dl__workspace_touch(cl, queue, workspace, wait_count, wait,
                                 in_order ? NULL : &last);
        wait = in_order ? NULL : &last;
        wait_count = in_order ? 0 : 1;
    }
    for (size_t l = 0; l < list->count && st == DL_OK; l++) {
        const struct dl__launch *launch = &list->launches[l];
        bool is_last = l + 1 == list->count, chained = l > 0 && !in_order;
        bool wants_event =
            !in_order || (l == 0 && first) || (is_last && (done || workspace));
        cl_event event = NULL;

        err = dl__launch_enqueue(marshal, queue, launch, mem,
                                 workspace ? workspace->mem : NULL,
                                 l == 0 ? wait_count : chained,
                                 l == 0    ? wait
                                 : chained ? &last
                                           : NULL,
                                 wants_event ? &event : NULL);
        st = dl__status_of_cl(err);
        if (st != DL_OK)
            break;
        /* Clearing flags and saving copies leave the buffer as it is. */
        if (launch->entry != DL_ENTRY_CYCLE_CLEAR && launch->entry != DL_ENTRY_CUT_SAVE &&
            launch->entry != DL_ENTRY_SLIDE_SAVE && launch->entry != DL_ENTRY_SUPER_CLEAR)
            *moved = true;
        if (l == 0 && first) {
            cl->clRetainEvent(event);
            begin = event;
        }
        if (event) {
            if (last)
                cl->clReleaseEvent(last);
            last = event;
        }
    }
    /* A chain that broke off without an event may still use its workspace: then nobody
     * gets it. */
    if (workspace && (st == DL_OK || last || !*moved))
        dl__workspace_give(marshal, workspace, last);
    pthread_mutex_unlock(&marshal->lock);

    if (st == DL_OK && first)
        *first = begin;
    else if (begin)
        cl->clReleaseEvent(begin);
    if (st == DL_OK && done)
        *done = last;
    else if (last)
        cl->clReleaseEvent(last);
    return st;
}
