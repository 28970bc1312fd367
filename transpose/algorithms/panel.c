/* SPDX-License-Identifier: MIT */
/* The panel algorithm's plan: its launches. Two passes for any shape.
 *
 * Sources: the order of Sung's tiled transpositions (2013, 4.3.1) with the panel taken
 * out of place through a hole of about a panel; block places on sector boundaries and the
 * strip between them are our own, so that no side needs a factor. */
#include "transpose/internal.h"

#include <float.h>
#include <stdio.h>

extern const char dl_panel_cl[], dl_panel_tickets_cl[], dl_columns_cl[],
    dl_panel_runs_cl[], dl_panel_join_runs_cl[], dl_panel_strip_cl[],
    dl_panel_strip_rows_cl[], dl_panel_blocks_cl[];
static const struct dl__kernel_source source = {
    {dl_shape_cl, dl_units_cl, dl_panel_tickets_cl, dl_panel_cl}};
static const struct dl__kernel_source runs_source = {
    {dl_shape_cl, dl_panel_tickets_cl, dl_columns_cl, dl_panel_runs_cl}};
static const struct dl__kernel_source blocks_source = {
    {dl_shape_cl, dl_units_cl, dl_panel_tickets_cl, dl_panel_blocks_cl}};
static const struct dl__kernel_source join_runs_source = {
    {dl_shape_cl, dl_panel_tickets_cl, dl_panel_join_runs_cl}};
static const struct dl__kernel_source strip_source = {
    {dl_shape_cl, dl_units_cl, dl_panel_strip_cl, dl_panel_strip_rows_cl}};

static size_t items_useful(const struct dl_transpose *transpose, uint64_t work)
{
    uint64_t most = transpose->tuning.strip_items;

    return dl__round_up(work < most ? work + !work : most, 64);
}

/* The launches that copy between the array's rows and the strip. */
static enum dl_status strip_add(struct dl_transpose_plan *plan, const char *name,
                                const struct panel_shape *shape, bool reads_only,
                                struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    uint64_t units = task->element_bytes / task->unit_bytes,
             work = (uint64_t)shape->strip_rows * shape->cols * units;
    cl_kernel kernel;
    struct dl__run *run;
    enum dl_status st;
    char knobs[100];

    snprintf(knobs, sizeof knobs, "#define UNIT_BYTES %u\n#define UNITS %uu\n",
             (unsigned)task->unit_bytes, (unsigned)units);
    st = dl__kernel_get(plan->transpose, &strip_source, knobs, name, &kernel, error);
    if (st != DL_OK)
        return st;
    if (reads_only && work < shape->blocks)
        work = shape->blocks;
    run = dl__run_add(plan, name, kernel, shape, sizeof *shape);
    run->global[0] = items_useful(plan->transpose, work);
    run->local[0] = run->global[0] < 64 ? run->global[0] : 64;
    run->reads_only = reads_only;
    return DL_OK;
}

static enum dl_status panels_add(struct dl_transpose_plan *plan,
                                 const struct dl__panel_tiles *tiles,
                                 const struct panel_shape *shape, bool joining,
                                 struct dl_transpose_error *error)
{
    const struct dl__kernel_source *text = &source;
    const char *name = joining ? "dl_panel_join" : "dl_panel_split";
    cl_kernel kernel;
    struct dl__run *run;
    enum dl_status st;

    if (tiles->by_runs) {
        text = joining ? &join_runs_source : &runs_source;
        name = joining ? "dl_panel_join_runs" : "dl_panel_split_runs";
    } else if (tiles->by_blocks) {
        text = &blocks_source;
        name = "dl_panel_split_blocks";
    }
    st = dl__kernel_get(plan->transpose, text, tiles->knobs, name, &kernel, error);
    if (st != DL_OK)
        return st;
    run = dl__run_add(plan, name, kernel, shape, sizeof *shape);
    run->local[0] = tiles->group;
    run->global[0] =
        (size_t)shape->tiles_across * shape->tiles_down * shape->blocks * tiles->group;
    return DL_OK;
}

/* ---- the plans ---- */

/* Is it the cap that no candidate met? */
static bool cap_is_to_blame(const struct dl__tuning *tuning, const struct dl__task *task,
                            const struct dl__sides *sides)
{
    struct dl__task free_task = *task;
    struct dl__candidate any;

    free_task.cap_bytes = UINT64_MAX;
    return dl__candidate_choose(tuning, &free_task, sides, false, &any);
}

/* Without a cap there is room for anything: say which part is to blame. */
static enum dl_status refuse(const struct dl__tuning *tuning, const struct dl__task *task,
                             const struct dl__sides *sides, const char *name,
                             struct dl_transpose_error *error)
{
    if (cap_is_to_blame(tuning, task, sides))
        return dl__fail(error, DL_EREFUSED,
                        "%s needs more workspace than the cap of %llu bytes", name,
                        (unsigned long long)task->cap_bytes);
    return dl__fail(error, DL_ENOTSUP, "%s can't divide a side of %llu into blocks", name,
                    (unsigned long long)sides->rows);
}

