/* SPDX-License-Identifier: MIT */
/* Permutations of axes in place as sequences of moves: the cheapest one, or the thesis's,
 * which takes one transposition for each digit of the factorial number that is not 0
 * (Sung 2013, 4.3). */
#include "algorithm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout/plan.h"

/* ---- what a move costs ---- */

struct prices {
    const struct dl_transpose *transpose;
    const struct dl__task *task;
};

/* The cycles of a move that are so short that no cut lies in them have one work-group
 * each, which takes long for long elements. In bytes copied. */
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
        double length = 0, whole = 1; /* the latter: that none of them is cut */
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

/* In bytes copied: what the best that can do it takes, as the chooser knows it, but
 * without its search for shapes. */
static double move_cost(const void *state, const struct dl_move *move)
{
    const struct prices *prices = state;
    const struct dl__tuning *tuning = &prices->transpose->tuning;
    double one =
        (double)(move->rows * move->middle * move->columns) * (double)move->element_bytes;
    double bytes = one * (double)move->instances;
    double cap = (double)prices->task->cap_bytes, best, cost;

    if (move->rows == move->columns) {
        cost = dl__swap_axes_cost(prices->transpose, prices->task, move);
        if (cost > 0 || move->element_bytes >= DL__RUN_BYTES_MIN || move->middle > 1)
            return bytes * (cost > 0 ? cost
                            : move->element_bytes >= DL__RUN_BYTES_MIN
                                ? tuning->axes_swap_runs
                                : tuning->axes_general) +
                   1;
    }
    best = tuning->axes_general * bytes +
           tuning->axes_launch_bytes * (double)move->instances;
    if (one <= cap) {
        cost = bytes * 2.2 +
               tuning->through_launch_bytes * (1 + (double)(uint64_t)(bytes / cap));
        best = cost < best ? cost : best;
    }
    if (one <= (double)dl__tile_bytes(prices->transpose)) {
        cost = tuning->axes_tile * bytes;
        best = cost < best ? cost : best;
    }
    if (move->element_bytes >= DL__RUN_BYTES_MIN) {
        cost = (move->element_bytes < tuning->cycles_bytes_min ? tuning->axes_moved_short
                                                               : tuning->axes_moved) *
                   bytes +
               tuning->stage_launch_bytes + alone_cost(tuning, move);
        best = cost < best ? cost : best;
    }
    return best + 1;
}

/* ---- slices ---- */

/* Once the outermost axes are where they belong, what is left are slices that the
 * workspace has room for, each of which goes through it and back, whatever the order of
 * its axes: `instances` of them, one after the other, of so many bytes each. */
struct slices {
    uint64_t instances, bytes, element_bytes;
    unsigned count, order[DL__AXES_MAX];
    uint64_t extents[DL__AXES_MAX];
};

/* How many at once. */
static uint64_t group_of(const struct slices *slices, uint64_t cap_bytes)
{
    uint64_t most = cap_bytes / slices->bytes;

    return most < slices->instances ? most : slices->instances;
}

/* The task that brings `count` slices to the workspace, one behind the other, out of an
 * array that is aligned as that of `like`. */
