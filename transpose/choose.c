/* The one chooser: which algorithm transposes a shape on a device within a cap. */
#include "internal.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

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

static enum dl_status none_plan(struct dl_transpose_plan *plan,
                                struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;

    if ((task->rows > 1 && task->cols > 1) || task->leading != task->cols ||
        task->leading_out != task->rows)
        return dl__fail(error, DL_ENOTSUP, "none is for one dense row or column");
    snprintf(plan->why, sizeof plan->why, "a row is a column");
    return DL_OK;
}

static enum dl_status algorithm_plan(struct dl_transpose_plan *plan,
                                     enum dl_transpose_algorithm algorithm,
                                     struct dl_transpose_error *error)
{
    /* Nothing of one that was tried before stays. */
    plan->info = (struct dl_transpose_info){.algorithm = algorithm,
                                            .matrix_bytes = plan->info.matrix_bytes};
    plan->run_count = 0;
    plan->batch_at_once = false;
    switch (algorithm) {
    case DL_TRANSPOSE_NONE:
        return none_plan(plan, error);
    case DL_TRANSPOSE_ONCHIP:
        return dl__onchip_plan(plan, error);
    case DL_TRANSPOSE_SQUARE:
        return dl__square_plan(plan, error);
    case DL_TRANSPOSE_C2R:
    case DL_TRANSPOSE_R2C:
        return dl__c2r_plan(plan, algorithm == DL_TRANSPOSE_C2R, error);
    case DL_TRANSPOSE_STAGE3:
        return dl__stage3_plan(plan, error);
    case DL_TRANSPOSE_STAGE4:
    case DL_TRANSPOSE_STAGE4_FUSED:
        return dl__stage4_plan(plan, algorithm == DL_TRANSPOSE_STAGE4_FUSED, error);
    case DL_TRANSPOSE_CYCLES:
        return dl__cycles_plan(plan, error);
    case DL_TRANSPOSE_PANEL_ROWS:
        return dl__panel_plan(plan, true, error);
    case DL_TRANSPOSE_PANEL_COLS:
        return dl__panel_plan(plan, false, error);
    default:
        return dl__fail(error, DL_ENOTSUP, "%s is not there",
                        dl_transpose_algorithm_name(algorithm));
    }
}

/* An algorithm for most shapes, and what it would cost in bytes copied; DBL_MAX: it can't. */
struct candidate {
    enum dl_transpose_algorithm algorithm;
    double cost;
};

enum { CANDIDATES = 5 };

/* All of them, the cheapest first. What they cost is known of GPUs; on a CPU the order is always
 * the same: whole tiles that its cache holds, then panels; walking down columns is tens of times
 * slower. */
static void candidates_make(const struct dl_transpose *transpose,
                            const struct dl__task *task, struct candidate *out)
{
    const struct candidate all[CANDIDATES] = {
        {DL_TRANSPOSE_STAGE3, dl__stage3_cost(transpose, task)},
        {DL_TRANSPOSE_PANEL_ROWS, dl__panel_cost(transpose, task, true)},
        {DL_TRANSPOSE_PANEL_COLS, dl__panel_cost(transpose, task, false)},
        {DL_TRANSPOSE_R2C, dl__c2r_cost(transpose, task, false)},
        {DL_TRANSPOSE_C2R, dl__c2r_cost(transpose, task, true)}};

    if (transpose->engine.limits.is_cpu) {
        memcpy(out, all, sizeof all);
        return;
    }
    for (size_t a = 0; a < CANDIDATES; a++) {
        size_t rank = 0;
        for (size_t b = 0; b < CANDIDATES; b++)
            rank += all[b].cost < all[a].cost || (all[b].cost == all[a].cost && b < a);
        out[rank] = all[a];
    }
}

/* Adds to the plan's reasons what each would have cost. */
static void candidates_explain(struct dl_transpose_plan *plan,
                               const struct candidate *candidates)
{
    size_t used = strlen(plan->why);

    used += (size_t)snprintf(plan->why + used, sizeof plan->why - used,
                             "; in copies of the matrix, expected:");
    for (size_t c = 0; c < CANDIDATES; c++)
        if (candidates[c].cost < DBL_MAX && used < sizeof plan->why)
            used +=
                (size_t)snprintf(plan->why + used, sizeof plan->why - used, "%s %s %.2f",
                                 c ? "," : "", names[candidates[c].algorithm],
                                 candidates[c].cost / (double)plan->task.matrix_bytes);
}

enum dl_status dl__choose(struct dl_transpose_plan *plan,
                          enum dl_transpose_algorithm algorithm,
                          struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    enum dl_transpose_algorithm first[4];
    struct candidate candidates[CANDIDATES];
    size_t count = 0;
    enum dl_status st = DL_ENOTSUP;

    /* Only the swap of a square's tiles leaves what lies between rows alone. */
    if (task->leading != task->cols || task->leading_out != task->rows) {
        if (algorithm == DL_TRANSPOSE_SQUARE ||
            (task->rows == task->cols && task->leading == task->leading_out))
            return algorithm_plan(plan, DL_TRANSPOSE_SQUARE, error);
        return dl__pack_around(plan, algorithm, error);
    }
    if (algorithm != DL_TRANSPOSE_AUTO)
        return algorithm_plan(plan, algorithm, error);
    /* Where one of these can do it, it is the best. */
    first[count++] = DL_TRANSPOSE_NONE;
    first[count++] = DL_TRANSPOSE_ONCHIP;
    first[count++] = DL_TRANSPOSE_SQUARE;
    if (task->element_bytes >= 128)
        first[count++] = DL_TRANSPOSE_CYCLES;
    for (size_t a = 0; a < count; a++) {
        st = algorithm_plan(plan, first[a], error);
        if (st != DL_ENOTSUP && st != DL_EREFUSED)
            return st;
    }
    candidates_make(plan->transpose, task, candidates);
    for (size_t c = 0; c < CANDIDATES; c++) {
        st = algorithm_plan(plan, candidates[c].algorithm, error);
        if (st == DL_OK && !plan->transpose->engine.limits.is_cpu)
            candidates_explain(plan, candidates);
        if (st != DL_ENOTSUP && st != DL_EREFUSED)
            return st;
    }
    return dl__fail(error, DL_EREFUSED,
                    "no algorithm meets the workspace cap of %llu bytes",
                    (unsigned long long)task->cap_bytes);
}
