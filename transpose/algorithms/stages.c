/* SPDX-License-Identifier: MIT */
/* Elementary transpositions by marshal_kernels as launches of a plan, and full
 * transpositions as sequences of them: Sung's three stages (2013, 4.7) and Gustavson's
 * and Karlsson's four (4.4), with or without the fusion of the two in the middle.
 *
 * With M = M' m and N = N' n, and n-element super-elements where the last dimension
 * stays:
 *   three  M N' n -> N' M n     100!,   then N' M' m n -> N' M' n m  0010!,
 *          N' M' n m -> N' n M' m  0100!
 *   four   M' m N' n -> M' N' m n  0100!, M' N' m n -> M' N' n m  0010!,
 *          M' N' n m -> N' M' n m  1000!, N' M' n m -> N' n M' m  0100! */
#include "algorithm.h"

#include <stdio.h>

/* ---- elementary transpositions ---- */

enum { PAGE_BYTES = 4096 }; /* more than any kernel aligns to */

/* Chooses the distance of cuts: short if the longest stretch would take longer than
 * saving more cuts, but with no more copies than the cap allows. */
static unsigned cut_choose(const struct dl__tuning *tuning, const struct dl_step *step,
                           uint64_t cap_bytes)
{
    static const unsigned tried[] = {17, 20,  24,  28,  34,  40,   48,  64,
                                     96, 128, 192, 256, 512, 1024, 4096};
    uint64_t places = step->rows * step->columns,
             bytes = step->instances * step->element_bytes;
    unsigned best = 4096;
    double best_cost = DBL_MAX;

    if (tuning->cut)
        return tuning->cut;
    for (size_t t = 0; t < sizeof tried / sizeof *tried; t++) {
        uint64_t saved = (places + tried[t] - 1) / tried[t] * bytes;
        double cost = (double)saved + dl__stretch_cost(tuning, tried[t], (double)places);
        if (saved > cap_bytes || cost >= best_cost)
            continue;
        best_cost = cost;
        best = tried[t];
    }
    return best;
}

/* A byte to plan for that is only as aligned as all matrices of the launches are. */
static uint64_t base_aligned(const struct dl_transpose_plan *plan, uint64_t base_bytes)
{
    bool is_one = plan->task.batch == 1 || plan->batch_at_once;
    uint64_t all = base_bytes | plan->task.shift_bytes, aligned;

    if (!is_one)
        all |= plan->task.stride_bytes;
    aligned = all & -all;
    if ((is_one && plan->task.shift_bytes == 0) || aligned >= PAGE_BYTES)
        return base_bytes;
    return aligned;
}

static enum dl_status step_add(struct dl_transpose_plan *plan, const struct dl_step *step)
{
    struct dl__engine *engine = &plan->transpose->engine;
    struct dl__steps steps = plan->transpose->steps;
    struct dl__run_list list = {.runs = NULL};
    struct dl_step aligned = *step;
    uint64_t places = step->rows * step->columns;
    enum dl_status st;

    aligned.base_bytes = base_aligned(plan, step->base_bytes);
    DL__STEPS_SET(&steps, aside_bytes, 0); /* the caller's cap holds */
    DL__STEPS_SET(&steps, cut_places,
                  cut_choose(&plan->transpose->tuning, step, plan->task.cap_bytes));
    /* Enough work-groups that search, since such permutations have many short cycles. */
    if (places / 512 < steps.knobs.cut_span)
        DL__STEPS_SET(&steps, cut_span,
                      places / 512 < 32 ? 32 : (unsigned)(places / 512));
    pthread_mutex_lock(&engine->lock);
    st = dl__steps_add(&steps, &aligned, &list);
    pthread_mutex_unlock(&engine->lock);
    if (st == DL_OK && plan->run_count + list.count > DL__LAUNCHES_MAX)
        st = DL_ENOTSUP;
    for (size_t l = 0; l < list.count && st == DL_OK; l++) {
        struct dl__run *run = &plan->runs[plan->run_count++];
        *run = list.runs[l];
        dl__run_shift(run, step->base_bytes - aligned.base_bytes);
    }
    if (list.workspace_bytes > plan->info.workspace_bytes)
        plan->info.workspace_bytes = list.workspace_bytes;
    dl__run_list_free(&list);
    if (st != DL_OK)
        return dl__fail(plan->error, st, "%s can't do an elementary transposition: %s",
                        dl_transpose_algorithm_name(plan->info.algorithm),
                        dl_status_text(st));
    return DL_OK;
}

