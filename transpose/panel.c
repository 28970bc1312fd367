/* SPDX-License-Identifier: MIT */
/* The panel algorithm's plan: its launches. Two passes for any shape.
 *
 * Sources: the order of Sung's tiled transpositions (2013, 4.3.1) with the panel taken out of
 * place through a hole of about a panel; block places on sector boundaries and the strip between
 * them are our own, so that no side needs a factor. */
#include "internal.h"

#include <float.h>
#include <stdio.h>

extern const char dl_panel_cl[], dl_panel_tickets_cl[], dl_columns_cl[],
    dl_panel_runs_cl[];
static const struct dl__kernel_source source = {
    {dl_shape_cl, dl_panel_tickets_cl, dl_panel_cl}};
static const struct dl__kernel_source runs_source = {
    {dl_shape_cl, dl_panel_tickets_cl, dl_columns_cl, dl_panel_runs_cl}};

struct tiles {
    uint32_t cols, rows, group;
};

/* Local memory of a tile, about: with the rows or columns more that it may hold, and the tables. */
static uint64_t tile_bytes(const struct tiles *tiles, const struct panel_shape *shape,
                           uint64_t element_bytes)
{
    uint64_t more = shape->align > 1 ? shape->align - 1 : 0;

    return (tiles->rows + more) * (tiles->cols + (shape->cols > tiles->cols ? more : 0)) *
               element_bytes +
           2048;
}

/* Joining, tiles are of the rows of a panel, which is `skew` rows longer than a block. */
static struct tiles tiles_choose(const struct dl_transpose *transpose,
                                 const struct panel_shape *shape, bool joining,
                                 uint64_t element_bytes)
{
    const struct dl__device_limits *limits = &transpose->engine.limits;
    const struct dl__tuning *tuning = &transpose->tuning;
    struct tiles tiles = {.group = tuning->panel_group};
    uint64_t all = shape->block + (joining ? shape->skew : 0);
    struct dl__tile_rows tile;

    if (tuning->panel_side > 0) {
        tiles.cols = tiles.rows =
            element_bytes > 64 ? tuning->panel_side_large : tuning->panel_side;
        return tiles;
    }
    tile = dl__tile_rows(shape->cols, all, element_bytes, 64, tuning->panel_bytes);
    tiles.cols = tile.cols;
    tiles.rows = tile.rows;
    /* Small tiles keep fewer work-items busy. */
    if ((uint64_t)tiles.rows * tiles.cols * element_bytes < 14000 && tiles.group > 128)
        tiles.group /= 2;
    while (tiles.group > limits->group_items)
        tiles.group /= 2;
    /* Large elements. */
    while (tiles.cols > 1 &&
           tile_bytes(&tiles, shape, element_bytes) > limits->local_bytes)
        tiles.cols /= 2;
    while (tiles.rows > 1 &&
           tile_bytes(&tiles, shape, element_bytes) > limits->local_bytes)
        tiles.rows = (tiles.rows + 1) / 2;
    return tiles;
}

/* Shares a panel out in tiles. */
static void tiles_lay_out(struct panel_shape *shape, const struct tiles *tiles,
                          bool joining)
{
    uint32_t rows = shape->block + (joining ? shape->skew : 0), cols = shape->cols;

    /* Tiles can begin with sectors when all of them do so alike. */
    if (joining && cols > tiles->cols && tiles->cols % shape->align == 0 &&
        (cols % shape->align != 0 || shape->phase != 0))
        shape->col_skew = shape->align - 1;
    cols += shape->col_skew;
    shape->tiles_across = (cols + tiles->cols - 1) / tiles->cols;
    shape->tiles_down = (rows + tiles->rows - 1) / tiles->rows;
}

