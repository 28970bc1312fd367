/* SPDX-License-Identifier: MIT */
/* Square matrices, and two axes of one extent, in place: pairs of tiles, blocks or
 * elements are swapped in one pass without workspace. All other permutations of axes are
 * sequences of moves, of which the cheapest is taken. */
#include "algorithm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout/plan.h"

extern const char dl_swap_cl[], dl_swap_runs_cl[], dl_square_cl[], dl_blocks_cl[],
    dl_threads_cl[], dl_tiles_cl[];
static const struct dl__kernel_source source = {{dl_shape_cl, dl_tiles_cl, dl_swap_cl}};
static const struct dl__kernel_source runs_source = {
    {dl_shape_cl, dl_units_cl, dl_swap_runs_cl}};
static const struct dl__kernel_source local_source = {
    {dl_shape_cl, dl_units_cl, dl_square_cl}};
static const struct dl__kernel_source blocks_source = {{dl_shape_cl, dl_blocks_cl}};
static const struct dl__kernel_source threads_source = {
    {dl_shape_cl, dl_units_cl, dl_threads_cl}};

static enum dl_status square_refuse(const struct dl_transpose_plan *plan)
{
    return dl__decline(
        plan, "%llu x %llu is not a square, or its leading distances differ",
        (unsigned long long)plan->task.rows, (unsigned long long)plan->task.cols);
}

/* Makes the launches do the whole batch, if that is not too many work-groups; returns how
 * many they have. */
static uint64_t batch_groups(struct dl_transpose_plan *plan, uint64_t groups,
                             uint64_t batch)
{
    plan->batch_at_once = batch <= DL__GROUPS_MAX / groups;
    return plan->batch_at_once ? groups * batch : groups;
}

/* Whether the task's axes include its batch. */
static bool is_at_once(const struct dl__task *task)
{
    return !task->is_array && (task->axes.count == 3 || !task->has_axes);
}

/* ---- pairs of tiles through registers, in the order of a scheme (swap.cl) ---- */

enum { FEW_GROUP = 64 }; /* work-items of a pair of tiles of half the side */

static bool tiling_of(const struct dl__task *task, struct dl__tiling *out)
{
    uint64_t aligned =
        dl__places_of(task) | (task->leading | task->rows) * task->element_bytes;
    unsigned line;

    if (!dl__tiling_choose(task, "swap", aligned, out))
        return false;
    /* A work-group or two for each compute unit would leave it waiting. */
    if (task->matrix_bytes <= task->transpose->tuning.square_few_bytes &&
        out->side >= 32 && task->transpose->tuning.square_side == 0) {
        out->side /= 2;
        line = out->side / out->vector; /* no fewer squares than work-items */
        while (out->group > FEW_GROUP || out->group > line * line)
            out->group /= 2;
    }
    return true;
}

/* A super grid has a launch for each of at most eleven regions a side (Gorawski and Lorek
 * 2017, 3.1). */
enum { REGIONS_MAX = 11, REGION_TILES_MIN = 32 };

static uint64_t region_tiles(const struct dl_transpose_plan *plan, uint64_t tiles)
{
    uint64_t region = (tiles + REGIONS_MAX - 1) / REGIONS_MAX;

    if (plan->info.algorithm != DL__COMPARED(SQUARE_REGIONS))
        return tiles;
    return region < REGION_TILES_MIN ? REGION_TILES_MIN : region;
}

