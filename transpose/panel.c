/* The panel algorithm's plan: its launches. Two passes for any shape.
 *
 * Sources: the order of Sung's tiled transpositions (2013, 4.3.1) with the panel taken out of
 * place through a hole of about a panel; block places on sector boundaries and the strip between
 * them are our own, so that no side needs a factor. */
#include "internal.h"

#include <stdio.h>
#include <string.h>

extern const char dl_panel_cl[], dl_move_cl[];
static const struct dl__kernel_source panel_source = {{dl_shape_cl, dl_panel_cl}};
static const struct dl__kernel_source move_source = {{dl_shape_cl, dl_move_cl}};

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
    struct tiles tiles = {.group = transpose->tuning.panel_group};
    uint64_t all = shape->block + (joining ? shape->skew : 0);
    struct dl__tile_rows tile;

    /* Few different kernels, since a CPU's compiler takes longer than most transpositions. */
    if (limits->is_cpu) {
        tiles.cols = tiles.rows = element_bytes > 64 ? 4 : 32;
        return tiles;
    }
    tile = dl__tile_rows(shape->cols, all, element_bytes, transpose->tuning.panel_bytes);
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

static uint32_t vector_bytes_of(const struct dl__sides *sides,
                                const struct dl__task *task,
                                const struct panel_shape *shape)
{
    uint64_t all = sides->offset_bytes + shape->phase * sides->element_bytes;
    uint64_t step = shape->align * sides->element_bytes;
    uint32_t bytes = 16;

    if (task->batch > 1)
        all |= task->stride_bytes;
    all |= step | shape->block * sides->element_bytes;
    while (all % bytes != 0)
        bytes /= 2;
    return bytes;
}

