/* SPDX-License-Identifier: MIT */
/* Near-square matrices as squares (Dow; Sung 2013, 4.1.1). What is beyond the square, a
 * strip of the longer side, goes transposed to the workspace; the square's tiles are
 * swapped where they lie; and its rows slide together or apart, all at once, to where the
 * transpose wants them, which is the thesis's parallel unpadding and padding; the strip
 * fills what that leaves.
 *
 *   rows < cols  rows x rows | strip, a row `cols` long: swap, together, strip behind
 *   rows > cols  cols x cols above the strip: swap, apart, strip beside */
#include "transpose/internal.h"

#include <float.h>
#include <stdio.h>

/* Flags of four bytes for each chunk of 8 KB, and a little: without them one work-group
 * slides all rows. */
#define FLAGS_PART_OF(bytes) ((bytes) / 2048 + 16)

struct strip {
    bool is_wide; /* rows < cols */
    uint64_t side, extra, from_bytes, bytes;
};

static struct strip strip_of(const struct dl__task *task)
{
    struct strip strip = {.is_wide = task->rows < task->cols};

    strip.side = strip.is_wide ? task->rows : task->cols;
    strip.extra = strip.is_wide ? task->cols - task->rows : task->rows - task->cols;
    strip.from_bytes =
        (strip.is_wide ? strip.side : strip.side * strip.side) * task->element_bytes;
    strip.bytes = strip.side * strip.extra * task->element_bytes;
    return strip;
}

/* The strip, out of place into the workspace. */
static enum dl_status strip_add(struct dl_transpose_plan *plan, struct strip strip,
                                struct dl_transpose_error *error)
{
    struct dl__task out = plan->task;
    enum dl_status st;

    out.is_out = true;
    out.rows = strip.is_wide ? strip.side : strip.extra;
    out.cols = strip.is_wide ? strip.extra : strip.side;
    out.leading_out = out.rows;
    out.offset_out_bytes = 0;
    out.stride_out_bytes = 0;
    out.batch = 1;
    out.matrix_bytes = strip.bytes;
    out.offset_bytes |= strip.from_bytes | out.shift_bytes;
    if (plan->task.batch > 1)
        out.offset_bytes |= plan->task.stride_bytes;
    st = dl__out_add(plan, &out, error);
    if (st != DL_OK)
        return st;
    plan->runs[plan->run_count - 1].reads_only = true;
    dl__run_shift(&plan->runs[plan->run_count - 1], strip.from_bytes);
    return DL_OK;
}

/* The square, where it lies. */
static enum dl_status square_add(struct dl_transpose_plan *plan, struct strip strip,
                                 struct dl_transpose_error *error)
{
    const struct dl__task task = plan->task;
    enum dl_status st;

    plan->task.rows = plan->task.cols = strip.side;
    plan->task.leading = plan->task.leading_out = task.cols;
    plan->task.batch = 1;
    if (task.batch > 1)
        plan->task.shift_bytes |= task.stride_bytes;
    st = dl__transpose_SQUARE_V1B.plan(plan, error);
    if (st == DL_ENOTSUP)
        st = dl__transpose_SQUARE.plan(plan, error);
    plan->task = task;
    plan->batch_at_once = false;
    return st;
}

static enum dl_status padded_plan(struct dl_transpose_plan *plan,
                                  struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    struct strip strip = strip_of(task);
    uint64_t flags = dl__round_up(strip.bytes, 4); /* behind it */
    struct pack_shape shape = {.rows = strip.side,
                               .width = strip.side,
                               .from = strip.is_wide ? task->cols : strip.side,
                               .to = strip.is_wide ? strip.side : task->rows};
    struct dl__back back = {1, strip.bytes, 0,
                            strip.side * strip.side * task->element_bytes, 0};
    enum dl_status st;

    if (strip.extra == 0 || strip.extra > strip.side)
        return dl__fail(error, DL_ENOTSUP,
                        "square-padded: %llu x %llu is a square, or far from one",
                        (unsigned long long)task->rows, (unsigned long long)task->cols);
    if (strip.bytes > task->cap_bytes)
        return dl__fail(error, DL_EREFUSED,
                        "square-padded needs %llu bytes of workspace, the cap is %llu",
                        (unsigned long long)strip.bytes,
                        (unsigned long long)task->cap_bytes);
    if (!strip.is_wide)
        back = (struct dl__back){strip.side, strip.extra * task->element_bytes,
                                 task->rows * task->element_bytes,
                                 strip.side * task->element_bytes, 0};
    st = strip_add(plan, strip, error);
    if (st == DL_OK)
        st = square_add(plan, strip, error);
    plan->info.workspace_bytes = strip.bytes;
    if (st == DL_OK)
        st = dl__pack_add(plan, shape, flags, error);
    if (st == DL_OK)
        st = dl__back_add(plan, back, error);
    plan->info.passes = 2;
    snprintf(plan->why, sizeof plan->why,
             "a square of %llu, %llu rows or columns beyond it through the workspace",
             (unsigned long long)strip.side, (unsigned long long)strip.extra);
    return st;
}

static bool padded_applies(const struct dl_transpose *transpose,
                           const struct dl__task *task)
{
    struct strip strip = strip_of(task);
    struct dl__tiling tiling;

    return transpose->tuning.padded_apart > 0 && strip.extra > 0 &&
           strip.extra <= strip.side &&
           strip.bytes + FLAGS_PART_OF(task->matrix_bytes) <= task->cap_bytes &&
           dl__tiling_choose(transpose, "swap", task->element_bytes,
                             task->offset_bytes | task->cols * task->element_bytes,
                             &tiling);
}

/* The square, the strip there and back, and rows that slide. */
static double padded_cost(const struct dl_transpose *transpose,
                          const struct dl__task *task)
{
    const struct dl__tuning *tuning = &transpose->tuning;
    struct strip strip = strip_of(task);
    struct dl__tiling tiling;

    if (!dl__tiling_choose(transpose, "swap", task->element_bytes,
                           task->offset_bytes | task->cols * task->element_bytes,
                           &tiling))
        return DBL_MAX;
    return (tiling.costs.square_v1b +
            (strip.is_wide ? tuning->padded_together : tuning->padded_apart)) *
               (double)task->matrix_bytes +
           tuning->padded_strip * (double)strip.bytes + tuning->padded_launch_bytes;
}

DL_TRANSPOSE_ROW(SQUARE_PADDED) = {16, padded_applies, padded_cost, .plan = padded_plan};
