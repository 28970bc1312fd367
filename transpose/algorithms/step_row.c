/* SPDX-License-Identifier: MIT */
/* One elementary transposition, 100! or 0100!: elements that are moved whole, by
 * marshal_kernels, in every matrix of the batch at once. */
#include "transpose/internal.h"

#include <float.h>
#include <stdio.h>

static bool is_dense(const struct dl__task *task)
{
    return task->batch == 1 || task->stride_bytes == task->matrix_bytes;
}

static bool step_applies(const struct dl_transpose *transpose,
                         const struct dl__task *task)
{
    (void)transpose;
    return task->element_bytes >= DL__RUN_BYTES_MIN && is_dense(task);
}

static double step_cost(const struct dl_transpose *transpose, const struct dl__task *task)
{
    const struct dl__tuning *tuning = &transpose->tuning;

    return (task->element_bytes < tuning->cycles_bytes_min ? tuning->axes_moved_short
                                                           : tuning->axes_moved) *
               (double)task->matrix_bytes +
           tuning->stage_launch_bytes / (double)task->batch;
}

static enum dl_status step_plan(struct dl_transpose_plan *plan,
                                struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    struct dl_step step = {.base_bytes = task->offset_bytes,
                           .instances = task->batch,
                           .rows = task->rows,
                           .columns = task->cols,
                           .element_bytes = task->element_bytes};
    enum dl_status st;

    if (!is_dense(task))
        return dl__fail(error, DL_ENOTSUP, "step: matrices are apart");
    plan->batch_at_once = true;
    st = dl__step_add(plan, &step, error);
    if (st == DL_OK && plan->info.workspace_bytes > task->cap_bytes)
        st = dl__fail(error, DL_EREFUSED,
                      "step needs more workspace than the cap of %llu bytes",
                      (unsigned long long)task->cap_bytes);
    plan->info.passes = 1;
    snprintf(plan->why, sizeof plan->why, "elements of %llu bytes moved whole",
             (unsigned long long)task->element_bytes);
    return st;
}

DL_TRANSPOSE_ROW(STEP) = {5, step_applies, step_cost, .plan = step_plan};
