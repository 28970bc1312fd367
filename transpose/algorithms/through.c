/* SPDX-License-Identifier: MIT */
/* Out of place into a workspace as large as a matrix, and back: two passes for any shape;
 * rows that lie apart cost nothing more. */
#include "algorithm.h"

#include <stdio.h>

extern const char dl_back_cl[];
static const struct dl__kernel_source source = {{dl_shape_cl, dl_units_cl, dl_back_cl}};

enum { RUN_BYTES = 4096 /* that a work-item of a CPU copies at once */ };

/* The first pass as a task. */
static struct dl__task out_task(const struct dl__task *task)
{
    struct dl__task out = dl__task_of_one(task);

    out.is_out = true;
    out.leading_out = task->rows;
    out.stride_out_bytes = task->matrix_bytes;
    out.has_axes = task->is_array;
    out.batch = task->batch;
    return out;
}

/* How many matrices go through at once: if they are dense, as many as fit. */
static uint64_t group_of(const struct dl__task *task)
{
    uint64_t most = task->cap_bytes / task->matrix_bytes;
    bool dense = !task->is_array && task->leading == task->cols &&
                 task->leading_out == task->rows && dl__is_dense_batch(task);

    if (!dense)
        return 1;
    return most < task->batch ? most : task->batch;
}

static double through_cost(const struct dl__task *task)
{
    const struct dl__tuning *tuning = &task->transpose->tuning;
    struct dl__task out = out_task(task);

    if (task->matrix_bytes > task->cap_bytes)
        return DL__NOT_FOR;
    return dl__chosen_cost(&out) + tuning->through_back * (double)task->matrix_bytes +
           tuning->through_launch_bytes / (double)group_of(task);
}

enum dl_status dl__back_add(struct dl_transpose_plan *plan, struct dl__back back)
{
    const struct dl_transpose *transpose = plan->transpose;
    bool is_cpu = transpose->engine.limits.is_cpu;
    uint64_t aligned = dl__places_of(&plan->task) | back.to_bytes, unit, groups;
    size_t group = dl__group_items(transpose, 0);
    struct back_shape shape;
    enum dl_status st;

    if (back.rows > 1)
        aligned |= back.width_bytes | back.leading_bytes;
    unit = dl__power_of_two_in(aligned, 16);
    shape =
        (struct back_shape){back.rows, back.width_bytes / unit, back.leading_bytes / unit,
                            0, (uint32_t)(back.width_bytes % unit)};
    /* Four units of a work-item are on their way at once. */
    groups = dl__divide_up(shape.rows == 1 && !is_cpu ? shape.width / 4 + 1
                                                      : shape.rows * shape.width + 1,
                           group);
    if (groups > transpose->tuning.through_groups)
        groups = transpose->tuning.through_groups;
    st = dl__launch_add(plan, DL__LAUNCH(&source, "dl_back", shape, group, groups),
                        "#define UNIT_BYTES %u\n#define RUN %uu\n", (unsigned)unit,
                        is_cpu ? RUN_BYTES / (unsigned)unit : 1);
    if (st == DL_OK)
        dl__run_shift(&plan->runs[plan->run_count - 1], back.to_bytes);
    return st;
}

/* Transposes `count` matrices from `first` on. */
static enum dl_status group_add(struct dl_transpose_plan *plan, uint64_t first,
                                uint64_t count)
{
    const struct dl__task *task = &plan->task;
    struct dl__task out = out_task(task);
    struct dl__back back = {.rows = 1,
                            .width_bytes = count * task->matrix_bytes,
                            .to_bytes = first * task->stride_bytes};
    enum dl_status st;

    out.batch = count;
    out.offset_bytes += back.to_bytes;
    if (!task->is_array && task->leading_out != task->rows)
        back = (struct dl__back){.rows = task->cols,
                                 .width_bytes = task->rows * task->element_bytes,
                                 .leading_bytes = task->leading_out * task->element_bytes,
                                 .to_bytes = back.to_bytes};
    st = dl__part_add(plan, &out, DL_TRANSPOSE_AUTO);
    return st == DL_OK ? dl__back_add(plan, back) : st;
}

static enum dl_status through_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    uint64_t group, groups, tile_rows, tile_cols;
    enum dl_status st;

    if (task->matrix_bytes > task->cap_bytes)
        return dl__decline_cap(plan, task->matrix_bytes);
    group = group_of(task);
    groups = group > 1 ? task->batch / group : 1;
    st = group_add(plan, 0, group);
    if (st == DL_OK)
        st = dl__repeat_last(plan, plan->run_count, groups, group * task->stride_bytes);
    if (st == DL_OK && group > 1 && task->batch % group > 0)
        st = group_add(plan, groups * group, task->batch % group);
    tile_rows = plan->info.tile_rows;
    tile_cols = plan->info.tile_cols;
    plan->batch_at_once = group > 1;
    plan->info = (struct dl_transpose_info){.algorithm = DL_TRANSPOSE_THROUGH,
                                            .workspace_bytes = group * task->matrix_bytes,
                                            .passes = 2,
                                            .tile_rows = tile_rows,
                                            .tile_cols = tile_cols};
    snprintf(plan->why, sizeof plan->why,
             "tiles of %llu x %llu out of place into the workspace, and back",
             (unsigned long long)tile_rows, (unsigned long long)tile_cols);
    return st;
}

DL_TRANSPOSE_ROW(THROUGH) = {3, through_cost, through_plan, .keeps_apart = true,
                             .takes_axes = true};
