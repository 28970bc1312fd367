/* SPDX-License-Identifier: MIT */
/* Small matrices: each through local memory, by marshal_kernels' 010! on tiles. */
#include "internal.h"

#include <stdio.h>

static enum dl_status onchip_plan(struct dl_transpose_plan *plan,
                                  struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    uint64_t most = dl__tile_bytes(plan->transpose);
    bool dense = task->batch == 1 || task->stride_bytes == task->matrix_bytes;
    struct dl_step step = {.base_bytes = task->offset_bytes,
                           .instances = dense ? task->batch : 1,
                           .rows = task->rows,
                           .columns = task->cols,
                           .element_bytes = task->element_bytes};

    if (task->matrix_bytes > most)
        return dl__fail(error, DL_ENOTSUP,
                        "onchip: a matrix of %llu bytes is more than the %llu of a tile",
                        (unsigned long long)task->matrix_bytes, (unsigned long long)most);
    plan->info.passes = 1;
    plan->batch_at_once = dense;
    snprintf(plan->why, sizeof plan->why, "a matrix fits local memory");
    return dl__step_add(plan, &step, error);
}

DL_TRANSPOSE_ROW(ONCHIP) = {1, dl__applies_always, dl__cost_nothing, .plan = onchip_plan};
