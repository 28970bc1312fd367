/* SPDX-License-Identifier: MIT */
/* Plans: what a problem asks for, checked and put in the algorithms' terms. */
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout/c_locale.h"

enum dl_status dl__fail(struct dl_transpose_error *error, enum dl_status status,
                        const char *format, ...)
{
    va_list args;

    if (error) {
        va_start(args, format);
        vsnprintf(error->text, sizeof error->text, format, args);
        va_end(args);
    }
    return status;
}

struct divisor dl__divisor_make(uint32_t number)
{
    struct divisor by = {.number = number};
    uint64_t reciprocal;

    while (number >> by.shift > 1)
        by.shift++;
    reciprocal = (UINT64_C(1) << (32 + by.shift)) / number;
    by.reciprocal = reciprocal > UINT32_MAX ? UINT32_MAX : (uint32_t)reciprocal;
    return by;
}

void dl__run_make(const struct dl_transpose_plan *plan, const char *name,
                  cl_kernel kernel, const void *numbers, size_t numbers_bytes,
                  struct dl__run *run)
{
    memset(run, 0, sizeof *run);
    run->name = name;
    run->kernel = kernel;
    run->dims = 3;
    run->global[1] = run->local[1] = run->global[2] = run->local[2] = 1;
    dl__run_add_buffer(run);
    dl__run_add_base(run, plan->task.offset_bytes);
    dl__run_add_value(run, numbers, numbers_bytes);
    dl__run_add_workspace(run);
}

struct dl__run *dl__run_add(struct dl_transpose_plan *plan, const char *name,
                            cl_kernel kernel, const void *numbers, size_t numbers_bytes)
{
    struct dl__run *run = &plan->runs[plan->run_count++];

    dl__run_make(plan, name, kernel, numbers, numbers_bytes, run);
    return run;
}

size_t dl__group_items(const struct dl_transpose *transpose, size_t wanted)
{
    size_t group = wanted;

    while (group > transpose->engine.limits.group_items)
        group /= 2;
    return group;
}

/* ---- the problem ---- */

#define BYTES_MAX (UINT64_C(1) << 63)

static bool multiply(uint64_t a, uint64_t b, uint64_t *out)
{
    return !__builtin_mul_overflow(a, b, out) && *out < BYTES_MAX;
}

/* Below that a whole copy of a matrix is little beside what else a device's memory holds.
 */
#define WHOLE_BYTES (UINT64_C(64) << 20)

static uint64_t cap_bytes_of(const struct dl_transpose_problem *problem, uint64_t bytes,
                             uint64_t batch)
{
    uint64_t all;

    if (problem->cap_bytes)
        return problem->cap_bytes;
    switch (problem->cap) {
    case DL_TRANSPOSE_CAP_0:
        return 0;
    case DL_TRANSPOSE_CAP_1:
        return bytes / 100;
    case DL_TRANSPOSE_CAP_12:
        return bytes / 8;
    case DL_TRANSPOSE_CAP_ANY:
        return UINT64_MAX;
    case DL_TRANSPOSE_CAP_6:
        return bytes / 16;
    default:
        /* Of a batch as many as go into that. */
        if (!multiply(bytes, batch, &all) || all > WHOLE_BYTES)
            return bytes / 16 > WHOLE_BYTES ? bytes / 16 : WHOLE_BYTES;
        return all;
    }
}

/* What the matrix spans, first to last element, in elements. */
static bool span_of(uint64_t rows, uint64_t cols, uint64_t leading, uint64_t *out)
{
    return multiply(rows - 1, leading, out) && !__builtin_add_overflow(*out, cols, out) &&
           *out < BYTES_MAX;
}

/* What is wrong with the fields that are for out of place. */
static enum dl_status out_check(const struct dl_transpose_problem *problem,
                                struct dl_transpose_error *error)
{
    uint32_t bytes = problem->element_bytes;

    if ((unsigned)problem->place > DL_TRANSPOSE_OUT_OF_PLACE)
        return dl__fail(error, DL_EINVAL, "the place %u is no known one",
                        (unsigned)problem->place);
    if (problem->conjugate > 1)
        return dl__fail(error, DL_EINVAL, "conjugate is %u, neither 0 nor 1",
                        problem->conjugate);
    if (problem->conjugate && bytes != 4 && bytes != 8 && bytes != 16)
        return dl__fail(error, DL_EINVAL,
                        "conjugate: elements of %u bytes are no complex numbers of half, "
                        "float or double",
                        bytes);
    if (problem->place == DL_TRANSPOSE_OUT_OF_PLACE)
        return DL_OK;
    if (problem->batch_stride_out || problem->offset_out_bytes ||
        problem->buffer_out_bytes)
        return dl__fail(error, DL_EINVAL, "%s is for out of place",
                        problem->batch_stride_out   ? "batch_stride_out"
                        : problem->offset_out_bytes ? "offset_out_bytes"
                                                    : "buffer_out_bytes");
    return DL_OK;
}

