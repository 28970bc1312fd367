/* SPDX-License-Identifier: MIT */
/* Out of place: tiles from the source to the target, all matrices of the batch in one
 * launch. */
#include "algorithm.h"

#include <stdio.h>

extern const char dl_out_cl[], dl_out_units_cl[], dl_out_lines_cl[], dl_out_side_cl[],
    dl_padless_cl[], dl_blocks_cl[], dl_tiles_cl[], dl_columns_cl[];
static const struct dl__kernel_source source = {{dl_shape_cl, dl_tiles_cl, dl_out_cl}};
static const struct dl__kernel_source units_source = {
    {dl_shape_cl, dl_units_cl, dl_out_side_cl, dl_out_units_cl}};
static const struct dl__kernel_source lines_source = {
    {dl_shape_cl, dl_columns_cl, dl_out_lines_cl}};
static const struct dl__kernel_source padless_source = {
    {dl_shape_cl, dl_tiles_cl, dl_padless_cl}};
static const struct dl__kernel_source blocks_source = {{dl_shape_cl, dl_blocks_cl}};

/* ---- launches ---- */

/* A kernel and its tiles; more: rows beyond the matrix in which the last tiles begin. */
struct out_tile {
    const struct dl__kernel_source *source;
    const char *kernel;
    unsigned rows, cols, more, group;
    enum tile_order order;
    unsigned width;
};

static enum dl_status tiles_add(struct dl_transpose_plan *plan,
                                const struct out_tile *tile, const char *knobs)
{
    const struct dl__task *task = &plan->task;
    uint64_t down = dl__divide_up(task->rows + tile->more, tile->rows),
             across = dl__divide_up(task->cols, tile->cols);
    struct out_shape shape = {.width = tile->width,
                              .order = tile->order,
                              .rows = task->rows,
                              .cols = task->cols,
                              .leading = task->leading,
                              .leading_out = task->leading_out,
                              .stride_bytes = task->stride_bytes,
                              .stride_out_bytes = task->stride_out_bytes,
                              .base_out_bytes = task->offset_out_bytes,
                              .tiles_down = (uint32_t)down,
                              .tiles_across = (uint32_t)across};

    if (down > DL__GROUPS_MAX / across || task->batch > DL__GROUPS_MAX / (down * across))
        return dl__decline(plan, "it has more than 2^31 tiles");
    plan->batch_at_once = true;
    return dl__launch_add(plan,
                          DL__LAUNCH(tile->source, tile->kernel, shape, tile->group,
                                     down * across * task->batch),
                          "%s", knobs);
}

/* ---- tiles through registers ---- */

static bool tiling_of(const struct dl__task *task, struct dl__tiling *out)
{
    uint64_t elements = task->leading | task->leading_out | task->rows | task->cols;

    return dl__tiling_choose(task, "out",
                             dl__places_of(task) | elements * task->element_bytes, out);
}

static double out_cost(const struct dl__task *task, enum tile_order order)
{
    struct dl__tiling tiling;

    if (!tiling_of(task, &tiling))
        return DL__NOT_FOR;
    return (order == TILES_BANDS ? tiling.costs.out_banded : tiling.costs.out_plain) *
           dl__tiles_waste(task->rows, task->cols, &tiling) * (double)task->matrix_bytes;
}

static enum dl_status out_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    const enum tile_order order =
        plan->info.algorithm == DL_TRANSPOSE_OUT_BANDED ? TILES_BANDS : TILES_ROWS;
    struct dl__tiling tiling;
    char knobs[DL__KNOBS_BYTES];

    if (!tiling_of(task, &tiling))
        return dl__decline_elements(plan);
    dl__describe(plan, tiling.side, tiling.side,
                 "tiles of %u x %u out of place, %u elements read as one", tiling.side,
                 tiling.side, tiling.vector);
    return tiles_add(plan,
                     &(struct out_tile){&source, "dl_out", tiling.side, tiling.side, 0,
                                        tiling.group, order, tiling.width},
                     dl__tiling_knobs(&tiling, task, knobs));
}

