/* SPDX-License-Identifier: MIT */
/* Blocks moved along cut cycles: the panel algorithm, two passes for any shape, and 100!
 * alone, whose blocks are single elements.
 *
 * Sources: the order of Sung's tiled transpositions (2013, 4.3.1) with the panel taken
 * out of place through a hole of about a panel; block places on sector boundaries and the
 * strip between them are our own, so that no side needs a factor. */
#include "algorithm.h"

#include <stdio.h>

#include "layout/words.h"

extern const char dl_move_cl[], dl_panel_cl[], dl_panel_tickets_cl[], dl_columns_cl[],
    dl_panel_runs_cl[], dl_panel_join_runs_cl[], dl_panel_strip_cl[],
    dl_panel_strip_rows_cl[], dl_panel_blocks_cl[];
static const struct dl__kernel_source move_source = {
    {dl_shape_cl, dl_units_cl, dl_panel_strip_cl, dl_move_cl}};
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

/* A plan: panels that are split by rows, or joined by columns, which is the inverse on
 * the transpose; or elements along cut cycles. */
struct panels {
    const struct dl__task *task;
    bool joining;
    struct dl__tuning tuning;
    struct dl__sides sides;
    /* With a cut in `cut` places; 0: no shape was found yet. */
    struct panel_shape shape;
    unsigned cut;
    uint64_t work_bytes;
    double cost;
    uint32_t vector_bytes; /* that the mover moves at once */
    /* The tiles of the panels' pass, and its kernel's knobs. */
    uint32_t tile_cols, tile_rows, group;
    bool by_runs;   /* of whole words; else by units */
    bool by_blocks; /* a tile for each work-item, on CPUs */
    char knobs[DL__KNOBS_BYTES + 32];
};

/* Tiles of rows x cols elements, `parts` of them above one another in a panel. */
struct tile_rows {
    uint32_t rows, cols, parts;
};

static const unsigned cut_steps[] = {8,  10, 12, 14, 16, 18,  20,  24,  28,
                                     32, 40, 48, 64, 96, 128, 192, 256, 512};

static struct panels panels_of(const struct dl__task *task, bool joining)
{
    return (struct panels){
        .task = task,
        .joining = joining,
        .tuning = dl__tuning_for(task->transpose, joining ? "joins" : "panels",
                                 task->element_bytes),
        .sides = {joining ? task->cols : task->rows, joining ? task->rows : task->cols,
                  task->element_bytes, task->offset_bytes}};
}

/* ---- how long blocks are and where cuts lie ---- */

/* Joining, tiles are of the rows of a panel, which is `skew` rows longer than a block. */
static uint32_t rows_of(const struct panels *panels)
{
    return panels->shape.block + (panels->joining ? panels->shape.skew : 0);
}

static struct tile_rows tile_rows(const struct panels *panels, unsigned cols_most,
                                  uint64_t tile_bytes)
{
    uint64_t rows = rows_of(panels), e = panels->sides.element_bytes, most;
    struct tile_rows tile = {.cols = cols_most};

    while (tile.cols > 4 && tile.cols * e > 256)
        tile.cols /= 2;
    if (panels->sides.cols < tile.cols)
        tile.cols = (uint32_t)panels->sides.cols;
    most = tile_bytes / (tile.cols * e);
    if (most < 8)
        most = 8;
    /* Equal parts, near enough: a kernel is built for each length. */
    tile.parts = (uint32_t)dl__divide_up(rows, most);
    tile.rows = (uint32_t)dl__round_up(dl__divide_up(rows, tile.parts), rows < 8 ? 1 : 8);
    return tile;
}

/* Roughly the bytes that a device could copy in the plan's time, by which shapes are
 * compared. The numbers fit measurements on an H200 (bench/results). */