/* What is wrong whatever the sizes are. */
static enum dl_status problem_check(const struct dl_transpose_problem *problem,
                                    struct dl_transpose_error *error)
{
    const char *unknown;

    if (problem->element_bytes == 0)
        return dl__fail(error, DL_EINVAL, "elements of 0 bytes");
    if (problem->reserved_axes != 0 || problem->reserved_scale != 0)
        return dl__fail(error, DL_ENOTSUP, "the problem's %s is not 0",
                        problem->reserved_axes ? "reserved_axes" : "reserved_scale");
    if (problem->keep_between > 1)
        return dl__fail(error, DL_EINVAL, "keep_between is %u, neither 0 nor 1",
                        problem->keep_between);
    unknown = (unsigned)problem->order > DL_TRANSPOSE_COL_MAJOR              ? "order"
              : (unsigned)problem->direction > DL_TRANSPOSE_INVERSE          ? "direction"
              : (unsigned)problem->cap > DL_TRANSPOSE_CAP_6                  ? "cap"
              : (unsigned)problem->algorithm >= DL_TRANSPOSE_ALGORITHM_COUNT ? "algorithm"
                                                                             : NULL;
    if (unknown)
        return dl__fail(error, DL_EINVAL, "the %s is no known one", unknown);
    return out_check(problem, error);
}

/* The sides, and the distances between rows; `span`: what a matrix covers, in elements,
 * before and after. */
static enum dl_status sides_make(const struct dl_transpose_problem *problem,
                                 struct dl__task *task, uint64_t span[2],
                                 struct dl_transpose_error *error)
{
    /* A column-major matrix is its transpose in row-major; the inverse swaps once more.
     */
    bool by_cols = problem->order == DL_TRANSPOSE_COL_MAJOR;
    bool inverse = problem->direction == DL_TRANSPOSE_INVERSE;
    uint64_t leading = inverse ? problem->leading_out : problem->leading;
    uint64_t leading_out = inverse ? problem->leading : problem->leading_out;
    uint64_t elements;

    task->is_empty = problem->rows == 0 || problem->cols == 0;
    if (task->is_empty)
        return DL_OK;
    task->rows = by_cols == inverse ? problem->rows : problem->cols;
    task->cols = by_cols == inverse ? problem->cols : problem->rows;
    task->leading = leading ? leading : task->cols;
    task->leading_out = leading_out ? leading_out : task->rows;
    if (!multiply(task->rows, task->cols, &elements) ||
        !multiply(elements, task->element_bytes, &task->matrix_bytes))
        return dl__fail(error, DL_EOVERFLOW,
                        "%llu x %llu elements of %u bytes exceed 2^63 bytes",
                        (unsigned long long)problem->rows,
                        (unsigned long long)problem->cols, problem->element_bytes);
    if (task->leading < task->cols || task->leading_out < task->rows)
        return dl__fail(
            error, DL_EINVAL,
            "%s: a leading distance of %llu is below the %llu elements it leads over",
            (task->leading < task->cols) == !inverse ? "leading" : "leading_out",
            (unsigned long long)(task->leading < task->cols ? task->leading
                                                            : task->leading_out),
            (unsigned long long)(task->leading < task->cols ? task->cols : task->rows));
    if (!span_of(task->rows, task->cols, task->leading, &span[0]) ||
        !span_of(task->cols, task->rows, task->leading_out, &span[1]))
        return dl__fail(error, DL_EOVERFLOW,
                        "the leading distance takes it past 2^63 elements");
    return DL_OK;
}

/* Where the matrices of the batch lie in one buffer. */
struct batch {
    const char *matrix, *stride_name, *offset_name;
    uint64_t stride, span; /* in elements; a stride of 0: one after the other */
    uint64_t offset_bytes, buffer_bytes;
};

static enum dl_status batch_make(const struct dl__task *task, struct batch batch,
                                 uint64_t *stride_bytes, uint64_t *end_bytes,
                                 struct dl_transpose_error *error)
{
    uint64_t stride = batch.stride ? batch.stride : batch.span, bytes, end;

