/* Full transposition as a sequence of elementary tiled ones: Sung's three stages (2013, 4.7) and
 * Gustavson's and Karlsson's four (4.4), with or without the fusion of the two in the middle. The
 * elementary transpositions are marshal_kernels'; the fused one is in fuse.cl.
 *
 * With M = M' m and N = N' n, and n-element super-elements where the last dimension stays:
 *   three  M N' n -> N' M n     100!,   then N' M' m n -> N' M' n m  0010!,
 *          N' M' n m -> N' n M' m  0100!
 *   four   M' m N' n -> M' N' m n  0100!, M' N' m n -> M' N' n m  0010!,
 *          M' N' n m -> N' M' n m  1000!, N' M' n m -> N' n M' m  0100! */
#include "internal.h"

#include <float.h>
#include <stdio.h>

/* What the thesis advises (4.8.4): both sides from 50 to 100 where they fit local memory. */
enum { SIDE_MAX = 100 };

struct tile_sides {
    uint64_t rows, cols;
};

/* How well super-elements of two lengths move, one pass each: longer is better, less and less, and
 * whole 16-byte vectors are better than what is not. */
static double super_cost(uint64_t bytes)
{
    return (1 + 60 / (double)bytes) * (bytes % 16 ? 1.3 : 1);
}

/* A few rows or columns are a tile's whole side: nothing is left to move along it. */
static double side_cost(uint64_t side, uint64_t all, uint64_t element_bytes)
{
    return side == all ? 0 : super_cost(side * element_bytes);
}

static bool tile_choose(const struct dl__task *task, uint64_t bytes_max,
                        struct tile_sides *out)
{
    uint64_t element_bytes = task->element_bytes;
    double best = DBL_MAX;
    /* Beside a short side the other may be longer. */
    uint64_t rows_max = task->cols <= SIDE_MAX ? 1024 : SIDE_MAX;
    uint64_t cols_max = task->rows <= SIDE_MAX ? 1024 : SIDE_MAX;

    for (uint64_t m = 2; m <= rows_max && m <= task->rows; m++) {
        if (task->rows % m != 0)
            continue;
        for (uint64_t n = 2; n <= cols_max && n <= task->cols; n++) {
            /* Small tiles are transposed faster. */
            double cost = side_cost(m, task->rows, element_bytes) +
                          side_cost(n, task->cols, element_bytes) +
                          (double)(m * n * element_bytes) / 100000;
            if (task->cols % n == 0 && m * n * element_bytes <= bytes_max &&
                cost < best) {
                best = cost;
                *out = (struct tile_sides){m, n};
            }
        }
    }
    return best < DBL_MAX;
}

static enum dl_status tile_find(struct dl_transpose_plan *plan, const char *name,
                                uint64_t bytes_max, struct tile_sides *tile,
                                struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;

    if (task->tile_rows && task->tile_cols) {
        *tile = (struct tile_sides){task->tile_rows, task->tile_cols};
        if (task->rows % tile->rows != 0 || task->cols % tile->cols != 0)
            return dl__fail(
                error, DL_ENOTSUP, "%s: tiles of %llu x %llu do not divide %llu x %llu",
                name, (unsigned long long)tile->rows, (unsigned long long)tile->cols,
                (unsigned long long)task->rows, (unsigned long long)task->cols);
    } else if (!tile_choose(task, bytes_max, tile)) {
        return dl__fail(error, DL_ENOTSUP,
                        "%s: no tile from 2 to %d a side divides %llu x %llu", name,
                        SIDE_MAX, (unsigned long long)task->rows,
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

bool dl__stage3_is_short(const struct dl_transpose *transpose,
                         const struct dl__task *task)
{
    struct tile_sides tile;

    /* One stage moves nothing, and the super-elements of the other are whole vectors. */
    return tile_choose(task, dl__tile_bytes(transpose), &tile) &&
           ((tile.cols == task->cols && tile.rows * task->element_bytes % 16 == 0 &&
             tile.rows * task->element_bytes >= 128) ||
            (tile.rows == task->rows && tile.cols * task->element_bytes % 16 == 0 &&
             tile.cols * task->element_bytes >= 128)) &&
           task->offset_bytes % 16 == 0;
}

enum dl_status dl__stage3_plan(struct dl_transpose_plan *plan,
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

enum dl_status dl__stage4_plan(struct dl_transpose_plan *plan, bool fused,
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
