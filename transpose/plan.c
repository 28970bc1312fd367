/* SPDX-License-Identifier: MIT */
/* The chooser of an algorithm for a shape, a device and a cap (an algorithm that needs
 * another transposition asks it in turn); the plans that programs have; and the calls
 * that enqueue them, matrix after matrix, on the caller's queue. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/algorithm.h"
#include "layout/c_locale.h"
#include "plan.h"

static const struct dl__transpose_algorithm *const rows[] = {
#define X(name, text, help) &dl__transpose_##name,
    DL__ALGORITHM_MAP(X)
#undef X
};

static void plan_empty(struct dl_transpose_plan *plan,
                       enum dl_transpose_algorithm algorithm)
{
    plan->info = (struct dl_transpose_info){.algorithm = algorithm};
    plan->run_count = 0;
    plan->phase_count = 0;
    plan->batch_at_once = false;
}

static enum dl_status row_plan(enum dl_transpose_algorithm algorithm,
                               struct dl_transpose_plan *plan)
{
    plan_empty(plan, algorithm); /* nothing of one that was tried before stays */
    if (plan->task.is_array && !rows[algorithm]->takes_axes)
        return dl__fail(plan->error, DL_ENOTSUP,
                        "%s transposes only matrices, not an array of %u axes",
                        dl_transpose_algorithm_name(algorithm), plan->task.axes.count);
    if (algorithm != DL_TRANSPOSE_AUTO && rows[algorithm]->is_out != plan->task.is_out)
        return dl__fail(plan->error, DL_ENOTSUP, "%s works only %s place",
                        dl_transpose_algorithm_name(algorithm),
                        rows[algorithm]->is_out ? "out of" : "in");
    if (algorithm != DL_TRANSPOSE_AUTO && plan->task.is_out &&
        plan->task.numbers.scales && !rows[algorithm]->scales)
        return dl__fail(plan->error, DL_ENOTSUP, "%s does not scale",
                        dl_transpose_algorithm_name(algorithm));
    return rows[algorithm]->plan(plan);
}

/* Most algorithms take only dense rows. */
static bool is_apart(const struct dl__task *task)
{
    return !task->is_out && !task->is_array &&
           (task->leading != task->cols || task->leading_out != task->rows);
}

static double row_cost(const struct dl__transpose_algorithm *row,
                       const struct dl__task *task)
{
    if (!row->cost || row->is_out != task->is_out ||
        (task->is_array && !row->takes_axes) ||
        (task->is_out && task->numbers.scales && !row->scales) ||
        (is_apart(task) && !row->keeps_apart))
        return DL__NOT_FOR;
    return row->cost(task);
}

/* ---- the chooser ---- */

struct candidate {
    enum dl_transpose_algorithm algorithm;
    double cost;
};

static bool goes_before(const struct candidate *a, const struct candidate *b)
{
    return a->cost < b->cost ||
           (a->cost == b->cost && rows[a->algorithm]->order < rows[b->algorithm]->order);
}

/* Lists the algorithms that apply, the cheapest first, and returns how many. Where costs
 * are not known, those of cost 0 come first and those of DBL_MAX last. */
static size_t candidates_make(const struct dl__task *task, struct candidate *out)
{
    size_t count = 0;

    for (unsigned a = 0; a < DL__ALGORITHMS; a++) {
        struct candidate one = {(enum dl_transpose_algorithm)a, row_cost(rows[a], task)};
        size_t at = count;
        if (one.cost > DBL_MAX)
            continue;
        if (task->transpose->tuning.costs_known == 0 && one.cost > 0)
            one.cost = one.cost < DBL_MAX ? 1 : 2;
        for (; at > 0 && goes_before(&one, &out[at - 1]); at--)
            out[at] = out[at - 1];
        out[at] = one;
        count++;
    }
    return count;
}

double dl__chosen_cost(const struct dl__task *task)
{
    struct candidate candidates[DL__ALGORITHMS];

    return candidates_make(task, candidates) > 0
               ? row_cost(rows[candidates[0].algorithm], task)
               : DL__NOT_FOR;
}

