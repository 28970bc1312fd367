/* The plans that are one kernel each: square matrices, and the fused pass of the four stages. */
#include "internal.h"

#include <stdio.h>

extern const char dl_square_cl[], dl_fuse_cl[];
static const struct dl__kernel_source square_source = {{dl_shape_cl, dl_square_cl}};
static const struct dl__kernel_source fuse_source = {{dl_shape_cl, dl_fuse_cl}};

enum {
    SQUARE_TILE_BYTES = 16384,
    FUSE_CUT = 17,
    FUSE_HELD_BYTES =
        1024 /* local memory comes in multiples, so that few kernels are built */
};

static size_t group_of(const struct dl_transpose *transpose, size_t wanted)
{
    size_t group = transpose->engine.limits.is_cpu ? 32 : wanted;

    while (group > transpose->engine.limits.group_items)
        group /= 2;
    return group;
}

enum dl_status dl__square_plan(struct dl_transpose_plan *plan,
                               struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    struct square_shape shape = {task->rows, task->leading};
    size_t group = group_of(plan->transpose, 256);
    uint64_t side = 64, tiles;
    char knobs[200];
    cl_kernel kernel;
    struct dl__run *run;
    enum dl_status st;

    if (task->rows != task->cols || task->leading != task->leading_out)
        return dl__fail(error, DL_ENOTSUP,
                        "square: %llu x %llu, or leading distances differ",
                        (unsigned long long)task->rows, (unsigned long long)task->cols);
    while (side > 1 && (side * side * task->element_bytes > SQUARE_TILE_BYTES ||
                        2 * side * (side + 1) * task->element_bytes + 64 >
                            plan->transpose->engine.limits.local_bytes))
        side /= 2;
    if (2 * side * (side + 1) * task->element_bytes >
        plan->transpose->engine.limits.local_bytes)
        return dl__fail(error, DL_ENOTSUP, "square: elements of %llu bytes",
                        (unsigned long long)task->element_bytes);
    snprintf(knobs, sizeof knobs,
             "#define UNIT_BYTES %u\n#define UNITS %uu\n#define SIDE %uu\n#define GROUP "
             "%zuu\n",
             (unsigned)task->unit_bytes,
             (unsigned)(task->element_bytes / task->unit_bytes), (unsigned)side, group);
    st = dl__kernel_get(plan->transpose, &square_source, knobs, "dl_square_swap", &kernel,
                        error);
    if (st != DL_OK)
        return st;
    run = dl__run_add(plan, "dl_square_swap", kernel, &shape, sizeof shape);
    tiles = dl__round_up((task->rows + side - 1) / side, 2);
    run->local[0] = group;
    run->global[0] = (tiles + 1) * group;
    run->global[1] = tiles / 2;
    plan->info.passes = 1;
    plan->info.tile_rows = plan->info.tile_cols = side;
    snprintf(plan->why, sizeof plan->why, "pairs of tiles of %llu x %llu swapped",
             (unsigned long long)side, (unsigned long long)side);
    return DL_OK;
}

enum dl_status dl__fuse_add(struct dl_transpose_plan *plan, uint64_t down,
                            uint64_t across, uint64_t tile_rows, uint64_t tile_cols,
                            struct dl_transpose_error *error)
{
    struct dl_transpose *transpose = plan->transpose;
    const struct dl__task *task = &plan->task;
    uint64_t tile_bytes = tile_rows * tile_cols * task->element_bytes;
    uint64_t places = down * across, work, cut = FUSE_CUT;
    uint64_t line = tile_cols * task->element_bytes / task->unit_bytes;
    uint64_t held_bytes =
        dl__round_up(tile_rows * (line | 1) * task->unit_bytes, FUSE_HELD_BYTES);
    size_t group = group_of(transpose, 256);
    struct fuse_shape shape = {.across = (uint32_t)across};
    char knobs[300];
    cl_kernel save, move;
    struct dl__run *run;
    enum dl_status st;

    if (places > UINT32_MAX / 2)
        return dl__fail(error, DL_ENOTSUP, "4-stage-fused: more than 2^31 tiles");
    if (2 * held_bytes + 4 * group + 64 > transpose->engine.limits.local_bytes)
        return dl__fail(error, DL_ENOTSUP,
                        "4-stage-fused: two tiles exceed local memory");
    while ((places + cut - 1) / cut * tile_bytes > task->cap_bytes && cut < 4096)
        cut *= 2;
    work = (places + cut - 1) / cut * tile_bytes;
    if (work > task->cap_bytes)
        return dl__fail(error, DL_EREFUSED,
                        "4-stage-fused needs more workspace than the cap of %llu bytes",
                        (unsigned long long)task->cap_bytes);
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
    st = dl__kernel_get(transpose, &fuse_source, knobs, "dl_fuse_save", &save, error);
    if (st == DL_OK)
        st = dl__kernel_get(transpose, &fuse_source, knobs, "dl_fuse_move", &move, error);
    if (st != DL_OK)
        return st;
    run = dl__run_add(plan, "dl_fuse_save", save, &shape, sizeof shape);
    run->reads_only = true;
    run->local[0] = group;
    run->global[0] = dl__round_up(work / task->unit_bytes, group);
    run = dl__run_add(plan, "dl_fuse_move", move, &shape, sizeof shape);
    run->local[0] = group;
    run->global[0] = ((places + cut - 1) / cut + (places + group - 1) / group) * group;
    if (work > plan->info.workspace_bytes)
        plan->info.workspace_bytes = work;
    plan->info.passes++;
    return DL_OK;
}