static double plain_cost(const struct dl__task *task)
{
    return out_cost(task, TILES_ROWS);
}

static double banded_cost(const struct dl__task *task)
{
    return out_cost(task, TILES_BANDS);
}

/* ---- elements of any size, unit by unit ---- */

static double units_cost(const struct dl__task *task)
{
    double unit_short = task->unit_bytes < 4 ? 4 / (double)task->unit_bytes : 1;

    return task->transpose->tuning.out_units_pass * unit_short *
           (double)task->matrix_bytes;
}

static enum dl_status units_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    unsigned group = (unsigned)dl__group_items(plan->transpose, 0);
    unsigned side = dl__units_side(task->element_bytes),
             unit = (unsigned)task->unit_bytes;
    unsigned long long units = task->element_bytes / unit;
    char knobs[DL__KNOBS_BYTES];

    if (task->conjugate)
        return dl__decline(plan, "it does not conjugate");
    snprintf(knobs, sizeof knobs,
             "#define UNIT_BYTES %u\n#define SIDE %uu\n#define GROUP %uu\n"
             "#define UNITS %lluul\n",
             unit, side, group, units);
    dl__describe(plan, side, side, "units of %u bytes out of place, %llu to an element",
                 unit, units);
    return tiles_add(plan,
                     &(struct out_tile){&units_source, "dl_out_units", side, side, 0,
                                        group, TILES_ROWS, 1},
                     knobs);
}

/* ---- tiles whose parts of the rows of the target are whole lines of memory
 * (out_lines.cl) ---- */

static bool lines_read(const struct dl__task *task, struct dl__columns *out, double *cost)
{
    uint64_t e = task->element_bytes;
    struct dl__tuning known;

    if (e > 16 || (e & (e - 1)) != 0 || dl__places_of(task) % e != 0)
        return false;
    known = dl__tuning_for(task->transpose, "lines", e);
    *out = (struct dl__columns){.cols = known.lines_cols,
                                .rows = known.lines_rows,
                                .more = known.lines_bytes / (unsigned)e,
                                .run = known.lines_run,
                                .group = known.lines_group,
                                .held = known.lines_held,
                                .hint = known.lines_hint,
                                .width = known.lines_width};
    *cost = known.out_lines;
    if (out->cols == 0 || out->rows == 0 || out->run == 0 || out->group == 0 ||
        out->width == 0)
        return false;
    out->more = out->more > 0 ? out->more - 1 : 0;
    /* Words are written where the lines' parts begin. */
    while (out->run > 1 && out->run * (e < 4 ? 4 : e) > (out->more + 1) * e)
        out->run /= 2;
    if ((out->more + 1) * e < 4)
        return false;
    out->group = (unsigned)dl__group_items(task->transpose, out->group);
    return out->rows % (out->more + 1) == 0 && dl__columns_fit(task, out, 0);
}

static double lines_cost(const struct dl__task *task)
{
    struct dl__columns tile;
    double cost, waste;

    if (!lines_read(task, &tile, &cost) || cost <= 0)
        return DL__NOT_FOR;
    waste = (double)dl__round_up(task->rows + tile.more, tile.rows) / (double)task->rows *
            ((double)dl__round_up(task->cols, tile.cols) / (double)task->cols);
    return cost * waste * (double)task->matrix_bytes;
}