static double cost_of(const struct panels *panels)
{
    const struct panel_shape *shape = &panels->shape;
    const struct dl__tuning *tuning = &panels->tuning;
    const struct dl__sides *sides = &panels->sides;
    double bytes =
        (double)sides->rows * (double)sides->cols * (double)sides->element_bytes;
    double block = (double)shape->block * (double)sides->element_bytes;
    struct tile_rows tile = tile_rows(panels, 64, (uint64_t)tuning->panel_tile_bytes);
    double tile_bytes = (double)tile.rows * tile.cols * (double)sides->element_bytes;
    /* Rows that are rounded up are idle. */
    double idle = (double)tile.rows * tile.parts / (double)rows_of(panels);
    /* Measured: the cost of addresses; rows that begin with sectors are written faster.
     */
    double work = tuning->panel_work * (panels->joining && sides->cols % shape->align == 0
                                            ? tuning->panel_join_aligned
                                            : 1);
    double strip = bytes * shape->strip_rows / (double)sides->rows;
    double moves = (double)shape->blocks * shape->cols;
    double stretch = 1 / (1.0 / panels->cut + shape->hole / moves);
    /* Panels save the blocks of cuts in passing. */
    double saved = shape->hole > 0 ? 0 : 1.0 / panels->cut;
    double moved =
        (tuning->move_pass + tuning->move_block / block + saved) *
        (shape->align * sides->element_bytes % 16 == 0 ? 1 : tuning->move_unaligned);
    double narrow = !panels->joining && sides->cols < 14 ? tuning->panel_few_cols
                                                         : 1; /* measured, too */

    return tuning->panel_launch_bytes + tuning->panel_strip * strip +
           dl__stretch_cost(tuning, stretch, moves) +
           tuning->panel_pass * bytes * (1 + tuning->panel_block / block) *
               (1 + tuning->panel_tile / tile_bytes) * idle * work * narrow +
           tuning->panel_pass * bytes * moved * narrow;
}

/* Lays out the workspace: counts, hole, strip, saved blocks. */
static uint64_t work_lay_out(struct panel_shape *shape, uint64_t element_bytes)
{
    uint64_t block_bytes = shape->block * element_bytes;

    shape->hole_bytes =
        dl__round_up(4 * COUNT_WORDS * ((uint64_t)shape->blocks + 1), 256);
    shape->strip_bytes = dl__round_up(shape->hole_bytes + shape->hole * block_bytes, 256);
    shape->saved_bytes = dl__round_up(
        shape->strip_bytes + (uint64_t)shape->strip_rows * shape->cols * element_bytes,
        256);
    return shape->saved_bytes + shape->cuts * block_bytes;
}

bool dl__panel_shape_make(const struct dl__sides *sides, uint64_t sector_bytes,
                          uint64_t align, uint64_t block, struct panel_shape *out)
{
    struct panel_shape shape = {.rows = sides->rows, .cols = (uint32_t)sides->cols};
    uint64_t phase = 0, step, blocks, rest, hole;

    while (phase < align &&
           (sides->offset_bytes + phase * sides->element_bytes) % sector_bytes != 0)
        phase++;
    shape.phase = (uint32_t)(phase < align ? phase : 0);
    shape.align = (uint32_t)align;
    /* Heads are congruent to the phase modulo the step of the rows. */
    step = dl__gcd(sides->rows % align, align);
    shape.skew = (uint32_t)(align - step + shape.phase % step);
    if (sides->rows < shape.skew + block)
        return false;
    blocks = (sides->rows - shape.skew) / block;
    rest = sides->rows - blocks * block;
    if (blocks * sides->cols > UINT32_MAX / 2 || shape.skew + rest > UINT32_MAX)
        return false;
    /* Place x - hole must end before panel x / cols begins: places drift `rest` elements
     * away with each target row. */
    hole = sides->cols + dl__divide_up(sides->cols * rest, block);
    if (hole >= blocks * sides->cols)
        return false;
    shape.hole = (uint32_t)hole;
    shape.block = (uint32_t)block;
    shape.blocks = (uint32_t)blocks;
    shape.strip_rows = (uint32_t)(shape.skew + rest);
    shape.by_blocks = dl__divisor_make(shape.blocks);
    shape.by_cols = dl__divisor_make(shape.cols);
    *out = shape;
    return true;
}

