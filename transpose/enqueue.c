/* SPDX-License-Identifier: MIT */
/* Calls of a plan: their arguments are checked, then its runs go in a chain, matrix after
 * matrix, on the caller's queue. */
#include "plan.h"

/* ---- checks ---- */

static enum dl_status not_valid(struct dl_transpose_error *error, const char *what,
                                cl_int err)
{
    return dl__fail(error, dl__status_of_cl(err), "the %s is not valid (OpenCL error %d)",
                    what, err);
}

/* Refuses a buffer that has, or is part of one that has, any of the flags `bad`. `use`
 * says what kernels do with it. */
static enum dl_status check_buffer_for(const struct dl__engine *engine, cl_mem mem,
                                       const char *what, cl_mem_flags bad,
                                       const char *use, struct dl__buffer_info *out,
                                       struct dl_transpose_error *error)
{
    cl_int err = engine->ops->buffer_info(engine->device, mem, out);

    if (err != CL_SUCCESS)
        return not_valid(error, what, err);
    if (out->is_foreign)
        return dl__fail(error, DL_EINVAL, "the %s belongs to another context", what);
    if (!out->is_buffer)
        return dl__fail(error, DL_EINVAL, "the %s is an image or a pipe, not a buffer",
                        what);
    if (out->flags & bad)
        return dl__fail(error, DL_EINVAL, "the %s is %s to kernels, which %s it", what,
                        out->flags & bad & CL_MEM_READ_ONLY ? "read-only" : "write-only",
                        use);
    return DL_OK;
}

static enum dl_status check_buffer(const struct dl__engine *engine, cl_mem mem,
                                   const char *what, struct dl__buffer_info *out,
                                   struct dl_transpose_error *error)
{
    return check_buffer_for(engine, mem, what, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
                            "read and write", out, error);
}

/* Whether so many bytes of the buffer are there. */
static enum dl_status check_end(const char *what, uint64_t end_bytes,
                                const struct dl__buffer_info *info,
                                struct dl_transpose_error *error)
{
    if (end_bytes > info->bytes)
        return dl__fail(error, DL_EINVAL,
                        "the last %s ends at byte %llu of a buffer of %zu", what,
                        (unsigned long long)end_bytes, info->bytes);
    return DL_OK;
}

static enum dl_status check_queue(const struct dl__engine *engine, cl_command_queue queue,
                                  bool *in_order, struct dl_transpose_error *error)
{
    struct dl__queue_info info;
    cl_int err = engine->ops->queue_info(engine->device, queue, &info);

    if (err != CL_SUCCESS)
        return not_valid(error, "queue", err);
    if (info.is_foreign_context)
        return dl__fail(error, DL_EINVAL, "the queue belongs to another context");
    if (info.is_foreign_device)
        return dl__fail(error, DL_EINVAL, "the queue is for another device");
    if (info.is_on_device)
        return dl__fail(error, DL_EINVAL, "the queue is one of the device's own");
    *in_order = info.is_in_order;
    return DL_OK;
}

static enum dl_status check_waits(const struct dl__engine *engine, cl_uint wait_count,
                                  const cl_event *wait, struct dl_transpose_error *error)
{
    if ((wait_count > 0) != (wait != NULL))
        return dl__fail(error, DL_EINVAL, "%u events to wait for and %s", wait_count,
                        wait ? "a list" : "no list");
    for (cl_uint i = 0; i < wait_count; i++) {
        bool is_foreign = false;
        cl_int err = engine->ops->event_is_foreign(engine->device, wait[i], &is_foreign);

        if (err != CL_SUCCESS)
            return dl__fail(error, dl__status_of_cl(err),
                            "event %u of the list is not valid (OpenCL error %d)", i,
                            err);
        if (is_foreign)
            return dl__fail(error, DL_EINVAL,
                            "event %u of the list belongs to another context", i);
    }
    return DL_OK;
}

/* In place: the matrices and the workspace. */
static enum dl_status check_place(const struct dl_transpose_plan *plan,
                                  const struct dl__run_place *place,
                                  struct dl_transpose_error *error)
{
    const struct dl__engine *engine = &plan->transpose->engine;
    const uint64_t work_bytes = plan->info.workspace_bytes;
    struct dl__buffer_info matrix, work = {.root = NULL};
    enum dl_status st = check_buffer(engine, place->mem, "buffer", &matrix, error);
    uint64_t begin, end;

    if (st == DL_OK && place->workspace)
        st = check_buffer(engine, place->workspace, "workspace", &work, error);
    if (st == DL_OK)
        st = check_end("matrix", plan->task.end_bytes, &matrix, error);
    if (st != DL_OK)
        return st;
    if (work.bytes < work_bytes)
        return dl__fail(error, DL_EINVAL, "%llu bytes of workspace are needed, %zu given",
                        (unsigned long long)work_bytes, work.bytes);
    begin = matrix.origin_bytes + plan->task.offset_bytes;
    end = matrix.origin_bytes + plan->task.end_bytes;
    if (work_bytes > 0 && work.root == matrix.root && work.origin_bytes < end &&
        work.origin_bytes + work_bytes > begin)
        return dl__fail(error, DL_EINVAL, "the workspace overlaps the matrix");
    return DL_OK;
}

/* Out of place: the sources, and the targets, which stand where runs in place have their
 * workspace. */