/* Adds the expected costs to the plan's reasons. */
static void candidates_explain(struct dl_transpose_plan *plan,
                               const struct candidate *candidates, size_t count)
{
    const locale_t before = dl_c_locale_enter();
    size_t used = strlen(plan->why);
    const char *comma = "";

    used += (size_t)snprintf(plan->why + used, sizeof plan->why - used,
                             "; expected costs, in copies of the matrix:");
    for (size_t c = 0; c < count; c++) {
        double cost = candidates[c].cost;
        if (cost <= 0 || cost >= DBL_MAX || used >= sizeof plan->why)
            continue;
        used +=
            (size_t)snprintf(plan->why + used, sizeof plan->why - used, "%s %s %.2f",
                             comma, dl_transpose_algorithm_name(candidates[c].algorithm),
                             cost / (double)plan->task.matrix_bytes);
        comma = ",";
    }
    dl_c_locale_leave(before);
}

static enum dl_status auto_plan(struct dl_transpose_plan *plan)
{
    struct candidate candidates[DL__ALGORITHMS];
    size_t count = candidates_make(&plan->task, candidates);

    for (size_t c = 0; c < count; c++) {
        enum dl_status st = row_plan(candidates[c].algorithm, plan);
        if (st == DL_OK && candidates[c].cost > 0 &&
            plan->transpose->tuning.costs_known != 0)
            candidates_explain(plan, candidates, count);
        if (st != DL_ENOTSUP && st != DL_EREFUSED)
            return st;
    }
    if (plan->task.is_out && plan->error && count > 0) { /* which takes no workspace */
        struct dl_transpose_error last = *plan->error;
        return dl__fail(plan->error, DL_EREFUSED, "no algorithm can do this: %.170s",
                        last.text);
    }
    return dl__fail(plan->error, DL_EREFUSED,
                    "no algorithm can do this with a workspace of %llu bytes: raise the "
                    "cap",
                    (unsigned long long)plan->task.cap_bytes);
}

/* The chooser is a row, too, but never a candidate. */
DL_TRANSPOSE_ROW(AUTO) = {0, NULL, auto_plan, .takes_axes = true};

/* Rows that lie apart cost nothing more through the workspace; else they are packed
 * before and spread after, which overwrites the elements between them. */
static enum dl_status apart_plan(struct dl_transpose_plan *plan,
                                 enum dl_transpose_algorithm algorithm)
{
    enum dl_status st;

    plan_empty(plan, algorithm);
    if (plan->task.keeps_between && algorithm != DL_TRANSPOSE_AUTO)
        return dl__decline(plan, "keep_between is 1, and its rows lie apart");
    if (algorithm == DL_TRANSPOSE_AUTO) {
        st = row_plan(DL_TRANSPOSE_THROUGH, plan);
        if (plan->task.keeps_between || (st != DL_ENOTSUP && st != DL_EREFUSED))
            return st;
    }
    plan_empty(plan, algorithm);
    return dl__transpose_PACKED.plan(plan);
}

/* Plans by the named algorithm, or by the best that the cap allows. */
static enum dl_status choose(struct dl_transpose_plan *plan,
                             enum dl_transpose_algorithm algorithm)
{
    const struct dl__task *task = &plan->task;

    if (task->slides && algorithm == DL_TRANSPOSE_AUTO)
        algorithm = DL_TRANSPOSE_SLIDE;
    if (!task->slides && is_apart(task) && !rows[algorithm]->keeps_apart) {
        if (!dl__is_square(task))
            return apart_plan(plan, algorithm);
        /* This leaves elements between rows alone. */
        if (algorithm != DL_TRANSPOSE_AUTO)
            algorithm = DL_TRANSPOSE_SQUARE;
    }
    return row_plan(algorithm, plan);
}

/* ---- parts ---- */

static void runs_copy(struct dl_transpose_plan *plan,
                      const struct dl_transpose_plan *part, size_t first, size_t count)
{
    for (size_t r = first; r < first + count; r++) {
        struct dl__run *run = &plan->runs[plan->run_count++];
        *run = part->runs[r];
        run->reads_only = run->reads_only || part->task.is_out;
    }
}