/* The tiles of a split whose columns are written as runs of words; false: by units. */
static bool runs_choose(const struct dl_transpose *transpose, const struct dl__task *task,
                        const struct panel_shape *shape, uint32_t vector_bytes,
                        struct dl__columns *out)
{
    const struct dl__tuning *tuning = &transpose->tuning;
    unsigned e = (unsigned)task->element_bytes, word = e < 4 ? 4 : e;
    struct dl__tile_rows tile = dl__tile_rows(
        shape->cols, shape->block, e, tuning->panel_cols, tuning->panel_run_bytes);

    if (task->unit_bytes != e || tuning->panel_run == 0 ||
        e > tuning->panel_run_element || vector_bytes < word)
        return false;
    *out = (struct dl__columns){
        .cols = (unsigned)dl__round_up(tile.cols, e < 4 ? 4 / e : 1),
        .rows = (unsigned)dl__round_up(tile.rows, e < 2 ? 16 : 8),
        .more = shape->skew ? shape->align - 1 : 0,
        .run = tuning->panel_run,
        .group = (unsigned)dl__group_items(transpose, tuning->panel_run_group),
        .held = tuning->panel_run_held,
        .hint = tuning->panel_run_hint};
    while (out->run * word > vector_bytes)
        out->run /= 2;
    return dl__columns_fit(transpose, out, e, (uint64_t)out->cols * 12 + 64);
}

static size_t items_useful(const struct dl_transpose *transpose, uint64_t work)
{
    uint64_t most = transpose->tuning.strip_items;

    return dl__round_up(work < most ? work + !work : most, 64);
}

/* The launches that copy between the array and the strip. */
static enum dl_status strip_add(struct dl_transpose_plan *plan, const char *knobs,
                                const char *name, const struct panel_shape *shape,
                                bool reads_only, struct dl_transpose_error *error)
{
    struct dl_transpose *transpose = plan->transpose;
    uint64_t work = (uint64_t)shape->strip_rows * shape->cols *
                    (plan->task.element_bytes / plan->task.unit_bytes);
    cl_kernel kernel;
    struct dl__run *run;
    enum dl_status st = dl__kernel_get(transpose, &source, knobs, name, &kernel, error);

    if (st != DL_OK)
        return st;
    if (reads_only && work < shape->blocks)
        work = shape->blocks;
    run = dl__run_add(plan, name, kernel, shape, sizeof *shape);
    run->global[0] = items_useful(transpose, work);
    run->local[0] = run->global[0] < 64 ? run->global[0] : 64;
    run->reads_only = reads_only;
    return DL_OK;
}

static enum dl_status panels_add(struct dl_transpose_plan *plan,
                                 const struct dl__kernel_source *from, const char *knobs,
                                 const char *name, const struct panel_shape *shape,
                                 size_t group, struct dl_transpose_error *error)
{
    cl_kernel kernel;
    struct dl__run *run;
    enum dl_status st =
        dl__kernel_get(plan->transpose, from, knobs, name, &kernel, error);

    if (st != DL_OK)
        return st;
    run = dl__run_add(plan, name, kernel, shape, sizeof *shape);
    run->local[0] = group;
    run->global[0] =
        (size_t)shape->tiles_across * shape->tiles_down * shape->blocks * group;
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
static enum dl_status runs_add(struct dl_transpose_plan *plan, struct panel_shape *shape,
                               const char *knobs, size_t group, uint32_t vector_bytes,
                               bool by_rows, struct dl_transpose_error *error)
{
    struct dl__columns columns;
    char run_knobs[400];
    enum dl_status st;

    if (by_rows) {
        bool by_runs =
            runs_choose(plan->transpose, &plan->task, shape, vector_bytes, &columns);
        st = strip_add(plan, knobs, "dl_panel_strip_from_rows", shape, true, error);
        if (st == DL_OK && by_runs) {
            dl__columns_knobs(&columns, plan->task.element_bytes, false, run_knobs,
                              sizeof run_knobs);
            tiles_lay_out(
                shape, &(struct tiles){columns.cols, columns.rows, columns.group}, false);
            st = panels_add(plan, &runs_source, run_knobs, "dl_panel_split_runs", shape,
                            columns.group, error);
        } else if (st == DL_OK)
            st = panels_add(plan, &source, knobs, "dl_panel_split", shape, group, error);
        if (st == DL_OK)
            st = dl__moves_add(plan, *shape, vector_bytes, false, error);
        if (st == DL_OK && shape->strip_rows > 0)
            st = strip_add(plan, knobs, "dl_panel_strip_to_places", shape, false, error);
    } else {
        st = strip_add(plan, knobs, "dl_panel_strip_from_places", shape, true, error);
        if (st == DL_OK)
            st = dl__moves_add(plan, *shape, vector_bytes, true, error);
        if (st == DL_OK)
            st = panels_add(plan, &source, knobs, "dl_panel_join", shape, group, error);
        if (st == DL_OK && shape->strip_rows > 0)
            st = strip_add(plan, knobs, "dl_panel_strip_to_rows", shape, false, error);
    }
    return st;
}

static void describe(struct dl_transpose_plan *plan, const struct dl__candidate *best,
                     const struct dl__sides *sides, const struct tiles *tiles,
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
        "a cut in %u, tiles of %u x %u, vectors of %u bytes",
        shape->blocks, shape->block, by_rows ? "column" : "row",
        (unsigned long long)sides->rows, shape->hole, shape->strip_rows, best->cut,
        tiles->rows, tiles->cols, vector_bytes);
}