/* Adds the launches for squares of which `inner` are interleaved. */
static enum dl_status swap_add(struct dl_transpose_plan *plan,
                               const struct dl__task *task, enum tile_order order,
                               uint64_t inner, uint64_t inner_bytes)
{
    struct swap_shape shape = {.side = task->rows,
                               .leading = task->leading,
                               .stride_bytes = task->stride_bytes,
                               .order = order,
                               .inner = (uint32_t)inner,
                               .inner_bytes = inner_bytes};
    struct dl__tiling tiling;
    char knobs[DL__KNOBS_BYTES];
    uint64_t tiles, numbers, groups;
    enum dl_status st = DL_OK;

    if (!tiling_of(task, &tiling))
        return dl__decline_elements(plan);
    tiles = dl__divide_up(task->rows, tiling.side);
    shape.width =
        order == TILES_REGION ? (uint32_t)region_tiles(plan, tiles) : tiling.width;
    shape.tiles = (uint32_t)tiles;
    numbers = swap_numbers(&shape);
    if (tiles + tiling.width > 1 << 16 || numbers > DL__GROUPS_MAX ||
        inner > DL__GROUPS_MAX / numbers)
        return dl__decline(plan, "it has more than 2^31 pairs of tiles");
    shape.numbers = (uint32_t)numbers;
    dl__tiling_knobs(&tiling, task, knobs);
    groups = batch_groups(plan, numbers * inner, task->batch);
    for (uint64_t row = 0; row < tiles && st == DL_OK;
         row += order == TILES_REGION ? shape.width : tiles)
        for (uint64_t col = 0; col <= row && st == DL_OK; col += shape.width) {
            shape.first_row = (uint32_t)row;
            shape.first_col = (uint32_t)col;
            st = dl__launch_add(
                plan, DL__LAUNCH(&source, "dl_swap", shape, tiling.group, groups), "%s",
                knobs);
        }
    dl__describe(
        plan, tiling.side, tiling.side,
        "pairs of tiles of %u x %u swapped in registers, %u elements read as one",
        tiling.side, tiling.side, tiling.vector);
    return st;
}

static enum dl_status swap_plan(struct dl_transpose_plan *plan)
{
    const enum dl_transpose_algorithm algorithm = plan->info.algorithm;
    const enum tile_order order = algorithm == DL_TRANSPOSE_SQUARE_V1 ? TILES_ROWS
                                  : algorithm == DL_TRANSPOSE_SQUARE_V1R
                                      ? TILES_ROWS_REVERSED
                                  : algorithm == DL_TRANSPOSE_SQUARE_V1B   ? TILES_BANDS
                                  : algorithm == DL_TRANSPOSE_SQUARE_SUPER ? TILES_SUPER
                                                                           : TILES_REGION;

    if (!dl__is_square(&plan->task))
        return square_refuse(plan);
    return swap_add(plan, &plan->task, order, 1, 0);
}

