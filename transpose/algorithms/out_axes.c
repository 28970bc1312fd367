/* SPDX-License-Identifier: MIT */
/* Out of place: arrays whose axes are permuted, in one launch. */
#include "transpose/internal.h"

#include <float.h>
#include <stdio.h>

extern const char dl_out_axes_cl[], dl_out_axes_units_cl[], dl_tiles_cl[],
    dl_out_side_cl[];
static const struct dl__kernel_source source = {
    {dl_shape_cl, dl_tiles_cl, dl_out_axes_cl}};
static const struct dl__kernel_source units_source = {
    {dl_shape_cl, dl_units_cl, dl_out_side_cl, dl_out_axes_units_cl}};

/* Longer elements are whole lines, whichever way they go. */
enum { LONG_BYTES = 128, PIECE_UNITS = 1024 };

/* The axes that are innermost in the source and in the target, or the count where there
 * is none left. */
struct inner {
    unsigned cols, rows;
};

static struct inner inner_of(const struct dl__axes *axes)
{
    struct inner inner = {axes->count, axes->count};

    if (axes->count == 0)
        return inner;
    inner.cols = axes->count - 1;
    inner.rows = 0;
    for (unsigned a = 1; a < axes->count; a++)
        if (axes->axes[a].to_bytes <= axes->axes[inner.rows].to_bytes)
            inner.rows = a;
    if (inner.rows == inner.cols)
        inner.rows = axes->count;
    return inner;
}

/* All distances and places, and the extents of the tiles' sides, in bytes, combined by
 * OR. */
static uint64_t aligned_of(const struct dl__task *task, bool with_sides)
{
    const struct dl__axes *axes = &task->axes;
    struct inner inner = inner_of(axes);
    uint64_t aligned = task->offset_bytes | task->offset_out_bytes;

    for (unsigned a = 0; a < axes->count; a++) {
        const struct dl__axis *axis = &axes->axes[a];
        if (a != inner.cols || axis->from_bytes != axes->element_bytes || !with_sides)
            aligned |= axis->from_bytes;
        if (a != inner.rows || axis->to_bytes != axes->element_bytes || !with_sides)
            aligned |= axis->to_bytes;
        if ((a == inner.cols || a == inner.rows) && with_sides)
            aligned |= axis->extent * axes->element_bytes;
    }
    return aligned;
}

/* False: it takes units. */
static bool tiling_of(const struct dl_transpose *transpose, const struct dl__task *task,
                      struct dl__tiling *out)
{
    const struct dl__axes *axes = &task->axes;
    struct inner inner = inner_of(axes);

    return inner.rows < axes->count &&
           axes->axes[inner.cols].from_bytes == axes->element_bytes &&
           axes->axes[inner.rows].to_bytes == axes->element_bytes &&
           dl__tiling_choose(transpose, "out", axes->element_bytes,
                             aligned_of(task, true), out);
}

/* All but the tiles; distances in units. */
static struct axes_shape shape_make(const struct dl__task *task, uint64_t unit_bytes)
{
    const struct dl__axes *axes = &task->axes;
    struct inner inner = inner_of(axes);
    struct axes_shape shape = {.base_out_bytes = task->offset_out_bytes,
                               .units = axes->element_bytes / unit_bytes,
                               .rows = 1,
                               .cols = 1,
                               .order = TILES_ROWS,
                               .width = 1};

    for (unsigned a = 0; a < axes->count; a++) {
        const struct dl__axis *axis = &axes->axes[a];
        uint64_t from = axis->from_bytes / unit_bytes, to = axis->to_bytes / unit_bytes;
        if (a == inner.cols) {
            shape.cols = axis->extent;
            shape.col_from = from;
            shape.col_to = to;
        } else if (a == inner.rows) {
            shape.rows = axis->extent;
            shape.row_from = from;
            shape.row_to = to;
        } else {
            shape.extents[shape.others] = (uint32_t)axis->extent;
            shape.from[shape.others] = from;
            shape.to[shape.others++] = to;
        }
    }
    return shape;
}

