/* SPDX-License-Identifier: MIT */
/* Full transposition as a sequence of elementary tiled ones: Sung's three stages (2013,
 * 4.7) and Gustavson's and Karlsson's four (4.4), with or without the fusion of the two
 * in the middle. The elementary transpositions are marshal_kernels'; the fused one is in
 * fuse.cl.
 *
 * With M = M' m and N = N' n, and n-element super-elements where the last dimension
 * stays:
 *   three  M N' n -> N' M n     100!,   then N' M' m n -> N' M' n m  0010!,
 *          N' M' n m -> N' n M' m  0100!
 *   four   M' m N' n -> M' N' m n  0100!, M' N' m n -> M' N' n m  0010!,
 *          M' N' n m -> N' M' n m  1000!, N' M' n m -> N' n M' m  0100! */
#include "transpose/internal.h"

#include <float.h>
#include <stdio.h>

struct tile_sides {
    uint64_t rows, cols;
};

/* Places for one cut, about as dl__step_add chooses. */
static double cut_within(const struct dl__tuning *tuning, const struct dl__task *task)
{
    if (task->cap_bytes >= task->matrix_bytes / tuning->stage_cut_min)
        return tuning->stage_cut_min;
    return (double)task->matrix_bytes / (double)(task->cap_bytes + 1);
}

/* What moving all of a matrix by super-elements of a length costs, in bytes copied:
 * longer is better, less and less, and whole lines of a cache are better than what shares
 * the lines at its ends (docs/notes/marshal-speed.md). A few rows or columns are a tile's
 * whole side: then nothing is left to move along it. The numbers fit what an H200 did
 * (docs/notes/transpose.md). */
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

static enum dl_status tile_find(struct dl_transpose_plan *plan, const char *name,
                                uint64_t bytes_max, struct tile_sides *tile,
                                struct dl_transpose_error *error)
{
    const struct dl__tuning *tuning = &plan->transpose->tuning;
    const struct dl__task *task = &plan->task;

    if (task->tile_rows && task->tile_cols) {
        *tile = (struct tile_sides){task->tile_rows, task->tile_cols};
        if (task->rows % tile->rows != 0 || task->cols % tile->cols != 0)
            return dl__fail(
                error, DL_ENOTSUP, "%s: tiles of %llu x %llu do not divide %llu x %llu",
                name, (unsigned long long)tile->rows, (unsigned long long)tile->cols,
                (unsigned long long)task->rows, (unsigned long long)task->cols);
    } else if (tile_choose(tuning, task, bytes_max, tile) == DBL_MAX) {
        return dl__fail(error, DL_ENOTSUP,
                        "%s: no tile from 2 to %u a side divides %llu x %llu", name,
                        tuning->stage_side_max, (unsigned long long)task->rows,
                        (unsigned long long)task->cols);
    }
    plan->info.tile_rows = tile->rows;
    plan->info.tile_cols = tile->cols;
    snprintf(plan->why, sizeof plan->why, "tiles of %llu x %llu",
             (unsigned long long)tile->rows, (unsigned long long)tile->cols);
    return DL_OK;
}

/* Adds steps in order, but for those that move nothing. */
static enum dl_status steps_add(struct dl_transpose_plan *plan,
                                const struct dl_step *steps, size_t count,
                                struct dl_transpose_error *error)
{
    enum dl_status st = DL_OK;

    for (size_t s = 0; s < count && st == DL_OK; s++) {
        struct dl_step step = steps[s];
        if (step.rows == 1 || step.columns == 1)
            continue;
        step.base_bytes = plan->task.offset_bytes;
        st = dl__step_add(plan, &step, error);
        plan->info.passes++;
    }
    if (st == DL_OK && plan->info.workspace_bytes > plan->task.cap_bytes)
        st = dl__fail(error, DL_EREFUSED,
                      "the stages need more workspace than the cap of %llu bytes",
                      (unsigned long long)plan->task.cap_bytes);
    return st;
}

