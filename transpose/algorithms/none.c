/* SPDX-License-Identifier: MIT */
/* A single row or column: nothing moves. */
#include "algorithm.h"

#include <stdio.h>

static enum dl_status none_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;

    if ((task->rows > 1 && task->cols > 1) || task->leading != task->cols ||
        task->leading_out != task->rows)
        return dl__fail(
            plan->error, DL_ENOTSUP,
            "none moves nothing: it is for a single row or column without gaps, not for "
            "%llu x %llu",
            (unsigned long long)task->rows, (unsigned long long)task->cols);
    snprintf(plan->why, sizeof plan->why,
             "a single row or column, in which nothing moves");
    return DL_OK;
}

static double none_cost(const struct dl__task *task)
{
    return task->rows > 1 && task->cols > 1 ? DL__NOT_FOR : 0;
}

DL_TRANSPOSE_ROW(NONE) = {0, none_cost, none_plan};
