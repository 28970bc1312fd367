/* SPDX-License-Identifier: MIT */
/* Involutions: two axes of one extent change places in one pass, whatever lies between
 * and around. */
#include "transpose/internal.h"

#include <float.h>

/* The permutation as one such move; false: it is another. */
static bool swap_of(const struct dl__axes *axes, struct dl_move *out)
{
    struct dl_move move = {1, 1, 1, 1, axes->element_bytes};
    unsigned order[DL__AXES_MAX], first = axes->count, last = 0;

    dl__axes_order(axes, order);
    for (unsigned a = 0; a < axes->count; a++)
        if (order[a] != a) {
            first = first == axes->count ? a : first;
            last = a;
        }
    if (first == axes->count || order[first] != last || order[last] != first ||
        axes->axes[first].extent != axes->axes[last].extent)
        return false;
    for (unsigned a = 0; a < axes->count; a++) {
        if (a > first && a < last && order[a] != a)
            return false;
        *(a < first    ? &move.instances
          : a == first ? &move.rows
          : a < last   ? &move.middle
          : a == last  ? &move.columns
                       : &move.element_bytes) *= axes->axes[a].extent;
    }
    *out = move;
    return true;
}

bool dl__is_at_once(const struct dl__task *task)
{
    return !task->is_array && (task->axes.count == 3 || !task->has_axes);
}

/* The same of a task that may be one of dense squares. */
static bool move_of(const struct dl__task *task, struct dl_move *out)
{
    if (task->has_axes)
        return swap_of(&task->axes, out);
    if (task->rows != task->cols || task->leading != task->cols ||
        task->leading_out != task->rows ||
        (task->batch > 1 && task->stride_bytes != task->matrix_bytes))
        return false;
    *out = (struct dl_move){task->batch, task->rows, 1, task->cols, task->element_bytes};
    return true;
}

static bool swap_applies(const struct dl_transpose *transpose,
                         const struct dl__task *task)
{
    struct dl_move move;

    (void)transpose;
    return move_of(task, &move);
}

/* By tiles or by runs of elements. */
static double swap_cost(const struct dl_transpose *transpose, const struct dl__task *task)
{
    struct dl_move move;
    double pass;

    if (!move_of(task, &move))
        return DBL_MAX;
    pass = dl__swap_axes_cost(transpose, task, &move);
    if (pass == 0)
        pass = move.element_bytes < DL__RUN_BYTES_MIN ? transpose->tuning.axes_general
                                                      : transpose->tuning.axes_swap_runs;
    return pass * (double)task->matrix_bytes;
}

enum dl_status dl__swap_add(struct dl_transpose_plan *plan, const struct dl_move *move,
                            struct dl_transpose_error *error)
{
    return dl__swap_axes_cost(plan->transpose, &plan->task, move) > 0
               ? dl__swap_axes_add(plan, move, error)
               : dl__swap_runs_add(plan, move, error);
}

static enum dl_status swap_plan(struct dl_transpose_plan *plan,
                                struct dl_transpose_error *error)
{
    struct dl_move move;

    if (!move_of(&plan->task, &move))
        return dl__fail(error, DL_ENOTSUP,
                        "axes-swap: not two axes of one extent that change places");
    plan->batch_at_once = dl__is_at_once(&plan->task);
    return dl__swap_add(plan, &move, error);
}

DL_TRANSPOSE_ROW(AXES_SWAP_NAIVE) = {14, dl__applies_named, dl__cost_nothing, swap_plan,
                                     .takes_axes = true};
DL_TRANSPOSE_ROW(AXES_SWAP) = {3, swap_applies, swap_cost, swap_plan, .takes_axes = true};