static enum dl_status runs_take(struct dl_transpose_plan *plan,
                                const struct dl_transpose_plan *part)
{
    uint64_t repeats = part->batch_at_once ? 1 : part->task.batch;
    size_t taken = 0;
    enum dl_status st = DL_OK;

    if (plan->run_count + part->run_count > DL__LAUNCHES_MAX ||
        (part->phase_count > 0 && repeats > 1))
        return dl__decline(plan, "it takes too many launches");
    for (size_t p = 0; p < part->phase_count && st == DL_OK; p++) {
        const struct dl__phase *phase = &part->phases[p];
        runs_copy(plan, part, taken, phase->runs);
        st = dl__repeat_last(plan, phase->runs, phase->repeats, phase->stride_bytes);
        taken += phase->runs;
    }
    runs_copy(plan, part, taken, part->run_count - taken);
    if (st == DL_OK)
        st = dl__repeat_last(plan, part->run_count - taken, repeats,
                             part->task.stride_bytes);
    return st;
}

enum dl_status dl__part_add(struct dl_transpose_plan *plan, const struct dl__task *part,
                            enum dl_transpose_algorithm algorithm)
{
    const struct dl_transpose_info before = plan->info;
    struct dl_transpose_plan *made = calloc(1, sizeof *made);
    enum dl_status st;

    if (!made)
        return dl__fail(plan->error, DL_ENOMEM, "out of host memory");
    made->transpose = plan->transpose;
    made->task = *part;
    made->error = plan->error;
    st = choose(made, algorithm);
    if (st == DL_OK)
        st = runs_take(plan, made);
    if (st == DL_OK) {
        plan->info = made->info;
        plan->info.passes += before.passes;
        if (before.workspace_bytes > plan->info.workspace_bytes)
            plan->info.workspace_bytes = before.workspace_bytes;
        memcpy(plan->why, made->why, sizeof plan->why);
    }
    free(made);
    return st;
}

/* ---- plans ---- */

/* Makes a phase of the last runs; returns the launches for a matrix. */
static uint32_t phases_end(struct dl_transpose_plan *plan)
{
    uint64_t launches = plan->has_last;
    size_t rest = plan->run_count;

    for (size_t p = 0; p < plan->phase_count; p++) {
        launches += plan->phases[p].runs * plan->phases[p].repeats;
        rest -= plan->phases[p].runs;
    }
    if (rest > 0)
        plan->phases[plan->phase_count++] = (struct dl__phase){rest, 1, 0};
    launches += rest;
    return launches > UINT32_MAX ? UINT32_MAX : (uint32_t)launches;
}

/* The struct of 0.1.0 ended here, and a struct_bytes of 0 stands for it: this stays when
 * fields are added. */
#define FIRST_BYTES (offsetof(struct dl_transpose_problem, reserved) + sizeof(uint32_t))

/* The program may have been built for another version. */
static enum dl_status problem_read(const struct dl_transpose_problem *given,
                                   struct dl_transpose_problem *out,
                                   struct dl_transpose_error *error)
{
    const unsigned char *bytes = (const unsigned char *)given;
    size_t given_bytes = given->struct_bytes ? given->struct_bytes : FIRST_BYTES;

    if (given_bytes < FIRST_BYTES)
        return dl__fail(error, DL_EINVAL,
                        "struct_bytes is %zu, but a problem has at least %zu bytes",
                        given_bytes, FIRST_BYTES);
    for (size_t i = sizeof *out; i < given_bytes; i++)
        if (bytes[i] != 0)
            return dl__fail(error, DL_ENOTSUP,
                            "byte %zu of the problem is not 0: it is for a later version "
                            "than " DL_VERSION_STRING,
                            i);
    if (given->reserved != 0)
        return dl__fail(
            error, DL_ENOTSUP,
            "reserved is not 0: this version of the library has no use for it");
    memset(out, 0, sizeof *out);
    memcpy(out, given, given_bytes < sizeof *out ? given_bytes : sizeof *out);
    return DL_OK;
}

