/* SPDX-License-Identifier: MIT */
/* Plans as a program has them: made, described, freed. */
#include <stdio.h>
#include <stdlib.h>

#include "algorithms/algorithm.h"
#include "layout/c_locale.h"

static uint32_t launches_count(const struct dl_transpose_plan *plan)
{
    uint64_t launches = plan->run_count + plan->has_last;

    for (size_t p = 0; p < plan->phase_count; p++)
        launches += plan->phases[p].runs * (plan->phases[p].repeats - 1);
    return launches > UINT32_MAX ? UINT32_MAX : (uint32_t)launches;
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
        return dl__fail(error, DL_EINVAL, "no %s is given",
                        !transpose ? "library's object"
                        : !problem ? "problem"
                                   : "place for the result");
    st = dl__problem_read(problem, &known, error);
    if (st == DL_OK)
        st = dl__task_make(&known, &task, error);
    if (st != DL_OK)
        return st;
    plan = calloc(1, sizeof *plan);
    if (!plan)
        return dl__fail(error, DL_ENOMEM, "out of host memory");
    plan->transpose = transpose;
    plan->task = task;
    if (task.is_empty) {
        plan->info.algorithm = DL_TRANSPOSE_NONE;
        snprintf(plan->why, sizeof plan->why, "there are no elements");
    } else {
        st = dl__choose(plan, known.algorithm, error);
    }
    if (st == DL_OK && !task.is_out)
        st = dl__scale_add(plan, error);
    if (st != DL_OK) {
        free(plan);
        return st;
    }
    plan->info.launches = launches_count(plan);
    plan->info.matrix_bytes = task.matrix_bytes * task.batch;
    *out = plan;
    if (error) /* why other algorithms are not for it */
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
        return dl__fail(error, DL_EINVAL, "there is no plan");
    engine = &plan->transpose->engine;
    if (plan->workspace || plan->info.workspace_bytes == 0)
        return DL_OK;
    err = engine->ops->buffer_make(engine->device, plan->info.workspace_bytes,
                                   &plan->workspace);
    if (err != CL_SUCCESS)
        return dl__fail(error, dl__status_of_cl(err),
                        "no %llu bytes of workspace (OpenCL error %d)",
                        (unsigned long long)plan->info.workspace_bytes, err);
    return DL_OK;
}
