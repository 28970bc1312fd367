/* SPDX-License-Identifier: MIT */
/* The one chooser: which algorithm transposes a shape on a device within a cap. An
 * algorithm that needs another transposition on its way asks it in turn. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/algorithm.h"
#include "layout/c_locale.h"

/* ---- the rows ---- */

static const struct dl__transpose_algorithm *const rows[] = {
#define X(name, text, help) [DL_TRANSPOSE_##name] = &dl__transpose_##name,
    DL__ALGORITHM_MAP(X)
#undef X
};

static void plan_empty(struct dl_transpose_plan *plan,
                       enum dl_transpose_algorithm algorithm)
{
    plan->info = (struct dl_transpose_info){.algorithm = algorithm};
    plan->run_count = 0;
    plan->phase_count = 0;
    plan->batch_at_once = false;
}

static enum dl_status row_plan(enum dl_transpose_algorithm algorithm,
                               struct dl_transpose_plan *plan,
                               struct dl_transpose_error *error)
{
    plan_empty(plan, algorithm); /* nothing of one that was tried before stays */
    if (plan->task.is_array && !rows[algorithm]->takes_axes)
        return dl__fail(error, DL_ENOTSUP,
                        "%s is for matrices, and this permutation is of %u axes",
                        dl_transpose_algorithm_name(algorithm), plan->task.axes.count);
    if (algorithm != DL_TRANSPOSE_AUTO && rows[algorithm]->is_out != plan->task.is_out)
        return dl__fail(error, DL_ENOTSUP, "%s works %s place",
                        dl_transpose_algorithm_name(algorithm),
                        rows[algorithm]->is_out ? "out of" : "in");
    if (algorithm != DL_TRANSPOSE_AUTO && plan->task.is_out &&
        plan->task.numbers.scales && !rows[algorithm]->scales)
        return dl__fail(error, DL_ENOTSUP, "%s does not scale",
                        dl_transpose_algorithm_name(algorithm));
    return rows[algorithm]->plan(plan, error);
}

/* Rows that lie apart are no business of most algorithms. */
static bool is_apart(const struct dl__task *task)
{
    return !task->is_out && !task->is_array &&
           (task->leading != task->cols || task->leading_out != task->rows);
}

/* DL__NOT_FOR where the row is not one for such tasks. */
static double row_cost(const struct dl__transpose_algorithm *row,
                       const struct dl_transpose *transpose, const struct dl__task *task)
{
    if (!row->cost || row->is_out != task->is_out ||
        (task->is_array && !row->takes_axes) ||
        (task->is_out && task->numbers.scales && !row->scales) ||
        (is_apart(task) && !row->keeps_apart))
        return DL__NOT_FOR;
    return row->cost(transpose, task);
}

/* ---- the chooser ---- */

struct candidate {
    enum dl_transpose_algorithm algorithm;
    double cost;
};

static bool goes_before(const struct candidate *a, const struct candidate *b)
{
    return a->cost < b->cost ||
           (a->cost == b->cost && rows[a->algorithm]->order < rows[b->algorithm]->order);
}

/* Those that apply, the cheapest first; returns how many. Where costs are not known,
 * those that are best where they can do it come first, those that say they cost most
 * last, each in the rows' order. */
static size_t candidates_make(const struct dl_transpose *transpose,
                              const struct dl__task *task, struct candidate *out)
{
    size_t count = 0;

    for (unsigned a = 0; a < DL__ALGORITHMS; a++) {
        struct candidate one = {(enum dl_transpose_algorithm)a,
                                row_cost(rows[a], transpose, task)};
        size_t at = count;
        if (one.cost > DBL_MAX)
            continue;
        if (transpose->tuning.costs_known == 0 && one.cost > 0)
            one.cost = one.cost < DBL_MAX ? 1 : 2;
        for (; at > 0 && goes_before(&one, &out[at - 1]); at--)
            out[at] = out[at - 1];
        out[at] = one;
        count++;
    }
    return count;
}

double dl__chosen_cost(const struct dl_transpose *transpose, const struct dl__task *task)
{
    struct candidate candidates[DL__ALGORITHMS];

    return candidates_make(transpose, task, candidates) > 0
               ? row_cost(rows[candidates[0].algorithm], transpose, task)
               : DL__NOT_FOR;
}

/* Adds to the plan's reasons what each would have cost. */
static void candidates_explain(struct dl_transpose_plan *plan,
                               const struct candidate *candidates, size_t count)
{
    const locale_t before = dl_c_locale_enter();
    size_t used = strlen(plan->why);
    const char *comma = "";

    used += (size_t)snprintf(plan->why + used, sizeof plan->why - used,
                             "; in copies of the matrix, expected:");
    for (size_t c = 0; c < count; c++) {
        double cost = candidates[c].cost;
        if (cost <= 0 || cost >= DBL_MAX || used >= sizeof plan->why)
            continue;
        used +=
            (size_t)snprintf(plan->why + used, sizeof plan->why - used, "%s %s %.2f",
                             comma, dl_transpose_algorithm_name(candidates[c].algorithm),
                             cost / (double)plan->task.matrix_bytes);
        comma = ",";
    }
    dl_c_locale_leave(before);
}