/* What is one element in all, an array that stays as it is, goes in pieces. */
static void pieces_make(struct axes_shape *shape)
{
    uint64_t units = shape->units;

    if (units <= PIECE_UNITS)
        return;
    shape->units = shape->col_from = shape->col_to = PIECE_UNITS;
    shape->cols = dl__divide_up(units, PIECE_UNITS);
    shape->tail = (uint32_t)(units % PIECE_UNITS);
}

/* Puts the others on a grid whose two sides are as near to one another as wastes one
 * place at most. */
static uint32_t grid_of(const struct axes_shape *shape)
{
    uint64_t others = 1, down = 1, across;

    for (uint32_t o = 0; o < shape->others; o++)
        others *= shape->extents[o];
    while ((down + 1) * (down + 1) <= others)
        down++;
    for (;; down--) {
        across = dl__divide_up(others, down);
        if (down * across - others <= 1)
            return (uint32_t)across;
    }
}

static enum dl_status launch_add(struct dl_transpose_plan *plan,
                                 const struct dl__task *task, const char *name,
                                 cl_kernel kernel, struct axes_shape shape, unsigned side,
                                 unsigned group, bool on_grid,
                                 struct dl_transpose_error *error)
{
    uint64_t down = dl__divide_up(shape.rows, side);
    uint64_t across = dl__divide_up(shape.cols, side), groups = down, others = 1;
    struct dl__run *run;
    bool fits = !__builtin_mul_overflow(groups, across, &groups);

    for (unsigned a = 0; a < task->axes.count; a++) {
        struct inner inner = inner_of(&task->axes);
        if (a != inner.rows && a != inner.cols)
            fits = fits &&
                   !__builtin_mul_overflow(others, task->axes.axes[a].extent, &others);
    }
    if (!fits || __builtin_mul_overflow(groups, others, &groups) ||
        groups > DL__GROUPS_MAX)
        return dl__fail(error, DL_ENOTSUP, "%s: more than 2^31 tiles",
                        dl_transpose_algorithm_name(plan->info.algorithm));
    shape.tiles_down = (uint32_t)down;
    shape.tiles_across = (uint32_t)across;
    shape.grid = on_grid ? grid_of(&shape) : 0;
    run = dl__run_add(plan, name, kernel, &shape, sizeof shape);
    run->local[0] = group;
    run->global[0] = groups * group;
    if (on_grid) {
        run->global[0] = shape.grid * across * group;
        run->global[1] = dl__divide_up(others, shape.grid) * down;
    }
    plan->info.passes = 1;
    plan->info.tile_rows = plan->info.tile_cols = side;
    return DL_OK;
}

static enum dl_status tiles_add(struct dl_transpose_plan *plan,
                                const struct dl__task *task,
                                const struct dl__tiling *tiling, bool on_grid,
                                struct dl_transpose_error *error)
{
    cl_kernel kernel;
    enum dl_status st =
        dl__tiling_kernel(plan->transpose, &source, tiling, task->axes.element_bytes,
                          task->conjugate, "dl_out_axes", &kernel, error);

    if (st != DL_OK)
        return st;
    snprintf(plan->why, sizeof plan->why,
             "%u axes by tiles of %u x %u out of place, %u elements read as one",
             task->axes.count, tiling->side, tiling->side, tiling->vector);
    return launch_add(plan, task, "dl_out_axes", kernel,
                      shape_make(task, task->axes.element_bytes), tiling->side,
                      tiling->group, on_grid, error);
}

static enum dl_status units_add(struct dl_transpose_plan *plan,
                                const struct dl__task *task,
                                struct dl_transpose_error *error)
{
    uint64_t bytes = task->axes.element_bytes;
    uint64_t unit = dl__power_of_two_in(aligned_of(task, false) | bytes, 16);
    size_t group = dl__group_items(plan->transpose, plan->transpose->tuning.group);
    unsigned side = dl__units_side(bytes);
    struct axes_shape shape = shape_make(task, unit);
    char knobs[200];
    cl_kernel kernel;
    enum dl_status st;

