/* SPDX-License-Identifier: MIT */
/* Out of place: a tile after the other from the source to the target, all matrices of the
 * batch in one launch. */
#include "transpose/internal.h"

#include <float.h>
#include <stdio.h>

extern const char dl_out_cl[], dl_out_units_cl[], dl_tiles_cl[], dl_out_side_cl[];
static const struct dl__kernel_source source = {{dl_shape_cl, dl_tiles_cl, dl_out_cl}};
static const struct dl__kernel_source units_source = {
    {dl_shape_cl, dl_units_cl, dl_out_side_cl, dl_out_units_cl}};

static bool tiling_of(const struct dl_transpose *transpose, const struct dl__task *task,
                      struct dl__tiling *out)
{
    uint64_t elements = task->leading | task->leading_out | task->rows | task->cols;
    uint64_t aligned =
        task->offset_bytes | task->offset_out_bytes | elements * task->element_bytes;

    if (task->batch > 1)
        aligned |= task->stride_bytes | task->stride_out_bytes;
    return dl__tiling_choose(transpose, "out", task->element_bytes, aligned, out);
}

static bool out_applies(const struct dl_transpose *transpose, const struct dl__task *task)
{
    struct dl__tiling tiling;

    return tiling_of(transpose, task, &tiling);
}

static double out_cost(const struct dl_transpose *transpose, const struct dl__task *task,
                       enum tile_order order)
{
    struct dl__tiling tiling;

    if (!tiling_of(transpose, task, &tiling))
        return DBL_MAX;
    return (order == TILES_BANDS ? tiling.costs.out_banded : tiling.costs.out_plain) *
           dl__tiles_waste(task->rows, task->cols, &tiling) * (double)task->matrix_bytes;
}

enum dl_status dl__out_launch_add(struct dl_transpose_plan *plan,
                                  const struct dl__task *task, const char *name,
                                  cl_kernel kernel, struct out_shape shape,
                                  struct dl__out_tile tile,
                                  struct dl_transpose_error *error)
{
    uint64_t batch = task->batch;
    uint64_t down = dl__divide_up(task->rows + tile.more, tile.rows),
             across = dl__divide_up(task->cols, tile.cols);
    struct dl__run *run;

    if (down > DL__GROUPS_MAX / across || batch > DL__GROUPS_MAX / (down * across))
        return dl__fail(error, DL_ENOTSUP, "%s: more than 2^31 tiles",
                        dl_transpose_algorithm_name(plan->info.algorithm));
    shape.rows = task->rows;
    shape.cols = task->cols;
    shape.leading = task->leading;
    shape.leading_out = task->leading_out;
    shape.stride_bytes = task->stride_bytes;
    shape.stride_out_bytes = task->stride_out_bytes;
    shape.base_out_bytes = task->offset_out_bytes;
    shape.tiles_down = (uint32_t)down;
    shape.tiles_across = (uint32_t)across;
    run = dl__run_add(plan, name, kernel, &shape, sizeof shape);
    run->local[0] = tile.group;
    run->global[0] = down * across * batch * tile.group;
    plan->batch_at_once = true;
    plan->info.passes = 1;
    plan->info.tile_rows = tile.rows;
    plan->info.tile_cols = tile.cols;
    return DL_OK;
}

static enum dl_status tiles_add(struct dl_transpose_plan *plan,
                                const struct dl__task *task, enum tile_order order,
                                struct dl_transpose_error *error)
{
    const char *name = dl_transpose_algorithm_name(plan->info.algorithm);
    struct dl__tiling tiling;
    cl_kernel kernel;
    enum dl_status st;

    if (!tiling_of(plan->transpose, task, &tiling))
        return dl__fail(error, DL_ENOTSUP, "%s: elements of %llu bytes", name,
                        (unsigned long long)task->element_bytes);
    st = dl__tiling_kernel(plan->transpose, &source, &tiling, task->element_bytes,
                           task->conjugate, "dl_out", &kernel, error);
    if (st != DL_OK)
        return st;
    snprintf(plan->why, sizeof plan->why,
             "tiles of %u x %u out of place, %u elements read as one", tiling.side,
             tiling.side, tiling.vector);
    return dl__out_launch_add(
        plan, task, "dl_out", kernel,
        (struct out_shape){.width = tiling.width, .order = order},
        (struct dl__out_tile){tiling.side, tiling.side, 0, tiling.group}, error);
}

static double plain_cost(const struct dl_transpose *transpose,
                         const struct dl__task *task)
{
    return out_cost(transpose, task, TILES_ROWS);
}

