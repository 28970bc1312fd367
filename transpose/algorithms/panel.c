/* SPDX-License-Identifier: MIT */
/* Blocks moved along cut cycles: the panel algorithm, two passes for any shape, and 100!
 * alone, whose blocks are single elements.
 *
 * Sources: the order of Sung's tiled transpositions (2013, 4.3.1) with the panel taken
 * out of place through a hole of about a panel; block places on sector boundaries and the
 * strip between them are our own, so that no side needs a factor. */
#include "algorithm.h"

#include <stdio.h>

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

/* A shape with its cuts, one of every `cut` places. */
struct candidate {
    struct panel_shape shape;
    unsigned cut;
    uint64_t work_bytes;
    double cost;
};

/* How the rows of a panel are shared out in tiles on a GPU: tiles of rows x cols
 * elements, `parts` of them above one another. */
struct tile_rows {
    uint32_t rows, cols, parts;
};

static const unsigned cut_steps[] = {8,  10, 12, 14, 16, 18,  20,  24,  28,
                                     32, 40, 48, 64, 96, 128, 192, 256, 512};

/* ---- how long blocks are and where cuts lie ---- */

static struct tile_rows tile_rows(uint64_t cols, uint64_t rows, uint64_t element_bytes,
                                  unsigned cols_most, uint64_t tile_bytes)
{
    struct tile_rows tile = {.cols = cols_most};
    uint64_t most;

    while (tile.cols > 4 && tile.cols * element_bytes > 256)
        tile.cols /= 2;
    if (cols < tile.cols)
        tile.cols = (uint32_t)cols;
    most = tile_bytes / (tile.cols * element_bytes);
    if (most < 8)
        most = 8;
    /* Equal parts, near enough: a kernel is built for each length. */
    tile.parts = (uint32_t)((rows + most - 1) / most);
    tile.rows =
        (uint32_t)dl__round_up((rows + tile.parts - 1) / tile.parts, rows < 8 ? 1 : 8);
    return tile;
}

double dl__stretch_cost(const struct dl__tuning *tuning, double stretch, double moves)
{
    double longest = stretch;

    for (double stretches = moves / stretch; stretches > 1; stretches /= 2.7)
        longest += stretch;
    return longest * tuning->hop_bytes;
}

/* The bytes that a device could copy in the time that a plan takes, roughly: what
 * candidates are compared by. The numbers fit what an H200 did (bench/results). */