#define SWAP_ROW(name, pass)                                                             \
    static double name##_cost(const struct dl__task *task)                               \
    {                                                                                    \
        struct dl__tiling tiling;                                                        \
        return dl__is_square(task) && tiling_of(task, &tiling)                           \
                   ? tiling.costs.pass * (double)task->matrix_bytes                      \
                   : DL__NOT_FOR;                                                        \
    }                                                                                    \
    DL_TRANSPOSE_ROW(name) = {2, name##_cost, swap_plan, .keeps_apart = true}

DL_TRANSPOSE_ROW(SQUARE_NAIVE) = {14, NULL, swap_plan, .keeps_apart = true};
DL_TRANSPOSE_ROW(SQUARE_REGIONS) = {14, NULL, swap_plan, .keeps_apart = true};
SWAP_ROW(SQUARE_V1, square_v1);
SWAP_ROW(SQUARE_V1R, square_v1r);
SWAP_ROW(SQUARE_V1B, square_v1b);
SWAP_ROW(SQUARE_SUPER, square_super);

/* ---- two axes of one extent, with any axes between and around ---- */

/* The squares of a move; those at one place of the outer axes are interleaved. */
static struct dl__task squares_of(const struct dl__task *all, const struct dl_move *move)
{
    struct dl__task task = *all;

    task.rows = task.cols = move->rows;
    task.leading = task.leading_out = move->middle * move->columns;
    task.element_bytes = move->element_bytes;
    task.matrix_bytes = move->rows * task.leading * move->element_bytes;
    task.batch = move->instances;
    task.stride_bytes = task.matrix_bytes;
    /* Tiles must be aligned in every array that the launch is for. */
    if (all->batch > 1)
        task.offset_bytes |= all->stride_bytes;
    return task;
}

/* The cost of a move of two axes of one extent by pairs of tiles in bands, in copies of
 * the array; 0: it can't be done so. */
static double swap_axes_cost(const struct dl__task *all, const struct dl_move *move)
{
    struct dl__task task = squares_of(all, move);
    struct dl__tiling tiling;

    return tiling_of(&task, &tiling) ? tiling.costs.square_v1b : 0;
}

static enum dl_status swap_axes_add(struct dl_transpose_plan *plan,
                                    const struct dl_move *move)
{
    struct dl__task task = squares_of(&plan->task, move);
    bool at_once = plan->batch_at_once;
    const enum tile_order order = plan->info.algorithm == DL__COMPARED(AXES_SWAP_NAIVE)
                                      ? TILES_REGION
                                      : TILES_BANDS;
    enum dl_status st =
        swap_add(plan, &task, order, move->middle, move->columns * move->element_bytes);

    if (st == DL_OK && !plan->batch_at_once)
        st = dl__decline(plan, "it has more than 2^31 pairs of tiles");
    plan->batch_at_once = at_once;
    return st;
}

/* Pairs of elements of any size (swap_runs.cl). */
enum { RUNS_SIDE_MAX = 65535 /* of which 32 bits number the pairs */ };

static enum dl_status swap_runs_add(struct dl_transpose_plan *plan,
                                    const struct dl_move *move)
{
    size_t group = dl__group_items(plan->transpose, 0);
    uint64_t unit =
        dl__power_of_two_in(move->element_bytes | dl__places_of(&plan->task), 16);
    struct runs_shape shape = {.units = move->element_bytes / unit,
                               .middle = move->middle,
                               .side = (uint32_t)move->rows,
                               .lanes = 1};
    uint64_t groups;

    while (shape.lanes * 2 <= group && shape.lanes < shape.units)
        shape.lanes *= 2;
    if (move->rows > RUNS_SIDE_MAX)
        return dl__decline(plan, "an extent of %llu exceeds %d",
                           (unsigned long long)move->rows, RUNS_SIDE_MAX);
    shape.pairs = shape.side * (shape.side - 1u) / 2;
    if (__builtin_mul_overflow(move->instances * move->middle, shape.pairs, &shape.all) ||
        (groups = dl__divide_up(shape.all, group / shape.lanes)) > DL__GROUPS_MAX)
        return dl__decline(plan, "it has more than 2^31 pairs");
    dl__describe(plan, 0, 0, "pairs of elements of %llu bytes swapped, in units of %u",
                 (unsigned long long)move->element_bytes, (unsigned)unit);
    if (groups == 0)
        return DL_OK;
    return dl__launch_add(
        plan, DL__LAUNCH(&runs_source, "dl_swap_runs", shape, group, groups),
        "#define UNIT_BYTES %u\n#define GROUP %zuu\n", (unsigned)unit, group);
}

/* Axis order[0] of the source comes first in the target. */
static void axes_order(const struct dl__axes *axes, unsigned *order)
{
    for (unsigned a = 0; a < axes->count; a++) {
        unsigned at = a;
        for (; at > 0 && axes->axes[order[at - 1]].to_bytes < axes->axes[a].to_bytes;
             at--)
            order[at] = order[at - 1];
        order[at] = a;
    }
}

/* The permutation as one such move; false: it is another. */
static bool swap_of(const struct dl__axes *axes, struct dl_move *out)
{
    struct dl_move move = {1, 1, 1, 1, axes->element_bytes};
    unsigned order[DL__AXES_MAX], first = axes->count, last = 0;

    axes_order(axes, order);
    for (unsigned a = 0; a < axes->count; a++)
        if (order[a] != a) {
            first = first == axes->count ? a : first;
            last = a;
        }
    if (first == axes->count || order[first] != last || order[last] != first ||
        axes->axes[first].extent != axes->axes[last].extent)
        return false;
    for (unsigned a = 0; a < axes->count; a++) {
        if (a > first && a < last && order[a] != a)
            return false;
        *(a < first    ? &move.instances
          : a == first ? &move.rows
          : a < last   ? &move.middle
          : a == last  ? &move.columns
                       : &move.element_bytes) *= axes->axes[a].extent;
    }
    *out = move;
    return true;
}

/* The same for a task that may be of dense squares. */
static bool move_of(const struct dl__task *task, struct dl_move *out)
{
    if (task->has_axes)
        return swap_of(&task->axes, out);
    if (!dl__is_square(task) || task->leading != task->cols || !dl__is_dense_batch(task))
        return false;
    *out = (struct dl_move){task->batch, task->rows, 1, task->cols, task->element_bytes};
    return true;
}

static double axes_swap_cost(const struct dl__task *task)
{
    struct dl_move move;
    double pass;

    if (!move_of(task, &move))
        return DL__NOT_FOR;
    pass = swap_axes_cost(task, &move);
    if (pass == 0)
        pass = move.element_bytes < DL__RUN_BYTES_MIN
                   ? task->transpose->tuning.axes_general
                   : task->transpose->tuning.axes_swap_runs;
    return pass * (double)task->matrix_bytes;
}

static enum dl_status axes_swap_plan(struct dl_transpose_plan *plan)
{
    struct dl_move move;

    if (!move_of(&plan->task, &move))
        return dl__decline(plan, "it is for two axes of one extent that change places");
    plan->batch_at_once = is_at_once(&plan->task);
    return swap_axes_cost(&plan->task, &move) > 0 ? swap_axes_add(plan, &move)
                                                  : swap_runs_add(plan, &move);
}

DL_TRANSPOSE_ROW(AXES_SWAP_NAIVE) = {14, NULL, axes_swap_plan, .takes_axes = true};
DL_TRANSPOSE_ROW(AXES_SWAP) = {3, axes_swap_cost, axes_swap_plan, .takes_axes = true};

/* ---- pairs of tiles through local memory (square.cl) ---- */

static enum dl_status local_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    const uint64_t local_bytes = plan->transpose->engine.limits.local_bytes;
    struct square_shape shape = {task->rows, task->leading};
    size_t group = dl__group_items(plan->transpose, 0);
    uint64_t side = 64, tiles;

    if (!dl__is_square(task))
        return square_refuse(plan);
    while (side > 1 &&
           (side * side * task->element_bytes > plan->transpose->tuning.square_bytes ||
            2 * side * (side + 1) * task->element_bytes + 64 > local_bytes))
        side /= 2;
    if (2 * side * (side + 1) * task->element_bytes > local_bytes)
        return dl__decline_elements(plan);
    tiles = dl__round_up(dl__divide_up(task->rows, side), 2);
    dl__describe(plan, side, side, "pairs of tiles of %u x %u swapped", (unsigned)side,
                 (unsigned)side);
    return dl__launch_add(
        plan,
        DL__LAUNCH(&local_source, "dl_square_swap", shape, group, tiles + 1, tiles / 2),
        "#define UNIT_BYTES %u\n#define UNITS %uu\n#define SIDE %uu\n#define GROUP "
        "%zuu\n",
        (unsigned)task->unit_bytes, (unsigned)(task->element_bytes / task->unit_bytes),
        (unsigned)side, group);
}