static double stage3_cost(const struct dl_transpose *transpose,
                          const struct dl__task *task)
{
    const struct dl__tuning *tuning = &transpose->tuning;
    struct tile_sides tile;
    double cost = tile_choose(tuning, task, dl__tile_bytes(transpose), &tile);

    /* Three passes, where panels take two. */
    if (cost < DBL_MAX && tuning->costs_known == 0 && tile.rows < task->rows &&
        tile.cols < task->cols)
        return DBL_MAX;
    return cost == DBL_MAX ? DBL_MAX
                           : cost + tuning->stage_launch_bytes +
                                 (double)task->matrix_bytes / cut_within(tuning, task);
}

static enum dl_status stage3_plan(struct dl_transpose_plan *plan,
                                  struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    struct tile_sides tile;
    uint64_t bytes = task->element_bytes;
    enum dl_status st =
        tile_find(plan, "3-stage", dl__tile_bytes(plan->transpose), &tile, error);

    if (st != DL_OK)
        return st;
    uint64_t down = task->rows / tile.rows, across = task->cols / tile.cols;
    const struct dl_step steps[] = {{.instances = 1,
                                     .rows = task->rows,
                                     .columns = across,
                                     .element_bytes = tile.cols * bytes},
                                    {.instances = across * down,
                                     .rows = tile.rows,
                                     .columns = tile.cols,
                                     .element_bytes = bytes},
                                    {.instances = across,
                                     .rows = down,
                                     .columns = tile.cols,
                                     .element_bytes = tile.rows * bytes}};
    return steps_add(plan, steps, 3, error);
}

static enum dl_status four_plan(struct dl_transpose_plan *plan, bool fused,
                                struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    struct tile_sides tile;
    uint64_t bytes = task->element_bytes;
    enum dl_status st = tile_find(plan, fused ? "4-stage-fused" : "4-stage",
                                  /* two tiles at a time, and a little */
                                  dl__tile_bytes(plan->transpose) * 7 / 16, &tile, error);

    if (st != DL_OK)
        return st;
    uint64_t down = task->rows / tile.rows, across = task->cols / tile.cols;
    const struct dl_step first = {.instances = down,
                                  .rows = tile.rows,
                                  .columns = across,
                                  .element_bytes = tile.cols * bytes};
    const struct dl_step middle[] = {{.instances = down * across,
                                      .rows = tile.rows,
                                      .columns = tile.cols,
                                      .element_bytes = bytes},
                                     {.instances = 1,
                                      .rows = down,
                                      .columns = across,
                                      .element_bytes = tile.rows * tile.cols * bytes}};
    const struct dl_step last = {.instances = across,
                                 .rows = down,
                                 .columns = tile.cols,
                                 .element_bytes = tile.rows * bytes};
    st = steps_add(plan, &first, 1, error);
    if (st == DL_OK)
        st = fused ? dl__fuse_add(plan, down, across, tile.rows, tile.cols, error)
                   : steps_add(plan, middle, 2, error);
    if (st == DL_OK)
        st = steps_add(plan, &last, 1, error);
    return st;
}

static enum dl_status stage4_plan(struct dl_transpose_plan *plan,
                                  struct dl_transpose_error *error)
{
    return four_plan(plan, false, error);
}

static enum dl_status stage4_fused_plan(struct dl_transpose_plan *plan,
                                        struct dl_transpose_error *error)
{
    return four_plan(plan, true, error);
}

DL_TRANSPOSE_ROW(STAGE3) = {4, dl__applies_always, stage3_cost, .plan = stage3_plan};
DL_TRANSPOSE_ROW(STAGE4) = {9, dl__applies_named, dl__cost_nothing, .plan = stage4_plan};
DL_TRANSPOSE_ROW(STAGE4_FUSED) = {10, dl__applies_named, dl__cost_nothing,
                                  .plan = stage4_fused_plan};
