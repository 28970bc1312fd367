/* SPDX-License-Identifier: MIT */
/* Problems checked and put in the terms of the algorithms. */
#include <string.h>

#include "plan.h"

#define BYTES_MAX (UINT64_C(1) << 63)

static bool multiply(uint64_t a, uint64_t b, uint64_t *out)
{
    return !__builtin_mul_overflow(a, b, out) && *out < BYTES_MAX;
}

/* A row-major array; axis d of the result is its axis order[d]. */
struct array {
    unsigned count;
    uint64_t extents[DL_TRANSPOSE_AXES_MAX];
    unsigned order[DL_TRANSPOSE_AXES_MAX];
    uint64_t leading, leading_out;
    /* Both by axis of the source. */
    uint64_t outer[DL_TRANSPOSE_AXES_MAX], outer_out[DL_TRANSPOSE_AXES_MAX];
};

static enum dl_status fields_check(const struct dl_transpose_problem *problem,
                                   struct dl_transpose_error *error)
{
    unsigned count = problem->axis_count;
    unsigned seen = 0;

    if (count > DL_TRANSPOSE_AXES_MAX)
        return dl__fail(error, DL_EINVAL,
                        "axis_count is %u: at most %d axes are supported", count,
                        DL_TRANSPOSE_AXES_MAX);
    if (problem->rows || problem->cols)
        return dl__fail(
            error, DL_EINVAL,
            "axis_count is %u: rows and cols must be 0, as extents has the sizes", count);
    for (unsigned a = 0; a < count; a++) {
        if (problem->permutation[a] >= count)
            return dl__fail(error, DL_EINVAL,
                            "permutation[%u] is %u, but there are only %u axes", a,
                            problem->permutation[a], count);
        if (seen & 1u << problem->permutation[a])
            return dl__fail(error, DL_EINVAL,
                            "permutation has axis %u twice: it must have each axis once",
                            problem->permutation[a]);
        seen |= 1u << problem->permutation[a];
    }
    return DL_OK;
}

/* Puts column-major and inverse problems in these terms. */
static struct array array_make(const struct dl_transpose_problem *problem)
{
    struct array array = {.count = problem->axis_count,
                          .leading = problem->leading,
                          .leading_out = problem->leading_out};
    bool by_cols = problem->order == DL_TRANSPOSE_COL_MAJOR;
    unsigned last = array.count - 1;

    for (unsigned d = 0; d < array.count; d++) {
        unsigned at = by_cols ? last - d : d;
        array.extents[at] = problem->extents[d];
        array.order[at] =
            by_cols ? last - problem->permutation[d] : problem->permutation[d];
        array.outer[at] = problem->outer[d];
        array.outer_out[by_cols ? last - problem->permutation[d]
                                : problem->permutation[d]] = problem->outer_out[d];
    }
    if (problem->direction == DL_TRANSPOSE_INVERSE) {
        struct array forward = array;
        for (unsigned d = 0; d < array.count; d++) {
            array.extents[d] = forward.extents[forward.order[d]];
            array.order[forward.order[d]] = d;
            array.outer[d] = forward.outer_out[forward.order[d]];
            array.outer_out[d] = forward.outer[forward.order[d]];
        }
        array.leading = forward.leading_out;
        array.leading_out = forward.leading;
    }
    return array;
}

/* Computes the distances along the axes, which lie in `order` in an array with these
 * outer extents, 0 being the axis's own, and how many elements it spans. False: 2^63 or
 * more. */
static bool distances_make(const struct array *array, const unsigned *order,
                           const uint64_t outer[], uint64_t leading, uint64_t distances[],
                           uint64_t *span)
{
    uint64_t distance = 1, length;

    *span = 1;
    for (unsigned d = array->count; d-- > 0;) {
        unsigned axis = order[d];
        distances[axis] = distance;
        if (__builtin_mul_overflow(array->extents[axis] - 1, distance, &length) ||
            __builtin_add_overflow(*span, length, span) || *span >= BYTES_MAX)
            return false;
        if (d == 0)
            break;
        length = d + 1 == array->count ? leading
                 : outer[axis]         ? outer[axis]
                                       : array->extents[axis];
        if (__builtin_mul_overflow(distance, length, &distance))
            return false;
    }
    return true;
}