static double step_cost(const struct dl__task *task)
{
    if (task->element_bytes < DL__RUN_BYTES_MIN || !dl__is_dense_batch(task))
        return DL__NOT_FOR;
    return dl__moved_cost(task, task->element_bytes, (double)task->matrix_bytes) +
           task->transpose->tuning.stage_launch_bytes / (double)task->batch;
}

static enum dl_status step_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    struct dl_step step = {.base_bytes = task->offset_bytes,
                           .instances = task->batch,
                           .rows = task->rows,
                           .columns = task->cols,
                           .element_bytes = task->element_bytes};
    enum dl_status st;

    if (!dl__is_dense_batch(task))
        return dl__decline(plan, "the matrices of the batch are not dense");
    plan->batch_at_once = true;
    st = step_add(plan, &step);
    if (st == DL_OK && plan->info.workspace_bytes > task->cap_bytes)
        st = dl__decline_cap(plan, plan->info.workspace_bytes);
    dl__describe(plan, 0, 0, "elements of %llu bytes moved whole",
                 (unsigned long long)task->element_bytes);
    return st;
}

DL_TRANSPOSE_ROW(STEP) = {5, step_cost, step_plan};

/* ---- the middle pass of the four stages as one: tiles transposed and moved at once ----
 */

extern const char dl_fuse_cl[];
static const struct dl__kernel_source source = {{dl_shape_cl, dl_units_cl, dl_fuse_cl}};

enum {
    FUSE_CUT = 17,
    FUSE_HELD_BYTES =
        1024 /* local memory comes in multiples, so that few kernels are built */
};

/* Down x across tiles become across x down. */
static enum dl_status fuse_add(struct dl_transpose_plan *plan, uint64_t down,
                               uint64_t across, uint64_t tile_rows, uint64_t tile_cols)
{
    struct dl_transpose *transpose = plan->transpose;
    const struct dl__task *task = &plan->task;
    uint64_t tile_bytes = tile_rows * tile_cols * task->element_bytes;
    uint64_t places = down * across, work, cut = FUSE_CUT;
    uint64_t line = tile_cols * task->element_bytes / task->unit_bytes;
    uint64_t held_bytes =
        dl__round_up(tile_rows * (line | 1) * task->unit_bytes, FUSE_HELD_BYTES);
    size_t group = dl__group_items(transpose, 0);
    struct fuse_shape shape = {.across = (uint32_t)across};
    char knobs[DL__KNOBS_BYTES];
    enum dl_status st;

    if (places > UINT32_MAX / 2)
        return dl__decline(plan, "it has more than 2^31 tiles");
    if (2 * held_bytes + 4 * group + 64 > transpose->engine.limits.local_bytes)
        return dl__decline(plan, "two tiles exceed local memory");
    while ((places + cut - 1) / cut * tile_bytes > task->cap_bytes && cut < 4096)
        cut *= 2;
    work = (places + cut - 1) / cut * tile_bytes;
    if (work > task->cap_bytes)
        return dl__decline_cap(plan, work);
    shape.by_down = dl__divisor_make((uint32_t)down);
    shape.by_rows = dl__divisor_make((uint32_t)tile_rows);
    shape.by_line = dl__divisor_make((uint32_t)line);
    shape.by_cut = dl__divisor_make((uint32_t)cut);
    snprintf(knobs, sizeof knobs,
             "#define UNIT_BYTES %u\n#define UNITS %uu\n#define HELD_UNITS %uu\n"
             "#define GROUP %zuu\n",
             (unsigned)task->unit_bytes,
             (unsigned)(task->element_bytes / task->unit_bytes),
             (unsigned)(held_bytes / task->unit_bytes), group);
    if (work > plan->info.workspace_bytes)
        plan->info.workspace_bytes = work;
    plan->info.passes++;
    st = dl__launch_add(plan,
                        DL__LAUNCH_READING(&source, "dl_fuse_save", shape, group,
                                           dl__divide_up(work / task->unit_bytes, group)),
                        "%s", knobs);
    return st != DL_OK ? st
                       : dl__launch_add(plan,
                                        DL__LAUNCH(&source, "dl_fuse_move", shape, group,
                                                   dl__divide_up(places, cut) +
                                                       dl__divide_up(places, group)),
                                        "%s", knobs);
}

