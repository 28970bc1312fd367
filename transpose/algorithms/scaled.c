/* SPDX-License-Identifier: MIT */
/* Alpha, beta and conjugates: out of place in the pass that transposes, in place in one
 * more. */
#include "transpose/internal.h"

#include <stdio.h>
#include <string.h>

extern const char dl_scaled_cl[];
static const struct dl__kernel_source source = {{dl_shape_cl, dl_scaled_cl}};

/* ---- the problem ---- */

/* Bytes of a number of each kind, and of its parts. */
static const uint8_t sizes[][2] = {
    [DL_TRANSPOSE_HALF] = {2, 2},          [DL_TRANSPOSE_FLOAT] = {4, 4},
    [DL_TRANSPOSE_DOUBLE] = {8, 8},        [DL_TRANSPOSE_COMPLEX_HALF] = {4, 2},
    [DL_TRANSPOSE_COMPLEX_FLOAT] = {8, 4}, [DL_TRANSPOSE_COMPLEX_DOUBLE] = {16, 8}};

static enum dl_status check(const struct dl_transpose_problem *problem,
                            struct dl_transpose_error *error)
{
    unsigned number = (unsigned)problem->number;

    if (number > DL_TRANSPOSE_COMPLEX_DOUBLE)
        return dl__fail(error, DL_EINVAL, "the number %u is no known one", number);
    if (problem->scale > 1)
        return dl__fail(error, DL_EINVAL, "scale is %u, neither 0 nor 1", problem->scale);
    if (problem->scale && number == DL_TRANSPOSE_BYTES)
        return dl__fail(error, DL_EINVAL, "scale: number does not say what elements are");
    if (number != DL_TRANSPOSE_BYTES && problem->element_bytes != sizes[number][0])
        return dl__fail(error, DL_EINVAL, "number: such have %u bytes, and elements %u",
                        sizes[number][0], problem->element_bytes);
    if (problem->conjugate && number != DL_TRANSPOSE_BYTES &&
        number < DL_TRANSPOSE_COMPLEX_HALF)
        return dl__fail(error, DL_EINVAL, "conjugate: the number is a real one");
    if (problem->scale && problem->place == DL_TRANSPOSE_IN_PLACE &&
        (problem->beta[0] != 0 || problem->beta[1] != 0))
        return dl__fail(error, DL_EINVAL, "beta is for out of place");
    return DL_OK;
}

/* As the kernels take them. */
static void bits_make(uint32_t real_bytes, const double number[2], uint64_t out[2])
{
    for (unsigned part = 0; part < 2; part++) {
        float single = (float)number[part];
        uint32_t bits;
        memcpy(&bits, &single, sizeof bits);
        out[part] = bits;
        if (real_bytes == 8)
            memcpy(&out[part], &number[part], sizeof out[part]);
    }
}

enum dl_status dl__numbers_make(const struct dl_transpose_problem *problem,
                                struct dl__numbers *out, struct dl_transpose_error *error)
{
    enum dl_status st = check(problem, error);

    if (st != DL_OK)
        return st;
    *out = (struct dl__numbers){.scales = problem->scale,
                                .conjugates = problem->conjugate,
                                .bytes = problem->element_bytes,
                                .real_bytes = problem->number == DL_TRANSPOSE_BYTES
                                                  ? problem->element_bytes / 2
                                                  : sizes[problem->number][1]};
    bits_make(out->real_bytes, problem->alpha, out->alpha);
    bits_make(out->real_bytes, problem->beta, out->beta);
    return DL_OK;
}

/* ---- the kernels ---- */

struct scaled_tile {
    unsigned rows, cols, group;
    bool turns;
};

static enum dl_status kernel_get(struct dl_transpose *transpose,
                                 const struct dl__numbers *numbers,
                                 struct scaled_tile tile, const char *name,
                                 cl_kernel *out, struct dl_transpose_error *error)
{
    char knobs[300];

    if (numbers->scales && numbers->real_bytes == 8 && !transpose->engine.limits.doubles)
        return dl__fail(error, DL_ENOTSUP,
                        "scale: the device does not calculate with double");
    snprintf(knobs, sizeof knobs,
             "#define REAL_BYTES %u\n#define COMPLEX %d\n#define CONJUGATE %d\n"
             "#define SCALES %d\n#define TILE_ROWS %uu\n#define TILE_COLS %uu\n"
             "#define TURNS %d\n#define GROUP %uu\n",
             numbers->real_bytes, numbers->bytes != numbers->real_bytes,
             numbers->conjugates, numbers->scales, tile.rows, tile.cols, tile.turns,
             tile.group);
    return dl__kernel_get(transpose, &source, knobs, name, out, error);
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
    struct dl__run *run = &plan->last;
    uint64_t across;
    cl_kernel kernel;
    enum dl_status st;

    if (plan->task.is_empty || (!numbers->scales && !numbers->conjugates))
        return DL_OK;
    memcpy(shape.alpha, numbers->alpha, sizeof shape.alpha);
    if (shape.leading == shape.width) {
        shape.width *= shape.rows;
        shape.rows = 1;
    }
    st = kernel_get(plan->transpose, numbers, (struct scaled_tile){32, 32, 256, true},
                    "dl_scale", &kernel, error);
    if (st != DL_OK)
        return st;
    dl__run_make(plan, "dl_scale", kernel, &shape, sizeof shape, run);
    run->local[0] = shape.width < group ? 1 : group;
    across = dl__round_up(shape.width, run->local[0]);
    run->global[0] = across < ITEMS_MAX ? across : ITEMS_MAX;
    run->global[1] = ITEMS_MAX / run->global[0];
    if (run->global[1] > shape.rows)
        run->global[1] = shape.rows;
    run->global[2] = ITEMS_MAX / (run->global[0] * run->global[1]);
    if (run->global[2] > shape.batch)
        run->global[2] = shape.batch;
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
    bits_make(plan->task.numbers.real_bytes, alpha, bits);
    memcpy(numbers + (plan->task.is_out ? offsetof(struct scaled_shape, alpha)
                                        : offsetof(struct scale_shape, alpha)),
           bits, sizeof bits);
    if (!plan->task.is_out)
        return;
    bits_make(plan->task.numbers.real_bytes, beta, bits);
    memcpy(numbers + offsetof(struct scaled_shape, beta), bits, sizeof bits);
}

