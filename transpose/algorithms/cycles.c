/* SPDX-License-Identifier: MIT */
/* 100! alone: every element is a block. */
#include "transpose/internal.h"

#include <stdio.h>

static bool cycles_applies(const struct dl_transpose *transpose,
                           const struct dl__task *task)
{
    return task->element_bytes >= transpose->tuning.cycles_bytes_min;
}

/* One matrix after the other, each with its launches: a batch is better moved at once
 * (step.c). */
static double cycles_cost(const struct dl_transpose *transpose,
                          const struct dl__task *task)
{
    const struct dl__tuning *tuning = &transpose->tuning;

    if (task->batch == 1)
        return 0;
    return tuning->axes_moved * (double)task->matrix_bytes +
           2 * tuning->stage_launch_bytes;
}

static enum dl_status cycles_plan(struct dl_transpose_plan *plan,
                                  struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    struct dl__sides sides = {task->rows, task->cols, task->element_bytes,
                              task->offset_bytes};
    struct dl__candidate best = {.shape = {.rows = task->rows,
                                           .cols = (uint32_t)task->cols,
                                           .block = 1,
                                           .blocks = (uint32_t)task->rows,
                                           .align = 1}};
    struct dl__tuning tuning =
        dl__tuning_for(plan->transpose, "panels", task->element_bytes);
    enum dl_status st;

    if (task->rows > UINT32_MAX / 2 || task->cols > UINT32_MAX / 2 ||
        task->rows * task->cols > UINT32_MAX / 2)
        return dl__fail(error, DL_ENOTSUP, "cycles: more than 2^31 elements");
    if (task->element_bytes / task->unit_bytes > 4096)
        return dl__fail(error, DL_ENOTSUP, "cycles: an element of %llu bytes",
                        (unsigned long long)task->element_bytes);
    dl__cuts_try(&tuning, &sides, task->cap_bytes, false, best.shape, &best);
    if (best.cut == 0)
        return dl__fail(error, DL_EREFUSED,
                        "cycles needs more workspace than the cap of %llu bytes",
                        (unsigned long long)task->cap_bytes);
    best.shape.by_blocks = dl__divisor_make(best.shape.blocks);
    best.shape.by_cols = dl__divisor_make(best.shape.cols);
    st = dl__moves_add(plan, best.shape, dl__vector_bytes_of(&sides, task, &best.shape),
                       false, true, error);
    plan->info.passes = 1;
    plan->info.workspace_bytes = best.work_bytes;
    snprintf(plan->why, sizeof plan->why,
             "elements of %llu bytes moved whole, a cut in %u",
             (unsigned long long)task->element_bytes, best.cut);
    return st;
}

DL_TRANSPOSE_ROW(CYCLES) = {3, cycles_applies, cycles_cost, .plan = cycles_plan};