/* Tries all distances of cuts within the cap; keeps the cheapest shape. */
static void cuts_try(struct panels *best, const struct panel_shape *shape)
{
    uint64_t used = (uint64_t)shape->blocks * shape->cols - shape->hole;
    struct panels one = *best;

    for (size_t c = 0; c < sizeof cut_steps / sizeof *cut_steps; c++) {
        one.shape = *shape;
        one.cut = cut_steps[c];
        if (one.tuning.cut && one.cut != one.tuning.cut)
            continue;
        one.shape.cuts = (uint32_t)dl__divide_up(used, one.cut);
        one.shape.by_cut = dl__divisor_make(one.cut);
        one.work_bytes = work_lay_out(&one.shape, one.sides.element_bytes);
        if (one.work_bytes > one.task->cap_bytes)
            continue;
        one.cost = cost_of(&one);
        if (best->cut == 0 || one.cost < best->cost)
            *best = one;
    }
}

/* False: there is no shape, or none within the cap. */
static bool shape_choose(struct panels *panels)
{
    const struct dl__tuning *tuning = &panels->tuning;
    const struct dl__sides *sides = &panels->sides;
    uint64_t asked = panels->task->block_rows;
    uint64_t sector =
        tuning->sector_bytes / dl__gcd(tuning->sector_bytes, sides->element_bytes);
    uint64_t most = tuning->block_bytes / sides->element_bytes;

    if (sides->cols > UINT32_MAX / 2)
        return false;
    /* A panel of a few columns is one tile: long blocks make it worth a work-group. */
    if (sides->cols < 64 &&
        most < tuning->panel_bytes / (sides->cols * sides->element_bytes))
        most = tuning->panel_bytes / (sides->cols * sides->element_bytes);
    /* Single elements begin anywhere: only for shapes too small for whole sectors. */
    for (uint64_t align = sector; panels->cut == 0; align = 1) {
        uint64_t last = asked ? asked : most > align ? most : align;
        for (uint64_t block = asked ? asked : align;
             block <= last && block <= sides->rows; block += align) {
            struct panel_shape shape;
            if (block % align == 0 &&
                dl__panel_shape_make(sides, tuning->sector_bytes, align, block, &shape))
                cuts_try(panels, &shape);
        }
        if (align == 1)
            break;
    }
    return panels->cut > 0;
}

/* ---- the mover ---- */

/* Vectors of a block that a work-item may move: its loops are unrolled. */
enum { EACH_MAX = 64 };

/* Units of the strip for each work-item that copies them. */
enum { STRIP_EACH = 16 };

static void vector_choose(struct panels *panels)
{
    const struct panel_shape *shape = &panels->shape;
    const struct dl__task *task = panels->task;
    uint64_t e = task->element_bytes, all = task->shift_bytes;

    if (task->batch > 1)
        all |= task->stride_bytes;
    all |= (task->offset_bytes + shape->phase * e) | shape->align * e | shape->block * e;
    panels->vector_bytes = (uint32_t)dl__power_of_two_in(all, 16);
}

/* Work-groups that copy the strip; the inverse's clear the counts, too. */
static uint32_t strippers_of(const struct panels *panels, size_t group)
{
    uint64_t units = (uint64_t)panels->shape.strip_rows * panels->shape.cols *
                     (panels->task->element_bytes / panels->task->unit_bytes);
    uint32_t groups = (uint32_t)dl__divide_up(units, group * STRIP_EACH);

    return panels->joining && groups == 0 ? 1 : groups;
}

