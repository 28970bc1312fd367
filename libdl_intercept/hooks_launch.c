/* Hooks of kernel launches. */
#include "hooks.h"
#include "launch.h"
#include "options.h"

cl_int CL_API_CALL dl__hook_clEnqueueNDRangeKernel(
    cl_command_queue queue_handle, cl_kernel kernel_handle, cl_uint work_dim,
    const size_t *offset, const size_t *global, const size_t *local, cl_uint wait_count,
    const cl_event *wait, cl_event *event)
{
    struct dl__queue *queue = dl__queue_find(queue_handle);

    if (!queue ||
        (!dl__context_is_annotated(queue->object.context) && !dl__options_get()->stats))
        return dl__next.clEnqueueNDRangeKernel(queue_handle, kernel_handle, work_dim,
                                               offset, global, local, wait_count, wait,
                                               event);
    return dl__launch(queue, dl__kernel_find(kernel_handle), kernel_handle,
                      &(struct dl__ndrange){.work_dim = work_dim,
                                            .offset = offset,
                                            .global = global,
                                            .local = local,
                                            .wait_count = wait_count,
                                            .wait = wait,
                                            .event = event});
}

cl_int CL_API_CALL dl__hook_clEnqueueTask(cl_command_queue queue_handle,
                                          cl_kernel kernel_handle, cl_uint wait_count,
                                          const cl_event *wait, cl_event *event)
{
    struct dl__queue *queue = dl__queue_find(queue_handle);

    if (!queue ||
        (!dl__context_is_annotated(queue->object.context) && !dl__options_get()->stats))
        return dl__next.clEnqueueTask(queue_handle, kernel_handle, wait_count, wait,
                                      event);
    return dl__launch(
        queue, dl__kernel_find(kernel_handle), kernel_handle,
        &(struct dl__ndrange){
            .task = true, .wait_count = wait_count, .wait = wait, .event = event});
}