    if (stride < batch.span && task->batch > 1)
        return dl__fail(error, DL_EINVAL,
                        "a %s of %llu is below the %llu elements of a %s",
                        batch.stride_name, (unsigned long long)stride,
                        (unsigned long long)batch.span, batch.matrix);
    if (!multiply(stride, task->element_bytes, stride_bytes) ||
        !multiply(*stride_bytes, task->batch - 1, &end) ||
        !multiply(batch.span, task->element_bytes, &bytes) ||
        __builtin_add_overflow(end, bytes, &end) ||
        __builtin_add_overflow(end, batch.offset_bytes, &end) || end >= BYTES_MAX)
        return dl__fail(error, DL_EOVERFLOW, "the last %s ends past 2^63 bytes",
                        batch.matrix);
    if (batch.buffer_bytes && end > batch.buffer_bytes)
        return dl__fail(error, DL_EINVAL,
                        "the last %s ends at byte %llu of a buffer of %llu", batch.matrix,
                        (unsigned long long)end, (unsigned long long)batch.buffer_bytes);
    if (batch.offset_bytes % task->unit_bytes != 0)
        return dl__fail(error, DL_EINVAL,
                        "the %s of %llu bytes is not a multiple of %llu",
                        batch.offset_name, (unsigned long long)batch.offset_bytes,
                        (unsigned long long)task->unit_bytes);
    *end_bytes = end;
    return DL_OK;
}

/* Of the matrices, or of both the sources and the targets. In place a matrix spans what
 * it does before or after. */
static enum dl_status batches_make(const struct dl_transpose_problem *problem,
                                   struct dl__task *task, const uint64_t span[2],
                                   struct dl_transpose_error *error)
{
    struct batch from = {.matrix = "matrix",
                         .stride_name = "batch_stride",
                         .offset_name = "offset",
                         .stride = problem->batch_stride,
                         .span = task->is_out || span[0] > span[1] ? span[0] : span[1],
                         .offset_bytes = problem->offset_bytes,
                         .buffer_bytes = problem->buffer_bytes};
    struct batch to = {.matrix = "target",
                       .stride_name = problem->batch_stride_out ? "batch_stride_out"
                                                                : "batch_stride",
                       .offset_name = "offset_out_bytes",
                       .stride = problem->batch_stride_out ? problem->batch_stride_out
                                                           : problem->batch_stride,
                       .span = span[1],
                       .offset_bytes = problem->offset_out_bytes,
                       .buffer_bytes = problem->buffer_out_bytes};
    enum dl_status st =
        batch_make(task, from, &task->stride_bytes, &task->end_bytes, error);

    if (st == DL_OK && task->is_out)
        st = batch_make(task, to, &task->stride_out_bytes, &task->end_out_bytes, error);
    return st;
}

/* Where the results lie, in numbers. */
static void results_make(const struct dl_transpose_problem *problem,
                         const struct dl__task *task, struct dl__numbers *numbers)
{
    numbers->batch = task->batch;
    numbers->stride = task->stride_bytes / task->element_bytes;
    numbers->rows = task->slides ? task->rows : task->cols;
    numbers->width = task->slides ? task->cols : task->rows;
    numbers->leading = task->leading_out;
    if (problem->axis_count && !task->slides) {
        numbers->rows = 1;
        numbers->width = numbers->leading = task->matrix_bytes / task->element_bytes;
    }
}

enum dl_status dl__task_make(const struct dl_transpose_problem *problem,
                             struct dl__task *out, struct dl_transpose_error *error)
{
    struct dl__task task = {.element_bytes = problem->element_bytes,
                            .batch = problem->batch ? problem->batch : 1,
                            .offset_bytes = problem->offset_bytes,
                            .unit_bytes = dl__power_of_two_in(problem->element_bytes, 16),
                            .block_rows = problem->block_rows,
                            .tile_rows = problem->tile_rows,
                            .tile_cols = problem->tile_cols,
                            .is_out = problem->place == DL_TRANSPOSE_OUT_OF_PLACE,
                            .keeps_between = problem->keep_between,
                            .offset_out_bytes = problem->offset_out_bytes};
    enum dl_status st = problem_check(problem, error);
    uint64_t span[2] = {0, 0};