static enum dl_status panel_plan(struct dl_transpose_plan *plan, bool by_rows,
                                 struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    const struct dl__tuning *tuning = &plan->transpose->tuning;
    const struct dl__device_limits *limits = &plan->transpose->engine.limits;
    struct dl__sides sides = dl__sides_of(task, by_rows);
    struct dl__candidate best;
    struct panel_shape *shape = &best.shape;
    struct tiles tiles;
    char knobs[400];
    uint32_t vector_bytes;

    if (sides.cols > UINT32_MAX / 2 ||
        !dl__candidate_choose(tuning, task, &sides, !by_rows, &best))
        return refuse(tuning, task, &sides, by_rows ? "panel-rows" : "panel-cols", error);
    tiles = tiles_choose(plan->transpose, shape, !by_rows, sides.element_bytes);
    if (tile_bytes(&tiles, shape, sides.element_bytes) > limits->local_bytes)
        return dl__fail(error, DL_ENOTSUP,
                        "panels: elements of %llu bytes exceed local memory",
                        (unsigned long long)sides.element_bytes);
    tiles_lay_out(shape, &tiles, !by_rows);
    if ((uint64_t)shape->tiles_across * shape->tiles_down * shape->blocks > UINT32_MAX)
        return dl__fail(error, DL_ENOTSUP, "more than 2^32 tiles");
    snprintf(knobs, sizeof knobs,
             "#define UNIT_BYTES %u\n#define UNITS %uu\n#define TILE_COLS %uu\n"
             "#define TILE_ROWS %uu\n#define SKEW %uu\n#define COL_SKEW %uu\n"
             "#define GROUP %uu\n"
             "#define UNROLL %u\n",
             (unsigned)task->unit_bytes,
             (unsigned)(task->element_bytes / task->unit_bytes), tiles.cols, tiles.rows,
             shape->skew ? shape->align - 1 : 0, shape->col_skew, tiles.group,
             tuning->unroll);
    vector_bytes = dl__vector_bytes_of(&sides, task, shape);
    describe(plan, &best, &sides, &tiles, vector_bytes, by_rows);
    return runs_add(plan, shape, knobs, tiles.group, vector_bytes, by_rows, error);
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
    struct dl__sides sides = dl__sides_of(task, by_rows);
    struct dl__candidate best;

    if (sides.cols > UINT32_MAX / 2 ||
        !dl__candidate_choose(&transpose->tuning, task, &sides, !by_rows, &best))
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
