/* Enqueues a plan: its launches in a chain, matrix after matrix, on the caller's queue. */
#include "internal.h"

cl_int dl__run_enqueue(const struct dl_transpose_plan *plan, const struct dl__run *run,
                       cl_command_queue queue, cl_mem mem, cl_mem workspace,
                       cl_ulong base, cl_uint wait_count, const cl_event *wait,
                       cl_event *event)
{
    const struct dl_transpose *transpose = plan->transpose;
    const cl_icd_dispatch *cl = transpose->cl;
    cl_int err;

    if (!run->kernel) {
        struct dl__launch launch = run->marshal;
        launch.base_bytes += base - plan->task.offset_bytes;
        pthread_mutex_lock(&transpose->marshal->lock);
        err = dl__launch_enqueue(transpose->marshal, queue, &launch, mem, workspace,
                                 wait_count, wait, event);
        pthread_mutex_unlock(&transpose->marshal->lock);
        return err;
    }
    err = cl->clSetKernelArg(run->kernel, 0, sizeof mem, &mem);
    if (err == CL_SUCCESS)
        err = cl->clSetKernelArg(run->kernel, 1, sizeof base, &base);
    if (err == CL_SUCCESS)
        err = cl->clSetKernelArg(run->kernel, 2, run->numbers_bytes, &run->numbers);
    if (err == CL_SUCCESS)
        err = cl->clSetKernelArg(run->kernel, 3, sizeof workspace, &workspace);
    if (err == CL_SUCCESS)
        err = cl->clEnqueueNDRangeKernel(queue, run->kernel, 3, NULL, run->global,
                                         run->local, wait_count, wait, event);
    return err;
}

enum dl_status dl_transpose_enqueue(const struct dl_transpose_plan *plan,
                                    cl_command_queue queue, cl_mem mem, cl_mem workspace,
                                    cl_uint wait_count, const cl_event *wait,
                                    cl_event *event, int *started,
                                    struct dl_transpose_error *error)
{
    struct dl_transpose *transpose;
    const cl_icd_dispatch *cl;
    uint64_t commands;
    cl_event last = NULL;
    cl_int err = CL_SUCCESS;
    enum dl_status st;
    bool in_order = true;

    if (started)
        *started = 0;
    if (!plan)
        return dl__fail(error, DL_EINVAL, "there is no plan");
    if (!workspace)
        workspace = plan->workspace;
    st = dl__enqueue_check(plan, queue, mem, workspace, wait_count, wait, &in_order,
                           error);
    if (st != DL_OK)
        return st;
    transpose = plan->transpose;
    cl = transpose->cl;
    commands = (plan->batch_at_once ? 1 : plan->task.batch) * plan->run_count;
    if (commands == 0) {
        if (event)
            err = cl->clEnqueueMarkerWithWaitList(queue, wait_count, wait, event);
        return err == CL_SUCCESS
                   ? DL_OK
                   : dl__fail(error, dl__status_of_cl(err),
                              "a marker was refused (OpenCL error %d)", err);
    }
    pthread_mutex_lock(&transpose->lock);
    for (uint64_t c = 0; c < commands; c++) {
        const struct dl__run *run = &plan->runs[c % plan->run_count];
        cl_ulong base =
            plan->task.offset_bytes + c / plan->run_count * plan->task.stride_bytes;
        bool chained = c > 0 && !in_order, is_last = c + 1 == commands;
        cl_event done = NULL;

        err = dl__run_enqueue(plan, run, queue, mem, workspace, base,
                              c == 0 ? wait_count : chained,
                              c == 0    ? wait
                              : chained ? &last
                                        : NULL,
                              !in_order || (is_last && event) ? &done : NULL);
        if (err != CL_SUCCESS) {
            st = dl__fail(error, dl__status_of_cl(err),
                          "%s was refused (OpenCL error %d)", run->name, err);
            break;
        }
        if (started && !run->reads_only)
            *started = 1;
        if (last)
            cl->clReleaseEvent(last);
        last = done;
    }
    pthread_mutex_unlock(&transpose->lock);
    if (st == DL_OK && event)
        *event = last;
    else if (last)
        cl->clReleaseEvent(last);
    return st;
}