enum dl_status dl_transpose_plan_make(struct dl_transpose *transpose,
                                      const struct dl_transpose_problem *problem,
                                      struct dl_transpose_plan **out,
                                      struct dl_transpose_error *error)
{
    struct dl_transpose_problem known;
    struct dl_transpose_plan *plan;
    struct dl__task task;
    enum dl_status st;

    if (!transpose || !problem || !out)
        return dl__fail(error, DL_EINVAL, "%s is NULL",
                        !transpose ? "transpose"
                        : !problem ? "problem"
                                   : "out");
    st = problem_read(problem, &known, error);
    if (st == DL_OK)
        st = dl__task_make(transpose, &known, &task, error);
    if (st != DL_OK)
        return st;
    plan = calloc(1, sizeof *plan);
    if (!plan)
        return dl__fail(error, DL_ENOMEM, "out of host memory");
    plan->transpose = transpose;
    plan->task = task;
    plan->error = error;
    if (task.is_empty) {
        plan->info.algorithm = DL_TRANSPOSE_NONE;
        snprintf(plan->why, sizeof plan->why, "there are no elements");
    } else {
        st = choose(plan, known.algorithm);
        if (st == DL_ENOTSUP && known.algorithm != DL_TRANSPOSE_AUTO && error)
            strncat(error->text, "; leave the algorithm to auto",
                    sizeof error->text - 1 - strlen(error->text));
    }
    if (st == DL_OK && !task.is_out)
        st = dl__scale_add(plan);
    if (st != DL_OK) {
        free(plan);
        return st;
    }
    plan->info.launches = phases_end(plan);
    plan->info.matrix_bytes = task.matrix_bytes * task.batch;
    plan->error = NULL;
    *out = plan;
    if (error) /* it may say why other algorithms were not chosen */
        error->text[0] = '\0';
    return DL_OK;
}

void dl_transpose_plan_free(struct dl_transpose_plan *plan)
{
    if (!plan)
        return;
    if (plan->workspace)
        plan->transpose->engine.ops->buffer_free(plan->transpose->engine.device,
                                                 plan->workspace);
    free(plan);
}

void dl_transpose_plan_info(const struct dl_transpose_plan *plan,
                            struct dl_transpose_info *out)
{
    *out = plan->info;
}

size_t dl_transpose_plan_explain(const struct dl_transpose_plan *plan, char *text,
                                 size_t bytes)
{
    const struct dl_transpose_info *info = &plan->info;
    const locale_t before = dl_c_locale_enter();
    const int used = snprintf(
        text, bytes,
        "%s: %u pass%s in %u launch%s, workspace %llu bytes (%.2f %% of %llu): %s",
        dl_transpose_algorithm_name(info->algorithm), info->passes,
        info->passes == 1 ? "" : "es", info->launches, info->launches == 1 ? "" : "es",
        (unsigned long long)info->workspace_bytes,
        info->matrix_bytes
            ? 100.0 * (double)info->workspace_bytes / (double)info->matrix_bytes
            : 0,
        (unsigned long long)info->matrix_bytes, plan->why);

    dl_c_locale_leave(before);
    return (size_t)used;
}

enum dl_status dl_transpose_plan_allocate(struct dl_transpose_plan *plan,
                                          struct dl_transpose_error *error)
{
    const struct dl__engine *engine;
    cl_int err;

    if (!plan)
        return dl__fail(error, DL_EINVAL, "plan is NULL");
    engine = &plan->transpose->engine;
    if (plan->workspace || plan->info.workspace_bytes == 0)
        return DL_OK;
    err = engine->ops->buffer_make(engine->device, plan->info.workspace_bytes,
                                   &plan->workspace);
    if (err != CL_SUCCESS)
        return dl__fail(error, dl__status_of_cl(err),
                        "the device has no memory for a workspace of %llu bytes (OpenCL "
                        "error %d): lower the cap",
                        (unsigned long long)plan->info.workspace_bytes, err);
    return DL_OK;
}

/* ---- checks of a call ---- */

