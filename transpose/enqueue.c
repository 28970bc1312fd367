/* SPDX-License-Identifier: MIT */
/* Enqueues a plan: its runs in a chain, matrix after matrix, on the caller's queue. */
#include "internal.h"

/* Enqueues some of the runs, so often. */
static enum dl_status phase_run(const struct dl__phase *phase, const struct dl__run *runs,
                                struct dl__run_chain *chain, struct dl__run_place place,
                                bool is_last, int *started,
                                struct dl_transpose_error *error)
{
    for (uint64_t n = 0; n < phase->repeats; n++, place.base_bytes += phase->stride_bytes)
        for (size_t r = 0; r < phase->runs; r++) {
            bool ends = is_last && n + 1 == phase->repeats && r + 1 == phase->runs;
            cl_int err = dl__run_chain_run(chain, &runs[r], &place, ends);

            if (err != CL_SUCCESS)
                return dl__fail(error, dl__status_of_cl(err),
                                "%s was refused (OpenCL error %d)", runs[r].name, err);
            if (started && !runs[r].reads_only)
                *started = 1;
        }
    return DL_OK;
}

/* Runs every matrix of the batch; the engine's lock is held. */
static enum dl_status matrices_run(const struct dl_transpose_plan *plan,
                                   struct dl__run_chain *chain,
                                   struct dl__run_place place, int *started,
                                   struct dl_transpose_error *error)
{
    const struct dl__phase all = {plan->run_count, 1, 0};
    const struct dl__phase *phases = plan->phase_count ? plan->phases : &all;
    size_t count = plan->phase_count ? plan->phase_count : 1;
    uint64_t matrices = plan->batch_at_once ? 1 : plan->task.batch;
    enum dl_status st = DL_OK;

    for (uint64_t m = 0; m < matrices; m++, place.base_bytes += plan->task.stride_bytes) {
        const struct dl__run *runs = plan->runs;
        for (size_t p = 0; p < count && st == DL_OK; runs += phases[p++].runs)
            st = phase_run(&phases[p], runs, chain, place,
                           m + 1 == matrices && p + 1 == count && !plan->has_last,
                           started, error);
        if (st != DL_OK)
            return st;
    }
    if (plan->has_last) {
        const struct dl__phase last = {1, 1, 0};
        place.base_bytes = 0;
        st = phase_run(&last, &plan->last, chain, place, true, started, error);
    }
    return st;
}

/* Enqueues a checked plan's runs; `chain` knows the queue and what to wait for. */
static enum dl_status plan_enqueue(const struct dl_transpose_plan *plan,
                                   struct dl__run_chain *chain,
                                   struct dl__run_place place, cl_event *event,
                                   int *started, struct dl_transpose_error *error)
{
    struct dl__engine *engine = &plan->transpose->engine;
    enum dl_status st;

    chain->engine = engine;
    chain->wants_last = event != NULL;
    if (plan->run_count == 0 && !plan->has_last) {
        cl_int err = dl__engine_mark(engine, chain->queue, chain->wait_count, chain->wait,
                                     NULL, event);
        return err == CL_SUCCESS
                   ? DL_OK
                   : dl__fail(error, dl__status_of_cl(err),
                              "a marker was refused (OpenCL error %d)", err);
    }
    pthread_mutex_lock(&engine->lock);
    st = matrices_run(plan, chain, place, started, error);
    pthread_mutex_unlock(&engine->lock);
    dl__run_chain_end(chain, NULL, st == DL_OK ? event : NULL);
    return st;
}

enum dl_status dl_transpose_enqueue(const struct dl_transpose_plan *plan,
                                    cl_command_queue queue, cl_mem mem, cl_mem workspace,
                                    cl_uint wait_count, const cl_event *wait,
                                    cl_event *event, int *started,
                                    struct dl_transpose_error *error)
{
    struct dl__run_chain chain = {
        .queue = queue, .tries = 1, .wait_count = wait_count, .wait = wait};
    enum dl_status st;

    if (started)
        *started = 0;
    if (!plan)
        return dl__fail(error, DL_EINVAL, "there is no plan");
    if (plan->task.is_out)
        return dl__fail(error, DL_EINVAL,
                        "the plan is out of place: it is for dl_transpose_enqueue_out");
    if (!workspace)
        workspace = plan->workspace;
    st = dl__enqueue_check(plan, queue, mem, workspace, wait_count, wait,
                           &chain.is_in_order, error);
    if (st != DL_OK)
        return st;
    return plan_enqueue(plan, &chain, (struct dl__run_place){mem, workspace, 0}, event,
                        started, error);
}

enum dl_status dl_transpose_enqueue_out(const struct dl_transpose_plan *plan,
                                        cl_command_queue queue, cl_mem from, cl_mem to,
                                        cl_uint wait_count, const cl_event *wait,
                                        cl_event *event, struct dl_transpose_error *error)
{
    struct dl__run_chain chain = {
        .queue = queue, .tries = 1, .wait_count = wait_count, .wait = wait};
    enum dl_status st;

    if (!plan)
        return dl__fail(error, DL_EINVAL, "there is no plan");
    if (!plan->task.is_out)
        return dl__fail(error, DL_EINVAL,
                        "the plan is in place: it is for dl_transpose_enqueue");
    st = dl__enqueue_out_check(plan, queue, from, to, wait_count, wait,
                               &chain.is_in_order, error);
    if (st != DL_OK)
        return st;
    /* What is the workspace to runs in place is the target here. */
    return plan_enqueue(plan, &chain, (struct dl__run_place){from, to, 0}, event, NULL,
                        error);
}
