/* SPDX-License-Identifier: MIT */
/* Out of place into the workspace and back, where that may be as large as a matrix: two
 * passes for any shape, and rows that lie apart cost nothing more. */
#include "transpose/internal.h"

#include <float.h>
#include <stdio.h>

extern const char dl_back_cl[];
static const struct dl__kernel_source source = {{dl_shape_cl, dl_units_cl, dl_back_cl}};

enum { RUN_BYTES = 4096 /* that a work-item of a CPU copies at once */ };

/* What the first pass does, one matrix at a time. */
static struct dl__task out_task(const struct dl__task *task)
{
    struct dl__task out = *task;

    out.is_out = true;
    out.leading_out = task->rows;
    out.offset_out_bytes = 0;
    out.stride_out_bytes = task->matrix_bytes;
    out.offset_bytes |= task->shift_bytes;
    if (task->batch > 1)
        out.offset_bytes |= task->stride_bytes; /* as aligned as every matrix is */
    return out;
}

/* How many matrices go through at once: where they lie one after the other, what there is
 * room for. */
static uint64_t group_of(const struct dl__task *task)
{
    uint64_t most = task->cap_bytes / task->matrix_bytes;
    bool dense = !task->is_array && task->leading == task->cols &&
                 task->leading_out == task->rows &&
                 task->stride_bytes == task->matrix_bytes;

    if (!dense)
        return 1;
    return most < task->batch ? most : task->batch;
}

static bool through_applies(const struct dl_transpose *transpose,
                            const struct dl__task *task)
{
    (void)transpose;
    return task->matrix_bytes <= task->cap_bytes;
}

static double through_cost(const struct dl_transpose *transpose,
                           const struct dl__task *task)
{
    const struct dl__tuning *tuning = &transpose->tuning;
    struct dl__task out = out_task(task);

    return (task->is_array ? dl__out_axes_cost(transpose, &out)
                           : dl__out_cost(transpose, &out)) +
           tuning->through_back * (double)task->matrix_bytes +
           tuning->through_launch_bytes / (double)group_of(task);
}

enum dl_status dl__back_add(struct dl_transpose_plan *plan, struct dl__back back,
                            struct dl_transpose_error *error)
{
    struct dl_transpose *transpose = plan->transpose;
    const struct dl__task *task = &plan->task;
    uint64_t aligned =
        task->offset_bytes | task->shift_bytes | back.to_bytes | back.from_bytes;
    size_t group = dl__group_items(transpose, transpose->tuning.group);
    struct back_shape shape;
    uint64_t unit, most;
    char knobs[64];
    cl_kernel kernel;
    struct dl__run *run;
    enum dl_status st;

    if (task->batch > 1)
        aligned |= task->stride_bytes;
    if (back.rows > 1)
        aligned |= back.width_bytes | back.leading_bytes;
    unit = dl__power_of_two_in(aligned, 16);
    shape =
        (struct back_shape){back.rows, back.width_bytes / unit, back.leading_bytes / unit,
                            back.from_bytes, (uint32_t)(back.width_bytes % unit)};
    snprintf(knobs, sizeof knobs, "#define UNIT_BYTES %u\n#define RUN %uu\n",
             (unsigned)unit,
             transpose->engine.limits.is_cpu ? RUN_BYTES / (unsigned)unit : 1);
    st = dl__kernel_get(transpose, &source, knobs, "dl_back", &kernel, error);
    if (st != DL_OK)
        return st;
    run = dl__run_add(plan, "dl_back", kernel, &shape, sizeof shape);
    dl__run_shift(run, back.to_bytes);
    run->local[0] = group;
    /* Four units of a work-item are on their way at once. */
    run->global[0] = dl__round_up(shape.rows == 1 && !transpose->engine.limits.is_cpu
                                      ? shape.width / 4 + 1
                                      : shape.rows * shape.width + 1,
                                  group);
    most = group * transpose->tuning.through_groups;
    if (run->global[0] > most)
        run->global[0] = most;
    return DL_OK;
}

/* So many matrices there and back, from the one at `first` on. */
static enum dl_status group_add(struct dl_transpose_plan *plan, uint64_t first,
                                uint64_t count, struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    struct dl__task out = out_task(task);
    struct dl__back back = {.rows = 1,
                            .width_bytes = count * task->matrix_bytes,
                            .to_bytes = first * task->stride_bytes};
    enum dl_status st;

    out.batch = count;
    if (!task->is_array && task->leading_out != task->rows)
        back = (struct dl__back){.rows = task->cols,
                                 .width_bytes = task->rows * task->element_bytes,
                                 .leading_bytes = task->leading_out * task->element_bytes,
                                 .to_bytes = back.to_bytes};
    st = task->is_array ? dl__out_axes_add(plan, &out, false, error)
                        : dl__out_add(plan, &out, error);
    if (st != DL_OK)
        return st;
    plan->runs[plan->run_count - 1].reads_only = true; /* until it comes back */
    dl__run_shift(&plan->runs[plan->run_count - 1], back.to_bytes);
    return dl__back_add(plan, back, error);
}

static enum dl_status through_plan(struct dl_transpose_plan *plan,
                                   struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    uint64_t group, groups;
    enum dl_status st;

    if (!through_applies(plan->transpose, task))
        return dl__fail(
            error, DL_EREFUSED, "through needs %llu bytes of workspace, the cap is %llu",
            (unsigned long long)task->matrix_bytes, (unsigned long long)task->cap_bytes);
    group = group_of(task);
    groups = group > 1 ? task->batch / group : 1;
    st = group_add(plan, 0, group, error);
    if (st == DL_OK && group > 1) {
        plan->phases[0] = (struct dl__phase){2, groups, group * task->stride_bytes};
        plan->phase_count = 1;
        if (task->batch % group > 0) {
            st = group_add(plan, groups * group, task->batch % group, error);
            plan->phases[plan->phase_count++] = (struct dl__phase){2, 1, 0};
        }
    }
    plan->batch_at_once = group > 1;
    plan->info.passes = 2;
    plan->info.workspace_bytes = group * task->matrix_bytes;
    snprintf(plan->why, sizeof plan->why,
             "tiles of %llu x %llu out of place into the workspace, and back",
             (unsigned long long)plan->info.tile_rows,
             (unsigned long long)plan->info.tile_cols);
    return st;
}

DL_TRANSPOSE_ROW(THROUGH) = {3,
                             through_applies,
                             through_cost,
                             through_plan,
                             .keeps_apart = true,
                             .takes_axes = true};