static enum dl_status not_valid(struct dl_transpose_error *error, const char *what,
                                cl_int err)
{
    return dl__fail(error, dl__status_of_cl(err), "the %s is not valid (OpenCL error %d)",
                    what, err);
}

/* Refuses a buffer if it or its root has any of the flags `bad`; `use` says why. */
static enum dl_status check_buffer(const struct dl__engine *engine, cl_mem mem,
                                   const char *what, cl_mem_flags bad, const char *use,
                                   struct dl__buffer_info *out,
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
        return dl__fail(
            error, DL_EINVAL, "the %s is %s for kernels, but they %s it", what,
            out->flags & bad & CL_MEM_READ_ONLY ? "read-only" : "write-only", use);
    return DL_OK;
}

static enum dl_status check_end(const char *what, uint64_t end_bytes,
                                const struct dl__buffer_info *info,
                                struct dl_transpose_error *error)
{
    return end_bytes <= info->bytes
               ? DL_OK
               : dl__fail(error, DL_EINVAL,
                          "the last %s ends at byte %llu, but its buffer has only %zu",
                          what, (unsigned long long)end_bytes, info->bytes);
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
        return dl__fail(error, DL_EINVAL,
                        "the queue is an on-device queue, not a queue of the host");
    *in_order = info.is_in_order;
    return DL_OK;
}

static enum dl_status check_waits(const struct dl__engine *engine, cl_uint wait_count,
                                  const cl_event *wait, struct dl_transpose_error *error)
{
    if ((wait_count > 0) != (wait != NULL))
        return dl__fail(error, DL_EINVAL, "wait_count is %u, but wait is %sNULL",
                        wait_count, wait ? "not " : "");
    for (cl_uint i = 0; i < wait_count; i++) {
        bool is_foreign = false;
        cl_int err = engine->ops->event_is_foreign(engine->device, wait[i], &is_foreign);

        if (err != CL_SUCCESS)
            return dl__fail(error, dl__status_of_cl(err),
                            "event %u of wait is not valid (OpenCL error %d)", i, err);
        if (is_foreign)
            return dl__fail(error, DL_EINVAL,
                            "event %u of wait belongs to another context", i);
    }
    return DL_OK;
}

/* In place. */
static enum dl_status check_place(const struct dl_transpose_plan *plan,
                                  const struct dl__run_place *place,
                                  struct dl_transpose_error *error)
{
    const struct dl__engine *engine = &plan->transpose->engine;
    const uint64_t work_bytes = plan->info.workspace_bytes;
    struct dl__buffer_info matrix, work = {.root = NULL};
    const cl_mem_flags bad = CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY;
    enum dl_status st =
        check_buffer(engine, place->mem, "buffer", bad, "read and write", &matrix, error);
    uint64_t begin, end;

    if (st == DL_OK && place->workspace)
        st = check_buffer(engine, place->workspace, "workspace", bad, "read and write",
                          &work, error);
    if (st == DL_OK)
        st = check_end("matrix", plan->task.end_bytes, &matrix, error);
    if (st != DL_OK)
        return st;
    if (work.bytes < work_bytes)
        return dl__fail(error, DL_EINVAL,
                        "the plan needs a workspace of %llu bytes, but got %zu: pass a "
                        "larger one, or NULL after dl_transpose_plan_allocate",
                        (unsigned long long)work_bytes, work.bytes);
    begin = matrix.origin_bytes + plan->task.offset_bytes;
    end = matrix.origin_bytes + plan->task.end_bytes;
    if (work_bytes > 0 && work.root == matrix.root && work.origin_bytes < end &&
        work.origin_bytes + work_bytes > begin)
        return dl__fail(error, DL_EINVAL, "the workspace overlaps the matrix");
    return DL_OK;
}

/* Out of place the target is the runs' workspace. */
static enum dl_status check_places(const struct dl_transpose_plan *plan,
                                   const struct dl__run_place *place,
                                   struct dl_transpose_error *error)
{
    const struct dl__engine *engine = &plan->transpose->engine;
    const struct dl__task *task = &plan->task;
    struct dl__buffer_info source, target;
    enum dl_status st = check_buffer(engine, place->mem, "source", CL_MEM_WRITE_ONLY,
                                     "read", &source, error);