static enum dl_status lines_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    struct dl__columns tile;
    double cost;
    char knobs[DL__KNOBS_BYTES + 32], columns[DL__KNOBS_BYTES];

    if (!lines_read(task, &tile, &cost))
        return dl__decline_elements(plan);
    snprintf(knobs, sizeof knobs, "%s#define ALIGN %uu\n",
             dl__columns_knobs(&tile, task, columns), tile.more + 1);
    dl__describe(plan, tile.rows, tile.cols,
                 "tiles of %u x %u out of place, which write whole lines of %u elements",
                 tile.rows, tile.cols, tile.more + 1);
    return tiles_add(plan,
                     &(struct out_tile){&lines_source, "dl_out_lines", tile.rows,
                                        tile.cols, tile.more, tile.group, TILES_BANDS,
                                        tile.width},
                     knobs);
}

/* ---- Selective Copying, Parallel Write and a padded tile (padless.cl) ---- */

static enum dl_status padless_plan(struct dl_transpose_plan *plan)
{
    const struct dl_transpose *transpose = plan->transpose;
    const char *kernel =
        plan->info.algorithm == DL__COMPARED(OUT_SELECTIVE)  ? "dl_out_selective"
        : plan->info.algorithm == DL__COMPARED(OUT_PARALLEL) ? "dl_out_parallel"
                                                             : "dl_out_padded";
    const struct dl__task *task = &plan->task;
    struct dl__tiling tiling;
    char knobs[DL__KNOBS_BYTES];

    if (!dl__tiling_choose(task, "out", task->unit_bytes, &tiling))
        return dl__decline_elements(plan);
    tiling.side = transpose->tuning.padless_side;
    tiling.group = tiling.side * transpose->tuning.padless_lines;
    tiling.vector = 1;
    if (transpose->tuning.padless_lines > tiling.side ||
        tiling.group > transpose->engine.limits.group_items ||
        tiling.side * (tiling.side + 1) * task->element_bytes + 64 >
            transpose->engine.limits.local_bytes)
        return dl__decline(plan,
                           "the device can't hold tiles of %u x %u by %u work-items",
                           tiling.side, tiling.side, tiling.group);
    dl__describe(plan, tiling.side, tiling.side,
                 "tiles of %u x %u out of place by %u work-items", tiling.side,
                 tiling.side, tiling.group);
    return tiles_add(plan,
                     &(struct out_tile){&padless_source, kernel, tiling.side, tiling.side,
                                        0, tiling.group, TILES_ROWS, 1},
                     dl__tiling_knobs(&tiling, task, knobs));
}

/* ---- for CPUs: a block for each work-item (blocks.cl) ---- */

static double blocks_cost(const struct dl__task *task)
{
    return task->transpose->engine.limits.is_cpu && dl__fits_blocks(task)
               ? task->transpose->tuning.out_blocks * (double)task->matrix_bytes
               : DL__NOT_FOR;
}

static enum dl_status blocks_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    unsigned side = plan->transpose->tuning.block_side;
    char knobs[DL__KNOBS_BYTES];

    if (!dl__fits_blocks(task))
        return dl__decline_elements(plan);
    dl__describe(plan, side, side, "blocks of %u x %u out of place, each by a work-item",
                 side, side);
    return tiles_add(plan,
                     &(struct out_tile){&blocks_source, "dl_out_blocks", side, side, 0, 1,
                                        TILES_ROWS, 1},
                     dl__blocks_knobs(task, knobs));
}

#define OUT_ROW(name, order, cost, plan)                                                 \
    DL_TRANSPOSE_ROW(name) = {order, cost, plan, .is_out = true, .keeps_apart = true}
OUT_ROW(OUT, 2, plain_cost, out_plan);
OUT_ROW(OUT_BANDED, 2, banded_cost, out_plan);
OUT_ROW(OUT_UNITS, 3, units_cost, units_plan);
OUT_ROW(OUT_LINES, 3, lines_cost, lines_plan);
OUT_ROW(OUT_SELECTIVE, 11, NULL, padless_plan);
OUT_ROW(OUT_PARALLEL, 12, NULL, padless_plan);
OUT_ROW(OUT_PADDED, 13, NULL, padless_plan);
OUT_ROW(OUT_BLOCKS, 1, blocks_cost, blocks_plan);