/* Makes one axis of neighbours that are neighbours on both sides, and drops axes of one
 * element. */
static void axes_merge(struct dl__axes *axes, const struct dl__axis *all, unsigned count)
{
    for (unsigned a = 0; a < count; a++) {
        struct dl__axis *before = axes->count > 0 ? &axes->axes[axes->count - 1] : NULL;
        if (all[a].extent == 1)
            continue;
        if (before && before->from_bytes == all[a].extent * all[a].from_bytes &&
            before->to_bytes == all[a].extent * all[a].to_bytes) {
            uint64_t extent = before->extent * all[a].extent;
            *before = all[a];
            before->extent = extent;
        } else {
            axes->axes[axes->count++] = all[a];
        }
    }
}

static void innermost_take_in(struct dl__axes *axes)
{
    const struct dl__axis *last = axes->count > 0 ? &axes->axes[axes->count - 1] : NULL;

    if (last && last->from_bytes == axes->element_bytes &&
        last->to_bytes == axes->element_bytes) {
        axes->element_bytes *= last->extent;
        axes->count--;
    }
}

/* Whether these two axes are the rows and columns of a matrix. */
static bool is_matrix(const struct dl__axis *axis, uint64_t element_bytes)
{
    return axis[1].from_bytes == element_bytes && axis[0].to_bytes == element_bytes &&
           axis[0].from_bytes % element_bytes == 0 &&
           axis[1].to_bytes % element_bytes == 0;
}

/* Makes the task one of matrices, if its axes are that. */
static void task_reduce(struct dl__task *task)
{
    struct dl__axes *axes = &task->axes;
    const struct dl__axis *core = axes->axes + (axes->count == 3);
    uint64_t all = dl__places_of(task) | axes->element_bytes;

    for (unsigned a = 0; a < axes->count; a++)
        all |= axes->axes[a].from_bytes | axes->axes[a].to_bytes;
    task->unit_bytes = dl__power_of_two_in(all, 16);
    task->element_bytes = axes->element_bytes;
    task->rows = task->leading_out = 1;
    task->cols = task->leading = task->matrix_bytes / axes->element_bytes;
    task->is_array = true;
    if (axes->count == 0 || (axes->count == 1 && !task->is_out)) {
        task->is_array = task->is_out; /* nothing moves, or it is a copy */
    } else if ((axes->count == 2 || (axes->count == 3 && task->batch == 1 &&
                                     axes->axes[0].to_bytes > axes->axes[1].to_bytes &&
                                     axes->axes[0].to_bytes > axes->axes[2].to_bytes)) &&
               is_matrix(core, axes->element_bytes)) {
        task->is_array = false;
        task->rows = core[0].extent;
        task->cols = core[1].extent;
        task->leading = core[0].from_bytes / axes->element_bytes;
        task->leading_out = core[1].to_bytes / axes->element_bytes;
        if (axes->count == 3) {
            task->batch = axes->axes[0].extent;
            task->stride_bytes = axes->axes[0].from_bytes;
            task->stride_out_bytes = task->is_out ? axes->axes[0].to_bytes : 0;
            task->matrix_bytes = task->rows * task->cols * task->element_bytes;
        }
    }
}

void dl__axes_reduce(struct dl__task *task)
{
    struct dl__axis all[DL__AXES_MAX];
    unsigned count = task->axes.count, first = 0;
    bool dense = task->stride_bytes == task->matrix_bytes;

    /* The batch becomes one more axis, but not if it lies apart in place. */
    if (task->batch > 1 && (task->is_out || dense)) {
        all[0] =
            (struct dl__axis){task->batch, task->stride_bytes,
                              task->is_out ? task->stride_out_bytes : task->stride_bytes};
        first = 1;
        task->matrix_bytes *= task->batch;
        task->batch = 1;
    }
    memcpy(all + first, task->axes.axes, count * sizeof *all);
    task->axes.count = 0;
    task->has_axes = true;
    axes_merge(&task->axes, all, first + count);
    if (!task->conjugate && !task->numbers.scales)
        innermost_take_in(&task->axes);
    task_reduce(task);
}

