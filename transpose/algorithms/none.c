/* SPDX-License-Identifier: MIT */
/* A single row or column: nothing moves. */
#include "transpose/internal.h"

#include <stdio.h>

static enum dl_status none_plan(struct dl_transpose_plan *plan,
                                struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;

    if ((task->rows > 1 && task->cols > 1) || task->leading != task->cols ||
        task->leading_out != task->rows)
        return dl__fail(error, DL_ENOTSUP, "none is for one dense row or column");
    snprintf(plan->why, sizeof plan->why, "a row is a column");
    return DL_OK;
}

DL_TRANSPOSE_ROW(NONE) = {0, dl__applies_always, dl__cost_nothing, .plan = none_plan};