/* Strip, panels and blocks: split by rows, or joined. */
static enum dl_status runs_add(struct dl_transpose_plan *plan,
                               const struct panel_shape *shape,
                               const struct dl__panel_tiles *tiles, uint32_t vector_bytes,
                               bool by_rows, struct dl_transpose_error *error)
{
    enum dl_status st;

    if (by_rows) {
        st = strip_add(plan, "dl_panel_strip_from_rows", shape, true, error);
        if (st == DL_OK)
            st = panels_add(plan, tiles, shape, false, error);
        if (st == DL_OK)
            st = dl__moves_add(plan, *shape, vector_bytes, false, false, error);
    } else {
        st = dl__moves_add(plan, *shape, vector_bytes, true, false, error);
        if (st == DL_OK)
            st = panels_add(plan, tiles, shape, true, error);
        if (st == DL_OK && shape->strip_rows > 0)
            st = strip_add(plan, "dl_panel_strip_to_rows", shape, false, error);
    }
    return st;
}

static void describe(struct dl_transpose_plan *plan, const struct dl__candidate *best,
                     const struct dl__sides *sides, const struct dl__panel_tiles *tiles,
                     uint32_t vector_bytes, bool by_rows)
{
    const struct panel_shape *shape = &best->shape;

    plan->info.passes = 2;
    plan->info.workspace_bytes = best->work_bytes;
    plan->info.block_rows = shape->block;
    plan->info.blocks = shape->blocks;
    snprintf(
        plan->why, sizeof plan->why,
        "%u blocks of %u elements in each %s of %llu, hole of %u blocks, strip of %u, "
        "a cut in %u, tiles of %u x %u %s, vectors of %u bytes",
        shape->blocks, shape->block, by_rows ? "column" : "row",
        (unsigned long long)sides->rows, shape->hole, shape->strip_rows, best->cut,
        tiles->rows, tiles->cols,
        tiles->by_runs     ? "by runs"
        : tiles->by_blocks ? "each by a work-item"
                           : "by units",
        vector_bytes);
}

static enum dl_status panel_plan(struct dl_transpose_plan *plan, bool by_rows,
                                 struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    const struct dl__tuning tuning = dl__tuning_for(
        plan->transpose, by_rows ? "panels" : "joins", task->element_bytes);
    struct dl__sides sides = dl__sides_of(task, by_rows);
    struct dl__candidate best;
    struct panel_shape *shape = &best.shape;
    struct dl__panel_tiles tiles;
    uint32_t vector_bytes;

    if (sides.cols > UINT32_MAX / 2 ||
        !dl__candidate_choose(&tuning, task, &sides, !by_rows, &best))
        return refuse(&tuning, task, &sides, by_rows ? "panel-rows" : "panel-cols",
                      error);
    vector_bytes = dl__vector_bytes_of(&sides, task, shape);
    if (!dl__panel_tiles_choose(plan->transpose, &tuning, task, shape, vector_bytes,
                                !by_rows, &tiles))
        return dl__fail(error, DL_ENOTSUP,
                        "panels: elements of %llu bytes exceed local memory",
                        (unsigned long long)sides.element_bytes);
    if ((uint64_t)shape->tiles_across * shape->tiles_down * shape->blocks > UINT32_MAX)
        return dl__fail(error, DL_ENOTSUP, "more than 2^32 tiles");
    describe(plan, &best, &sides, &tiles, vector_bytes, by_rows);
    return runs_add(plan, shape, &tiles, vector_bytes, by_rows, error);
}

static enum dl_status panel_rows_plan(struct dl_transpose_plan *plan,
                                      struct dl_transpose_error *error)
{
    return panel_plan(plan, true, error);
}

static enum dl_status panel_cols_plan(struct dl_transpose_plan *plan,
                                      struct dl_transpose_error *error)
{
    return panel_plan(plan, false, error);
}

static double cost_by(const struct dl_transpose *transpose, const struct dl__task *task,
                      bool by_rows)
{
    struct dl__tuning tuning =
        dl__tuning_for(transpose, by_rows ? "panels" : "joins", task->element_bytes);
    struct dl__sides sides = dl__sides_of(task, by_rows);
    struct dl__candidate best;

    if (sides.cols > UINT32_MAX / 2 ||
        !dl__candidate_choose(&tuning, task, &sides, !by_rows, &best))
        return DBL_MAX;
    return best.cost;
}

static double panel_rows_cost(const struct dl_transpose *transpose,
                              const struct dl__task *task)
{
    return cost_by(transpose, task, true);
}

static double panel_cols_cost(const struct dl_transpose *transpose,
                              const struct dl__task *task)
{
    return cost_by(transpose, task, false);
}

DL_TRANSPOSE_ROW(PANEL_ROWS) = {5, dl__applies_always, panel_rows_cost,
                                .plan = panel_rows_plan};
DL_TRANSPOSE_ROW(PANEL_COLS) = {6, dl__applies_always, panel_cols_cost,
                                .plan = panel_cols_plan};
