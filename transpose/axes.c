/* SPDX-License-Identifier: MIT */
/* Arrays of several axes, checked and reduced: a permutation that is a batch of
 * transpositions becomes a task of matrices, for which there are the other algorithms;
 * all else stays axes. */
#include "internal.h"

#include <string.h>

#define BYTES_MAX (UINT64_C(1) << 63)

/* The array as it lies there, row-major; the result's axis d is its axis order[d]. */
struct array {
    unsigned count;
    uint64_t extents[DL_TRANSPOSE_AXES_MAX];
    unsigned order[DL_TRANSPOSE_AXES_MAX];
    uint64_t leading, leading_out;
    uint64_t outer[DL_TRANSPOSE_AXES_MAX],
        outer_out[DL_TRANSPOSE_AXES_MAX]; /* by axis of
                                           * the source */
};

/* ---- checks ---- */

static enum dl_status fields_check(const struct dl_transpose_problem *problem,
                                   struct dl_transpose_error *error)
{
    unsigned count = problem->axis_count;
    unsigned seen = 0;

    if (count > DL_TRANSPOSE_AXES_MAX)
        return dl__fail(error, DL_EINVAL, "axis_count is %u, more than %d", count,
                        DL_TRANSPOSE_AXES_MAX);
    if (problem->rows || problem->cols)
        return dl__fail(error, DL_EINVAL,
                        "rows and cols are for matrices, and axis_count is %u", count);
    for (unsigned a = 0; a < count; a++) {
        if (problem->permutation[a] >= count)
            return dl__fail(error, DL_EINVAL,
                            "permutation[%u] is %u, and there are %u axes", a,
                            problem->permutation[a], count);
        if (seen & 1u << problem->permutation[a])
            return dl__fail(error, DL_EINVAL,
                            "permutation has axis %u twice and is none therefore",
                            problem->permutation[a]);
        seen |= 1u << problem->permutation[a];
    }
    return DL_OK;
}

/* Turns column-major about, and takes the inverse. */
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

/* Distances of the axes in `order`, in an array of those extents, or where they are 0 the
 * axes' own, lines `leading` elements apart; and what all spans, in elements. False: past
 * 2^63. */
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

/* ---- reduction ---- */

/* Of neighbours in the source that are neighbours in the target, one; what has one
 * element is gone. */
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

void dl__axes_order(const struct dl__axes *axes, unsigned *order)
{
    for (unsigned a = 0; a < axes->count; a++) {
        unsigned at = a;
        for (; at > 0 && axes->axes[order[at - 1]].to_bytes < axes->axes[a].to_bytes;
             at--)
            order[at] = order[at - 1];
        order[at] = a;
    }
}

/* Whether these two axes are a matrix's rows and columns, which change places. */
static bool is_matrix(const struct dl__axis *axis, uint64_t element_bytes)
{
    return axis[1].from_bytes == element_bytes && axis[0].to_bytes == element_bytes &&
           axis[0].from_bytes % element_bytes == 0 &&
           axis[1].to_bytes % element_bytes == 0;
}

/* As far as axes are matrices, they are no more than that. */
static void task_reduce(struct dl__task *task)
{
    struct dl__axes *axes = &task->axes;
    const struct dl__axis *core = axes->axes + (axes->count == 3);
    uint64_t all = task->offset_bytes | axes->element_bytes;

    if (task->is_out)
        all |= task->offset_out_bytes;
    for (unsigned a = 0; a < axes->count; a++)
        all |= axes->axes[a].from_bytes | axes->axes[a].to_bytes;
    if (task->batch > 1)
        all |= task->stride_bytes | task->stride_out_bytes;
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

    /* The batch is one more axis; in place where it is dense, else matrix comes after
     * matrix. */
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

/* ---- the task ---- */

/* The distance between lines on one side, as the problem has it. */
struct line {
    const char *name; /* of the field */
    uint64_t extent, leading, outer;
};

static enum dl_status line_make(const struct line *line, uint64_t *leading,
                                struct dl_transpose_error *error)
{
    if (line->leading && line->outer && line->leading != line->outer)
        return dl__fail(error, DL_EINVAL,
                        "%s is %llu, and the innermost of the outer extents is %llu",
                        line->name, (unsigned long long)line->leading,
                        (unsigned long long)line->outer);
    *leading = line->leading ? line->leading : line->outer ? line->outer : line->extent;
    if (*leading < line->extent)
        return dl__fail(error, DL_EINVAL,
                        "%s: a leading distance of %llu is below the %llu elements it "
                        "leads over",
                        line->name, (unsigned long long)*leading,
                        (unsigned long long)line->extent);
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
                return dl__fail(error, DL_ENOTSUP, "%s is for out of place", name);
            if (outer[side] && outer[side] < sizes[side])
                return dl__fail(error, DL_EINVAL,
                                "%s[%u] is %llu, below the %llu elements of the axis",
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

/* In place, lines with distances between them: only where they stay in their order. */
static enum dl_status lines_in_place(const struct array *array, uint64_t line,
                                     uint64_t line_out, struct dl__task *task,
                                     struct dl_transpose_error *error)
{
    if (array->leading == line && array->leading_out == line_out)
        return DL_OK;
    if (!is_in_order(array))
        return dl__fail(error, DL_ENOTSUP,
                        "%s: in place, arrays whose axes change places have no distances "
                        "between lines",
                        array->leading != line ? "leading" : "leading_out");
    task->slides = true;
    task->cols = line;
    task->rows = task->matrix_bytes / task->element_bytes / line;
    task->leading = array->leading;
    task->leading_out = array->leading_out;
    return DL_OK;
}

enum dl_status dl__axes_task(const struct dl_transpose_problem *problem,
                             struct dl__task *task, uint64_t span[2],
                             struct dl_transpose_error *error)
{
    static const unsigned as_it_is[] = {0, 1, 2, 3, 4, 5, 6, 7};
    bool inverse = problem->direction == DL_TRANSPOSE_INVERSE;
    uint64_t from[DL_TRANSPOSE_AXES_MAX], to[DL_TRANSPOSE_AXES_MAX];
    struct line line, line_out;
    struct array array;
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
            return dl__fail(error, DL_EOVERFLOW,
                            "extents: the product with elements of %u bytes exceeds 2^63",
                            problem->element_bytes);
    }
    if (task->is_empty)
        return DL_OK;
    last = array.count - 1;
    last_out = array.order[last];
    line = (struct line){inverse ? "leading_out" : "leading", array.extents[last],
                         array.leading, array.outer[last]};
    line_out = (struct line){inverse ? "leading" : "leading_out", array.extents[last_out],
                             array.leading_out, array.outer_out[last_out]};
    st = line_make(&line, &array.leading, error);
    if (st == DL_OK)
        st = line_make(&line_out, &array.leading_out, error);
    if (st == DL_OK && problem->place != DL_TRANSPOSE_OUT_OF_PLACE)
        st = lines_in_place(&array, line.extent, line_out.extent, task, error);
    if (st != DL_OK)
        return st;
    if (!distances_make(&array, as_it_is, array.outer, array.leading, from, &span[0]) ||
        !distances_make(&array, array.order, array.outer_out, array.leading_out, to,
                        &span[1]))
        return dl__fail(error, DL_EOVERFLOW,
                        "the leading distance takes it past 2^63 elements");
    task->axes.count = array.count;
    task->axes.element_bytes = task->element_bytes;
    for (unsigned a = 0; a < array.count; a++)
        task->axes.axes[a] = (struct dl__axis){
            array.extents[a], from[a] * task->element_bytes, to[a] * task->element_bytes};
    return DL_OK;
}
