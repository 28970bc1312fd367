/* SPDX-License-Identifier: MIT */
/* Square matrices: pairs of tiles swapped. */
#include "transpose/internal.h"

#include <stdio.h>

extern const char dl_square_cl[];
static const struct dl__kernel_source source = {{dl_shape_cl, dl_units_cl, dl_square_cl}};

static enum dl_status square_plan(struct dl_transpose_plan *plan,
                                  struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    struct square_shape shape = {task->rows, task->leading};
    size_t group = dl__group_items(plan->transpose, plan->transpose->tuning.group);
    uint64_t side = 64, tiles;
    char knobs[200];
    cl_kernel kernel;
    struct dl__run *run;
    enum dl_status st;

    if (task->rows != task->cols || task->leading != task->leading_out)
        return dl__fail(error, DL_ENOTSUP,
                        "square: %llu x %llu, or leading distances differ",
                        (unsigned long long)task->rows, (unsigned long long)task->cols);
    while (side > 1 &&
           (side * side * task->element_bytes > plan->transpose->tuning.square_bytes ||
            2 * side * (side + 1) * task->element_bytes + 64 >
                plan->transpose->engine.limits.local_bytes))
        side /= 2;
    if (2 * side * (side + 1) * task->element_bytes >
        plan->transpose->engine.limits.local_bytes)
        return dl__fail(error, DL_ENOTSUP, "square: elements of %llu bytes",
                        (unsigned long long)task->element_bytes);
    snprintf(knobs, sizeof knobs,
             "#define UNIT_BYTES %u\n#define UNITS %uu\n#define SIDE %uu\n#define GROUP "
             "%zuu\n",
             (unsigned)task->unit_bytes,
             (unsigned)(task->element_bytes / task->unit_bytes), (unsigned)side, group);
    st =
        dl__kernel_get(plan->transpose, &source, knobs, "dl_square_swap", &kernel, error);
    if (st != DL_OK)
        return st;
    run = dl__run_add(plan, "dl_square_swap", kernel, &shape, sizeof shape);
    tiles = dl__round_up((task->rows + side - 1) / side, 2);
    run->local[0] = group;
    run->global[0] = (tiles + 1) * group;
    run->global[1] = tiles / 2;
    plan->info.passes = 1;
    plan->info.tile_rows = plan->info.tile_cols = side;
    snprintf(plan->why, sizeof plan->why, "pairs of tiles of %llu x %llu swapped",
             (unsigned long long)side, (unsigned long long)side);
    return DL_OK;
}

static bool square_applies(const struct dl_transpose *transpose,
                           const struct dl__task *task)
{
    (void)transpose;
    return task->rows == task->cols && task->leading == task->leading_out;
}

/* Nothing else swaps tiles of elements that no register holds. */
static double square_cost(const struct dl_transpose *transpose,
                          const struct dl__task *task)
{
    bool is_alone = task->element_bytes != task->unit_bytes;

    return is_alone ? 0 : transpose->tuning.square_pass * (double)task->matrix_bytes;
}

DL_TRANSPOSE_ROW(SQUARE) = {3, square_applies, square_cost, square_plan,
                            .keeps_apart = true};