static struct dl__task out_task(const struct slices *slices, uint64_t count,
                                const struct dl__task *like)
{
    struct dl__task task = {.element_bytes = slices->element_bytes,
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

static double slices_cost(const struct dl_transpose *transpose,
                          const struct dl__task *task, const struct slices *slices)
{
    const struct dl__tuning *tuning = &transpose->tuning;
    uint64_t group = group_of(slices, task->cap_bytes);
    struct dl__task out = out_task(slices, group, task);
    double pass = dl__chosen_cost(transpose, &out) * (double)out.batch;

    pass += tuning->through_back * (double)(group * slices->bytes) +
            tuning->through_launch_bytes;
    return pass * (double)slices->instances / (double)group;
}

/* There and back for so many slices from the one at `first` on. */
static enum dl_status group_add(struct dl_transpose_plan *plan,
                                const struct slices *slices, uint64_t first,
                                uint64_t count, struct dl_transpose_error *error)
{
    const struct dl__back back = {.rows = 1,
                                  .width_bytes = count * slices->bytes,
                                  .to_bytes = first * slices->bytes};
    struct dl__task out = out_task(slices, count, &plan->task);
    enum dl_status st;

    out.offset_bytes += back.to_bytes;
    st = dl__part_add(plan, &out, DL_TRANSPOSE_AUTO, error);
    return st == DL_OK ? dl__back_add(plan, back, error) : st;
}

static enum dl_status slices_add(struct dl_transpose_plan *plan,
                                 const struct slices *slices,
                                 struct dl_transpose_error *error)
{
    uint64_t group = group_of(slices, plan->task.cap_bytes),
             bytes = group * slices->bytes;
    uint64_t groups = slices->instances / group, rest = slices->instances % group;
    uint64_t shift_bytes = plan->task.shift_bytes;
    uint32_t passes = plan->info.passes;
    size_t before = plan->run_count;
    enum dl_status st;

    plan->task.shift_bytes |= bytes;
    st = group_add(plan, slices, 0, group, error);
    if (st == DL_OK)
        st = dl__repeat_last(plan, plan->run_count - before, groups, bytes, error);
    if (st == DL_OK && rest > 0)
        st = group_add(plan, slices, groups * group, rest, error);
    plan->task.shift_bytes = shift_bytes;
    plan->info.passes = passes + 2; /* there and back, whatever the groups */
    if (bytes > plan->info.workspace_bytes)
        plan->info.workspace_bytes = bytes;
    return st;
}

/* ---- moves as launches ---- */

/* A move as a batch of matrices, or of axes where it has some in the middle. */
static struct dl__task move_task(const struct dl__task *all, const struct dl_move *move)
{
    uint64_t e = move->element_bytes, row = move->middle * move->columns * e;
    struct dl__task task = {.rows = move->rows,
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
                                 const struct slices *slices,
                                 struct dl_transpose_error *error)
{
    const enum dl_transpose_algorithm algorithm = plan->info.algorithm;
    char why[sizeof plan->why] = "";
    size_t used = 0;
    enum dl_status st = DL_OK;

    plan->batch_at_once = dl__is_at_once(&plan->task);
    for (size_t m = 0; m < count && st == DL_OK; m++) {
        struct dl__task part = move_task(&plan->task, &moves[m]);
        st = dl__part_add(
            plan, &part, moves[m].middle > 1 ? DL_TRANSPOSE_AXES_SWAP : DL_TRANSPOSE_AUTO,
            error);
        if (st == DL_OK && used < sizeof why)
            used += (size_t)snprintf(why + used, sizeof why - used, "%s %s",
                                     used > 0 ? "," : "by",
                                     dl_transpose_algorithm_name(plan->info.algorithm));
        plan->info.algorithm = algorithm;
    }
    if (st == DL_OK && slices) {
        st = slices_add(plan, slices, error);
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
        st = dl__fail_cap(error, dl_transpose_algorithm_name(algorithm),
                          plan->task.cap_bytes);
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
    dl__axes_order(axes, order);
    for (; first < axes->count && order[first] == first; first++)
        core.instances *= axes->axes[first].extent;
    for (unsigned a = first; a < axes->count; a++) {
        core.extents[core.count] = axes->axes[a].extent;
        core.order[core.count++] = order[a] - first;
    }
    return core;
}

static enum dl_status dense_check(const struct dl_transpose_plan *plan,
                                  struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;

    if (task->has_axes || dl__is_dense_batch(task))
        return DL_OK;
    return dl__fail(error, DL_ENOTSUP, "%s: matrices are apart",
                    dl_transpose_algorithm_name(plan->info.algorithm));
}

/* Moves, and slices at the end where it has some. */
struct sequence {
    struct dl_move moves[DL_PERMUTE_MOVES_MAX];
    size_t count;
    bool has_slices;
    struct slices slices;
    double cost;
};

/* The cheapest moves that bring the axes into `order`. */
static enum dl_status moves_find(const struct prices *prices, const struct core *core,
                                 const unsigned *order, struct sequence *out)
{
    enum dl_status st = dl_permute_search(core->extents, order, core->count,
                                          core->instances, prices->task->element_bytes,
                                          move_cost, prices, out->moves, &out->count);

    out->cost = 0;
    for (size_t m = 0; m < out->count && st == DL_OK; m++)
        out->cost += move_cost(prices, &out->moves[m]);
    return st;
}

/* The first `first` axes come to where they belong by moves, the others keep their order
 * until then; false: the others have no room in the workspace. */
static bool sliced_find(const struct prices *prices, const struct core *core,
                        unsigned first, struct sequence *out)
{
    struct slices *slices = &out->slices;
    unsigned order[DL__AXES_MAX], used = 0, count = first;

    for (unsigned d = 0; d < first; d++) {
        order[d] = core->order[d];
        used |= 1u << order[d];
    }
    *slices = (struct slices){.instances = core->instances,
                              .bytes = prices->task->element_bytes,
                              .element_bytes = prices->task->element_bytes};
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
    if (slices->bytes > prices->task->cap_bytes ||
        moves_find(prices, core, order, out) != DL_OK)
        return false;
    out->has_slices = true;
    out->cost += slices_cost(prices->transpose, prices->task, slices);
    return true;
}

static enum dl_status cheapest_find(const struct prices *prices, struct sequence *best)
{
    enum { TRIED = 2 /* longer fronts leave smaller slices, which gain nothing more */ };
    struct core core = core_of(prices->task);
    unsigned found = 0;
    enum dl_status st = moves_find(prices, &core, core.order, best);

    best->has_slices = false;
    for (unsigned f = 0; f + 1 < core.count && found < TRIED && st == DL_OK; f++) {
        struct sequence one;
        if (!sliced_find(prices, &core, f, &one))
            continue;
        found++;
        if (one.cost < best->cost)
            *best = one;
    }
    return st;
}

static enum dl_status cheapest_plan(struct dl_transpose_plan *plan,
                                    struct dl_transpose_error *error)
{
    struct sequence best;
    enum dl_status st = dense_check(plan, error);

    if (st != DL_OK)
        return st;
    st = cheapest_find(&(struct prices){plan->transpose, &plan->task}, &best);
    if (st != DL_OK)
        return dl__fail(error, st, "axes: %s", dl_status_text(st));
    return moves_plan(plan, best.moves, best.count, best.has_slices ? &best.slices : NULL,
                      error);
}

static enum dl_status factorial_plan(struct dl_transpose_plan *plan,
                                     struct dl_transpose_error *error)
{
    struct core core = core_of(&plan->task);
    struct dl_move moves[DL_PLAN_STEPS_MAX];
    struct dl_plan steps;
    enum dl_status st = dense_check(plan, error);

    if (st == DL_OK)
        st = dl_plan_permute(core.extents, core.order, core.count,
                             plan->task.element_bytes, &steps);
    if (st != DL_OK)
        return st;
    for (size_t s = 0; s < steps.step_count; s++)
        moves[s] = (struct dl_move){core.instances * steps.steps[s].instances,
                                    steps.steps[s].rows, 1, steps.steps[s].columns,
                                    steps.steps[s].element_bytes};
    st = moves_plan(plan, moves, steps.step_count, NULL, error);
    dl_plan_free(&steps);
    return st;
}

static double sequence_cost(const struct dl_transpose *transpose,
                            const struct dl__task *task)
{
    const struct prices prices = {transpose, task};
    struct sequence best;

    if (!task->is_array)
        return DL__NOT_FOR;
    return cheapest_find(&prices, &best) == DL_OK ? best.cost : DBL_MAX;
}

DL_TRANSPOSE_ROW(AXES) = {5, sequence_cost, cheapest_plan, .takes_axes = true};
DL_TRANSPOSE_ROW(AXES_FACTORIAL) = {14, NULL, factorial_plan, .takes_axes = true};
