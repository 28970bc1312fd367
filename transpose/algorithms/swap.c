/* SPDX-License-Identifier: MIT */
/* Square matrices: pairs of tiles swapped through registers, in the order of a scheme. */
#include "transpose/internal.h"

#include <float.h>
#include <stdio.h>

extern const char dl_swap_cl[], dl_tiles_cl[];
static const struct dl__kernel_source source = {{dl_shape_cl, dl_tiles_cl, dl_swap_cl}};

enum { FEW_GROUP = 64 }; /* work-items of a pair of tiles of half the side */

static bool tiling_of(const struct dl_transpose *transpose, const struct dl__task *task,
                      struct dl__tiling *out)
{
    uint64_t aligned = task->offset_bytes | task->shift_bytes |
                       task->leading * task->element_bytes |
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

/* In one launch; of a super grid in one for each of at most eleven regions a side
 * (Gorawski and Lorek 2017, 3.1). */
enum { REGIONS_MAX = 11, REGION_TILES_MIN = 32 };

static uint64_t region_tiles(const struct dl_transpose_plan *plan, uint64_t tiles)
{
    uint64_t region = (tiles + REGIONS_MAX - 1) / REGIONS_MAX;

    if (plan->info.algorithm != DL_TRANSPOSE_SQUARE_REGIONS)
        return tiles;
    return region < REGION_TILES_MIN ? REGION_TILES_MIN : region;
}

/* Adds the launches for these squares, each of which is `inner` squares inside one
 * another. */
static enum dl_status swap_add(struct dl_transpose_plan *plan,
                               const struct dl__task *task, enum tile_order order,
                               uint64_t inner, uint64_t inner_bytes,
                               struct dl_transpose_error *error)
{
    struct swap_shape shape = {.side = task->rows,
                               .leading = task->leading,
                               .stride_bytes = task->stride_bytes,
                               .order = order,
                               .inner_bytes = inner_bytes};
    const char *name = dl_transpose_algorithm_name(plan->info.algorithm);
    struct dl__tiling tiling;
    cl_kernel kernel;
    struct dl__run *run;
    uint64_t tiles, numbers;
    enum dl_status st;

    if (!tiling_of(plan->transpose, task, &tiling))
        return dl__fail(error, DL_ENOTSUP, "%s: elements of %llu bytes", name,
                        (unsigned long long)task->element_bytes);
    tiles = (task->rows + tiling.side - 1) / tiling.side;
    shape.width =
        order == TILES_REGION ? (uint32_t)region_tiles(plan, tiles) : tiling.width;
    shape.tiles = (uint32_t)tiles;
    if (tiles + tiling.width > 1 << 16 || swap_numbers(&shape) > DL__GROUPS_MAX ||
        inner > DL__GROUPS_MAX / swap_numbers(&shape))
        return dl__fail(error, DL_ENOTSUP, "%s: more than 2^31 pairs of tiles", name);
    numbers = swap_numbers(&shape);
    shape.numbers = (uint32_t)numbers;
    shape.inner = (uint32_t)inner;
    numbers *= inner;
    st = dl__tiling_kernel(plan->transpose, &source, &tiling, task->element_bytes, false,
                           "dl_swap", &kernel, error);
    if (st != DL_OK)
        return st;
    plan->batch_at_once = task->batch <= DL__GROUPS_MAX / numbers;
    for (uint64_t row = 0; row < tiles;
         row += order == TILES_REGION ? shape.width : tiles)
        for (uint64_t col = 0; col <= row; col += shape.width) {
            shape.first_row = (uint32_t)row;
            shape.first_col = (uint32_t)col;
            run = dl__run_add(plan, "dl_swap", kernel, &shape, sizeof shape);
            run->local[0] = tiling.group;
            run->global[0] =
                numbers * (plan->batch_at_once ? task->batch : 1) * tiling.group;
        }
    plan->info.passes = 1;
    plan->info.tile_rows = plan->info.tile_cols = tiling.side;
    snprintf(plan->why, sizeof plan->why,
             "pairs of tiles of %u x %u swapped in registers, %u elements read as one",
             tiling.side, tiling.side, tiling.vector);
    return DL_OK;
}

static enum dl_status swap_plan(struct dl_transpose_plan *plan, enum tile_order order,
                                struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;

    if (!swap_applies(plan->transpose, task))
        return dl__fail(
            error, DL_ENOTSUP,
            "%s: %llu x %llu elements of %llu bytes, or leading distances differ",
            dl_transpose_algorithm_name(plan->info.algorithm),
            (unsigned long long)task->rows, (unsigned long long)task->cols,
            (unsigned long long)task->element_bytes);
    return swap_add(plan, task, order, 1, 0, error);
}

/* ---- two axes of an array ---- */

/* The squares of a move: those of one place of the axes between are interleaved. */
static struct dl__task squares_of(const struct dl__task *all, const struct dl_move *move)
{
    struct dl__task task = *all;

    task.rows = task.cols = move->rows;
    task.leading = task.leading_out = move->middle * move->columns;
    task.element_bytes = move->element_bytes;
    task.matrix_bytes = move->rows * task.leading * move->element_bytes;
    task.batch = move->instances;
    task.stride_bytes = task.matrix_bytes;
    /* Tiles must be aligned in every array that the launch is for. */
    if (all->batch > 1)
        task.offset_bytes |= all->stride_bytes;
    return task;
}

double dl__swap_axes_cost(const struct dl_transpose *transpose,
                          const struct dl__task *all, const struct dl_move *move)
{
    struct dl__task task = squares_of(all, move);
    struct dl__tiling tiling;

    return tiling_of(transpose, &task, &tiling) ? tiling.costs.square_v1b : 0;
}

enum dl_status dl__swap_axes_add(struct dl_transpose_plan *plan,
                                 const struct dl_move *move,
                                 struct dl_transpose_error *error)
{
    struct dl__task task = squares_of(&plan->task, move);
    bool at_once = plan->batch_at_once;
    const enum tile_order order =
        plan->info.algorithm == DL_TRANSPOSE_AXES_SWAP_NAIVE ? TILES_REGION : TILES_BANDS;
    enum dl_status st = swap_add(plan, &task, order, move->middle,
                                 move->columns * move->element_bytes, error);

    if (st == DL_OK && !plan->batch_at_once)
        st = dl__fail(error, DL_ENOTSUP, "axes-swap: more than 2^31 pairs of tiles");
    plan->batch_at_once = at_once;
    return st;
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

static enum dl_status region_plan(struct dl_transpose_plan *plan,
                                  struct dl_transpose_error *error)
{
    return swap_plan(plan, TILES_REGION, error);
}

#define REGION_ROW(name)                                                                 \
    DL_TRANSPOSE_ROW(name) = {14, dl__applies_named, dl__cost_nothing, region_plan,      \
                              .keeps_apart = true}

REGION_ROW(SQUARE_NAIVE);
REGION_ROW(SQUARE_REGIONS);
SWAP_ROW(SQUARE_V1, TILES_ROWS);
SWAP_ROW(SQUARE_V1R, TILES_ROWS_REVERSED);
SWAP_ROW(SQUARE_V1B, TILES_BANDS);
SWAP_ROW(SQUARE_SUPER, TILES_SUPER);