/* ---- the stages ---- */

struct tile_sides {
    uint64_t rows, cols;
};

/* Places for one cut, about as step_add chooses. */
static double cut_within(const struct dl__tuning *tuning, const struct dl__task *task)
{
    if (task->cap_bytes >= task->matrix_bytes / tuning->stage_cut_min)
        return tuning->stage_cut_min;
    return (double)task->matrix_bytes / (double)(task->cap_bytes + 1);
}

/* The cost of moving all of a matrix by super-elements of a length, in bytes copied:
 * longer is better, less and less, and whole cache lines are better than shared ones
 * (docs/notes/marshal-speed.md). If a tile has all rows or columns, nothing moves along
 * them. The numbers fit an H200 (docs/notes/transpose.md). */
static double move_cost(const struct dl__tuning *tuning, const struct dl__task *task,
                        uint64_t side, uint64_t all)
{
    uint64_t super_bytes = side * task->element_bytes;
    double bytes = (double)task->matrix_bytes, super = (double)super_bytes;
    uint64_t aligned = super_bytes | task->offset_bytes;
    double least = aligned % 16 == 0  ? tuning->stage_aligned_16
                   : aligned % 8 == 0 ? tuning->stage_aligned_8
                   : aligned % 4 == 0 ? tuning->stage_aligned_less
                                      : tuning->stage_aligned_byte;
    bool whole = super_bytes % tuning->stage_line_bytes == 0 && aligned % 16 == 0;

    if (side == all)
        return 0;
    return bytes * (whole ? tuning->stage_lines + tuning->stage_lines_end / super
                          : least + tuning->stage_others_end / super) +
           tuning->stage_hop *
               dl__stretch_cost(tuning, cut_within(tuning, task), bytes / super) +
           (super_bytes > tuning->stage_super_bytes_max ? bytes : 0);
}

/* The pass that transposes tiles. Few whole vectors, of one tile or some, are quick;
 * tiles by themselves are slow, as long as elements are short. */
static double tile_cost(const struct dl__tuning *tuning, const struct dl__task *task,
                        const struct tile_sides *tile, uint64_t bytes_max)
{
    uint64_t whole = tile->rows * tile->cols * task->element_bytes;
    double least = tuning->stage_tile + (double)whole / tuning->stage_tile_slope;
    double alone = tuning->stage_tile_alone +
                   tuning->stage_tile_element / (double)task->element_bytes;

    while (whole % 16 != 0)
        whole *= 2;
    return (double)task->matrix_bytes *
           (whole <= bytes_max || alone < least ? least : alone);
}

static double cost_of(const struct dl__tuning *tuning, const struct dl__task *task,
                      const struct tile_sides *tile, uint64_t bytes_max)
{
    return tile_cost(tuning, task, tile, bytes_max) +
           move_cost(tuning, task, tile->rows, task->rows) +
           move_cost(tuning, task, tile->cols, task->cols);
}

/* The cheapest tile, and what it costs; DBL_MAX: none divides both sides. */
static double tile_choose(const struct dl__tuning *tuning, const struct dl__task *task,
                          uint64_t bytes_max, struct tile_sides *out)
{
    double best = DBL_MAX;
    /* The thesis advises (4.8.4): both sides from 50 to 100 where they fit local memory.
     */
    uint64_t side_max = tuning->stage_side_max;
    /* Beside a short side the other may be longer. */
    uint64_t rows_max = task->cols <= side_max ? 1024 : side_max;
    uint64_t cols_max = task->rows <= side_max ? 1024 : side_max;

    for (uint64_t m = 2; m <= rows_max && m <= task->rows; m++) {
        if (task->rows % m != 0)
            continue;
        for (uint64_t n = 2; n <= cols_max && n <= task->cols; n++) {
            struct tile_sides tile = {m, n};
            double cost;
            if (task->cols % n != 0 || m * n * task->element_bytes > bytes_max)
                continue;
            cost = cost_of(tuning, task, &tile, bytes_max);
            if (cost < best) {
                best = cost;
                *out = tile;
            }
        }
    }
    return best;
}