/* Adds the mover and, if no pass before it has saved the blocks of cuts, that. */
static enum dl_status moves_add(struct dl_transpose_plan *plan,
                                const struct panels *panels, bool alone)
{
    struct panel_shape shape = panels->shape;
    uint64_t used = (uint64_t)shape.blocks * shape.cols - shape.hole, movers, saved;
    const struct dl__tuning *tuning = &panels->tuning;
    const struct dl__task *task = panels->task;
    const uint32_t vector_bytes = panels->vector_bytes;
    unsigned per_lane = tuning->move_bytes / vector_bytes, ahead;
    size_t lanes, group = dl__group_items(plan->transpose, tuning->move_group);
    char knobs[DL__KNOBS_BYTES];
    enum dl_status st = DL_OK;

    shape.vectors = (uint32_t)(shape.block * task->element_bytes / vector_bytes);
    if (per_lane > EACH_MAX)
        per_lane = EACH_MAX;
    lanes = dl__power_of_two_up(dl__divide_up(shape.vectors, per_lane));
    while (lanes > group)
        lanes /= 2;
    per_lane = (unsigned)dl__divide_up(shape.vectors, lanes);
    ahead = tuning->move_ahead * 16 / (per_lane * vector_bytes);
    shape.searchers = (uint32_t)dl__divide_up(used, tuning->move_span);
    shape.strippers = alone ? 0 : strippers_of(panels, group);
    snprintf(knobs, sizeof knobs,
             "#define UNIT_BYTES %u\n#define UNITS %uu\n#define VECTOR_BYTES %u\n#define "
             "ELEMENT_BYTES %lluu\n#define LANES %zuu\n"
             "#define PER_LANE %uu\n#define UNROLL %u\n#define AHEAD %u\n"
             "#define SPAN %uu\n#define INVERSE %d\n",
             (unsigned)task->unit_bytes,
             (unsigned)(task->element_bytes / task->unit_bytes), vector_bytes,
             (unsigned long long)task->element_bytes, lanes, per_lane,
             tuning->unroll > 1 ? per_lane : 1, ahead < 2 ? 2 : ahead, tuning->move_span,
             panels->joining);
    saved = (uint64_t)shape.cuts * shape.vectors;
    if (alone)
        st = dl__launch_add(plan,
                            DL__LAUNCH_READING(&move_source, "dl_move_save", shape, group,
                                               dl__divide_up(saved, group)),
                            "%s", knobs);
    if (st != DL_OK)
        return st;
    movers = dl__divide_up(((uint64_t)shape.hole + shape.cuts) * lanes, group);
    return dl__launch_add(plan,
                          DL__LAUNCH(&move_source, "dl_move", shape, group,
                                     shape.strippers + movers + shape.searchers),
                          "%s", knobs);
}

/* ---- tiles ---- */

/* Local memory of a tile, roughly: with the rows or columns that it may hold besides, and
 * the tables. */
static uint64_t tile_bytes(const struct panels *panels)
{
    const struct panel_shape *shape = &panels->shape;
    uint64_t more = shape->align > 1 ? shape->align - 1 : 0;

    return (panels->tile_rows + more) *
               (panels->tile_cols + (shape->cols > panels->tile_cols ? more : 0)) *
               panels->task->element_bytes +
           2048;
}

/* False: an element exceeds local memory. */
static bool units_choose(struct panels *panels)
{
    const struct dl__device_limits *limits = &panels->task->transpose->engine.limits;
    const struct dl__tuning *tuning = &panels->tuning;
    const uint64_t e = panels->task->element_bytes;
    struct tile_rows tile;

    panels->group = tuning->panel_group;
    if (tuning->panel_side > 0) {
        panels->tile_cols = panels->tile_rows =
            e > 64 ? tuning->panel_side_large : tuning->panel_side;
        return tile_bytes(panels) <= limits->local_bytes;
    }
    tile = tile_rows(panels, 64, tuning->panel_bytes);
    panels->tile_cols = tile.cols;
    panels->tile_rows = tile.rows;
    /* Small tiles keep fewer work-items busy. */
    if ((uint64_t)tile.rows * tile.cols * e < 14000 && panels->group > 128)
        panels->group /= 2;
    panels->group = (uint32_t)dl__group_items(panels->task->transpose, panels->group);
    /* Large elements. */
    while (panels->tile_cols > 1 && tile_bytes(panels) > limits->local_bytes)
        panels->tile_cols /= 2;
    while (panels->tile_rows > 1 && tile_bytes(panels) > limits->local_bytes)
        panels->tile_rows = (panels->tile_rows + 1) / 2;
    return tile_bytes(panels) <= limits->local_bytes;
}

