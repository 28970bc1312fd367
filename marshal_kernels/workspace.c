/* Workspaces: a pool, so that conversions on several queues neither share flags nor wait
 * for each other. Waiting across queues could wait for ever: the other queue may hang on
 * a user event that the program sets only later. */
#include "internal.h"

#include <stdlib.h>

static bool workspace_is_idle(const cl_icd_dispatch *cl,
                              const struct dl__workspace *workspace)
{
    cl_int status = CL_QUEUED;

    if (workspace->busy)
        return false;
    if (!workspace->last)
        return true;
    return cl->clGetEventInfo(workspace->last, CL_EVENT_COMMAND_EXECUTION_STATUS,
                              sizeof status, &status, NULL) == CL_SUCCESS &&
           (status == CL_COMPLETE || status < 0);
}

enum dl_status dl__workspace_take(struct dl_marshal *marshal, uint64_t bytes,
                                  struct dl__workspace **out)
{
    const cl_icd_dispatch *cl = marshal->cl;
    struct dl__workspace **at = &marshal->workspaces, *workspace;
    cl_int err = CL_SUCCESS;

    while ((workspace = *at)) {
        if (workspace_is_idle(cl, workspace)) {
            if (workspace->last)
                cl->clReleaseEvent(workspace->last);
            workspace->last = NULL;
            if (workspace->bytes >= bytes) {
                workspace->busy = true;
                *out = workspace;
                return DL_OK;
            }
            /* Too small: a larger one takes its place. */
            *at = workspace->next;
            dl__workspace_free(cl, workspace);
            continue;
        }
        at = &workspace->next;
    }
    workspace = calloc(1, sizeof *workspace);
    if (!workspace)
        return DL_ENOMEM;
    workspace->mem = cl->clCreateBuffer(marshal->context, CL_MEM_READ_WRITE,
                                        (size_t)bytes, NULL, &err);
    if (err != CL_SUCCESS) {
        enum dl_status st = dl__status_of_cl(err);
        free(workspace);
        return st == DL_ENOMEM ? DL_EWORKSPACE : st;
    }
    workspace->bytes = bytes;
    workspace->busy = true;
    workspace->next = marshal->workspaces;
    marshal->workspaces = workspace;
    *out = workspace;
    return DL_OK;
}

enum dl_status dl__workspace_touch(const cl_icd_dispatch *cl, cl_command_queue queue,
                                   struct dl__workspace *workspace, cl_uint wait_count,
                                   const cl_event *wait, cl_event *event)
{
    static const cl_uint nothing = 0;
    enum dl_status st = dl__status_of_cl(
        cl->clEnqueueFillBuffer(queue, workspace->mem, &nothing, sizeof nothing, 0,
                                sizeof nothing, wait_count, wait, event));

    workspace->touched = st == DL_OK;
    return st == DL_ENOMEM ? DL_EWORKSPACE : st;
}

void dl__workspace_give(struct dl_marshal *marshal, struct dl__workspace *workspace,
                        cl_event last)
{
    if (last)
        marshal->cl->clRetainEvent(last);
    workspace->last = last;
    workspace->busy = false;
}

void dl__workspace_free(const cl_icd_dispatch *cl, struct dl__workspace *workspace)
{
    if (workspace->last)
        cl->clReleaseEvent(workspace->last);
    cl->clReleaseMemObject(workspace->mem);
    free(workspace);
}