/* Checks the field `name`, the distance between lines of `extent` elements; if it is 0,
 * fills in the outer extent, or `extent` if that is 0, too. */
static enum dl_status line_make(const char *name, uint64_t extent, uint64_t outer,
                                uint64_t *leading, struct dl_transpose_error *error)
{
    if (*leading && outer && *leading != outer)
        return dl__fail(error, DL_EINVAL,
                        "%s is %llu, but the innermost of the outer extents is %llu: set "
                        "only one of them",
                        name, (unsigned long long)*leading, (unsigned long long)outer);
    if (*leading == 0)
        *leading = outer ? outer : extent;
    if (*leading < extent)
        return dl__fail(
            error, DL_EINVAL,
            "%s is %llu, less than the %llu elements of a line; 0 means dense", name,
            (unsigned long long)*leading, (unsigned long long)extent);
    return DL_OK;
}

static enum dl_status outer_check(const struct dl_transpose_problem *problem,
                                  struct dl_transpose_error *error)
{
    for (unsigned a = 0; a < problem->axis_count; a++) {
        const uint64_t sizes[2] = {problem->extents[a],
                                   problem->extents[problem->permutation[a]]};
        const uint64_t outer[2] = {problem->outer[a], problem->outer_out[a]};
        for (unsigned side = 0; side < 2; side++) {
            const char *name = side ? "outer_out" : "outer";
            if (outer[side] && problem->place != DL_TRANSPOSE_OUT_OF_PLACE)
                return dl__fail(error, DL_ENOTSUP,
                                "%s must be 0 in place: it is for out of place", name);
            if (outer[side] && outer[side] < sizes[side])
                return dl__fail(error, DL_EINVAL,
                                "%s[%u] is %llu, less than the %llu elements of the axis",
                                name, a, (unsigned long long)outer[side],
                                (unsigned long long)sizes[side]);
        }
    }
    return DL_OK;
}

static bool is_in_order(const struct array *array)
{
    for (unsigned d = 0; d < array->count; d++)
        if (array->order[d] != d)
            return false;
    return true;
}

/* In place, lines may lie apart only if the axes keep their order. */
static enum dl_status lines_in_place(const struct array *array, uint64_t line,
                                     uint64_t line_out, struct dl__task *task,
                                     struct dl_transpose_error *error)
{
    if (array->leading == line && array->leading_out == line_out)
        return DL_OK;
    if (!is_in_order(array))
        return dl__fail(error, DL_ENOTSUP,
                        "%s: in place, an array whose axes change places must be dense: "
                        "leave this 0, or transpose out of place",
                        array->leading != line ? "leading" : "leading_out");
    task->slides = true;
    task->cols = line;
    task->rows = task->matrix_bytes / task->element_bytes / line;
    task->leading = array->leading;
    task->leading_out = array->leading_out;
    return DL_OK;
}

static enum dl_status axes_task(const struct dl_transpose_problem *problem,
                                struct dl__task *task, uint64_t span[2],
                                struct dl_transpose_error *error)
{
    static const unsigned as_it_is[] = {0, 1, 2, 3, 4, 5, 6, 7};
    bool inverse = problem->direction == DL_TRANSPOSE_INVERSE;
    uint64_t from[DL_TRANSPOSE_AXES_MAX], to[DL_TRANSPOSE_AXES_MAX];
    struct array array;
    uint64_t line, line_out;
    unsigned last, last_out;
    enum dl_status st = fields_check(problem, error);

