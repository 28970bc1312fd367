/* SPDX-License-Identifier: MIT */
/* Enqueues a plan: its runs in a chain, matrix after matrix, on the caller's queue. */
#include "internal.h"

/* Runs every matrix of the batch; the engine's lock is held. */
static enum dl_status matrices_run(const struct dl_transpose_plan *plan,
                                   struct dl__run_chain *chain,
                                   struct dl__run_place place, int *started,
                                   struct dl_transpose_error *error)
{
    uint64_t matrices = plan->batch_at_once ? 1 : plan->task.batch;

    for (uint64_t m = 0; m < matrices; m++, place.base_bytes += plan->task.stride_bytes)
        for (size_t r = 0; r < plan->run_count; r++) {
            const struct dl__run *run = &plan->runs[r];
            bool is_last = m + 1 == matrices && r + 1 == plan->run_count;
            cl_int err = dl__run_chain_run(chain, run, &place, is_last);

            if (err != CL_SUCCESS)
                return dl__fail(error, dl__status_of_cl(err),
                                "%s was refused (OpenCL error %d)", run->name, err);
            if (started && !run->reads_only)
                *started = 1;
        }
    return DL_OK;
}

enum dl_status dl_transpose_enqueue(const struct dl_transpose_plan *plan,
                                    cl_command_queue queue, cl_mem mem, cl_mem workspace,
                                    cl_uint wait_count, const cl_event *wait,
                                    cl_event *event, int *started,
                                    struct dl_transpose_error *error)
{
    struct dl__engine *engine;
    struct dl__run_chain chain = {
        .queue = queue, .tries = 1, .wait_count = wait_count, .wait = wait};
    enum dl_status st;

    if (started)
        *started = 0;
    if (!plan)
        return dl__fail(error, DL_EINVAL, "there is no plan");
    if (!workspace)
        workspace = plan->workspace;
    st = dl__enqueue_check(plan, queue, mem, workspace, wait_count, wait,
                           &chain.is_in_order, error);
    if (st != DL_OK)
        return st;
    chain.engine = engine = &plan->transpose->engine;
    chain.wants_last = event != NULL;
    if (plan->run_count == 0) {
        cl_int err = dl__engine_mark(engine, queue, wait_count, wait, NULL, event);
        return err == CL_SUCCESS
                   ? DL_OK
                   : dl__fail(error, dl__status_of_cl(err),
                              "a marker was refused (OpenCL error %d)", err);
    }
    pthread_mutex_lock(&engine->lock);
    st = matrices_run(plan, &chain, (struct dl__run_place){mem, workspace, 0}, started,
                      error);
    pthread_mutex_unlock(&engine->lock);
    dl__run_chain_end(&chain, NULL, st == DL_OK ? event : NULL);
    return st;
}
