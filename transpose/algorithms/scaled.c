/* SPDX-License-Identifier: MIT */
/* Alpha, beta and conjugates: out of place in the pass that transposes, in place in one
 * more. */
#include "algorithm.h"

#include <stdio.h>
#include <string.h>

extern const char dl_scaled_cl[];
static const struct dl__kernel_source source = {{dl_shape_cl, dl_scaled_cl}};

/* ---- the kernels ---- */

struct scaled_tile {
    unsigned rows, cols, group;
    bool turns;
};

static enum dl_status scaled_add(struct dl_transpose_plan *plan, struct scaled_tile tile,
                                 struct dl__launch launch,
                                 struct dl_transpose_error *error)
{
    const struct dl__numbers *numbers = &plan->task.numbers;

    if (numbers->scales && numbers->real_bytes == 8 &&
        !plan->transpose->engine.limits.doubles)
        return dl__fail(error, DL_ENOTSUP,
                        "scale: the device does not calculate with double");
    launch.source = &source;
    return dl__launch_add(
        plan, &launch, error,
        "#define REAL_BYTES %u\n#define COMPLEX %d\n#define CONJUGATE %d\n"
        "#define SCALES %d\n#define TILE_ROWS %uu\n#define TILE_COLS %uu\n"
        "#define TURNS %d\n#define GROUP %uu\n",
        numbers->real_bytes, numbers->bytes != numbers->real_bytes, numbers->conjugates,
        numbers->scales, tile.rows, tile.cols, tile.turns, tile.group);
}

/* ---- in place ---- */

enum { ITEMS_MAX = 1 << 20 /* in all; then each has several numbers */ };

enum dl_status dl__scale_add(struct dl_transpose_plan *plan,
                             struct dl_transpose_error *error)
{
    const struct dl__numbers *numbers = &plan->task.numbers;
    unsigned group = (unsigned)dl__group_items(plan->transpose, 256);
    struct scale_shape shape = {.width = numbers->width,
                                .rows = numbers->rows,
                                .leading = numbers->leading,
                                .batch = numbers->batch,
                                .stride = numbers->stride};
    struct dl__launch launch = {
        .kernel = "dl_scale", .numbers = &shape, .numbers_bytes = sizeof shape};
    uint64_t across, down;
    enum dl_status st;

    if (plan->task.is_empty || (!numbers->scales && !numbers->conjugates))
        return DL_OK;
    memcpy(shape.alpha, numbers->alpha, sizeof shape.alpha);
    if (shape.leading == shape.width) {
        shape.width *= shape.rows;
        shape.rows = 1;
    }
    launch.group = shape.width < group ? 1 : group;
    across = dl__round_up(shape.width, launch.group);
    across = across < ITEMS_MAX ? across : ITEMS_MAX;
    down = ITEMS_MAX / across < shape.rows ? ITEMS_MAX / across : shape.rows;
    launch.groups[0] = across / launch.group;
    launch.groups[1] = down;
    launch.groups[2] = ITEMS_MAX / (across * down);
    if (launch.groups[2] > shape.batch)
        launch.groups[2] = shape.batch;
    st = scaled_add(plan, (struct scaled_tile){32, 32, 256, true}, launch, error);
    if (st != DL_OK)
        return st;
    plan->last = plan->runs[--plan->run_count];
    plan->has_last = true;
    plan->info.passes++;
    return DL_OK;
}

void dl__scale_set(struct dl_transpose_plan *plan, const double alpha[2],
                   const double beta[2])
{
    struct dl__run *run = plan->task.is_out ? plan->runs : &plan->last;
    unsigned char *numbers = run->values + run->args[DL__ARG_NUMBERS].at;
    uint64_t bits[2];

    if (plan->task.is_empty)
        return;
    dl__number_bits(plan->task.numbers.real_bytes, alpha, bits);
    memcpy(numbers + (plan->task.is_out ? offsetof(struct scaled_shape, alpha)
                                        : offsetof(struct scale_shape, alpha)),
           bits, sizeof bits);
    if (!plan->task.is_out)
        return;
    dl__number_bits(plan->task.numbers.real_bytes, beta, bits);
    memcpy(numbers + offsetof(struct scaled_shape, beta), bits, sizeof bits);
}

/* ---- out of place ---- */

/* The axis with the smallest distance on one side but for `other`; the count: there is
 * none. */
static unsigned innermost(const struct dl__axes *axes, bool is_to, unsigned other)
{
    unsigned best = axes->count;

    for (unsigned a = 0; a < axes->count; a++) {
        const struct dl__axis *axis = &axes->axes[a], *least = &axes->axes[best];
        if (a == other || axis->extent == 1)
            continue;
        if (best == axes->count || (is_to ? axis->to_bytes < least->to_bytes
                                          : axis->from_bytes < least->from_bytes))
            best = a;
    }
    return best;
}

static enum dl_status scaled_plan(struct dl_transpose_plan *plan,
                                  struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    const struct dl__axes axes = dl__axes_of(task);
    unsigned cols = innermost(&axes, false, axes.count);
    unsigned rows = innermost(&axes, true, axes.count);
    struct scaled_tile tile = {32, 32, (unsigned)dl__group_items(plan->transpose, 256),
                               rows != cols};
    struct scaled_shape shape = {.alpha = {0}};
    uint64_t down, across, others;

    if (!task->numbers.scales)
        return dl__fail(error, DL_ENOTSUP, "out-scaled is for scale");
    if (!tile.turns) {
        rows = innermost(&axes, false, cols);
        tile.rows = 16;
        tile.cols = 64;
    }
    while (tile.turns && tile.cols * (tile.rows + 1) * task->numbers.bytes + 64 >
                             plan->transpose->engine.limits.local_bytes)
        tile.rows = tile.cols /= 2;
    memcpy(shape.alpha, task->numbers.alpha, sizeof shape.alpha);
    memcpy(shape.beta, task->numbers.beta, sizeof shape.beta);
    shape.axes = dl__axes_shape(task, &axes, rows, cols, axes.element_bytes, &others);
    down = dl__divide_up(shape.axes.rows, tile.rows);
    across = dl__divide_up(shape.axes.cols, tile.cols);
    if (down > DL__GROUPS_MAX / across || others > DL__GROUPS_MAX / (down * across))
        return dl__fail(error, DL_ENOTSUP, "out-scaled: more than 2^31 tiles");
    shape.axes.tiles_down = (uint32_t)down;
    shape.axes.tiles_across = (uint32_t)across;
    plan->batch_at_once = true;
    plan->info.passes = 1;
    plan->info.tile_rows = tile.rows;
    plan->info.tile_cols = tile.cols;
    snprintf(plan->why, sizeof plan->why, "tiles of %u x %u out of place, scaled%s",
             tile.rows, tile.cols, tile.turns ? "" : ", rows stay rows");
    return scaled_add(plan, tile,
                      (struct dl__launch){.kernel = "dl_out_scaled",
                                          .numbers = &shape,
                                          .numbers_bytes = sizeof shape,
                                          .group = tile.group,
                                          .groups = {down * across * others}},
                      error);
}

/* Nothing else scales. */
static double scaled_cost(const struct dl_transpose *transpose,
                          const struct dl__task *task)
{
    (void)transpose;
    return task->numbers.scales ? 0 : DL__NOT_FOR;
}

DL_TRANSPOSE_ROW(OUT_SCALED) = {15,
                                scaled_cost,
                                scaled_plan,
                                .is_out = true,
                                .keeps_apart = true,
                                .takes_axes = true,
                                .scales = true};