    if (st == DL_OK)
        st = problem->axis_count ? dl__axes_task(problem, &task, span, error)
                                 : sides_make(problem, &task, span, error);
    if (st == DL_OK)
        st = dl__numbers_make(problem, &task.numbers, error);
    if (st == DL_OK && task.is_empty) {
        *out = (struct dl__task){.is_empty = true, .is_out = task.is_out};
        return DL_OK;
    }
    if (st == DL_OK)
        st = batches_make(problem, &task, span, error);
    if (st != DL_OK)
        return st;
    task.cap_bytes = cap_bytes_of(problem, task.matrix_bytes, task.batch);
    results_make(problem, &task, &task.numbers);
    task.conjugate = task.is_out && task.numbers.conjugates;
    if (problem->axis_count && !task.slides)
        dl__axes_reduce(&task);
    *out = task;
    return DL_OK;
}

/* ---- the plan ---- */

static uint32_t launches_count(const struct dl_transpose_plan *plan)
{
    uint64_t launches = plan->phase_count ? 0 : plan->run_count;

    for (size_t p = 0; p < plan->phase_count; p++)
        launches += plan->phases[p].runs * plan->phases[p].repeats;
    launches += plan->has_last;
    return launches > UINT32_MAX ? UINT32_MAX : (uint32_t)launches;
}

enum dl_status dl_transpose_plan_make(struct dl_transpose *transpose,
                                      const struct dl_transpose_problem *problem,
                                      struct dl_transpose_plan **out,
                                      struct dl_transpose_error *error)
{
    struct dl_transpose_problem known;
    struct dl_transpose_plan *plan;
    struct dl__task task;
    enum dl_status st;

    if (!transpose || !problem || !out)
        return dl__fail(error, DL_EINVAL, "no %s is given",
                        !transpose ? "library's object"
                        : !problem ? "problem"
                                   : "place for the result");
    st = dl__problem_read(problem, &known, error);
    if (st == DL_OK)
        st = dl__task_make(&known, &task, error);
    if (st != DL_OK)
        return st;
    plan = calloc(1, sizeof *plan);
    if (!plan)
        return dl__fail(error, DL_ENOMEM, "out of host memory");
    plan->transpose = transpose;
    plan->task = task;
    if (task.is_empty) {
        plan->info.algorithm = DL_TRANSPOSE_NONE;
        snprintf(plan->why, sizeof plan->why, "there are no elements");
    } else {
        st = dl__choose(plan, known.algorithm, error);
    }
    if (st == DL_OK && !task.is_out)
        st = dl__scale_add(plan, error);
    if (st != DL_OK) {
        free(plan);
        return st;
    }
    plan->info.launches = launches_count(plan);
    plan->info.matrix_bytes = task.matrix_bytes * task.batch;
    *out = plan;
    if (error) /* why other algorithms are not for it */
        error->text[0] = '\0';
    return DL_OK;
}

void dl_transpose_plan_free(struct dl_transpose_plan *plan)
{
    if (!plan)
        return;
    if (plan->workspace)
        plan->transpose->engine.ops->buffer_free(plan->transpose->engine.device,
                                                 plan->workspace);
    free(plan);
}

void dl_transpose_plan_info(const struct dl_transpose_plan *plan,
                            struct dl_transpose_info *out)
{
    *out = plan->info;
}

size_t dl_transpose_plan_explain(const struct dl_transpose_plan *plan, char *text,
                                 size_t bytes)
{
    const struct dl_transpose_info *info = &plan->info;
    const locale_t before = dl_c_locale_enter();
    const int used = snprintf(
        text, bytes,
        "%s: %u pass%s in %u launch%s, workspace %llu bytes (%.2f %% of %llu): %s",
        dl_transpose_algorithm_name(info->algorithm), info->passes,
        info->passes == 1 ? "" : "es", info->launches, info->launches == 1 ? "" : "es",
        (unsigned long long)info->workspace_bytes,
        info->matrix_bytes
            ? 100.0 * (double)info->workspace_bytes / (double)info->matrix_bytes
            : 0,
        (unsigned long long)info->matrix_bytes, plan->why);

    dl_c_locale_leave(before);
    return (size_t)used;
}

enum dl_status dl_transpose_plan_allocate(struct dl_transpose_plan *plan,
                                          struct dl_transpose_error *error)
{
    const struct dl__engine *engine;
    cl_int err;

    if (!plan)
        return dl__fail(error, DL_EINVAL, "there is no plan");
    engine = &plan->transpose->engine;
    if (plan->workspace || plan->info.workspace_bytes == 0)
        return DL_OK;
    err = engine->ops->buffer_make(engine->device, plan->info.workspace_bytes,
                                   &plan->workspace);
    if (err != CL_SUCCESS)
        return dl__fail(error, dl__status_of_cl(err),
                        "no %llu bytes of workspace (OpenCL error %d)",
                        (unsigned long long)plan->info.workspace_bytes, err);
    return DL_OK;
}