/* No other algorithm swaps tiles of elements that no register holds. */
static double local_cost(const struct dl__task *task)
{
    bool is_alone = task->element_bytes != task->unit_bytes;

    if (!dl__is_square(task))
        return DL__NOT_FOR;
    return is_alone ? 0
                    : task->transpose->tuning.square_pass * (double)task->matrix_bytes;
}

DL_TRANSPOSE_ROW(SQUARE) = {3, local_cost, local_plan, .keeps_apart = true};

/* ---- for CPUs: pairs of blocks swapped by a work-item (blocks.cl) ---- */

static double blocks_cost(const struct dl__task *task)
{
    return task->transpose->engine.limits.is_cpu && dl__fits_blocks(task) &&
                   dl__is_square(task)
               ? task->transpose->tuning.out_blocks * (double)task->matrix_bytes
               : DL__NOT_FOR;
}

static enum dl_status blocks_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    unsigned side = plan->transpose->tuning.block_side;
    uint64_t tiles = dl__divide_up(task->rows, side);
    struct swap_shape shape = {.side = task->rows,
                               .leading = task->leading,
                               .stride_bytes = task->stride_bytes,
                               .tiles = (uint32_t)tiles,
                               .width = 1,
                               .order = TILES_ROWS,
                               .inner = 1};
    uint64_t numbers = swap_numbers(&shape);
    char knobs[DL__KNOBS_BYTES];

    if (!dl__is_square(task))
        return square_refuse(plan);
    if (!dl__fits_blocks(task))
        return dl__decline_elements(plan);
    if (tiles >= 1 << 16 || numbers > DL__GROUPS_MAX)
        return dl__decline(plan, "it has more than 2^31 pairs");
    shape.numbers = (uint32_t)numbers;
    dl__describe(plan, side, side,
                 "pairs of blocks of %u x %u swapped, each by a work-item", side, side);
    return dl__launch_add(plan,
                          DL__LAUNCH(&blocks_source, "dl_square_blocks", shape, 1,
                                     batch_groups(plan, numbers, task->batch)),
                          "%s", dl__blocks_knobs(task, knobs));
}

