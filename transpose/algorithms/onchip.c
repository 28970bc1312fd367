/* SPDX-License-Identifier: MIT */
/* Small matrices: each through local memory. Of many each has a few work-items, by
 * marshal_kernels' 010! on tiles; of few each has all that a work-group can have
 * (onchip.cl). */
#include "algorithm.h"

#include <stdio.h>

extern const char dl_onchip_cl[];
static const struct dl__kernel_source source = {{dl_shape_cl, dl_units_cl, dl_onchip_cl}};

enum { GROUP_WHOLE = 1024 };

/* Fewer matrices than there are compute units. A CPU's are as quick with few work-items.
 */
static bool is_alone(const struct dl_transpose *transpose, const struct dl__task *task)
{
    return !transpose->engine.limits.is_cpu &&
           task->batch < transpose->engine.limits.compute_units;
}

static enum dl_status whole_add(struct dl_transpose_plan *plan,
                                struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    uint64_t most = dl__tile_bytes(plan->transpose);
    struct bare_shape shape = {task->rows, task->cols, task->stride_bytes,
                               task->element_bytes / task->unit_bytes};
    size_t group = dl__group_items(plan->transpose, GROUP_WHOLE);

    plan->batch_at_once = true;
    snprintf(plan->why, sizeof plan->why, "a matrix fits local memory, %zu work-items",
             group);
    return dl__launch_add(
        plan, DL__LAUNCH(&source, "dl_onchip", shape, group, task->batch), error,
        "#define UNIT_BYTES %u\n#define GROUP %zuu\n#define ROOM %lluu\n",
        (unsigned)task->unit_bytes, group, (unsigned long long)(most / task->unit_bytes));
}

static enum dl_status onchip_plan(struct dl_transpose_plan *plan,
                                  struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    uint64_t most = dl__tile_bytes(plan->transpose);
    bool dense = dl__is_dense_batch(task);
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
    if (is_alone(plan->transpose, task))
        return whole_add(plan, error);
    plan->batch_at_once = dense;
    snprintf(plan->why, sizeof plan->why, "a matrix fits local memory");
    return dl__step_add(plan, &step, error);
}

/* A work-group has a matrix: the launch is most of what few of them take. */
static double onchip_cost(const struct dl_transpose *transpose,
                          const struct dl__task *task)
{
    const struct dl__tuning *tuning = &transpose->tuning;
    double bytes = (double)task->matrix_bytes;

    if (task->matrix_bytes > dl__tile_bytes(transpose))
        return DL__NOT_FOR;
    if (is_alone(transpose, task))
        return (tuning->onchip_launch +
                tuning->onchip_alone * bytes / (double)task->unit_bytes) /
               (double)task->batch;
    return tuning->onchip_pass * bytes;
}

DL_TRANSPOSE_ROW(ONCHIP) = {1, onchip_cost, onchip_plan};
