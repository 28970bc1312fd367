/* SPDX-License-Identifier: MIT */
/* Permutations of axes in place as sequences of moves: the cheapest one, or the thesis's,
 * which takes one transposition for each digit of the factorial number that is not 0
 * (Sung 2013, 4.3). */
#include "transpose/internal.h"

#include "layout/plan.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- moves as launches ---- */

static bool phase_add(struct dl_transpose_plan *plan, struct dl__phase phase)
{
    if (phase.runs == 0)
        return true;
    if (plan->phase_count == DL__PHASES_MAX)
        return false;
    plan->phases[plan->phase_count++] = phase;
    return true;
}

/* What another plan does for all of its matrices, behind what is there. */
static enum dl_status inner_take(struct dl_transpose_plan *plan,
                                 const struct dl_transpose_plan *inner,
                                 struct dl_transpose_error *error)
{
    const struct dl__task *task = &inner->task;
    bool good = plan->run_count + inner->run_count <= DL__LAUNCHES_MAX;

    if (good) {
        memcpy(plan->runs + plan->run_count, inner->runs,
               inner->run_count * sizeof *inner->runs);
        plan->run_count += inner->run_count;
    }
    if (inner->phase_count == 0)
        good = good &&
               phase_add(plan, (struct dl__phase){inner->run_count,
                                                  inner->batch_at_once ? 1 : task->batch,
                                                  task->stride_bytes});
    for (size_t p = 0; p < inner->phase_count; p++)
        good = good && (inner->batch_at_once || task->batch == 1) &&
               phase_add(plan, inner->phases[p]);
    if (!good)
        return dl__fail(error, DL_ENOTSUP, "%s: too many launches",
                        dl_transpose_algorithm_name(plan->info.algorithm));
    plan->info.passes += inner->info.passes;
    if (inner->info.workspace_bytes > plan->info.workspace_bytes)
        plan->info.workspace_bytes = inner->info.workspace_bytes;
    return DL_OK;
}

/* An empty plan for a move, a batch of matrices; NULL: no memory. */
static struct dl_transpose_plan *inner_make(const struct dl_transpose_plan *plan,
                                            const struct dl_move *move)
{
    struct dl_transpose_plan *inner = calloc(1, sizeof *inner);
    const struct dl__task *all = &plan->task;
    uint64_t one = move->rows * move->middle * move->columns * move->element_bytes;
    uint64_t aligned = all->offset_bytes | move->element_bytes, shift = 0;

    if (!inner)
        return NULL;
    if (all->batch > 1)
        aligned |= shift = all->stride_bytes;
    inner->transpose = plan->transpose;
    inner->info = (struct dl_transpose_info){.algorithm = DL_TRANSPOSE_AXES_SWAP,
                                             .matrix_bytes = one};
    inner->task = (struct dl__task){.rows = move->rows,
                                    .cols = move->columns,
                                    .leading = move->columns,
                                    .leading_out = move->rows,
                                    .element_bytes = move->element_bytes,
                                    .batch = move->instances,
                                    .stride_bytes = one,
                                    .offset_bytes = all->offset_bytes,
                                    .shift_bytes = shift,
                                    .matrix_bytes = one,
                                    .cap_bytes = all->cap_bytes,
                                    .unit_bytes = dl__power_of_two_in(aligned, 16)};
    return inner;
}

/* What the inner plan does is appended, and named; it is freed. */
static enum dl_status inner_end(struct dl_transpose_plan *plan,
                                struct dl_transpose_plan *inner, enum dl_status st,
                                const char *name, struct dl_transpose_error *error)
{
    if (st == DL_OK)
        st = inner_take(plan, inner, error);
    if (st == DL_OK) {
        size_t used = strlen(plan->why);
        snprintf(plan->why + used, sizeof plan->why - used, "%s %s",
                 used > 0 ? "," : "by",
                 name ? name : dl_transpose_algorithm_name(inner->info.algorithm));
    }
    free(inner);
    return st;
}