DL_TRANSPOSE_ROW(SQUARE_BLOCKS) = {1, blocks_cost, blocks_plan, .keeps_apart = true};

/* ---- a pair of elements for each work-item (threads.cl) ---- */

enum { THREADS_SIDE_MAX = 90000 /* its pairs have numbers of 32 bits */ };

static enum dl_status threads_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    struct square_shape shape = {task->rows, task->leading};
    size_t group = dl__group_items(plan->transpose, 0);

    if (!dl__is_square(task) || task->rows > THREADS_SIDE_MAX)
        return square_refuse(plan);
    dl__describe(plan, 0, 0, "a pair of elements for each work-item");
    return dl__launch_add(
        plan,
        DL__LAUNCH(&threads_source, "dl_threads", shape, group,
                   dl__divide_up(task->rows * (task->rows - 1) / 2 + 1, group)),
        "#define UNIT_BYTES %u\n#define UNITS %uu\n", (unsigned)task->unit_bytes,
        (unsigned)(task->element_bytes / task->unit_bytes));
}

DL_TRANSPOSE_ROW(SQUARE_THREADS) = {14, NULL, threads_plan, .keeps_apart = true};

/* ---- sequences of moves: the cost of a move ---- */

/* The cost, in bytes copied, of short cycles without a cut: each has one work-group,
 * which takes long for long elements. */