static size_t items_useful(const struct dl_transpose *transpose, uint64_t work)
{
    uint64_t most = transpose->engine.limits.is_cpu ? 256 : 1 << 18;

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
    enum dl_status st =
        dl__kernel_get(transpose, &panel_source, knobs, name, &kernel, error);

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

static enum dl_status panels_add(struct dl_transpose_plan *plan, const char *knobs,
                                 const char *name, const struct panel_shape *shape,
                                 size_t group, struct dl_transpose_error *error)
{
    cl_kernel kernel;
    struct dl__run *run;
    enum dl_status st =
        dl__kernel_get(plan->transpose, &panel_source, knobs, name, &kernel, error);

    if (st != DL_OK)
        return st;
    run = dl__run_add(plan, name, kernel, shape, sizeof *shape);
    run->local[0] = group;
    run->global[0] =
        (size_t)shape->tiles_across * shape->tiles_down * shape->blocks * group;
    return DL_OK;
}

/* The mover and what saves its cuts. */
static enum dl_status moves_add(struct dl_transpose_plan *plan, struct panel_shape shape,
                                uint32_t vector_bytes, bool inverse,
                                struct dl_transpose_error *error)
{
    struct dl_transpose *transpose = plan->transpose;
    uint64_t used = (uint64_t)shape.blocks * shape.cols - shape.hole, stretches, movers;
    const struct dl__tuning *tuning = &transpose->tuning;
    unsigned per_lane, ahead;
    size_t lanes, group = tuning->move_group;
    char knobs[400];
    cl_kernel save, move;
    struct dl__run *run;
    enum dl_status st;

    while (group > transpose->engine.limits.group_items)
        group /= 2;
    shape.vectors = (uint32_t)(shape.block * plan->task.element_bytes / vector_bytes);
    per_lane = tuning->move_bytes / vector_bytes;
    lanes = dl__power_of_two_up((shape.vectors + per_lane - 1) / per_lane);
    while (lanes > group)
        lanes /= 2;
    per_lane = (unsigned)((shape.vectors + lanes - 1) / lanes);
    ahead = tuning->move_ahead * 16 / (per_lane * vector_bytes);
    if (ahead < 2)
        ahead = 2;
    shape.searchers = (uint32_t)((used + tuning->move_span - 1) / tuning->move_span);
    snprintf(knobs, sizeof knobs,
             "#define VECTOR_BYTES %u\n#define ELEMENT_BYTES %lluu\n#define LANES %zuu\n"
             "#define PER_LANE %uu\n#define AHEAD %u\n"
             "#define SPAN %uu\n#define INVERSE %d\n",
             vector_bytes, (unsigned long long)plan->task.element_bytes, lanes, per_lane,
             ahead, tuning->move_span, inverse);
    st = dl__kernel_get(transpose, &move_source, knobs, "dl_move_save", &save, error);
    if (st == DL_OK)
        st = dl__kernel_get(transpose, &move_source, knobs, "dl_move", &move, error);
    if (st != DL_OK)
        return st;
    run = dl__run_add(plan, "dl_move_save", save, &shape, sizeof shape);
    run->reads_only = true;
    run->local[0] = group;
    run->global[0] = dl__round_up((uint64_t)shape.cuts * shape.vectors, group);
    run = dl__run_add(plan, "dl_move", move, &shape, sizeof shape);
    stretches = (uint64_t)shape.hole + shape.cuts;
    movers = (stretches * lanes + group - 1) / group;
    run->local[0] = group;
    run->global[0] = (movers + shape.searchers) * group;
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

enum dl_status dl__panel_plan(struct dl_transpose_plan *plan, bool by_rows,
                              struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    const struct dl__tuning *tuning = &plan->transpose->tuning;
    struct dl__sides sides = dl__sides_of(task, by_rows);
    struct dl__candidate best;
    struct panel_shape *shape = &best.shape;
    struct tiles tiles;
    char knobs[400];
    uint32_t vector_bytes;
    enum dl_status st;

    if (sides.cols > UINT32_MAX / 2 ||
        !dl__candidate_choose(tuning, task, &sides, !by_rows, &best))
        return refuse(tuning, task, &sides, by_rows ? "panel-rows" : "panel-cols", error);
    tiles = tiles_choose(plan->transpose, shape, !by_rows, sides.element_bytes);
    if (tile_bytes(&tiles, shape, sides.element_bytes) >
        plan->transpose->engine.limits.local_bytes)
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
             plan->transpose->engine.limits.is_cpu ? 1 : 8);
    vector_bytes = vector_bytes_of(&sides, task, shape);
    if (by_rows) {
        st = strip_add(plan, knobs, "dl_panel_strip_from_rows", shape, true, error);
        if (st == DL_OK)
            st = panels_add(plan, knobs, "dl_panel_split", shape, tiles.group, error);
        if (st == DL_OK)
            st = moves_add(plan, *shape, vector_bytes, false, error);
        if (st == DL_OK && shape->strip_rows > 0)
            st = strip_add(plan, knobs, "dl_panel_strip_to_places", shape, false, error);
    } else {
        st = strip_add(plan, knobs, "dl_panel_strip_from_places", shape, true, error);
        if (st == DL_OK)
            st = moves_add(plan, *shape, vector_bytes, true, error);
        if (st == DL_OK)
            st = panels_add(plan, knobs, "dl_panel_join", shape, tiles.group, error);
        if (st == DL_OK && shape->strip_rows > 0)
            st = strip_add(plan, knobs, "dl_panel_strip_to_rows", shape, false, error);
    }
    plan->info.passes = 2;
    plan->info.workspace_bytes = best.work_bytes;
    plan->info.block_rows = shape->block;
    plan->info.blocks = shape->blocks;
    snprintf(
        plan->why, sizeof plan->why,
        "%u blocks of %u elements in each %s of %llu, hole of %u blocks, strip of %u, "
        "a cut in %u, tiles of %u x %u, vectors of %u bytes",
        shape->blocks, shape->block, by_rows ? "column" : "row",
        (unsigned long long)sides.rows, shape->hole, shape->strip_rows, best.cut,
        tiles.rows, tiles.cols, vector_bytes);
    return st;
}

/* 100! alone: every element is a block. */
enum dl_status dl__cycles_plan(struct dl_transpose_plan *plan,
                               struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    struct dl__sides sides = {task->rows, task->cols, task->element_bytes,
                              task->offset_bytes};
    struct dl__candidate best = {.shape = {.rows = task->rows,
                                           .cols = (uint32_t)task->cols,
                                           .block = 1,
                                           .blocks = (uint32_t)task->rows,
                                           .align = 1}};
    enum dl_status st;

    if (task->rows > UINT32_MAX / 2 || task->cols > UINT32_MAX / 2 ||
        task->rows * task->cols > UINT32_MAX / 2)
        return dl__fail(error, DL_ENOTSUP, "cycles: more than 2^31 elements");
    if (task->element_bytes / task->unit_bytes > 4096)
        return dl__fail(error, DL_ENOTSUP, "cycles: an element of %llu bytes",
                        (unsigned long long)task->element_bytes);
    dl__cuts_try(&plan->transpose->tuning, &sides, task->cap_bytes, false, best.shape,
                 &best);
    if (best.cut == 0)
        return dl__fail(error, DL_EREFUSED,
                        "cycles needs more workspace than the cap of %llu bytes",
                        (unsigned long long)task->cap_bytes);
    best.shape.by_blocks = dl__divisor_make(best.shape.blocks);
    best.shape.by_cols = dl__divisor_make(best.shape.cols);
    st = moves_add(plan, best.shape, vector_bytes_of(&sides, task, &best.shape), false,
                   error);
    plan->info.passes = 1;
    plan->info.workspace_bytes = best.work_bytes;
    snprintf(plan->why, sizeof plan->why,
             "elements of %llu bytes moved whole, a cut in %u",
             (unsigned long long)task->element_bytes, best.cut);
    return st;
}