/* Plans a move as a batch of matrices, by what is best for those, or as a swap. */
static enum dl_status move_plan(struct dl_transpose_plan *plan,
                                const struct dl_move *move,
                                struct dl_transpose_error *error)
{
    struct dl_transpose_plan *inner = inner_make(plan, move);
    enum dl_status st;

    if (!inner)
        return dl__fail(error, DL_ENOMEM, "out of host memory");
    if (move->middle > 1) {
        struct dl__task task = inner->task;
        inner->task = plan->task; /* for what it says of alignment */
        inner->batch_at_once = true;
        st = dl__swap_add(inner, move, error);
        inner->task = task;
    } else {
        st = dl__choose(inner, DL_TRANSPOSE_AUTO, error);
    }
    return inner_end(plan, inner, st, NULL, error);
}

static enum dl_status slices_plan(struct dl_transpose_plan *plan,
                                  const struct dl__slices *slices,
                                  struct dl_transpose_error *error)
{
    const struct dl_move all = {1, 1, 1,
                                slices->instances * slices->bytes / slices->element_bytes,
                                slices->element_bytes};
    struct dl_transpose_plan *inner = inner_make(plan, &all);

    if (!inner)
        return dl__fail(error, DL_ENOMEM, "out of host memory");
    return inner_end(plan, inner, dl__slices_add(inner, slices, error),
                     "slices through the workspace", error);
}

static enum dl_status moves_plan(struct dl_transpose_plan *plan,
                                 const struct dl_move *moves, size_t count,
                                 const struct dl__slices *slices,
                                 struct dl_transpose_error *error)
{
    const char *name = dl_transpose_algorithm_name(plan->info.algorithm);
    enum dl_status st = DL_OK;

    plan->batch_at_once = dl__is_at_once(&plan->task);
    plan->why[0] = '\0';
    for (size_t m = 0; m < count && st == DL_OK; m++)
        st = move_plan(plan, &moves[m], error);
    if (st == DL_OK && slices)
        st = slices_plan(plan, slices, error);
    if (st == DL_OK && plan->info.workspace_bytes > plan->task.cap_bytes)
        st = dl__fail(error, DL_EREFUSED,
                      "%s needs more workspace than the cap of %llu bytes", name,
                      (unsigned long long)plan->task.cap_bytes);
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

    if (task->has_axes || task->batch == 1 || task->stride_bytes == task->matrix_bytes)
        return DL_OK;
    return dl__fail(error, DL_ENOTSUP, "%s: matrices are apart",
                    dl_transpose_algorithm_name(plan->info.algorithm));
}

/* Moves, and slices at the end where it has some. */
struct sequence {
    struct dl_move moves[DL_PERMUTE_MOVES_MAX];
    size_t count;
    bool has_slices;
    struct dl__slices slices;
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
    struct dl__slices *slices = &out->slices;
    unsigned order[DL__AXES_MAX], used = 0, count = first;

    for (unsigned d = 0; d < first; d++) {
        order[d] = core->order[d];
        used |= 1u << order[d];
    }
    *slices = (struct dl__slices){.instances = core->instances,
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
    out->cost += dl__slices_cost(prices->transpose, prices->task, slices);
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

static bool sequence_applies(const struct dl_transpose *transpose,
                             const struct dl__task *task)
{
    (void)transpose;
    return task->is_array;
}

static double sequence_cost(const struct dl_transpose *transpose,
                            const struct dl__task *task)
{
    const struct prices prices = {transpose, task};
    struct sequence best;

    return cheapest_find(&prices, &best) == DL_OK ? best.cost : DBL_MAX;
}

DL_TRANSPOSE_ROW(AXES) = {5, sequence_applies, sequence_cost, cheapest_plan,
                          .takes_axes = true};
DL_TRANSPOSE_ROW(AXES_FACTORIAL) = {14, dl__applies_named, dl__cost_nothing,
                                    factorial_plan, .takes_axes = true};