static double alone_cost(const struct dl__tuning *tuning, const struct dl_move *move)
{
    enum { LONG_BYTES = 65536, PLACES_MAX = 16384, SEARCHED = 32 };
    uint64_t places = move->rows * move->columns;
    double longest = 0, all = 0;
    bool *seen;

    if (move->element_bytes < LONG_BYTES || places > PLACES_MAX)
        return 0;
    seen = calloc(places, 1);
    for (uint64_t first = 1; seen && first + 1 < places; first++) {
        double length = 0, whole = 1; /* the probability that none of them is cut */
        for (uint64_t at = first; !seen[at]; at = at * move->rows % (places - 1)) {
            seen[at] = true;
            length += 1;
            whole *= 1 - 1.0 / tuning->stage_cut_min;
        }
        if (length > 1) {
            all += length * whole;
            longest = length * whole > longest ? length * whole : longest;
        }
    }
    free(seen);
    return tuning->axes_alone * (double)move->element_bytes *
           (longest + all * SEARCHED / (double)places);
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

/* The cost of a move in bytes copied, as the chooser would find it, but without its
 * search for shapes. `state` is the whole task. */
static double move_cost(const void *state, const struct dl_move *move)
{
    const struct dl__task *all = state;
    const struct dl__tuning *tuning = &all->transpose->tuning;
    bool is_run = move->element_bytes >= DL__RUN_BYTES_MIN;
    double one =
        (double)(move->rows * move->middle * move->columns) * (double)move->element_bytes;
    double bytes = one * (double)move->instances;
    double cap = (double)all->cap_bytes, best;

    if (move->rows == move->columns) {
        double swap = swap_axes_cost(all, move);
        if (swap == 0 && (is_run || move->middle > 1))
            swap = is_run ? tuning->axes_swap_runs : tuning->axes_general;
        if (swap > 0)
            return bytes * swap + 1;
    }
    best = tuning->axes_general * bytes +
           tuning->axes_launch_bytes * (double)move->instances;
    if (one <= cap)
        best = lesser(best, bytes * 2.2 + tuning->through_launch_bytes *
                                              (1 + (double)(uint64_t)(bytes / cap)));
    if (one <= (double)dl__tile_bytes(all->transpose))
        best = lesser(best, tuning->axes_tile * bytes);
    if (is_run)
        best = lesser(best, dl__moved_cost(all, move->element_bytes, bytes) +
                                tuning->stage_launch_bytes + alone_cost(tuning, move));
    return best + 1;
}

/* ---- slices ---- */

/* Once the outermost axes are where they belong, `instances` dense slices are left that
 * fit the workspace, through which each goes and back, whatever the order of its axes. */
struct slices {
    uint64_t instances, bytes, element_bytes;
    unsigned count, order[DL__AXES_MAX];
    uint64_t extents[DL__AXES_MAX];
};

static uint64_t group_of(const struct slices *slices, uint64_t cap_bytes)
{
    uint64_t most = cap_bytes / slices->bytes;

    return most < slices->instances ? most : slices->instances;
}

/* The task that permutes `count` slices into the workspace, from an array that is aligned
 * as that of `like`. */
static struct dl__task out_task(const struct slices *slices, uint64_t count,
                                const struct dl__task *like)
{
    struct dl__task task = {.transpose = like->transpose,
                            .element_bytes = slices->element_bytes,
                            .batch = 1,
                            .offset_bytes = like->offset_bytes,
                            .shift_bytes = like->shift_bytes | slices->bytes,
                            .matrix_bytes = count * slices->bytes,
                            .is_out = true};
    struct dl__axes *axes = &task.axes;
    uint64_t from = slices->element_bytes, to = slices->element_bytes;

    axes->element_bytes = slices->element_bytes;
    axes->count = slices->count + 1;
    axes->axes[0] = (struct dl__axis){count, slices->bytes, slices->bytes};
    for (unsigned a = slices->count; a > 0; from *= slices->extents[--a])
        axes->axes[a] = (struct dl__axis){slices->extents[a - 1], from, 0};
    for (unsigned d = slices->count; d-- > 0; to *= slices->extents[slices->order[d]])
        axes->axes[1 + slices->order[d]].to_bytes = to;
    dl__axes_reduce(&task);
    return task;
}

static double slices_cost(const struct dl__task *task, const struct slices *slices)
{
    const struct dl__tuning *tuning = &task->transpose->tuning;
    uint64_t group = group_of(slices, task->cap_bytes);
    struct dl__task out = out_task(slices, group, task);
    double pass = dl__chosen_cost(&out) * (double)out.batch;

    pass += tuning->through_back * (double)(group * slices->bytes) +
            tuning->through_launch_bytes;
    return pass * (double)slices->instances / (double)group;
}

static enum dl_status group_add(struct dl_transpose_plan *plan,
                                const struct slices *slices, uint64_t first,
                                uint64_t count)
{
    const struct dl__back back = {.rows = 1,
                                  .width_bytes = count * slices->bytes,
                                  .to_bytes = first * slices->bytes};
    struct dl__task out = out_task(slices, count, &plan->task);
    enum dl_status st;

    out.offset_bytes += back.to_bytes;
    st = dl__part_add(plan, &out, DL_TRANSPOSE_AUTO);
    return st == DL_OK ? dl__back_add(plan, back) : st;
}

static enum dl_status slices_add(struct dl_transpose_plan *plan,
                                 const struct slices *slices)
{
    uint64_t group = group_of(slices, plan->task.cap_bytes),
             bytes = group * slices->bytes;
    uint64_t groups = slices->instances / group, rest = slices->instances % group;
    uint64_t shift_bytes = plan->task.shift_bytes;
    uint32_t passes = plan->info.passes;
    size_t before = plan->run_count;
    enum dl_status st;

    plan->task.shift_bytes |= bytes;
    st = group_add(plan, slices, 0, group);
    if (st == DL_OK)
        st = dl__repeat_last(plan, plan->run_count - before, groups, bytes);
    if (st == DL_OK && rest > 0)
        st = group_add(plan, slices, groups * group, rest);
    plan->task.shift_bytes = shift_bytes;
    plan->info.passes = passes + 2; /* there and back, whatever the groups */
    if (bytes > plan->info.workspace_bytes)
        plan->info.workspace_bytes = bytes;
    return st;
}

/* ---- moves as launches ---- */

/* A move as a batch of matrices, or as axes if it has some in the middle. */
static struct dl__task move_task(const struct dl__task *all, const struct dl_move *move)
{
    uint64_t e = move->element_bytes, row = move->middle * move->columns * e;
    struct dl__task task = {.transpose = all->transpose,
                            .rows = move->rows,
                            .cols = move->columns,
                            .leading = move->columns,
                            .leading_out = move->rows,
                            .element_bytes = e,
                            .batch = move->instances,
                            .stride_bytes = move->rows * row,
                            .offset_bytes = all->offset_bytes,
                            .shift_bytes = all->batch > 1 ? all->stride_bytes : 0,
                            .matrix_bytes = move->rows * row,
                            .cap_bytes = all->cap_bytes};

    task.unit_bytes = dl__power_of_two_in(task.offset_bytes | task.shift_bytes | e, 16);
    if (move->middle > 1) {
        task.axes = (struct dl__axes){3,
                                      {{move->rows, row, e},
                                       {move->middle, move->columns * e, move->rows * e},
                                       {move->columns, e, move->middle * move->rows * e}},
                                      e};
        dl__axes_reduce(&task);
    }
    return task;
}

static enum dl_status moves_plan(struct dl_transpose_plan *plan,
                                 const struct dl_move *moves, size_t count,
                                 const struct slices *slices)
{
    const enum dl_transpose_algorithm algorithm = plan->info.algorithm;
    char why[sizeof plan->why] = "";
    size_t used = 0;
    enum dl_status st = DL_OK;

    plan->batch_at_once = is_at_once(&plan->task);
    for (size_t m = 0; m < count && st == DL_OK; m++) {
        struct dl__task part = move_task(&plan->task, &moves[m]);
        st = dl__part_add(plan, &part,
                          moves[m].middle > 1 ? DL_TRANSPOSE_AXES_SWAP
                                              : DL_TRANSPOSE_AUTO);
        if (st == DL_OK && used < sizeof why)
            used += (size_t)snprintf(why + used, sizeof why - used, "%s %s",
                                     used > 0 ? "," : "by",
                                     dl_transpose_algorithm_name(plan->info.algorithm));
        plan->info.algorithm = algorithm;
    }
    if (st == DL_OK && slices) {
        st = slices_add(plan, slices);
        if (used < sizeof why)
            snprintf(why + used, sizeof why - used, "%s slices through the workspace",
                     used > 0 ? "," : "by");
    }
    plan->info =
        (struct dl_transpose_info){.algorithm = algorithm,
                                   .passes = plan->info.passes,
                                   .workspace_bytes = plan->info.workspace_bytes};
    memcpy(plan->why, why, sizeof why);
    if (st == DL_OK && plan->info.workspace_bytes > plan->task.cap_bytes)
        st = dl__decline_cap(plan, plan->info.workspace_bytes);
    return st;
}

/* ---- the sequences ---- */

/* The axes without those that stay in front. */
struct core {
    unsigned count, order[DL__AXES_MAX];
    uint64_t instances, extents[DL__AXES_MAX];
};

static struct core core_of(const struct dl__task *task)
{
    const struct dl__axes *axes = &task->axes;
    struct core core = {.instances = 1};
    unsigned order[DL__AXES_MAX], first = 0;

    if (!task->has_axes)
        return (struct core){2, {1, 0}, task->batch, {task->rows, task->cols}};
    axes_order(axes, order);
    for (; first < axes->count && order[first] == first; first++)
        core.instances *= axes->axes[first].extent;
    for (unsigned a = first; a < axes->count; a++) {
        core.extents[core.count] = axes->axes[a].extent;
        core.order[core.count++] = order[a] - first;
    }
    return core;
}

struct sequence {
    struct dl_move moves[DL_PERMUTE_MOVES_MAX];
    size_t count;
    bool has_slices;
    struct slices slices;
    double cost;
};

/* The cheapest moves that bring the axes into `order`. */
static enum dl_status moves_find(const struct dl__task *task, const struct core *core,
                                 const unsigned *order, struct sequence *out)
{
    enum dl_status st =
        dl_permute_search(core->extents, order, core->count, core->instances,
                          task->element_bytes, move_cost, task, out->moves, &out->count);

    out->cost = 0;
    for (size_t m = 0; m < out->count && st == DL_OK; m++)
        out->cost += move_cost(task, &out->moves[m]);
    return st;
}

/* Moves bring the first `first` axes to where they belong, and slices the others; false:
 * these do not fit the workspace. */
static bool sliced_find(const struct dl__task *task, const struct core *core,
                        unsigned first, struct sequence *out)
{
    struct slices *slices = &out->slices;
    unsigned order[DL__AXES_MAX], used = 0, count = first;

    for (unsigned d = 0; d < first; d++) {
        order[d] = core->order[d];
        used |= 1u << order[d];
    }
    *slices = (struct slices){.instances = core->instances,
                              .bytes = task->element_bytes,
                              .element_bytes = task->element_bytes};
    for (unsigned a = 0; a < core->count; a++) {
        if (used & 1u << a) {
            slices->instances *= core->extents[a];
            continue;
        }
        for (unsigned d = first; d < core->count; d++)
            if (core->order[d] == a)
                slices->order[d - first] = slices->count;
        slices->extents[slices->count++] = core->extents[a];
        slices->bytes *= core->extents[a];
        order[count++] = a;
    }
    if (slices->bytes > task->cap_bytes || moves_find(task, core, order, out) != DL_OK)
        return false;
    out->has_slices = true;
    out->cost += slices_cost(task, slices);
    return true;
}

static enum dl_status cheapest_find(const struct dl__task *task, struct sequence *best)
{
    enum { TRIED = 2 /* longer fronts leave smaller slices, which gain nothing more */ };
    struct core core = core_of(task);
    unsigned found = 0;
    enum dl_status st = moves_find(task, &core, core.order, best);

    best->has_slices = false;
    for (unsigned f = 0; f + 1 < core.count && found < TRIED && st == DL_OK; f++) {
        struct sequence one;
        if (!sliced_find(task, &core, f, &one))
            continue;
        found++;
        if (one.cost < best->cost)
            *best = one;
    }
    return st;
}

static enum dl_status cheapest_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    struct sequence best;
    enum dl_status st;

    if (!task->has_axes && !dl__is_dense_batch(task))
        return dl__decline(plan, "the matrices of the batch are not dense");
    st = cheapest_find(task, &best);
    if (st != DL_OK)
        return dl__fail(plan->error, st, "axes: %s", dl_status_text(st));
    return moves_plan(plan, best.moves, best.count,
                      best.has_slices ? &best.slices : NULL);
}

static double sequence_cost(const struct dl__task *task)
{
    struct sequence best;

    if (!task->is_array)
        return DL__NOT_FOR;
    return cheapest_find(task, &best) == DL_OK ? best.cost : DBL_MAX;
}

DL_TRANSPOSE_ROW(AXES) = {5, sequence_cost, cheapest_plan, .takes_axes = true};