    if (st == DL_OK)
        st = outer_check(problem, error);
    if (st != DL_OK)
        return st;
    array = array_make(problem);
    task->matrix_bytes = task->element_bytes;
    for (unsigned a = 0; a < array.count; a++) {
        task->is_empty = task->is_empty || array.extents[a] == 0;
        if (array.extents[a] > 0 &&
            (__builtin_mul_overflow(task->matrix_bytes, array.extents[a],
                                    &task->matrix_bytes) ||
             task->matrix_bytes >= BYTES_MAX))
            return dl__fail(
                error, DL_EOVERFLOW,
                "extents: an array of these and of elements of %u bytes exceeds "
                "2^63 bytes",
                problem->element_bytes);
    }
    if (task->is_empty)
        return DL_OK;
    last = array.count - 1;
    last_out = array.order[last];
    line = array.extents[last];
    line_out = array.extents[last_out];
    st = line_make(inverse ? "leading_out" : "leading", line, array.outer[last],
                   &array.leading, error);
    if (st == DL_OK)
        st = line_make(inverse ? "leading" : "leading_out", line_out,
                       array.outer_out[last_out], &array.leading_out, error);
    if (st == DL_OK && problem->place != DL_TRANSPOSE_OUT_OF_PLACE)
        st = lines_in_place(&array, line, line_out, task, error);
    if (st != DL_OK)
        return st;
    if (!distances_make(&array, as_it_is, array.outer, array.leading, from, &span[0]) ||
        !distances_make(&array, array.order, array.outer_out, array.leading_out, to,
                        &span[1]))
        return dl__fail(error, DL_EOVERFLOW,
                        "the leading distances spread it over 2^63 elements or more");
    task->axes.count = array.count;
    task->axes.element_bytes = task->element_bytes;
    for (unsigned a = 0; a < array.count; a++)
        task->axes.axes[a] = (struct dl__axis){
            array.extents[a], from[a] * task->element_bytes, to[a] * task->element_bytes};
    return DL_OK;
}

/* ---- numbers ---- */

/* Bytes of a number of each kind, and of its parts. */
static const uint8_t sizes[][2] = {
    [DL_TRANSPOSE_HALF] = {2, 2},          [DL_TRANSPOSE_FLOAT] = {4, 4},
    [DL_TRANSPOSE_DOUBLE] = {8, 8},        [DL_TRANSPOSE_COMPLEX_HALF] = {4, 2},
    [DL_TRANSPOSE_COMPLEX_FLOAT] = {8, 4}, [DL_TRANSPOSE_COMPLEX_DOUBLE] = {16, 8}};

static enum dl_status numbers_check(const struct dl_transpose_problem *problem,
                                    struct dl_transpose_error *error)
{
    unsigned number = (unsigned)problem->number;

    if (number > DL_TRANSPOSE_COMPLEX_DOUBLE)
        return dl__fail(error, DL_EINVAL,
                        "number is %u, not a value of enum dl_transpose_number", number);
    if (problem->scale && number == DL_TRANSPOSE_BYTES)
        return dl__fail(error, DL_EINVAL,
                        "scale is 1: number must say the type of the elements");
    if (number != DL_TRANSPOSE_BYTES && problem->element_bytes != sizes[number][0])
        return dl__fail(error, DL_EINVAL,
                        "number is of a type of %u bytes, but element_bytes is %u",
                        sizes[number][0], problem->element_bytes);
    if (problem->conjugate && number != DL_TRANSPOSE_BYTES &&
        number < DL_TRANSPOSE_COMPLEX_HALF)
        return dl__fail(error, DL_EINVAL, "conjugate is 1, but number is of a real type");
    if (problem->scale && problem->place == DL_TRANSPOSE_IN_PLACE &&
        (problem->beta[0] != 0 || problem->beta[1] != 0))
        return dl__fail(error, DL_EINVAL,
                        "beta must be 0 in place: it is for out of place");
    return DL_OK;
}

void dl__number_bits(uint32_t real_bytes, const double number[2], uint64_t out[2])
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

static enum dl_status numbers_make(const struct dl_transpose_problem *problem,
                                   struct dl__numbers *out,
                                   struct dl_transpose_error *error)
{
    enum dl_status st = numbers_check(problem, error);

    if (st != DL_OK)
        return st;
    *out = (struct dl__numbers){.scales = problem->scale,
                                .conjugates = problem->conjugate,
                                .bytes = problem->element_bytes,
                                .real_bytes = problem->number == DL_TRANSPOSE_BYTES
                                                  ? problem->element_bytes / 2
                                                  : sizes[problem->number][1]};
    dl__number_bits(out->real_bytes, problem->alpha, out->alpha);
    dl__number_bits(out->real_bytes, problem->beta, out->beta);
    return DL_OK;
}

/* ---- matrices ---- */

/* A copy up to this size is small beside a device's memory. */
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
        if (!multiply(bytes, batch, &all) || all > WHOLE_BYTES)
            return bytes / 16 > WHOLE_BYTES ? bytes / 16 : WHOLE_BYTES;
        return all;
    }
}

