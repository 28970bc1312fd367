/* SPDX-License-Identifier: MIT */
/* In place, no transposition: rows are brought to another distance from one another
 * (pack.cl). */
#include "transpose/internal.h"

#include <stdio.h>

static enum dl_status slide_plan(struct dl_transpose_plan *plan,
                                 struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;

    if (!task->slides)
        return dl__fail(error, DL_ENOTSUP, "slide is for arrays whose axes stay");
    snprintf(plan->why, sizeof plan->why, "rows brought from %llu to %llu elements apart",
             (unsigned long long)task->leading, (unsigned long long)task->leading_out);
    if (task->leading == task->leading_out || task->rows == 1)
        return DL_OK;
    return dl__pack_add(plan,
                        (struct pack_shape){.rows = task->rows,
                                            .width = task->cols,
                                            .from = task->leading,
                                            .to = task->leading_out},
                        0, error);
}

DL_TRANSPOSE_ROW(SLIDE) = {14, dl__applies_named, dl__cost_nothing, .plan = slide_plan};