static double cost_of(const struct dl__tuning *tuning, const struct candidate *candidate,
                      const struct dl__sides *sides, bool joining)
{
    const struct panel_shape *shape = &candidate->shape;
    double bytes =
        (double)sides->rows * (double)sides->cols * (double)sides->element_bytes;
    double block = (double)shape->block * (double)sides->element_bytes;
    uint64_t rows = shape->block + (joining ? shape->skew : 0);
    struct tile_rows tile = tile_rows(sides->cols, rows, sides->element_bytes, 64,
                                      (uint64_t)tuning->panel_tile_bytes);
    double tile_bytes = (double)tile.rows * tile.cols * (double)sides->element_bytes;
    /* Rows that are rounded up are idle. */
    double idle = (double)tile.rows * tile.parts / (double)rows;
    /* Measured: what addresses cost, and that rows which begin with sectors are quicker
     * to write. */
    double work =
        tuning->panel_work *
        (joining && sides->cols % shape->align == 0 ? tuning->panel_join_aligned : 1);
    double strip = bytes * shape->strip_rows / (double)sides->rows;
    double moves = (double)shape->blocks * shape->cols;
    double stretch = 1 / (1.0 / candidate->cut + shape->hole / moves);
    /* Panels put the blocks of cuts aside on their way. */
    double saved = shape->hole > 0 ? 0 : 1.0 / candidate->cut;
    double moved =
        (tuning->move_pass + tuning->move_block / block + saved) *
        (shape->align * sides->element_bytes % 16 == 0 ? 1 : tuning->move_unaligned);
    double narrow =
        !joining && sides->cols < 14 ? tuning->panel_few_cols : 1; /* measured, too */

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
    uint64_t bytes = dl__round_up(4 * COUNT_WORDS * ((uint64_t)shape->blocks + 1), 256);

    shape->hole_bytes = bytes;
    bytes = dl__round_up(bytes + shape->hole * block_bytes, 256);
    shape->strip_bytes = bytes;
    bytes = dl__round_up(
        bytes + (uint64_t)shape->strip_rows * shape->cols * element_bytes, 256);
    shape->saved_bytes = bytes;
    return bytes + shape->cuts * block_bytes;
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
    /* Heads are congruent to the phase modulo what the rows step by. */
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
    hole = sides->cols + (sides->cols * rest + block - 1) / block;
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

/* Tries every distance of cuts that the cap has room for; keeps the cheapest in `best`.
 */
static void cuts_try(const struct dl__tuning *tuning, const struct dl__sides *sides,
                     uint64_t cap_bytes, bool joining, struct panel_shape shape,
                     struct candidate *best)
{
    uint64_t used = (uint64_t)shape.blocks * shape.cols - shape.hole;

    for (size_t c = 0; c < sizeof cut_steps / sizeof *cut_steps; c++) {
        struct candidate candidate = {.shape = shape, .cut = cut_steps[c]};
        if (tuning->cut && cut_steps[c] != tuning->cut)
            continue;
        candidate.shape.cuts = (uint32_t)((used + candidate.cut - 1) / candidate.cut);
        candidate.shape.by_cut = dl__divisor_make(candidate.cut);
        candidate.work_bytes = work_lay_out(&candidate.shape, sides->element_bytes);
        if (candidate.work_bytes > cap_bytes)
            continue;
        candidate.cost = cost_of(tuning, &candidate, sides, joining);
        if (best->cut == 0 || candidate.cost < best->cost)
            *best = candidate;
    }
}

static bool candidate_choose(const struct dl__tuning *tuning, const struct dl__task *task,
                             const struct dl__sides *sides, bool joining,
                             struct candidate *best)
{
    uint64_t sector =
        tuning->sector_bytes / dl__gcd(tuning->sector_bytes, sides->element_bytes);
    uint64_t most = tuning->block_bytes / sides->element_bytes;

    best->cut = 0;
    /* A panel of a few columns is one tile: long blocks make it worth a work-group. */
    if (sides->cols < 64 &&
        most < tuning->panel_bytes / (sides->cols * sides->element_bytes))
        most = tuning->panel_bytes / (sides->cols * sides->element_bytes);
    /* Single elements begin anywhere: only for shapes too small for whole sectors. */
    for (uint64_t align = sector; best->cut == 0; align = 1) {
        uint64_t first = task->block_rows ? task->block_rows : align;
        uint64_t last = task->block_rows ? task->block_rows : most > align ? most : align;
        for (uint64_t block = first; block <= last && block <= sides->rows;
             block += align) {
            struct panel_shape shape;
            if (block % align == 0 &&
                dl__panel_shape_make(sides, tuning->sector_bytes, align, block, &shape))
                cuts_try(tuning, sides, task->cap_bytes, joining, shape, best);
        }
        if (align == 1)
            break;
    }
    return best->cut > 0;
}

/* By columns is the inverse of by rows on the transpose. */
static struct dl__sides sides_of(const struct dl__task *task, bool by_rows)
{
    return (struct dl__sides){by_rows ? task->rows : task->cols,
                              by_rows ? task->cols : task->rows, task->element_bytes,
                              task->offset_bytes};
}

/* ---- the mover ---- */

/* Vectors of a block that a work-item may move: its loops are unrolled. */
enum { EACH_MAX = 64 };

/* Units of the strip for each work-item that copies them. */
enum { STRIP_EACH = 16 };

static uint32_t vector_bytes_of(const struct dl__sides *sides,
                                const struct dl__task *task,
                                const struct panel_shape *shape)
{
    uint64_t all = sides->offset_bytes + shape->phase * sides->element_bytes;
    uint64_t step = shape->align * sides->element_bytes;
    uint32_t bytes = 16;

    all |= task->shift_bytes;
    if (task->batch > 1)
        all |= task->stride_bytes;
    all |= step | shape->block * sides->element_bytes;
    while (all % bytes != 0)
        bytes /= 2;
    return bytes;
}

/* Work-groups that copy the strip; the inverse's clear the counts, too. */
static uint32_t strippers_of(const struct panel_shape *shape, const struct dl__task *task,
                             size_t group, bool inverse)
{
    uint64_t units = (uint64_t)shape->strip_rows * shape->cols *
                     (task->element_bytes / task->unit_bytes);
    uint32_t groups = (uint32_t)dl__divide_up(units, group * STRIP_EACH);

    return inverse && groups == 0 ? 1 : groups;
}

/* The mover, and, where no pass before it puts cuts aside, what does. */
static enum dl_status moves_add(struct dl_transpose_plan *plan, struct panel_shape shape,
                                uint32_t vector_bytes, bool inverse, bool alone,
                                struct dl_transpose_error *error)
{
    struct dl_transpose *transpose = plan->transpose;
    uint64_t used = (uint64_t)shape.blocks * shape.cols - shape.hole, stretches, movers;
    const struct dl__tuning tuning =
        dl__tuning_for(transpose, inverse ? "joins" : "panels", plan->task.element_bytes);
    const struct dl__task *task = &plan->task;
    unsigned per_lane, ahead;
    size_t lanes, group = dl__group_items(transpose, tuning.move_group);
    char knobs[DL__KNOBS_BYTES];
    struct dl__launch launch = {.source = &move_source,
                                .kernel = "dl_move_save",
                                .numbers = &shape,
                                .numbers_bytes = sizeof shape,
                                .group = group,
                                .reads_only = true};
    enum dl_status st = DL_OK;

    shape.vectors = (uint32_t)(shape.block * task->element_bytes / vector_bytes);
    per_lane = tuning.move_bytes / vector_bytes;
    if (per_lane > EACH_MAX)
        per_lane = EACH_MAX;
    lanes = dl__power_of_two_up((shape.vectors + per_lane - 1) / per_lane);
    while (lanes > group)
        lanes /= 2;
    per_lane = (unsigned)((shape.vectors + lanes - 1) / lanes);
    ahead = tuning.move_ahead * 16 / (per_lane * vector_bytes);
    if (ahead < 2)
        ahead = 2;
    shape.searchers = (uint32_t)((used + tuning.move_span - 1) / tuning.move_span);
    shape.strippers = alone ? 0 : strippers_of(&shape, task, group, inverse);
    snprintf(knobs, sizeof knobs,
             "#define UNIT_BYTES %u\n#define UNITS %uu\n#define VECTOR_BYTES %u\n#define "
             "ELEMENT_BYTES %lluu\n#define LANES %zuu\n"
             "#define PER_LANE %uu\n#define UNROLL %u\n#define AHEAD %u\n"
             "#define SPAN %uu\n#define INVERSE %d\n",
             (unsigned)task->unit_bytes,
             (unsigned)(task->element_bytes / task->unit_bytes), vector_bytes,
             (unsigned long long)task->element_bytes, lanes, per_lane,
             tuning.unroll > 1 ? per_lane : 1, ahead, tuning.move_span, inverse);
    launch.groups[0] = dl__divide_up((uint64_t)shape.cuts * shape.vectors, group);
    if (alone)
        st = dl__launch_add(plan, &launch, error, "%s", knobs);
    if (st != DL_OK)
        return st;
    stretches = (uint64_t)shape.hole + shape.cuts;
    movers = (stretches * lanes + group - 1) / group;
    launch.kernel = "dl_move";
    launch.reads_only = false;
    launch.groups[0] = shape.strippers + movers + shape.searchers;
    return dl__launch_add(plan, &launch, error, "%s", knobs);
}

/* ---- tiles ---- */

/* The tiles of the panels' pass and what its kernel is built with. */
struct panel_tiles {
    uint32_t cols, rows, group;
    bool by_runs;   /* of whole words; else by units */
    bool by_blocks; /* a tile for each work-item, on CPUs */
    char knobs[DL__KNOBS_BYTES + 32];
};

/* Local memory of a tile, about: with the rows or columns more that it may hold, and the
 * tables. */
static uint64_t tile_bytes(const struct panel_tiles *tiles,
                           const struct panel_shape *shape, uint64_t element_bytes)
{
    uint64_t more = shape->align > 1 ? shape->align - 1 : 0;

    return (tiles->rows + more) * (tiles->cols + (shape->cols > tiles->cols ? more : 0)) *
               element_bytes +
           2048;
}

/* Joining, tiles are of the rows of a panel, which is `skew` rows longer than a block. */
static void units_choose(const struct dl_transpose *transpose,
                         const struct dl__tuning *tuning, const struct panel_shape *shape,
                         bool joining, uint64_t element_bytes, struct panel_tiles *tiles)
{
    const struct dl__device_limits *limits = &transpose->engine.limits;
    uint64_t all = shape->block + (joining ? shape->skew : 0);
    struct tile_rows tile;

    tiles->group = tuning->panel_group;
    if (tuning->panel_side > 0) {
        tiles->cols = tiles->rows =
            element_bytes > 64 ? tuning->panel_side_large : tuning->panel_side;
        return;
    }
    tile = tile_rows(shape->cols, all, element_bytes, 64, tuning->panel_bytes);
    tiles->cols = tile.cols;
    tiles->rows = tile.rows;
    /* Small tiles keep fewer work-items busy. */
    if ((uint64_t)tiles->rows * tiles->cols * element_bytes < 14000 && tiles->group > 128)
        tiles->group /= 2;
    while (tiles->group > limits->group_items)
        tiles->group /= 2;
    /* Large elements. */
    while (tiles->cols > 1 &&
           tile_bytes(tiles, shape, element_bytes) > limits->local_bytes)
        tiles->cols /= 2;
    while (tiles->rows > 1 &&
           tile_bytes(tiles, shape, element_bytes) > limits->local_bytes)
        tiles->rows = (tiles->rows + 1) / 2;
}

/* Tiles whose columns are written, or read, as runs of words; false: there are none. */
static bool runs_choose(const struct dl_transpose *transpose,
                        const struct dl__tuning *tuning, const struct dl__task *task,
                        const struct panel_shape *shape, uint32_t vector_bytes,
                        bool joining, struct dl__columns *out)
{
    unsigned e = (unsigned)task->element_bytes, word = e < 4 ? 4 : e;
    unsigned more = shape->align > 1 ? shape->align - 1 : 0;
    struct tile_rows tile;

    if (task->unit_bytes != task->element_bytes || tuning->panel_run == 0 ||
        vector_bytes < word || (joining && e < 4))
        return false;
    tile = tile_rows(shape->cols, shape->block + (joining ? shape->skew : 0), e,
                     tuning->panel_cols, tuning->panel_run_bytes);
    *out = (struct dl__columns){
        .cols = (unsigned)dl__power_of_two_up(tile.cols < 4 / e ? 4 / e : tile.cols),
        .rows = (unsigned)dl__round_up(tile.rows, e < 2 ? 16 : 8),
        .more = shape->skew && !joining ? more : 0,
        .run = tuning->panel_run,
        .group = (unsigned)dl__group_items(transpose, tuning->panel_run_group),
        .held = tuning->panel_run_held,
        .hint = tuning->panel_run_hint};
    while (out->run * word > vector_bytes)
        out->run /= 2;
    /* A table for each column; joining, more columns and, at both ends, a run each. */
    return dl__columns_fit(
        transpose, out, e,
        (uint64_t)(out->cols + more) * 12 + 64 +
            (joining ? more * (out->rows + 9) * e + out->cols * 8 * e : 0));
}

/* Shares a panel out in tiles. */
static void lay_out(struct panel_shape *shape, const struct panel_tiles *tiles,
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

/* The shape's numbers of tiles are written, too. */
static void knobs_write(const struct dl__tuning *tuning, const struct dl__task *task,
                        const struct panel_shape *shape,
                        const struct dl__columns *columns, struct panel_tiles *tiles)
{
    char text[DL__KNOBS_BYTES];

    if (tiles->by_runs) {
        snprintf(tiles->knobs, sizeof tiles->knobs, "%s#define COL_SKEW %uu\n",
                 dl__columns_knobs(columns, task->element_bytes, false, text),
                 shape->col_skew);
        return;
    }
    snprintf(tiles->knobs, sizeof tiles->knobs,
             "#define UNIT_BYTES %u\n#define UNITS %uu\n#define TILE_COLS %uu\n"
             "#define TILE_ROWS %uu\n#define SKEW %uu\n#define COL_SKEW %uu\n"
             "#define GROUP %uu\n#define UNROLL %u\n",
             (unsigned)task->unit_bytes,
             (unsigned)(task->element_bytes / task->unit_bytes), tiles->cols, tiles->rows,
             shape->skew ? shape->align - 1 : 0, shape->col_skew, tiles->group,
             tuning->unroll);
}

/* Writes the shape's numbers of tiles, too; false: an element exceeds local memory. */
static bool tiles_choose(const struct dl_transpose *transpose,
                         const struct dl__tuning *tuning, const struct dl__task *task,
                         struct panel_shape *shape, uint32_t vector_bytes, bool joining,
                         struct panel_tiles *tiles)
{
    struct dl__columns columns;

    tiles->by_runs =
        runs_choose(transpose, tuning, task, shape, vector_bytes, joining, &columns);
    if (tiles->by_runs) {
        tiles->cols = columns.cols;
        tiles->rows = columns.rows;
        tiles->group = columns.group;
    } else {
        units_choose(transpose, tuning, shape, joining, task->element_bytes, tiles);
        if (tile_bytes(tiles, shape, task->element_bytes) >
            transpose->engine.limits.local_bytes)
            return false;
    }
    tiles->by_blocks = !tiles->by_runs && !joining && transpose->tuning.panel_blocks;
    if (tiles->by_blocks)
        tiles->group = 1;
    lay_out(shape, tiles, joining);
    knobs_write(tuning, task, shape, &columns, tiles);
    return true;
}

/* ---- launches ---- */

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
    size_t items;

    if (reads_only && work < shape->blocks)
        work = shape->blocks;
    items = items_useful(plan->transpose, work);
    return dl__launch_add(plan,
                          &(struct dl__launch){.source = &strip_source,
                                               .kernel = name,
                                               .numbers = shape,
                                               .numbers_bytes = sizeof *shape,
                                               .group = 64,
                                               .groups = {items / 64},
                                               .reads_only = reads_only},
                          error, "#define UNIT_BYTES %u\n#define UNITS %uu\n",
                          (unsigned)task->unit_bytes, (unsigned)units);
}

static enum dl_status panels_add(struct dl_transpose_plan *plan,
                                 const struct panel_tiles *tiles,
                                 const struct panel_shape *shape, bool joining,
                                 struct dl_transpose_error *error)
{
    const struct dl__kernel_source *text = &source;
    const char *name = joining ? "dl_panel_join" : "dl_panel_split";

    if (tiles->by_runs) {
        text = joining ? &join_runs_source : &runs_source;
        name = joining ? "dl_panel_join_runs" : "dl_panel_split_runs";
    } else if (tiles->by_blocks) {
        text = &blocks_source;
        name = "dl_panel_split_blocks";
    }
    return dl__launch_add(
        plan,
        DL__LAUNCH(text, name, *shape, tiles->group,
                   (uint64_t)shape->tiles_across * shape->tiles_down * shape->blocks),
        error, "%s", tiles->knobs);
}

/* ---- the plans ---- */

/* Is it the cap that no candidate met? */
static bool cap_is_to_blame(const struct dl__tuning *tuning, const struct dl__task *task,
                            const struct dl__sides *sides)
{
    struct dl__task free_task = *task;
    struct candidate any;

    free_task.cap_bytes = UINT64_MAX;
    return candidate_choose(tuning, &free_task, sides, false, &any);
}

/* Without a cap there is room for anything: say which part is to blame. */
static enum dl_status refuse(const struct dl__tuning *tuning, const struct dl__task *task,
                             const struct dl__sides *sides, const char *name,
                             struct dl_transpose_error *error)
{
    if (cap_is_to_blame(tuning, task, sides))
        return dl__fail_cap(error, name, task->cap_bytes);
    return dl__fail(error, DL_ENOTSUP, "%s can't divide a side of %llu into blocks", name,
                    (unsigned long long)sides->rows);
}

/* Strip, panels and blocks: split by rows, or joined. */
static enum dl_status runs_add(struct dl_transpose_plan *plan,
                               const struct panel_shape *shape,
                               const struct panel_tiles *tiles, uint32_t vector_bytes,
                               bool by_rows, struct dl_transpose_error *error)
{
    enum dl_status st;

    if (by_rows) {
        st = strip_add(plan, "dl_panel_strip_from_rows", shape, true, error);
        if (st == DL_OK)
            st = panels_add(plan, tiles, shape, false, error);
        if (st == DL_OK)
            st = moves_add(plan, *shape, vector_bytes, false, false, error);
    } else {
        st = moves_add(plan, *shape, vector_bytes, true, false, error);
        if (st == DL_OK)
            st = panels_add(plan, tiles, shape, true, error);
        if (st == DL_OK && shape->strip_rows > 0)
            st = strip_add(plan, "dl_panel_strip_to_rows", shape, false, error);
    }
    return st;
}

static void describe(struct dl_transpose_plan *plan, const struct candidate *best,
                     const struct dl__sides *sides, const struct panel_tiles *tiles,
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

static enum dl_status panel_plan(struct dl_transpose_plan *plan,
                                 struct dl_transpose_error *error)
{
    const bool by_rows = plan->info.algorithm == DL_TRANSPOSE_PANEL_ROWS;
    const struct dl__task *task = &plan->task;
    const struct dl__tuning tuning = dl__tuning_for(
        plan->transpose, by_rows ? "panels" : "joins", task->element_bytes);
    struct dl__sides sides = sides_of(task, by_rows);
    struct candidate best;
    struct panel_shape *shape = &best.shape;
    struct panel_tiles tiles;
    uint32_t vector_bytes;

    if (sides.cols > UINT32_MAX / 2 ||
        !candidate_choose(&tuning, task, &sides, !by_rows, &best))
        return refuse(&tuning, task, &sides, by_rows ? "panel-rows" : "panel-cols",
                      error);
    vector_bytes = vector_bytes_of(&sides, task, shape);
    if (!tiles_choose(plan->transpose, &tuning, task, shape, vector_bytes, !by_rows,
                      &tiles))
        return dl__fail(error, DL_ENOTSUP,
                        "panels: elements of %llu bytes exceed local memory",
                        (unsigned long long)sides.element_bytes);
    if ((uint64_t)shape->tiles_across * shape->tiles_down * shape->blocks > UINT32_MAX)
        return dl__fail(error, DL_ENOTSUP, "more than 2^32 tiles");
    describe(plan, &best, &sides, &tiles, vector_bytes, by_rows);
    return runs_add(plan, shape, &tiles, vector_bytes, by_rows, error);
}

static double cost_by(const struct dl_transpose *transpose, const struct dl__task *task,
                      bool by_rows)
{
    struct dl__tuning tuning =
        dl__tuning_for(transpose, by_rows ? "panels" : "joins", task->element_bytes);
    struct dl__sides sides = sides_of(task, by_rows);
    struct candidate best;

    if (sides.cols > UINT32_MAX / 2 ||
        !candidate_choose(&tuning, task, &sides, !by_rows, &best))
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

DL_TRANSPOSE_ROW(PANEL_ROWS) = {5, panel_rows_cost, panel_plan};
DL_TRANSPOSE_ROW(PANEL_COLS) = {6, panel_cols_cost, panel_plan};

/* ---- 100! alone: every element is a block ---- */

/* One matrix after the other, each with its launches: a batch is better moved at once
 * (stages.c). */
static double cycles_cost(const struct dl_transpose *transpose,
                          const struct dl__task *task)
{
    const struct dl__tuning *tuning = &transpose->tuning;

    if (task->element_bytes < tuning->cycles_bytes_min)
        return DL__NOT_FOR;
    if (task->batch == 1)
        return 0;
    return tuning->axes_moved * (double)task->matrix_bytes +
           2 * tuning->stage_launch_bytes;
}

static enum dl_status cycles_plan(struct dl_transpose_plan *plan,
                                  struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    struct dl__sides sides = {task->rows, task->cols, task->element_bytes,
                              task->offset_bytes};
    struct candidate best = {.shape = {.rows = task->rows,
                                       .cols = (uint32_t)task->cols,
                                       .block = 1,
                                       .blocks = (uint32_t)task->rows,
                                       .align = 1}};
    struct dl__tuning tuning =
        dl__tuning_for(plan->transpose, "panels", task->element_bytes);
    enum dl_status st;

    if (task->rows > UINT32_MAX / 2 || task->cols > UINT32_MAX / 2 ||
        task->rows * task->cols > UINT32_MAX / 2)
        return dl__fail(error, DL_ENOTSUP, "cycles: more than 2^31 elements");
    if (task->element_bytes / task->unit_bytes > 4096)
        return dl__fail(error, DL_ENOTSUP, "cycles: an element of %llu bytes",
                        (unsigned long long)task->element_bytes);
    cuts_try(&tuning, &sides, task->cap_bytes, false, best.shape, &best);
    if (best.cut == 0)
        return dl__fail_cap(error, "cycles", task->cap_bytes);
    best.shape.by_blocks = dl__divisor_make(best.shape.blocks);
    best.shape.by_cols = dl__divisor_make(best.shape.cols);
    st = moves_add(plan, best.shape, vector_bytes_of(&sides, task, &best.shape), false,
                   true, error);
    plan->info.passes = 1;
    plan->info.workspace_bytes = best.work_bytes;
    snprintf(plan->why, sizeof plan->why,
             "elements of %llu bytes moved whole, a cut in %u",
             (unsigned long long)task->element_bytes, best.cut);
    return st;
}

DL_TRANSPOSE_ROW(CYCLES) = {3, cycles_cost, cycles_plan};