static enum dl_status check_places(const struct dl_transpose_plan *plan,
                                   const struct dl__run_place *place,
                                   struct dl_transpose_error *error)
{
    const struct dl__engine *engine = &plan->transpose->engine;
    const struct dl__task *task = &plan->task;
    struct dl__buffer_info source, target;
    enum dl_status st = check_buffer_for(engine, place->mem, "source", CL_MEM_WRITE_ONLY,
                                         "read", &source, error);

    if (st == DL_OK)
        st = check_buffer_for(engine, place->workspace, "target", CL_MEM_READ_ONLY,
                              "write", &target, error);
    if (st == DL_OK)
        st = check_end("matrix", task->end_bytes, &source, error);
    if (st == DL_OK)
        st = check_end("target", task->end_out_bytes, &target, error);
    if (st == DL_OK && source.root == target.root &&
        source.origin_bytes + task->offset_bytes <
            target.origin_bytes + task->end_out_bytes &&
        target.origin_bytes + task->offset_out_bytes <
            source.origin_bytes + task->end_bytes)
        st = dl__fail(error, DL_EINVAL, "the target overlaps the source");
    return st;
}

/* ---- runs ---- */

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
    const struct dl__phase last = {1, 1, 0};
    uint64_t matrices = plan->batch_at_once ? 1 : plan->task.batch;
    enum dl_status st = DL_OK;

    for (uint64_t m = 0; m < matrices; m++, place.base_bytes += plan->task.stride_bytes) {
        bool is_last = m + 1 == matrices && !plan->has_last;
        struct dl__phase rest = {plan->run_count, 1, 0};
        const struct dl__run *runs = plan->runs;
        for (size_t p = 0; p < plan->phase_count && st == DL_OK; p++) {
            rest.runs -= plan->phases[p].runs;
            st = phase_run(&plan->phases[p], runs, chain, place,
                           is_last && p + 1 == plan->phase_count && rest.runs == 0,
                           started, error);
            runs += plan->phases[p].runs;
        }
        if (st == DL_OK)
            st = phase_run(&rest, runs, chain, place, is_last, started, error);
        if (st != DL_OK)
            return st;
    }
    if (plan->has_last) {
        place.base_bytes = 0;
        st = phase_run(&last, &plan->last, chain, place, true, started, error);
    }
    return st;
}

/* ---- calls ---- */

/* Checks a call, then enqueues the plan's runs. */
static enum dl_status call_run(const struct dl_transpose_plan *plan,
                               struct dl__run_chain chain, struct dl__run_place place,
                               cl_event *event, int *started,
                               struct dl_transpose_error *error)
{
    struct dl__engine *engine = &plan->transpose->engine;
    enum dl_status st = check_queue(engine, chain.queue, &chain.is_in_order, error);

    if (st == DL_OK)
        st = check_waits(engine, chain.wait_count, chain.wait, error);
    if (st == DL_OK && !plan->task.is_empty)
        st = plan->task.is_out ? check_places(plan, &place, error)
                               : check_place(plan, &place, error);
    if (st != DL_OK)
        return st;
    chain.engine = engine;
    chain.tries = 1;
    chain.wants_last = event != NULL;
    if (plan->run_count == 0 && !plan->has_last) {
        cl_int err = dl__engine_mark(engine, chain.queue, chain.wait_count, chain.wait,
                                     NULL, event);
        return err == CL_SUCCESS
                   ? DL_OK
                   : dl__fail(error, dl__status_of_cl(err),
                              "a marker was refused (OpenCL error %d)", err);
    }
    pthread_mutex_lock(&engine->lock);
    st = matrices_run(plan, &chain, place, started, error);
    pthread_mutex_unlock(&engine->lock);
    dl__run_chain_end(&chain, NULL, st == DL_OK ? event : NULL);
    return st;
}

enum dl_status dl_transpose_enqueue(const struct dl_transpose_plan *plan,
                                    cl_command_queue queue, cl_mem mem, cl_mem workspace,
                                    cl_uint wait_count, const cl_event *wait,
                                    cl_event *event, int *started,
                                    struct dl_transpose_error *error)
{
    struct dl__run_chain chain = {.queue = queue, .wait_count = wait_count, .wait = wait};

    if (started)
        *started = 0;
    if (!plan)
        return dl__fail(error, DL_EINVAL, "there is no plan");
    if (plan->task.is_out)
        return dl__fail(error, DL_EINVAL,
                        "the plan is out of place: it is for dl_transpose_enqueue_out");
    return call_run(
        plan, chain,
        (struct dl__run_place){mem, workspace ? workspace : plan->workspace, 0}, event,
        started, error);
}

enum dl_status dl_transpose_enqueue_out(const struct dl_transpose_plan *plan,
                                        cl_command_queue queue, cl_mem from, cl_mem to,
                                        cl_uint wait_count, const cl_event *wait,
                                        cl_event *event, struct dl_transpose_error *error)
{
    struct dl__run_chain chain = {.queue = queue, .wait_count = wait_count, .wait = wait};

    if (!plan)
        return dl__fail(error, DL_EINVAL, "there is no plan");
    if (!plan->task.is_out)
        return dl__fail(error, DL_EINVAL,
                        "the plan is in place: it is for dl_transpose_enqueue");
    return call_run(plan, chain, (struct dl__run_place){from, to, 0}, event, NULL, error);
}