static enum dl_status plain_plan(struct dl_transpose_plan *plan,
                                 struct dl_transpose_error *error)
{
    return tiles_add(plan, &plan->task, TILES_ROWS, error);
}

static double banded_cost(const struct dl_transpose *transpose,
                          const struct dl__task *task)
{
    return out_cost(transpose, task, TILES_BANDS);
}

static enum dl_status banded_plan(struct dl_transpose_plan *plan,
                                  struct dl_transpose_error *error)
{
    return tiles_add(plan, &plan->task, TILES_BANDS, error);
}

/* ---- elements of any size ---- */

static double units_cost(const struct dl_transpose *transpose,
                         const struct dl__task *task)
{
    return transpose->tuning.out_units_pass * dl__units_short(task->unit_bytes) *
           (double)task->matrix_bytes;
}

static enum dl_status units_add(struct dl_transpose_plan *plan,
                                const struct dl__task *task,
                                struct dl_transpose_error *error)
{
    size_t group = dl__group_items(plan->transpose, plan->transpose->tuning.group);
    uint64_t unit = task->unit_bytes;
    unsigned side = dl__units_side(task->element_bytes);
    cl_ulong units = task->element_bytes / unit;
    char knobs[200];
    cl_kernel kernel;
    enum dl_status st;

    if (task->conjugate)
        return dl__fail(error, DL_ENOTSUP, "out-units does not conjugate");
    snprintf(knobs, sizeof knobs,
             "#define UNIT_BYTES %u\n#define SIDE %uu\n#define GROUP %zuu\n"
             "#define UNITS %lluul\n",
             (unsigned)unit, side, group, (unsigned long long)units);
    st = dl__kernel_get(plan->transpose, &units_source, knobs, "dl_out_units", &kernel,
                        error);
    if (st != DL_OK)
        return st;
    st = dl__out_launch_add(plan, task, "dl_out_units", kernel,
                            (struct out_shape){.width = 1, .order = TILES_ROWS},
                            (struct dl__out_tile){side, side, 0, (unsigned)group}, error);
    snprintf(plan->why, sizeof plan->why,
             "units of %u bytes out of place, %llu to an element", (unsigned)unit,
             (unsigned long long)units);
    return st;
}

static enum dl_status units_plan(struct dl_transpose_plan *plan,
                                 struct dl_transpose_error *error)
{
    return units_add(plan, &plan->task, error);
}

/* ---- as a part of others ---- */

/* Whatever the sides. */
static double square_tiles_cost(const struct dl_transpose *transpose,
                                const struct dl__task *task)
{
    double plain = plain_cost(transpose, task), banded = banded_cost(transpose, task);
    double lines = dl__out_lines_cost(transpose, task);

    if (!out_applies(transpose, task))
        return units_cost(transpose, task);
    if (dl__transpose_OUT_BLOCKS.applies(transpose, task))
        return dl__transpose_OUT_BLOCKS.cost(transpose, task);
    if (banded < plain)
        plain = banded;
    return lines < plain ? lines : plain;
}

double dl__out_cost(const struct dl_transpose *transpose, const struct dl__task *task)
{
    double square = square_tiles_cost(transpose, task);
    double sides = dl__out_sides_cost(transpose, task);

    return sides < square ? sides : square;
}

enum dl_status dl__out_add(struct dl_transpose_plan *plan, const struct dl__task *task,
                           struct dl_transpose_error *error)
{
    double plain = plain_cost(plan->transpose, task);

    if (dl__out_sides_cost(plan->transpose, task) <
        square_tiles_cost(plan->transpose, task))
        return dl__out_sides_add(plan, task, error);
    if (!out_applies(plan->transpose, task))
        return units_add(plan, task, error);
    if (dl__transpose_OUT_BLOCKS.applies(plan->transpose, task))
        return dl__blocks_add(plan, task, error);
    if (dl__out_lines_cost(plan->transpose, task) ==
        square_tiles_cost(plan->transpose, task))
        return dl__out_lines_add(plan, task, error);
    return tiles_add(
        plan, task,
        plain <= banded_cost(plan->transpose, task) ? TILES_ROWS : TILES_BANDS, error);
}

#define OUT_ROW(name, order, applies, prefix)                                            \
    DL_TRANSPOSE_ROW(name) = {order,         applies,        prefix##_cost,              \
                              prefix##_plan, .is_out = true, .keeps_apart = true}
OUT_ROW(OUT, 2, out_applies, plain);
OUT_ROW(OUT_BANDED, 2, out_applies, banded);
OUT_ROW(OUT_UNITS, 3, dl__applies_always, units);
