/* SPDX-License-Identifier: MIT */
/* Elementary transpositions by marshal_kernels, as launches of a plan. */
#include "transpose/internal.h"

#include <float.h>

enum { PAGE_BYTES = 4096 }; /* more than any kernel aligns to */

uint64_t dl__tile_bytes(const struct dl_transpose *transpose)
{
    /* Less than all of local memory: rows are padded, and drivers keep a little. */
    return dl__steps_tile_bytes(&transpose->steps) / 16 * 15 - 64;
}

/* Places for one cut: few where the longest stretch would take longer than saving more
 * cuts, but no more copies than the cap has room for. */
static unsigned cut_choose(const struct dl__tuning *tuning, const struct dl_step *step,
                           uint64_t cap_bytes)
{
    static const unsigned tried[] = {17, 20,  24,  28,  34,  40,   48,  64,
                                     96, 128, 192, 256, 512, 1024, 4096};
    uint64_t places = step->rows * step->columns,
             bytes = step->instances * step->element_bytes;
    unsigned best = 4096;
    double best_cost = DBL_MAX;

    if (tuning->cut)
        return tuning->cut;
    for (size_t t = 0; t < sizeof tried / sizeof *tried; t++) {
        uint64_t saved = (places + tried[t] - 1) / tried[t] * bytes;
        double cost = (double)saved + dl__stretch_cost(tuning, tried[t], (double)places);
        if (saved > cap_bytes || cost >= best_cost)
            continue;
        best_cost = cost;
        best = tried[t];
    }
    return best;
}

/* The byte to plan for where launches are for many matrices: as aligned as all of them
 * are. */
static uint64_t base_aligned(const struct dl_transpose_plan *plan, uint64_t base_bytes)
{
    bool is_one = plan->task.batch == 1 || plan->batch_at_once;
    uint64_t all = base_bytes | plan->task.shift_bytes, aligned;

    if (!is_one)
        all |= plan->task.stride_bytes;
    aligned = all & -all;
    if ((is_one && plan->task.shift_bytes == 0) || aligned >= PAGE_BYTES)
        return base_bytes;
    return aligned;
}

enum dl_status dl__step_add(struct dl_transpose_plan *plan, const struct dl_step *step,
                            struct dl_transpose_error *error)
{
    struct dl__engine *engine = &plan->transpose->engine;
    struct dl__steps steps = plan->transpose->steps;
    struct dl__run_list list = {.runs = NULL};
    struct dl_step aligned = *step;
    uint64_t places = step->rows * step->columns;
    enum dl_status st;

    aligned.base_bytes = base_aligned(plan, step->base_bytes);
    DL__STEPS_SET(&steps, aside_bytes, 0); /* the caller's cap holds */
    DL__STEPS_SET(&steps, cut_places,
                  cut_choose(&plan->transpose->tuning, step, plan->task.cap_bytes));
    /* Enough work-groups that search, since such permutations have many short cycles. */
    if (places / 512 < steps.knobs.cut_span)
        DL__STEPS_SET(&steps, cut_span,
                      places / 512 < 32 ? 32 : (unsigned)(places / 512));
    pthread_mutex_lock(&engine->lock);
    st = dl__steps_add(&steps, &aligned, &list);
    pthread_mutex_unlock(&engine->lock);
    if (st == DL_OK && plan->run_count + list.count > DL__LAUNCHES_MAX)
        st = DL_ENOTSUP;
    for (size_t l = 0; l < list.count && st == DL_OK; l++) {
        struct dl__run *run = &plan->runs[plan->run_count++];
        *run = list.runs[l];
        dl__run_shift(run, step->base_bytes - aligned.base_bytes);
    }
    if (list.workspace_bytes > plan->info.workspace_bytes)
        plan->info.workspace_bytes = list.workspace_bytes;
    dl__run_list_free(&list);
    if (st != DL_OK)
        return dl__fail(error, st,
                        "no marshaling kernel for an elementary transposition");
    return DL_OK;
}