/* Counts the elements from the first to the last of a matrix. False: 2^63 or more. */
static bool span_of(uint64_t rows, uint64_t cols, uint64_t leading, uint64_t *out)
{
    return multiply(rows - 1, leading, out) && !__builtin_add_overflow(*out, cols, out) &&
           *out < BYTES_MAX;
}

static enum dl_status out_check(const struct dl_transpose_problem *problem,
                                struct dl_transpose_error *error)
{
    uint32_t bytes = problem->element_bytes;

    if (problem->conjugate && bytes != 4 && bytes != 8 && bytes != 16)
        return dl__fail(
            error, DL_EINVAL,
            "conjugate is 1, but element_bytes is %u: complex numbers have 4, "
            "8 or 16 bytes",
            bytes);
    if (problem->place == DL_TRANSPOSE_OUT_OF_PLACE)
        return DL_OK;
    if (problem->batch_stride_out || problem->offset_out_bytes ||
        problem->buffer_out_bytes)
        return dl__fail(error, DL_EINVAL, "%s must be 0 in place: it is for out of place",
                        problem->batch_stride_out   ? "batch_stride_out"
                        : problem->offset_out_bytes ? "offset_out_bytes"
                                                    : "buffer_out_bytes");
    return DL_OK;
}

/* Checks what does not depend on sizes. */
static enum dl_status problem_check(const struct dl_transpose_problem *problem,
                                    struct dl_transpose_error *error)
{
    const struct {
        const char *name;
        unsigned value, last;
    } choices[] = {{"order", (unsigned)problem->order, DL_TRANSPOSE_COL_MAJOR},
                   {"direction", (unsigned)problem->direction, DL_TRANSPOSE_INVERSE},
                   {"place", (unsigned)problem->place, DL_TRANSPOSE_OUT_OF_PLACE},
                   {"cap", (unsigned)problem->cap, DL_TRANSPOSE_CAP_6}},
      flags[] = {{"keep_between", problem->keep_between},
                 {"conjugate", problem->conjugate},
                 {"scale", problem->scale}};

    if (problem->element_bytes == 0)
        return dl__fail(error, DL_EINVAL, "element_bytes is 0");
    if (problem->reserved_axes != 0 || problem->reserved_scale != 0)
        return dl__fail(error, DL_ENOTSUP,
                        "%s is not 0: this version of the library has no use for it",
                        problem->reserved_axes ? "reserved_axes" : "reserved_scale");
    for (size_t f = 0; f < sizeof flags / sizeof *flags; f++)
        if (flags[f].value > 1)
            return dl__fail(error, DL_EINVAL, "%s is %u, neither 0 nor 1", flags[f].name,
                            flags[f].value);
    for (size_t c = 0; c < sizeof choices / sizeof *choices; c++)
        if (choices[c].value > choices[c].last)
            return dl__fail(error, DL_EINVAL,
                            "%s is %u, not a value of enum dl_transpose_%s",
                            choices[c].name, choices[c].value, choices[c].name);
    if (dl_transpose_algorithm_name(problem->algorithm)[0] == '?')
        return dl__fail(error, DL_EINVAL,
                        "algorithm is %u, not a value of enum dl_transpose_algorithm",
                        (unsigned)problem->algorithm);
    return out_check(problem, error);
}

/* Fills in the sides and the distances between rows; span: how many elements a matrix
 * covers before and after. */
static enum dl_status sides_make(const struct dl_transpose_problem *problem,
                                 struct dl__task *task, uint64_t span[2],
                                 struct dl_transpose_error *error)
{
    /* A column-major matrix is its transpose in row-major; the inverse swaps once more.
     */
    bool by_cols = problem->order == DL_TRANSPOSE_COL_MAJOR;
    bool inverse = problem->direction == DL_TRANSPOSE_INVERSE;
    uint64_t elements;
    enum dl_status st;

