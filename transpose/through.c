/* SPDX-License-Identifier: MIT */
/* Out of place into the workspace and back, where that may be as large as a matrix: two passes for any
 * shape, and rows that lie apart cost nothing more. */
#include "internal.h"

#include <float.h>
#include <stdio.h>

extern const char dl_back_cl[];
static const struct dl__kernel_source source = {{dl_shape_cl, dl_back_cl}};

/* What the first pass does, one matrix at a time. */
static struct dl__task out_task(const struct dl__task *task)
{
    struct dl__task out = *task;

    out.is_out = true;
    out.leading_out = task->rows;
    out.offset_out_bytes = 0;
    out.stride_out_bytes = 0;
    return out;
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

    return dl__out_cost(transpose, &out) +
           tuning->through_back * (double)task->matrix_bytes +
           tuning->through_launch_bytes;
}

/* Adds the second pass. */
static enum dl_status back_add(struct dl_transpose_plan *plan,
                               struct dl_transpose_error *error)
{
    struct dl_transpose *transpose = plan->transpose;
    const struct dl__task *task = &plan->task;
    uint64_t width = task->rows * task->element_bytes, unit, most;
    uint64_t leading = task->leading_out * task->element_bytes;
    uint64_t aligned = task->offset_bytes | (task->batch > 1 ? task->stride_bytes : 0);
    bool is_dense = task->leading_out == task->rows;
    size_t group = dl__group_items(transpose, transpose->tuning.group);
    struct back_shape shape;
    char knobs[64];
    cl_kernel kernel;
    struct dl__run *run;
    enum dl_status st;

    if (is_dense)
        width = leading = task->matrix_bytes;
    else
        aligned |= width | leading;
    unit = aligned ? dl__power_of_two_in(aligned, 16) : 16;
    shape = (struct back_shape){is_dense ? 1 : task->cols, width / unit, leading / unit,
                                (uint32_t)(width % unit)};
    snprintf(knobs, sizeof knobs, "#define UNIT_BYTES %u\n", (unsigned)unit);
    st = dl__kernel_get(transpose, &source, knobs, "dl_back", &kernel, error);
    if (st != DL_OK)
        return st;
    run = dl__run_add(plan, "dl_back", kernel, &shape, sizeof shape);
    run->local[0] = group;
    run->global[0] = dl__round_up(shape.rows * shape.width + 1, group);
    most = group * transpose->tuning.through_groups;
    if (run->global[0] > most)
        run->global[0] = most;
    return DL_OK;
}

static enum dl_status through_plan(struct dl_transpose_plan *plan,
                                   struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    struct dl__task out = out_task(task);
    enum dl_status st;

    if (!through_applies(plan->transpose, task))
        return dl__fail(
            error, DL_EREFUSED, "through needs %llu bytes of workspace, the cap is %llu",
            (unsigned long long)task->matrix_bytes, (unsigned long long)task->cap_bytes);
    st = dl__out_add(plan, &out, error);
    if (st == DL_OK)
        st = back_add(plan, error);
    plan->runs[0].reads_only = true; /* the matrix is as it was until it comes back */
    plan->batch_at_once = false;
    plan->info.passes = 2;
    plan->info.workspace_bytes = task->matrix_bytes;
    snprintf(plan->why, sizeof plan->why,
             "tiles of %llu x %llu out of place into the workspace, and back",
             (unsigned long long)plan->info.tile_rows,
             (unsigned long long)plan->info.tile_cols);
    return st;
}

DL_TRANSPOSE_ROW(THROUGH) = {4, through_applies, through_cost, through_plan,
                             .keeps_apart = true};
