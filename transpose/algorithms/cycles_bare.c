/* SPDX-License-Identifier: MIT */
/* Follows cycles without any workspace: slow, but for every shape. */
#include "algorithm.h"

extern const char dl_cycles_bare_cl[];
static const struct dl__kernel_source source = {
    {dl_shape_cl, dl_units_cl, dl_cycles_bare_cl}};

enum {
    PLACES_EACH = 4 /* places at which a work-item begins, at least */
};

static double bare_cost(const struct dl__task *task)
{
    if (!task->transpose->tuning.costs_known)
        return DBL_MAX;
    return task->transpose->tuning.cycles_bare * (double)task->matrix_bytes +
           task->transpose->tuning.cycles_bare_launch / (double)task->batch;
}

static enum dl_status bare_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    uint64_t places = task->rows * task->cols, groups;
    size_t group = dl__group_items(plan->transpose, 0);
    struct bare_shape shape = {task->rows, task->cols, task->stride_bytes,
                               task->element_bytes / task->unit_bytes};

    groups = dl__divide_up(places, group * PLACES_EACH);
    if (groups > plan->transpose->tuning.through_groups)
        groups = plan->transpose->tuning.through_groups;
    plan->batch_at_once = task->batch <= DL__GROUPS_MAX / groups;
    dl__describe(plan, 0, 0, "elements of %llu bytes moved along their cycles",
                 (unsigned long long)task->element_bytes);
    return dl__launch_add(plan,
                          DL__LAUNCH(&source, "dl_cycles_bare", shape, group, groups,
                                     plan->batch_at_once ? task->batch : 1),
                          "#define UNIT_BYTES %u\n#define GROUP %zuu\n#define WIDE %d\n",
                          (unsigned)task->unit_bytes, group, places > UINT32_MAX);
}

DL_TRANSPOSE_ROW(CYCLES_BARE) = {15, bare_cost, bare_plan};