static enum dl_status tile_find(struct dl_transpose_plan *plan, uint64_t bytes_max,
                                struct tile_sides *tile)
{
    const struct dl__tuning *tuning = &plan->transpose->tuning;
    const struct dl__task *task = &plan->task;

    if (task->tile_rows && task->tile_cols) {
        *tile = (struct tile_sides){task->tile_rows, task->tile_cols};
        if (task->rows % tile->rows != 0 || task->cols % tile->cols != 0)
            return dl__decline(
                plan, "tiles of %llu x %llu do not divide %llu x %llu",
                (unsigned long long)tile->rows, (unsigned long long)tile->cols,
                (unsigned long long)task->rows, (unsigned long long)task->cols);
    } else if (tile_choose(tuning, task, bytes_max, tile) == DBL_MAX) {
        return dl__decline(plan, "no tile with sides from 2 to %u divides %llu x %llu",
                           tuning->stage_side_max, (unsigned long long)task->rows,
                           (unsigned long long)task->cols);
    }
    dl__describe(plan, tile->rows, tile->cols, "in stages on tiles of %llu x %llu",
                 (unsigned long long)tile->rows, (unsigned long long)tile->cols);
    plan->info.passes = 0; /* its steps count */
    return DL_OK;
}

static struct dl_step step_of(uint64_t instances, uint64_t rows, uint64_t columns,
                              uint64_t element_bytes)
{
    return (struct dl_step){.instances = instances,
                            .rows = rows,
                            .columns = columns,
                            .element_bytes = element_bytes};
}

/* Adds steps, except those that move nothing. */
static enum dl_status steps_add(struct dl_transpose_plan *plan,
                                const struct dl_step *steps, size_t count)
{
    enum dl_status st = DL_OK;

    for (size_t s = 0; s < count && st == DL_OK; s++) {
        struct dl_step step = steps[s];
        if (step.rows == 1 || step.columns == 1)
            continue;
        step.base_bytes = plan->task.offset_bytes;
        st = step_add(plan, &step);
        plan->info.passes++;
    }
    if (st == DL_OK && plan->info.workspace_bytes > plan->task.cap_bytes)
        st = dl__decline_cap(plan, plan->info.workspace_bytes);
    return st;
}

static double stage3_cost(const struct dl__task *task)
{
    const struct dl__tuning *tuning = &task->transpose->tuning;
    struct tile_sides tile;
    double cost = tile_choose(tuning, task, dl__tile_bytes(task->transpose), &tile);

    /* Three passes, where panels take two. */
    if (cost < DBL_MAX && tuning->costs_known == 0 && tile.rows < task->rows &&
        tile.cols < task->cols)
        return DBL_MAX;
    return cost == DBL_MAX ? DBL_MAX
                           : cost + tuning->stage_launch_bytes +
                                 (double)task->matrix_bytes / cut_within(tuning, task);
}

static enum dl_status stage3_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    struct tile_sides tile;
    enum dl_status st = tile_find(plan, dl__tile_bytes(plan->transpose), &tile);

    if (st != DL_OK)
        return st;
    uint64_t down = task->rows / tile.rows, across = task->cols / tile.cols;
    uint64_t bytes = task->element_bytes;
    const struct dl_step steps[] = {step_of(1, task->rows, across, tile.cols * bytes),
                                    step_of(across * down, tile.rows, tile.cols, bytes),
                                    step_of(across, down, tile.cols, tile.rows * bytes)};
    return steps_add(plan, steps, 3);
}

