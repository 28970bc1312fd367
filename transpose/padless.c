/* SPDX-License-Identifier: MIT */
/* Out of place by Selective Copying and Parallel Write (padless.cl). */
#include "internal.h"

#include <stdio.h>

extern const char dl_padless_cl[], dl_tiles_cl[];
static const struct dl__kernel_source source = {
    {dl_shape_cl, dl_tiles_cl, dl_padless_cl}};

static enum dl_status padless_plan(struct dl_transpose_plan *plan,
                                   const char *kernel_name,
                                   struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    struct dl__tiling tiling;
    cl_kernel kernel;
    enum dl_status st;

    if (!dl__tiling_choose(plan->transpose, "out", task->element_bytes, task->unit_bytes,
                           &tiling))
        return dl__fail(error, DL_ENOTSUP, "%s: elements of %llu bytes",
                        dl_transpose_algorithm_name(plan->info.algorithm),
                        (unsigned long long)task->element_bytes);
    tiling.side = 32; /* the paper's best */
    tiling.vector = 1;
    st = dl__tiling_kernel(plan->transpose, &source, &tiling, task->element_bytes,
                           task->conjugate, kernel_name, &kernel, error);
    if (st != DL_OK)
        return st;
    snprintf(plan->why, sizeof plan->why, "tiles of %u x %u out of place, no padding",
             tiling.side, tiling.side);
    return dl__out_launch_add(
        plan, task, kernel_name, kernel,
        (struct out_shape){.width = 1, .order = TILES_ROWS},
        (struct dl__out_tile){tiling.side, tiling.side, 0, tiling.group}, error);
}

static enum dl_status selective_plan(struct dl_transpose_plan *plan,
                                     struct dl_transpose_error *error)
{
    return padless_plan(plan, "dl_out_selective", error);
}

static enum dl_status parallel_plan(struct dl_transpose_plan *plan,
                                    struct dl_transpose_error *error)
{
    return padless_plan(plan, "dl_out_parallel", error);
}

DL_TRANSPOSE_ROW(OUT_SELECTIVE) = {11,
                                   dl__applies_named,
                                   dl__cost_nothing,
                                   selective_plan,
                                   .is_out = true,
                                   .keeps_apart = true};
DL_TRANSPOSE_ROW(OUT_PARALLEL) = {12,
                                  dl__applies_named,
                                  dl__cost_nothing,
                                  parallel_plan,
                                  .is_out = true,
                                  .keeps_apart = true};
