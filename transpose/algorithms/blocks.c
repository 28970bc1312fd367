/* SPDX-License-Identifier: MIT */
/* For CPUs: a work-item transposes a block out of place, or swaps a pair of them in place
 * (blocks.cl). */
#include "transpose/internal.h"

#include <float.h>
#include <stdio.h>

extern const char dl_blocks_cl[];
static const struct dl__kernel_source source = {{dl_shape_cl, dl_blocks_cl}};

static bool elements_fit(const struct dl__task *task)
{
    return task->element_bytes <= 16 && task->unit_bytes == task->element_bytes;
}

static bool blocks_applies(const struct dl_transpose *transpose,
                           const struct dl__task *task)
{
    return transpose->engine.limits.is_cpu && elements_fit(task);
}

static double blocks_cost(const struct dl_transpose *transpose,
                          const struct dl__task *task)
{
    return blocks_applies(transpose, task)
               ? transpose->tuning.out_blocks * (double)task->matrix_bytes
               : DBL_MAX;
}

static enum dl_status kernel_get(struct dl_transpose_plan *plan,
                                 const struct dl__task *task, const char *name,
                                 cl_kernel *out, struct dl_transpose_error *error)
{
    char knobs[200];

    if (!elements_fit(task))
        return dl__fail(error, DL_ENOTSUP, "%s: elements of %llu bytes",
                        dl_transpose_algorithm_name(plan->info.algorithm),
                        (unsigned long long)task->element_bytes);
    snprintf(knobs, sizeof knobs,
             "#define ELEMENT_BYTES %u\n#define SIDE %uu\n#define CONJUGATE %d\n",
             (unsigned)task->element_bytes, plan->transpose->tuning.block_side,
             task->conjugate);
    return dl__kernel_get(plan->transpose, &source, knobs, name, out, error);
}

enum dl_status dl__blocks_add(struct dl_transpose_plan *plan, const struct dl__task *task,
                              struct dl_transpose_error *error)
{
    unsigned side = plan->transpose->tuning.block_side;
    cl_kernel kernel;
    enum dl_status st = kernel_get(plan, task, "dl_out_blocks", &kernel, error);

    if (st != DL_OK)
        return st;
    snprintf(plan->why, sizeof plan->why,
             "blocks of %u x %u out of place, a work-item each", side, side);
    return dl__out_launch_add(plan, task, "dl_out_blocks", kernel,
                              (struct out_shape){.width = 1, .order = TILES_ROWS},
                              (struct dl__out_tile){side, side, 0, 1}, error);
}

static enum dl_status blocks_plan(struct dl_transpose_plan *plan,
                                  struct dl_transpose_error *error)
{
    return dl__blocks_add(plan, &plan->task, error);
}

DL_TRANSPOSE_ROW(OUT_BLOCKS) = {1,           blocks_applies, blocks_cost,
                                blocks_plan, .is_out = true, .keeps_apart = true};

/* ---- squares ---- */

static bool is_square(const struct dl__task *task)
{
    return task->rows == task->cols && task->leading == task->leading_out;
}

static bool square_applies(const struct dl_transpose *transpose,
                           const struct dl__task *task)
{
    return blocks_applies(transpose, task) && is_square(task);
}

static enum dl_status square_plan(struct dl_transpose_plan *plan,
                                  struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    unsigned side = plan->transpose->tuning.block_side;
    uint64_t tiles = dl__divide_up(task->rows, side), numbers;
    struct swap_shape shape = {.side = task->rows,
                               .leading = task->leading,
                               .stride_bytes = task->stride_bytes,
                               .tiles = (uint32_t)tiles,
                               .width = 1,
                               .order = TILES_ROWS,
                               .inner = 1};
    cl_kernel kernel;
    struct dl__run *run;
    enum dl_status st;

    if (!is_square(task))
        return dl__fail(error, DL_ENOTSUP,
                        "square-blocks: %llu x %llu, or leading distances differ",
                        (unsigned long long)task->rows, (unsigned long long)task->cols);
    if (tiles >= 1 << 16 || swap_numbers(&shape) > DL__GROUPS_MAX)
        return dl__fail(error, DL_ENOTSUP, "square-blocks: more than 2^31 pairs");
    st = kernel_get(plan, task, "dl_square_blocks", &kernel, error);
    if (st != DL_OK)
        return st;
    numbers = swap_numbers(&shape);
    shape.numbers = (uint32_t)numbers;
    plan->batch_at_once = task->batch <= DL__GROUPS_MAX / numbers;
    run = dl__run_add(plan, "dl_square_blocks", kernel, &shape, sizeof shape);
    run->local[0] = 1;
    run->global[0] = numbers * (plan->batch_at_once ? task->batch : 1);
    plan->info.passes = 1;
    plan->info.tile_rows = plan->info.tile_cols = side;
    snprintf(plan->why, sizeof plan->why,
             "pairs of blocks of %u x %u swapped, a work-item each", side, side);
    return DL_OK;
}

DL_TRANSPOSE_ROW(SQUARE_BLOCKS) = {1, square_applies, blocks_cost, square_plan,
                                   .keeps_apart = true};
