/* Launches as the driver gets them, counted. */
#include "counted.h"

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/reports/stats.h"

static cl_int enqueue(struct dl__queue *queue, cl_kernel handle,
                      const struct dl__ndrange *range, const struct dl__wait *wait,
                      cl_event *event)
{
    if (range->task)
        return dl__next.clEnqueueTask(queue->object.handle, handle, wait->count,
                                      wait->list, event);
    return dl__next.clEnqueueNDRangeKernel(queue->object.handle, handle, range->work_dim,
                                           range->offset, range->global, range->local,
                                           wait->count, wait->list, event);
}

cl_int dl__launch_counted(struct dl__queue *queue, struct dl__kernel *kernel,
                          cl_kernel handle, const struct dl__ndrange *range,
                          const struct dl__wait *wait, bool transformed)
{
    cl_event own = NULL, *event = range->event;
    cl_int err;

    if (dl__wait_error(wait) != CL_SUCCESS)
        return dl__wait_error(wait);
    if (!event &&
        (dl__options_get()->stats || (range->choice && range->choice->answer.sample)))
        event = &own;
    err = enqueue(queue, handle, range, wait, event);
    if (err == CL_SUCCESS && kernel)
        dl__stats_launch(kernel->name, transformed, event ? *event : NULL);
    if (err == CL_SUCCESS && range->choice)
        dl__choice_launched(range->choice, transformed, event ? *event : NULL);
    if (own)
        dl__next.clReleaseEvent(own);
    return err;
}