    task->is_empty = problem->rows == 0 || problem->cols == 0;
    if (task->is_empty)
        return DL_OK;
    task->rows = by_cols == inverse ? problem->rows : problem->cols;
    task->cols = by_cols == inverse ? problem->cols : problem->rows;
    if (!multiply(task->rows, task->cols, &elements) ||
        !multiply(elements, task->element_bytes, &task->matrix_bytes))
        return dl__fail(error, DL_EOVERFLOW,
                        "%llu x %llu elements of %u bytes exceed 2^63 bytes",
                        (unsigned long long)problem->rows,
                        (unsigned long long)problem->cols, problem->element_bytes);
    task->leading = inverse ? problem->leading_out : problem->leading;
    task->leading_out = inverse ? problem->leading : problem->leading_out;
    st = line_make(inverse ? "leading_out" : "leading", task->cols, 0, &task->leading,
                   error);
    if (st == DL_OK)
        st = line_make(inverse ? "leading" : "leading_out", task->rows, 0,
                       &task->leading_out, error);
    if (st != DL_OK)
        return st;
    if (!span_of(task->rows, task->cols, task->leading, &span[0]) ||
        !span_of(task->cols, task->rows, task->leading_out, &span[1]))
        return dl__fail(error, DL_EOVERFLOW,
                        "the leading distances spread it over 2^63 elements or more");
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
                        "%s is %llu, less than the %llu elements from the first to the "
                        "last of a %s",
                        batch.stride_name, (unsigned long long)stride,
                        (unsigned long long)batch.span, batch.matrix);
    if (!multiply(stride, task->element_bytes, stride_bytes) ||
        !multiply(*stride_bytes, task->batch - 1, &end) ||
        !multiply(batch.span, task->element_bytes, &bytes) ||
        __builtin_add_overflow(end, bytes, &end) ||
        __builtin_add_overflow(end, batch.offset_bytes, &end) || end >= BYTES_MAX)
        return dl__fail(error, DL_EOVERFLOW, "the last %s ends beyond 2^63 bytes",
                        batch.matrix);
    if (batch.buffer_bytes && end > batch.buffer_bytes)
        return dl__fail(error, DL_EINVAL,
                        "the last %s ends at byte %llu, but its buffer has only %llu",
                        batch.matrix, (unsigned long long)end,
                        (unsigned long long)batch.buffer_bytes);
    if (batch.offset_bytes % task->unit_bytes != 0)
        return dl__fail(error, DL_EINVAL, "%s is %llu, not a multiple of %llu",
                        batch.offset_name, (unsigned long long)batch.offset_bytes,
                        (unsigned long long)task->unit_bytes);
    *end_bytes = end;
    return DL_OK;
}

/* In place, a matrix covers the larger of its spans before and after. */
static enum dl_status batches_make(const struct dl_transpose_problem *problem,
                                   struct dl__task *task, const uint64_t span[2],
                                   struct dl_transpose_error *error)
{
    struct batch from = {.matrix = "matrix",
                         .stride_name = "batch_stride",
                         .offset_name = "offset_bytes",
                         .stride = problem->batch_stride,
                         .span = task->is_out || span[0] > span[1] ? span[0] : span[1],
                         .offset_bytes = problem->offset_bytes,
                         .buffer_bytes = problem->buffer_bytes};
    const bool has_stride = problem->batch_stride_out;
    struct batch to = {.matrix = "target",
                       .stride_name = has_stride ? "batch_stride_out" : "batch_stride",
                       .offset_name = "offset_out_bytes",
                       .stride =
                           has_stride ? problem->batch_stride_out : problem->batch_stride,
                       .span = span[1],
                       .offset_bytes = problem->offset_out_bytes,
                       .buffer_bytes = problem->buffer_out_bytes};
    enum dl_status st =
        batch_make(task, from, &task->stride_bytes, &task->end_bytes, error);

    if (st == DL_OK && task->is_out)
        st = batch_make(task, to, &task->stride_out_bytes, &task->end_out_bytes, error);
    return st;
}

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

enum dl_status dl__task_make(const struct dl_transpose *transpose,
                             const struct dl_transpose_problem *problem,
                             struct dl__task *out, struct dl_transpose_error *error)
{
    struct dl__task task = {.transpose = transpose,
                            .element_bytes = problem->element_bytes,
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
        st = problem->axis_count ? axes_task(problem, &task, span, error)
                                 : sides_make(problem, &task, span, error);
    if (st == DL_OK)
        st = numbers_make(problem, &task.numbers, error);
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
