/* SPDX-License-Identifier: MIT */
/* Square matrices: pairs of tiles swapped through registers, in the order of a scheme. */
#include "internal.h"

#include <float.h>
#include <stdio.h>

extern const char dl_swap_cl[], dl_tiles_cl[];
static const struct dl__kernel_source source = {{dl_shape_cl, dl_tiles_cl, dl_swap_cl}};

enum { FEW_GROUP = 64 }; /* work-items of a pair of tiles of half the side */

static bool tiling_of(const struct dl_transpose *transpose, const struct dl__task *task,
                      struct dl__tiling *out)
{
    uint64_t aligned = task->offset_bytes | task->leading * task->element_bytes |
                       task->rows * task->element_bytes;
    unsigned line;

    if (task->batch > 1)
        aligned |= task->stride_bytes;
    if (!dl__tiling_choose(transpose, "swap", task->element_bytes, aligned, out))
        return false;
    /* A work-group or two for each compute unit would leave it waiting. */
    if (task->matrix_bytes <= transpose->tuning.square_few_bytes && out->side >= 32 &&
        transpose->tuning.square_side == 0) {
        out->side /= 2;
        line = out->side / out->vector; /* no fewer squares than work-items */
        while (out->group > FEW_GROUP || out->group > line * line)
            out->group /= 2;
    }
    return true;
}

static bool swap_applies(const struct dl_transpose *transpose,
                         const struct dl__task *task)
{
    struct dl__tiling tiling;

    return task->rows == task->cols && task->leading == task->leading_out &&
           tiling_of(transpose, task, &tiling);
}

static double swap_cost(const struct dl_transpose *transpose, const struct dl__task *task,
                        enum tile_order order)
{
    struct dl__tiling tiling;
    double pass;

    if (!tiling_of(transpose, task, &tiling))
        return DBL_MAX;
    pass = order == TILES_ROWS            ? tiling.costs.square_v1
           : order == TILES_ROWS_REVERSED ? tiling.costs.square_v1r
           : order == TILES_BANDS         ? tiling.costs.square_v1b
                                          : tiling.costs.square_super;
    return pass * (double)task->matrix_bytes;
}

static enum dl_status swap_plan(struct dl_transpose_plan *plan, enum tile_order order,
                                struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    struct swap_shape shape = {.side = task->rows,
                               .leading = task->leading,
                               .stride_bytes = task->stride_bytes,
                               .order = order};
    const char *name = dl_transpose_algorithm_name(plan->info.algorithm);
    struct dl__tiling tiling;
    cl_kernel kernel;
    struct dl__run *run;
    uint64_t tiles, numbers;
    enum dl_status st;

    if (!swap_applies(plan->transpose, task) ||
        !tiling_of(plan->transpose, task, &tiling))
        return dl__fail(
            error, DL_ENOTSUP,
            "%s: %llu x %llu elements of %llu bytes, or leading distances differ", name,
            (unsigned long long)task->rows, (unsigned long long)task->cols,
            (unsigned long long)task->element_bytes);
    tiles = (task->rows + tiling.side - 1) / tiling.side;
    shape.width = tiling.width;
    shape.tiles = (uint32_t)tiles;
    if (tiles + tiling.width > 1 << 16 || swap_numbers(&shape) > DL__GROUPS_MAX)
        return dl__fail(error, DL_ENOTSUP, "%s: more than 2^31 pairs of tiles", name);
    numbers = swap_numbers(&shape);
    shape.numbers = (uint32_t)numbers;
    st = dl__tiling_kernel(plan->transpose, &source, &tiling, task->element_bytes, false,
                           "dl_swap", &kernel, error);
    if (st != DL_OK)
        return st;
    plan->batch_at_once = task->batch <= DL__GROUPS_MAX / numbers;
    run = dl__run_add(plan, "dl_swap", kernel, &shape, sizeof shape);
    run->local[0] = tiling.group;
    run->global[0] = numbers * (plan->batch_at_once ? task->batch : 1) * tiling.group;
    plan->info.passes = 1;
    plan->info.tile_rows = plan->info.tile_cols = tiling.side;
    snprintf(plan->why, sizeof plan->why,
             "pairs of tiles of %u x %u swapped in registers, %u elements read as one",
             tiling.side, tiling.side, tiling.vector);
    return DL_OK;
}

/* The rows differ in the order alone. */
#define SWAP_ROW(name, order)                                                            \
    static double name##_cost(const struct dl_transpose *transpose,                      \
                              const struct dl__task *task)                               \
    {                                                                                    \
        return swap_cost(transpose, task, order);                                        \
    }                                                                                    \
    static enum dl_status name##_plan(struct dl_transpose_plan *plan,                    \
                                      struct dl_transpose_error *error)                  \
    {                                                                                    \
        return swap_plan(plan, order, error);                                            \
    }                                                                                    \
    DL_TRANSPOSE_ROW(name) = {2, swap_applies, name##_cost, name##_plan,                 \
                              .keeps_apart = true}

SWAP_ROW(SQUARE_V1, TILES_ROWS);
SWAP_ROW(SQUARE_V1R, TILES_ROWS_REVERSED);
SWAP_ROW(SQUARE_V1B, TILES_BANDS);
SWAP_ROW(SQUARE_SUPER, TILES_SUPER);