static enum dl_status auto_plan(struct dl_transpose_plan *plan,
                                struct dl_transpose_error *error)
{
    struct candidate candidates[DL__ALGORITHMS];
    size_t count = candidates_make(plan->transpose, &plan->task, candidates);

    for (size_t c = 0; c < count; c++) {
        enum dl_status st = row_plan(candidates[c].algorithm, plan, error);
        if (st == DL_OK && candidates[c].cost > 0 &&
            plan->transpose->tuning.costs_known != 0)
            candidates_explain(plan, candidates, count);
        if (st != DL_ENOTSUP && st != DL_EREFUSED)
            return st;
    }
    return dl__fail(error, DL_EREFUSED,
                    "no algorithm meets the workspace cap of %llu bytes",
                    (unsigned long long)plan->task.cap_bytes);
}

/* The chooser is a row, too, which it never thinks of itself. */
DL_TRANSPOSE_ROW(AUTO) = {0, NULL, auto_plan, .takes_axes = true};

/* Rows apart, which are no square's: through the workspace they cost nothing more, else
 * packed before and spread after. Where what lies between the rows stays, only what is no
 * part of the matrix on the way may write there. */
static enum dl_status apart_plan(struct dl_transpose_plan *plan,
                                 enum dl_transpose_algorithm algorithm,
                                 struct dl_transpose_error *error)
{
    enum dl_status st;

    if (plan->task.keeps_between && algorithm != DL_TRANSPOSE_AUTO)
        return dl__fail(error, DL_ENOTSUP,
                        "%s: keep_between, and rows that lie apart: through is for that",
                        dl_transpose_algorithm_name(algorithm));
    if (algorithm == DL_TRANSPOSE_AUTO) {
        st = row_plan(DL_TRANSPOSE_THROUGH, plan, error);
        if (plan->task.keeps_between || (st != DL_ENOTSUP && st != DL_EREFUSED))
            return st;
    }
    plan_empty(plan, algorithm);
    return dl__transpose_PACKED.plan(plan, error);
}

enum dl_status dl__choose(struct dl_transpose_plan *plan,
                          enum dl_transpose_algorithm algorithm,
                          struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;

    if (task->slides && algorithm == DL_TRANSPOSE_AUTO)
        algorithm = DL_TRANSPOSE_SLIDE;
    if (!task->slides && is_apart(task) && !rows[algorithm]->keeps_apart) {
        if (!dl__is_square(task))
            return apart_plan(plan, algorithm, error);
        /* The swap of a square's tiles leaves what lies between rows alone. */
        if (algorithm != DL_TRANSPOSE_AUTO)
            algorithm = DL_TRANSPOSE_SQUARE;
    }
    return row_plan(algorithm, plan, error);
}

/* ---- parts ---- */

static void runs_copy(struct dl_transpose_plan *plan,
                      const struct dl_transpose_plan *part, size_t first, size_t count)
{
    for (size_t r = first; r < first + count; r++) {
        struct dl__run *run = &plan->runs[plan->run_count++];
        *run = part->runs[r];
        run->reads_only = run->reads_only || part->task.is_out;
    }
}

/* Appends the runs of a part, and what of them is repeated. */
static enum dl_status runs_take(struct dl_transpose_plan *plan,
                                const struct dl_transpose_plan *part,
                                struct dl_transpose_error *error)
{
    uint64_t repeats = part->batch_at_once ? 1 : part->task.batch;
    size_t taken = 0;
    enum dl_status st = DL_OK;

    if (plan->run_count + part->run_count > DL__LAUNCHES_MAX ||
        (part->phase_count > 0 && repeats > 1))
        return dl__fail(error, DL_ENOTSUP, "%s: too many launches",
                        dl_transpose_algorithm_name(plan->info.algorithm));
    for (size_t p = 0; p < part->phase_count && st == DL_OK; p++) {
        const struct dl__phase *phase = &part->phases[p];
        runs_copy(plan, part, taken, phase->runs);
        st = dl__repeat_last(plan, phase->runs, phase->repeats, phase->stride_bytes,
                             error);
        taken += phase->runs;
    }
    runs_copy(plan, part, taken, part->run_count - taken);
    if (st == DL_OK)
        st = dl__repeat_last(plan, part->run_count - taken, repeats,
                             part->task.stride_bytes, error);
    return st;
}

enum dl_status dl__part_add(struct dl_transpose_plan *plan, const struct dl__task *part,
                            enum dl_transpose_algorithm algorithm,
                            struct dl_transpose_error *error)
{
    const struct dl_transpose_info before = plan->info;
    struct dl_transpose_plan *made = calloc(1, sizeof *made);
    enum dl_status st;

    if (!made)
        return dl__fail(error, DL_ENOMEM, "out of host memory");
    made->transpose = plan->transpose;
    made->task = *part;
    st = dl__choose(made, algorithm, error);
    if (st == DL_OK)
        st = runs_take(plan, made, error);
    if (st == DL_OK) {
        plan->info = made->info;
        plan->info.passes += before.passes;
        if (before.workspace_bytes > plan->info.workspace_bytes)
            plan->info.workspace_bytes = before.workspace_bytes;
        memcpy(plan->why, made->why, sizeof plan->why);
    }
    free(made);
    return st;
}
