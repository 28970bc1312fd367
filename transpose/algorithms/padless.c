/* SPDX-License-Identifier: MIT */
/* Out of place by Selective Copying and Parallel Write, and by a padded tile
 * (padless.cl). */
#include "transpose/internal.h"

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
    tiling.side = plan->transpose->tuning.padless_side;
    tiling.group = tiling.side * plan->transpose->tuning.padless_lines;
    tiling.vector = 1;
    if (plan->transpose->tuning.padless_lines > tiling.side ||
        tiling.group > plan->transpose->engine.limits.group_items ||
        tiling.side * (tiling.side + 1) * task->element_bytes + 64 >
            plan->transpose->engine.limits.local_bytes)
        return dl__fail(error, DL_ENOTSUP, "%s: tiles of %u x %u by %u work-items",
                        dl_transpose_algorithm_name(plan->info.algorithm), tiling.side,
                        tiling.side, tiling.group);
    st = dl__tiling_kernel(plan->transpose, &source, &tiling, task->element_bytes,
                           task->conjugate, kernel_name, &kernel, error);
    if (st != DL_OK)
        return st;
    snprintf(plan->why, sizeof plan->why,
             "tiles of %u x %u out of place by %u work-items", tiling.side, tiling.side,
             tiling.group);
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

static enum dl_status padded_plan(struct dl_transpose_plan *plan,
                                  struct dl_transpose_error *error)
{
    return padless_plan(plan, "dl_out_padded", error);
}

#define PADLESS_ROW(name, order, plan)                                                   \
    DL_TRANSPOSE_ROW(name) = {order, dl__applies_named, dl__cost_nothing,                \
                              plan,  .is_out = true,    .keeps_apart = true}

PADLESS_ROW(OUT_SELECTIVE, 11, selective_plan);
PADLESS_ROW(OUT_PARALLEL, 12, parallel_plan);
PADLESS_ROW(OUT_PADDED, 13, padded_plan);