/* ---- out of place ---- */

/* A batch of matrices as axes. */
static struct dl__axes axes_of(const struct dl__task *task)
{
    uint64_t e = task->element_bytes;

    if (task->is_array)
        return task->axes;
    return (struct dl__axes){3,
                             {{task->batch, task->stride_bytes, task->stride_out_bytes},
                              {task->rows, task->leading * e, e},
                              {task->cols, e, task->leading_out * e}},
                             e};
}

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

/* Rows and columns of the tiles, then the others; false: they are too many. */
static bool shape_make(const struct dl__axes *axes, unsigned rows, unsigned cols,
                       struct axes_shape *shape, uint64_t *others)
{
    uint64_t e = axes->element_bytes;

    shape->rows = shape->cols = *others = 1;
    for (unsigned a = 0; a < axes->count; a++) {
        const struct dl__axis *axis = &axes->axes[a];
        if (a == cols) {
            shape->cols = axis->extent;
            shape->col_from = axis->from_bytes / e;
            shape->col_to = axis->to_bytes / e;
        } else if (a == rows) {
            shape->rows = axis->extent;
            shape->row_from = axis->from_bytes / e;
            shape->row_to = axis->to_bytes / e;
        } else if (axis->extent > 1) {
            if (axis->extent > DL__GROUPS_MAX ||
                __builtin_mul_overflow(*others, axis->extent, others) ||
                *others > DL__GROUPS_MAX)
                return false;
            shape->extents[shape->others] = (uint32_t)axis->extent;
            shape->from[shape->others] = axis->from_bytes / e;
            shape->to[shape->others++] = axis->to_bytes / e;
        }
    }
    return true;
}

static enum dl_status scaled_plan(struct dl_transpose_plan *plan,
                                  struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    const struct dl__axes axes = axes_of(task);
    unsigned cols = innermost(&axes, false, axes.count);
    unsigned rows = innermost(&axes, true, axes.count);
    struct scaled_tile tile = {32, 32, (unsigned)dl__group_items(plan->transpose, 256),
                               rows != cols};
    struct scaled_shape shape = {.axes = {.base_out_bytes = task->offset_out_bytes,
                                          .order = TILES_ROWS,
                                          .width = 1}};
    uint64_t down, across, others;
    cl_kernel kernel;
    struct dl__run *run;
    enum dl_status st;

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
    if (!shape_make(&axes, rows, cols, &shape.axes, &others))
        return dl__fail(error, DL_ENOTSUP, "out-scaled: more than 2^31 tiles");
    down = dl__divide_up(shape.axes.rows, tile.rows);
    across = dl__divide_up(shape.axes.cols, tile.cols);
    if (down > DL__GROUPS_MAX / across || others > DL__GROUPS_MAX / (down * across))
        return dl__fail(error, DL_ENOTSUP, "out-scaled: more than 2^31 tiles");
    shape.axes.tiles_down = (uint32_t)down;
    shape.axes.tiles_across = (uint32_t)across;
    st = kernel_get(plan->transpose, &task->numbers, tile, "dl_out_scaled", &kernel,
                    error);
    if (st != DL_OK)
        return st;
    run = dl__run_add(plan, "dl_out_scaled", kernel, &shape, sizeof shape);
    run->local[0] = tile.group;
    run->global[0] = down * across * others * tile.group;
    plan->batch_at_once = true;
    plan->info.passes = 1;
    plan->info.tile_rows = tile.rows;
    plan->info.tile_cols = tile.cols;
    snprintf(plan->why, sizeof plan->why, "tiles of %u x %u out of place, scaled%s",
             tile.rows, tile.cols, tile.turns ? "" : ", rows stay rows");
    return DL_OK;
}

static bool scaled_applies(const struct dl_transpose *transpose,
                           const struct dl__task *task)
{
    (void)transpose;
    return task->numbers.scales;
}

DL_TRANSPOSE_ROW(OUT_SCALED) = {15,
                                scaled_applies,
                                dl__cost_nothing,
                                scaled_plan,
                                .is_out = true,
                                .keeps_apart = true,
                                .takes_axes = true,
                                .scales = true};