/* Tiles whose columns are written, or read, as runs of words; false: there are none. */
static bool runs_choose(struct panels *panels, struct dl__columns *out)
{
    const struct panel_shape *shape = &panels->shape;
    const struct dl__tuning *tuning = &panels->tuning;
    const struct dl__task *task = panels->task;
    unsigned e = (unsigned)task->element_bytes, word = e < 4 ? 4 : e;
    unsigned more = shape->align > 1 ? shape->align - 1 : 0;
    struct tile_rows tile;

    if (task->unit_bytes != task->element_bytes || tuning->panel_run == 0 ||
        panels->vector_bytes < word || (panels->joining && e < 4))
        return false;
    tile = tile_rows(panels, tuning->panel_cols, tuning->panel_run_bytes);
    *out = (struct dl__columns){
        .cols = (unsigned)dl__power_of_two_up(tile.cols < 4 / e ? 4 / e : tile.cols),
        .rows = (unsigned)dl__round_up(tile.rows, e < 2 ? 16 : 8),
        .more = shape->skew && !panels->joining ? more : 0,
        .run = tuning->panel_run,
        .group = (unsigned)dl__group_items(task->transpose, tuning->panel_run_group),
        .held = tuning->panel_run_held,
        .hint = tuning->panel_run_hint};
    while (out->run * word > panels->vector_bytes)
        out->run /= 2;
    /* A table for each column; joining, more columns and, at both ends, a run each. */
    if (!dl__columns_fit(
            task, out,
            (uint64_t)(out->cols + more) * 12 + 64 +
                (panels->joining ? more * (out->rows + 9) * e + out->cols * 8 * e : 0)))
        return false;
    panels->tile_cols = out->cols;
    panels->tile_rows = out->rows;
    panels->group = out->group;
    return true;
}

/* Shares a panel out in tiles. */
static void lay_out(struct panels *panels)
{
    struct panel_shape *shape = &panels->shape;
    uint32_t cols = shape->cols;

    /* Tiles can begin with sectors when all of them do so alike. */
    if (panels->joining && cols > panels->tile_cols &&
        panels->tile_cols % shape->align == 0 &&
        (cols % shape->align != 0 || shape->phase != 0))
        shape->col_skew = shape->align - 1;
    shape->tiles_across =
        (uint32_t)dl__divide_up(cols + shape->col_skew, panels->tile_cols);
    shape->tiles_down = (uint32_t)dl__divide_up(rows_of(panels), panels->tile_rows);
}

/* False: an element exceeds local memory. */
static bool tiles_choose(struct panels *panels)
{
    const struct dl__task *task = panels->task;
    struct dl__columns columns;
    char text[DL__KNOBS_BYTES];

    panels->by_runs = runs_choose(panels, &columns);
    if (!panels->by_runs && !units_choose(panels))
        return false;
    panels->by_blocks =
        !panels->by_runs && !panels->joining && task->transpose->tuning.panel_blocks;
    if (panels->by_blocks)
        panels->group = 1;
    lay_out(panels);
    if (panels->by_runs)
        snprintf(panels->knobs, sizeof panels->knobs, "%s#define COL_SKEW %uu\n",
                 dl__columns_knobs(&columns, task, text), panels->shape.col_skew);
    else
        snprintf(panels->knobs, sizeof panels->knobs,
                 "#define UNIT_BYTES %u\n#define UNITS %uu\n#define TILE_COLS %uu\n"
                 "#define TILE_ROWS %uu\n#define SKEW %uu\n#define COL_SKEW %uu\n"
                 "#define GROUP %uu\n#define UNROLL %u\n",
                 (unsigned)task->unit_bytes,
                 (unsigned)(task->element_bytes / task->unit_bytes), panels->tile_cols,
                 panels->tile_rows, panels->shape.skew ? panels->shape.align - 1 : 0,
                 panels->shape.col_skew, panels->group, panels->tuning.unroll);
    return true;
}

