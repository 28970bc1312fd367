/* SPDX-License-Identifier: MIT */
/* The one chooser: which algorithm transposes a shape on a device within a cap. */
#include "internal.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "layout/c_locale.h"

static const char *const names[] = {
#define X(name, text, help) text,
    DL_TRANSPOSE_ALGORITHM_MAP(X)
#undef X
};

const char *dl_transpose_algorithm_name(enum dl_transpose_algorithm algorithm)
{
    return (unsigned)algorithm < DL_TRANSPOSE_ALGORITHM_COUNT ? names[algorithm] : "?";
}

enum dl_status dl_transpose_algorithm_find(const char *name,
                                           enum dl_transpose_algorithm *out)
{
    for (unsigned a = 0; a < DL_TRANSPOSE_ALGORITHM_COUNT; a++) {
        if (strcmp(names[a], name) == 0) {
            *out = (enum dl_transpose_algorithm)a;
            return DL_OK;
        }
    }
    return DL_EINVAL;
}

/* ---- the rows ---- */

static const struct dl__transpose_algorithm *const rows[] = {
#define X(name, text, help) [DL_TRANSPOSE_##name] = &dl__transpose_##name,
    DL_TRANSPOSE_ALGORITHM_MAP(X)
#undef X
};

bool dl__applies_always(const struct dl_transpose *transpose, const struct dl__task *task)
{
    (void)transpose, (void)task;
    return true;
}

bool dl__applies_named(const struct dl_transpose *transpose, const struct dl__task *task)
{
    (void)transpose, (void)task;
    return false;
}

double dl__cost_nothing(const struct dl_transpose *transpose, const struct dl__task *task)
{
    (void)transpose, (void)task;
    return 0;
}

static enum dl_status row_plan(enum dl_transpose_algorithm algorithm,
                               struct dl_transpose_plan *plan,
                               struct dl_transpose_error *error)
{
    /* Nothing of one that was tried before stays. */
    plan->info = (struct dl_transpose_info){.algorithm = algorithm};
    plan->run_count = 0;
    plan->phase_count = 0;
    plan->batch_at_once = false;
    if (plan->task.is_array && !rows[algorithm]->takes_axes)
        return dl__fail(error, DL_ENOTSUP,
                        "%s is for matrices, and this permutation is of %u axes",
                        names[algorithm], plan->task.axes.count);
    if (algorithm != DL_TRANSPOSE_AUTO && rows[algorithm]->is_out != plan->task.is_out)
        return dl__fail(error, DL_ENOTSUP, "%s works %s place", names[algorithm],
                        rows[algorithm]->is_out ? "out of" : "in");
    if (algorithm != DL_TRANSPOSE_AUTO && plan->task.is_out &&
        plan->task.numbers.scales && !rows[algorithm]->scales)
        return dl__fail(error, DL_ENOTSUP, "%s does not scale", names[algorithm]);
    return rows[algorithm]->plan(plan, error);
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
    bool is_apart = !task->is_array &&
                    (task->leading != task->cols || task->leading_out != task->rows);
    size_t count = 0;

    for (unsigned a = 0; a < DL_TRANSPOSE_ALGORITHM_COUNT; a++) {
        struct candidate one = {(enum dl_transpose_algorithm)a, 0};
        size_t at = count;
        if (rows[a]->is_out != task->is_out || (task->is_array && !rows[a]->takes_axes) ||
            (task->is_out && task->numbers.scales && !rows[a]->scales) ||
            (is_apart && !rows[a]->keeps_apart) || !rows[a]->applies(transpose, task))
            continue;
        one.cost = rows[a]->cost(transpose, task);
        if (transpose->tuning.costs_known == 0 && one.cost > 0)
            one.cost = one.cost < DBL_MAX ? 1 : 2;
        for (; at > 0 && goes_before(&one, &out[at - 1]); at--)
            out[at] = out[at - 1];
        out[at] = one;
        count++;
    }
    return count;
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
    struct candidate candidates[DL_TRANSPOSE_ALGORITHM_COUNT];
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
DL_TRANSPOSE_ROW(AUTO) = {0, dl__applies_named, dl__cost_nothing, .plan = auto_plan,
                          .takes_axes = true};

/* Rows apart, which are no square's: through the workspace they cost nothing more, else
 * packed before and spread after. */
static enum dl_status apart_plan(struct dl_transpose_plan *plan,
                                 enum dl_transpose_algorithm algorithm,
                                 struct dl_transpose_error *error)
{
    if (algorithm == DL_TRANSPOSE_AUTO) {
        enum dl_status st = row_plan(DL_TRANSPOSE_THROUGH, plan, error);
        if (st != DL_ENOTSUP && st != DL_EREFUSED)
            return st;
        plan->info = (struct dl_transpose_info){.algorithm = DL_TRANSPOSE_AUTO};
        plan->run_count = 0;
    }
    return dl__pack_around(plan, algorithm, error);
}

/* The same where what lies between the rows stays: only what is no part of the matrix on
 * the way may write there. */
static enum dl_status keeping_plan(struct dl_transpose_plan *plan,
                                   enum dl_transpose_algorithm algorithm,
                                   struct dl_transpose_error *error)
{
    if (algorithm != DL_TRANSPOSE_AUTO && algorithm != DL_TRANSPOSE_THROUGH)
        return dl__fail(error, DL_ENOTSUP,
                        "%s: keep_between, and rows that lie apart: through is for that",
                        names[algorithm]);
    return row_plan(DL_TRANSPOSE_THROUGH, plan, error);
}

enum dl_status dl__choose(struct dl_transpose_plan *plan,
                          enum dl_transpose_algorithm algorithm,
                          struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;

    if (task->slides)
        return row_plan(algorithm == DL_TRANSPOSE_AUTO ? DL_TRANSPOSE_SLIDE : algorithm,
                        plan, error);
    if (!task->is_out && !task->is_array && !rows[algorithm]->keeps_apart &&
        (task->leading != task->cols || task->leading_out != task->rows)) {
        /* The swap of a square's tiles leaves what lies between rows alone. */
        if (task->rows != task->cols || task->leading != task->leading_out)
            return task->keeps_between ? keeping_plan(plan, algorithm, error)
                                       : apart_plan(plan, algorithm, error);
        if (algorithm != DL_TRANSPOSE_AUTO)
            algorithm = DL_TRANSPOSE_SQUARE;
    }
    return row_plan(algorithm, plan, error);
}
