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

#include <stdio.h>

/* What the thesis advises (4.8.4): both sides from 50 to 100 where they fit local memory. */
enum { SIDE_MAX = 100 };

struct tile_sides {
    uint64_t rows, cols;
};

/* How well super-elements of two lengths move, one pass each: longer is better, less and less. */
static double tile_score(uint64_t rows, uint64_t cols, uint64_t element_bytes)
{
    double a = (double)(rows * element_bytes), b = (double)(cols * element_bytes);

    return 1 / ((a + 60) / a + (b + 60) / b);
}

static bool tile_choose(const struct dl__task *task, uint64_t bytes_max,
                        struct tile_sides *out)
{
    double best = 0;

    for (uint64_t m = 2; m <= SIDE_MAX && m <= task->rows; m++) {
        if (task->rows % m != 0)
            continue;
        for (uint64_t n = 2; n <= SIDE_MAX && n <= task->cols; n++) {
            double score = tile_score(m, n, task->element_bytes);
            if (task->cols % n == 0 && m * n * task->element_bytes <= bytes_max &&
                score > best) {
                best = score;
                *out = (struct tile_sides){m, n};
            }
        }
    }
    return best > 0;
}

static enum dl_status tile_find(struct dl_transpose_plan *plan, const char *name,
                                struct tile_sides *tile, struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    uint64_t bytes_max = dl__choose_tile_bytes(plan->transpose->marshal);

    if (task->tile_rows && task->tile_cols) {
        *tile = (struct tile_sides){task->tile_rows, task->tile_cols};
        if (task->rows % tile->rows != 0 || task->cols % tile->cols != 0)
            return dl__fail(error, DL_ENOTSUP,
                            "%s: tiles of %llu x %llu do not divide %llu x %llu", name,
                            (unsigned long long)tile->rows, (unsigned long long)tile->cols,
                            (unsigned long long)task->rows,
                            (unsigned long long)task->cols);
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
static enum dl_status steps_add(struct dl_transpose_plan *plan, const struct dl_step *steps,
                                size_t count, struct dl_transpose_error *error)
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

enum dl_status dl__stage3_plan(struct dl_transpose_plan *plan,
                               struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    struct tile_sides tile;
    uint64_t bytes = task->element_bytes;
    enum dl_status st = tile_find(plan, "3-stage", &tile, error);

    if (st != DL_OK)
        return st;
    uint64_t down = task->rows / tile.rows, across = task->cols / tile.cols;
    const struct dl_step steps[] = {
        {.instances = 1,
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
    enum dl_status st =
        tile_find(plan, fused ? "4-stage-fused" : "4-stage", &tile, error);

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