    if (task->axes.count == 0 && side == 1)
        pieces_make(&shape);
    if (task->conjugate && unit != bytes)
        return dl__fail(error, DL_ENOTSUP, "conjugate: elements are not aligned");
    snprintf(knobs, sizeof knobs,
             "#define UNIT_BYTES %u\n#define SIDE %uu\n#define GROUP %zuu\n"
             "#define CONJUGATE %d\n#define UNITS %lluul\n",
             (unsigned)unit, side, group, task->conjugate,
             (unsigned long long)shape.units);
    st = dl__kernel_get(plan->transpose, &units_source, knobs, "dl_out_axes_units",
                        &kernel, error);
    if (st != DL_OK)
        return st;
    snprintf(plan->why, sizeof plan->why,
             "%u axes by units of %u bytes out of place, %llu to an element",
             task->axes.count, (unsigned)unit, (unsigned long long)(bytes / unit));
    return launch_add(plan, task, "dl_out_axes_units", kernel, shape, side,
                      (unsigned)group, false, error);
}

/* By tiles of two axes, or units. */
static double tiles_cost(const struct dl_transpose *transpose,
                         const struct dl__task *task)
{
    const struct dl__axes *axes = &task->axes;
    struct inner inner = inner_of(axes);
    struct dl__tiling tiling;
    double pass = transpose->tuning.out_units_pass;

    if (tiling_of(transpose, task, &tiling))
        pass = tiling.costs.out_plain * dl__tiles_waste(axes->axes[inner.rows].extent,
                                                        axes->axes[inner.cols].extent,
                                                        &tiling);
    else if (axes->element_bytes >= LONG_BYTES)
        pass = transpose->tuning.out_runs_pass;
    return pass * (double)task->matrix_bytes;
}

double dl__out_axes_cost(const struct dl_transpose *transpose,
                         const struct dl__task *task)
{
    double sides = dl__out_sides_cost(transpose, task), tiles = DBL_MAX;

    if (task->is_array)
        tiles = tiles_cost(transpose, task);
    return sides < tiles ? sides : tiles;
}

enum dl_status dl__out_axes_add(struct dl_transpose_plan *plan,
                                const struct dl__task *task, bool on_grid,
                                struct dl_transpose_error *error)
{
    struct dl__tiling tiling;

    if (!on_grid && (!task->has_axes || dl__out_sides_cost(plan->transpose, task) <
                                            tiles_cost(plan->transpose, task)))
        return dl__out_sides_add(plan, task, error);
    if (tiling_of(plan->transpose, task, &tiling))
        return tiles_add(plan, task, &tiling, on_grid, error);
    if (on_grid)
        return dl__fail(error, DL_ENOTSUP,
                        "out-axes-grid: the innermost axis stays, or elements of %llu "
                        "bytes",
                        (unsigned long long)task->axes.element_bytes);
    return units_add(plan, task, error);
}

static enum dl_status axes_plan(struct dl_transpose_plan *plan, bool on_grid,
                                struct dl_transpose_error *error)
{
    plan->batch_at_once = true;
    return dl__out_axes_add(plan, &plan->task, on_grid, error);
}

static bool axes_applies(const struct dl_transpose *transpose,
                         const struct dl__task *task)
{
    return dl__out_axes_cost(transpose, task) < DBL_MAX;
}

static enum dl_status line_plan(struct dl_transpose_plan *plan,
                                struct dl_transpose_error *error)
{
    if (!plan->task.has_axes && !axes_applies(plan->transpose, &plan->task))
        return dl__fail(error, DL_ENOTSUP,
                        "out-axes is for arrays of axes and batches of small matrices");
    return axes_plan(plan, false, error);
}

static enum dl_status grid_plan(struct dl_transpose_plan *plan,
                                struct dl_transpose_error *error)
{
    if (!plan->task.has_axes)
        return dl__fail(error, DL_ENOTSUP, "out-axes-grid is for arrays of axes");
    return axes_plan(plan, true, error);
}

DL_TRANSPOSE_ROW(OUT_AXES) = {2,
                              axes_applies,
                              dl__out_axes_cost,
                              line_plan,
                              .is_out = true,
                              .keeps_apart = true,
                              .takes_axes = true};
DL_TRANSPOSE_ROW(OUT_AXES_GRID) = {13,
                                   dl__applies_named,
                                   dl__cost_nothing,
                                   grid_plan,
                                   .is_out = true,
                                   .keeps_apart = true,
                                   .takes_axes = true};