    if (st == DL_OK)
        st = check_buffer(engine, place->workspace, "target", CL_MEM_READ_ONLY, "write",
                          &target, error);
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
                                "the device refused kernel %s (OpenCL error %d)",
                                runs[r].name, err);
            if (started && !runs[r].reads_only)
                *started = 1;
        }
    return DL_OK;
}

static enum dl_status matrices_run(const struct dl_transpose_plan *plan,
                                   struct dl__run_chain *chain,
                                   struct dl__run_place place, int *started,
                                   struct dl_transpose_error *error)
{
    const struct dl__phase once = {1, 1, 0};
    uint64_t matrices = plan->batch_at_once ? 1 : plan->task.batch;
    enum dl_status st = DL_OK;

    for (uint64_t m = 0; m < matrices; m++, place.base_bytes += plan->task.stride_bytes) {
        bool is_last = m + 1 == matrices && !plan->has_last;
        const struct dl__run *runs = plan->runs;
        for (size_t p = 0; p < plan->phase_count; p++) {
            st = phase_run(&plan->phases[p], runs, chain, place,
                           is_last && p + 1 == plan->phase_count, started, error);
            if (st != DL_OK)
                return st;
            runs += plan->phases[p].runs;
        }
    }
    place.base_bytes = 0;
    return plan->has_last
               ? phase_run(&once, &plan->last, chain, place, true, started, error)
               : DL_OK;
}

/* ---- calls ---- */

/* Checks a call, then enqueues the plan's runs. */
static enum dl_status call_run(const struct dl_transpose_plan *plan, bool is_out,
                               cl_command_queue queue, struct dl__run_place place,
                               cl_uint wait_count, const cl_event *wait, cl_event *event,
                               int *started, struct dl_transpose_error *error)
{
    struct dl__run_chain chain = {.queue = queue,
                                  .wait_count = wait_count,
                                  .wait = wait,
                                  .tries = 1,
                                  .wants_last = event != NULL};
    struct dl__engine *engine;
    enum dl_status st;

    if (!plan)
        return dl__fail(error, DL_EINVAL, "plan is NULL");
    if (plan->task.is_out != is_out)
        return dl__fail(error, DL_EINVAL, "the plan is %s place and %s target: call %s",
                        is_out ? "in" : "out of", is_out ? "has no" : "needs a",
                        is_out ? "dl_transpose_enqueue" : "dl_transpose_enqueue_out");
    engine = &plan->transpose->engine;
    if (!is_out && !place.workspace)
        place.workspace = plan->workspace;
    st = check_queue(engine, chain.queue, &chain.is_in_order, error);
    if (st == DL_OK)
        st = check_waits(engine, chain.wait_count, chain.wait, error);
    if (st == DL_OK && !plan->task.is_empty)
        st =
            is_out ? check_places(plan, &place, error) : check_place(plan, &place, error);
    if (st != DL_OK)
        return st;
    chain.engine = engine;
    if (plan->run_count == 0 && !plan->has_last) {
        cl_int err = dl__engine_mark(engine, chain.queue, chain.wait_count, chain.wait,
                                     NULL, event);
        return err == CL_SUCCESS
                   ? DL_OK
                   : dl__fail(error, dl__status_of_cl(err),
                              "the device refused a marker (OpenCL error %d)", err);
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
    if (started)
        *started = 0;
    return call_run(plan, false, queue, (struct dl__run_place){mem, workspace, 0},
                    wait_count, wait, event, started, error);
}

enum dl_status dl_transpose_enqueue_out(const struct dl_transpose_plan *plan,
                                        cl_command_queue queue, cl_mem from, cl_mem to,
                                        cl_uint wait_count, const cl_event *wait,
                                        cl_event *event, struct dl_transpose_error *error)
{
    return call_run(plan, true, queue, (struct dl__run_place){from, to, 0}, wait_count,
                    wait, event, NULL, error);
}