/* ---- launches ---- */

/* Adds the copy from the array's rows to the strip, or back when joining. */
static enum dl_status strip_add(struct dl_transpose_plan *plan,
                                const struct panels *panels)
{
    const struct panel_shape *shape = &panels->shape;
    const struct dl__task *task = &plan->task;
    uint64_t units = task->element_bytes / task->unit_bytes;
    uint64_t items = (uint64_t)shape->strip_rows * shape->cols * units;

    if (!panels->joining && items < shape->blocks)
        items = shape->blocks;
    if (items > plan->transpose->tuning.strip_items)
        items = plan->transpose->tuning.strip_items;
    return dl__launch_add(plan,
                          &(struct dl__launch){.source = &strip_source,
                                               .kernel = panels->joining
                                                             ? "dl_panel_strip_to_rows"
                                                             : "dl_panel_strip_from_rows",
                                               .numbers = shape,
                                               .numbers_bytes = sizeof *shape,
                                               .group = 64,
                                               .groups = {dl__divide_up(items, 64)},
                                               .reads_only = !panels->joining},
                          "#define UNIT_BYTES %u\n#define UNITS %uu\n",
                          (unsigned)task->unit_bytes, (unsigned)units);
}

static enum dl_status panels_add(struct dl_transpose_plan *plan,
                                 const struct panels *panels)
{
    const struct panel_shape *shape = &panels->shape;
    const struct dl__kernel_source *text = &source;
    const char *name = panels->joining ? "dl_panel_join" : "dl_panel_split";

    if (panels->by_runs) {
        text = panels->joining ? &join_runs_source : &runs_source;
        name = panels->joining ? "dl_panel_join_runs" : "dl_panel_split_runs";
    } else if (panels->by_blocks) {
        text = &blocks_source;
        name = "dl_panel_split_blocks";
    }
    return dl__launch_add(
        plan,
        DL__LAUNCH(text, name, *shape, panels->group,
                   (uint64_t)shape->tiles_across * shape->tiles_down * shape->blocks),
        "%s", panels->knobs);
}

/* ---- the plans ---- */

/* Says whether the cap or the shape is to blame. */
static enum dl_status refuse(const struct dl_transpose_plan *plan, bool joining)
{
    struct dl__task free_task = plan->task;
    struct panels any = panels_of(&free_task, joining);

    free_task.cap_bytes = UINT64_MAX;
    if (shape_choose(&any))
        return dl__decline_cap(plan, 0);
    return dl__decline(plan, "a side of %llu can't be divided into blocks",
                       (unsigned long long)any.sides.rows);
}

static void describe(struct dl_transpose_plan *plan, const struct panels *panels)
{
    const struct panel_shape *shape = &panels->shape;

    plan->info.passes = 2;
    plan->info.workspace_bytes = panels->work_bytes;
    plan->info.block_rows = shape->block;
    plan->info.blocks = shape->blocks;
    snprintf(
        plan->why, sizeof plan->why,
        "each %s of %llu elements is %u blocks of %u with %u element%s left over; the "
        "workspace holds what is left over, %u blocks to make room for the others, and "
        "one block in "
        "%u, where cycles of moves are cut so that their parts move at the same time; "
        "tiles of %u x %u %s, vectors of %u bytes",
        panels->joining ? "row" : "column", (unsigned long long)panels->sides.rows,
        shape->blocks, shape->block, shape->strip_rows, dl_plural(shape->strip_rows),
        shape->hole, panels->cut, panels->tile_rows, panels->tile_cols,
        panels->by_runs     ? "by runs"
        : panels->by_blocks ? "each by a work-item"
                            : "by units",
        panels->vector_bytes);
}