static enum dl_status stage4_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    struct tile_sides tile;
    /* Two tiles at a time, and a little. */
    enum dl_status st = tile_find(plan, dl__tile_bytes(plan->transpose) * 7 / 16, &tile);

    if (st != DL_OK)
        return st;
    uint64_t down = task->rows / tile.rows, across = task->cols / tile.cols;
    uint64_t bytes = task->element_bytes;
    const struct dl_step steps[] = {
        step_of(down, tile.rows, across, tile.cols * bytes),
        step_of(down * across, tile.rows, tile.cols, bytes),
        step_of(1, down, across, tile.rows * tile.cols * bytes),
        step_of(across, down, tile.cols, tile.rows * bytes)};
    if (plan->info.algorithm == DL__COMPARED(STAGE4))
        return steps_add(plan, steps, 4);
    st = steps_add(plan, steps, 1);
    if (st == DL_OK)
        st = fuse_add(plan, down, across, tile.rows, tile.cols);
    return st == DL_OK ? steps_add(plan, &steps[3], 1) : st;
}

DL_TRANSPOSE_ROW(STAGE3) = {4, stage3_cost, stage3_plan};
DL_TRANSPOSE_ROW(STAGE4) = {9, NULL, stage4_plan};
DL_TRANSPOSE_ROW(STAGE4_FUSED) = {10, NULL, stage4_plan};

/* ---- small matrices: each through local memory ---- */

/* Each of many matrices has a few work-items, by marshal_kernels' 010! on tiles; each of
 * few has a whole work-group (onchip.cl). */

extern const char dl_onchip_cl[];
static const struct dl__kernel_source onchip_source = {
    {dl_shape_cl, dl_units_cl, dl_onchip_cl}};

enum { GROUP_WHOLE = 1024 };

/* Fewer matrices than compute units. A CPU's are as fast with few work-items. */
static bool is_alone(const struct dl__task *task)
{
    return !task->transpose->engine.limits.is_cpu &&
           task->batch < task->transpose->engine.limits.compute_units;
}

static enum dl_status whole_add(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    uint64_t most = dl__tile_bytes(plan->transpose);
    struct bare_shape shape = {task->rows, task->cols, task->stride_bytes,
                               task->element_bytes / task->unit_bytes};
    size_t group = dl__group_items(plan->transpose, GROUP_WHOLE);

    plan->batch_at_once = true;
    dl__describe(plan, 0, 0, "each matrix in local memory, by %zu work-items", group);
    return dl__launch_add(
        plan, DL__LAUNCH(&onchip_source, "dl_onchip", shape, group, task->batch),
        "#define UNIT_BYTES %u\n#define GROUP %zuu\n#define ROOM %lluu\n",
        (unsigned)task->unit_bytes, group, (unsigned long long)(most / task->unit_bytes));
}

static enum dl_status onchip_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    uint64_t most = dl__tile_bytes(plan->transpose);

    if (task->matrix_bytes > most)
        return dl__decline(
            plan, "a matrix of %llu bytes exceeds the %llu of local memory",
            (unsigned long long)task->matrix_bytes, (unsigned long long)most);
    if (is_alone(task))
        return whole_add(plan);
    plan->batch_at_once = dl__is_dense_batch(task);
    dl__describe(plan, 0, 0, "each matrix in local memory");
    return step_add(plan,
                    &(struct dl_step){.base_bytes = task->offset_bytes,
                                      .instances = plan->batch_at_once ? task->batch : 1,
                                      .rows = task->rows,
                                      .columns = task->cols,
                                      .element_bytes = task->element_bytes});
}

/* The launch is most of the time of few matrices. */
static double onchip_cost(const struct dl__task *task)
{
    const struct dl__tuning *tuning = &task->transpose->tuning;
    double bytes = (double)task->matrix_bytes;

    if (task->matrix_bytes > dl__tile_bytes(task->transpose))
        return DL__NOT_FOR;
    if (is_alone(task))
        return (tuning->onchip_launch +
                tuning->onchip_alone * bytes / (double)task->unit_bytes) /
               (double)task->batch;
    return tuning->onchip_pass * bytes;
}

DL_TRANSPOSE_ROW(ONCHIP) = {1, onchip_cost, onchip_plan};
