/* SPDX-License-Identifier: MIT */
/* Near-square matrices as squares (Dow; Sung 2013, 4.1.1). What is beyond the square, a
 * strip of the longer side, goes transposed to the workspace; the square's tiles are
 * swapped where they lie; and its rows slide together or apart, all at once, to where the
 * transpose wants them, which is the thesis's parallel unpadding and padding; the strip
 * fills what that leaves.
 *
 *   rows < cols  rows x rows | strip, a row `cols` long: swap, together, strip behind
 *   rows > cols  cols x cols above the strip: swap, apart, strip beside */
#include "algorithm.h"

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

    out.is_out = true;
    out.rows = strip.is_wide ? strip.side : strip.extra;
    out.cols = strip.is_wide ? strip.extra : strip.side;
    out.leading_out = out.rows;
    out.batch = 1;
    out.matrix_bytes = strip.bytes;
    out.offset_bytes += strip.from_bytes;
    out.has_axes = false;
    out.numbers = (struct dl__numbers){.scales = false};
    if (plan->task.batch > 1)
        out.shift_bytes |= plan->task.stride_bytes;
    return dl__part_add(plan, &out, DL_TRANSPOSE_AUTO, error);
}

/* The square, where it lies; the workspace is the strip's. */
static enum dl_status square_add(struct dl_transpose_plan *plan, struct strip strip,
                                 struct dl_transpose_error *error)
{
    struct dl__task square = plan->task;

    square.rows = square.cols = strip.side;
    square.leading = square.leading_out = plan->task.cols;
    square.batch = 1;
    square.cap_bytes = 0;
    square.has_axes = false;
    square.numbers = (struct dl__numbers){.scales = false};
    if (plan->task.batch > 1)
        square.shift_bytes |= plan->task.stride_bytes;
    return dl__part_add(plan, &square, DL_TRANSPOSE_AUTO, error);
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
                            strip.side * strip.side * task->element_bytes};
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
                                 strip.side * task->element_bytes};
    st = strip_add(plan, strip, error);
    if (st == DL_OK)
        st = square_add(plan, strip, error);
    plan->info.workspace_bytes = strip.bytes;
    if (st == DL_OK)
        st = dl__pack_add(plan, shape, flags, error);
    if (st == DL_OK)
        st = dl__back_add(plan, back, error);
    plan->info.algorithm = DL_TRANSPOSE_SQUARE_PADDED;
    plan->info.passes = 2;
    snprintf(plan->why, sizeof plan->why,
             "a square of %llu, %llu rows or columns beyond it through the workspace",
             (unsigned long long)strip.side, (unsigned long long)strip.extra);
    return st;
}

/* The square, the strip there and back, and rows that slide. */
static double padded_cost(const struct dl_transpose *transpose,
                          const struct dl__task *task)
{
    const struct dl__tuning *tuning = &transpose->tuning;
    struct strip strip = strip_of(task);
    struct dl__tiling tiling;

    if (tuning->padded_apart <= 0 || strip.extra == 0 || strip.extra > strip.side ||
        strip.bytes + FLAGS_PART_OF(task->matrix_bytes) > task->cap_bytes ||
        !dl__tiling_choose(transpose, "swap", task->element_bytes,
                           task->offset_bytes | task->cols * task->element_bytes,
                           &tiling))
        return DL__NOT_FOR;
    return (tiling.costs.square_v1b +
            (strip.is_wide ? tuning->padded_together : tuning->padded_apart)) *
               (double)task->matrix_bytes +
           tuning->padded_strip * (double)strip.bytes + tuning->padded_launch_bytes;
}

DL_TRANSPOSE_ROW(SQUARE_PADDED) = {16, padded_cost, padded_plan};