/* Strip, panels and blocks: split by rows, or joined. */
static enum dl_status panel_plan(struct dl_transpose_plan *plan)
{
    struct panels panels =
        panels_of(&plan->task, plan->info.algorithm == DL_TRANSPOSE_PANEL_COLS);
    const struct panel_shape *shape = &panels.shape;
    enum dl_status st;

    if (!shape_choose(&panels))
        return refuse(plan, panels.joining);
    vector_choose(&panels);
    if (!tiles_choose(&panels))
        return dl__decline_elements(plan);
    if ((uint64_t)shape->tiles_across * shape->tiles_down * shape->blocks > UINT32_MAX)
        return dl__decline(plan, "it has more than 2^32 tiles");
    describe(plan, &panels);
    st = panels.joining ? moves_add(plan, &panels, false) : strip_add(plan, &panels);
    if (st == DL_OK)
        st = panels_add(plan, &panels);
    if (st != DL_OK || (panels.joining && shape->strip_rows == 0))
        return st;
    return panels.joining ? strip_add(plan, &panels) : moves_add(plan, &panels, false);
}

static double cost_by(const struct dl__task *task, bool joining)
{
    struct panels panels = panels_of(task, joining);

    return shape_choose(&panels) ? panels.cost : DBL_MAX;
}

static double panel_rows_cost(const struct dl__task *task)
{
    return cost_by(task, false);
}

static double panel_cols_cost(const struct dl__task *task)
{
    return cost_by(task, true);
}

DL_TRANSPOSE_ROW(PANEL_ROWS) = {5, panel_rows_cost, panel_plan};
DL_TRANSPOSE_ROW(PANEL_COLS) = {6, panel_cols_cost, panel_plan};

/* ---- 100! alone: every element is a block ---- */

/* Each matrix of a batch takes launches of its own: step (stages.c) moves all at once. */
static double cycles_cost(const struct dl__task *task)
{
    const struct dl__tuning *tuning = &task->transpose->tuning;

    if (task->element_bytes < tuning->cycles_bytes_min)
        return DL__NOT_FOR;
    if (task->batch == 1)
        return 0;
    return tuning->axes_moved * (double)task->matrix_bytes +
           2 * tuning->stage_launch_bytes;
}

static enum dl_status cycles_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    struct panels best = panels_of(task, false);
    struct panel_shape shape = {.rows = task->rows,
                                .cols = (uint32_t)task->cols,
                                .block = 1,
                                .blocks = (uint32_t)task->rows,
                                .align = 1};

    if (task->rows > UINT32_MAX / 2 || task->cols > UINT32_MAX / 2 ||
        task->rows * task->cols > UINT32_MAX / 2)
        return dl__decline(plan, "it has more than 2^31 elements");
    if (task->element_bytes / task->unit_bytes > 4096)
        return dl__decline_elements(plan);
    shape.by_blocks = dl__divisor_make(shape.blocks);
    shape.by_cols = dl__divisor_make(shape.cols);
    cuts_try(&best, &shape);
    if (best.cut == 0)
        return dl__decline_cap(plan, 0);
    vector_choose(&best);
    plan->info.workspace_bytes = best.work_bytes;
    dl__describe(plan, 0, 0,
                 "elements of %llu bytes moved whole, along cycles that are cut at one "
                 "place in %u so that their parts move at the same time",
                 (unsigned long long)task->element_bytes, best.cut);
    return moves_add(plan, &best, true);
}

DL_TRANSPOSE_ROW(CYCLES) = {3, cycles_cost, cycles_plan};
