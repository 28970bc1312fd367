/* SPDX-License-Identifier: MIT */
/* The middle pass of the four stages as one: tiles transposed and moved at once. */
#include "transpose/internal.h"

#include <stdio.h>

extern const char dl_fuse_cl[];
static const struct dl__kernel_source source = {{dl_shape_cl, dl_units_cl, dl_fuse_cl}};

enum {
    FUSE_CUT = 17,
    FUSE_HELD_BYTES =
        1024 /* local memory comes in multiples, so that few kernels are built */
};

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
    size_t group = dl__group_items(transpose, transpose->tuning.group);
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
    st = dl__kernel_get(transpose, &source, knobs, "dl_fuse_save", &save, error);
    if (st == DL_OK)
        st = dl__kernel_get(transpose, &source, knobs, "dl_fuse_move", &move, error);
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
