/* SPDX-License-Identifier: MIT */
/* Matrices whose rows lie apart: packed before, spread after, around a plan for dense
 * ones; and rows that are brought to another distance. */
#include "algorithm.h"

#include <stdio.h>
#include <string.h>

extern const char dl_pack_cl[];
static const struct dl__kernel_source source = {{dl_shape_cl, dl_units_cl, dl_pack_cl}};

enum { CHUNK_BYTES = 8192 };

enum dl_status dl__pack_add(struct dl_transpose_plan *plan, struct pack_shape shape,
                            uint64_t work_offset, struct dl_transpose_error *error)
{
    struct dl_transpose *transpose = plan->transpose;
    const struct dl__task *task = &plan->task;
    uint64_t units = task->element_bytes / task->unit_bytes, chunks, work;
    uint64_t chunk = CHUNK_BYTES / task->unit_bytes;
    size_t group = dl__group_items(transpose, transpose->tuning.group);
    bool alone, together = shape.to < shape.from;
    char knobs[DL__KNOBS_BYTES];
    struct dl__launch launch = {.source = &source,
                                .kernel = "dl_pack_clear",
                                .numbers = &shape,
                                .numbers_bytes = sizeof shape,
                                .group = group,
                                .reads_only = true};
    enum dl_status st = DL_OK;

    shape.width *= units;
    shape.from *= units;
    shape.to *= units;
    chunks = (shape.rows * shape.width + chunk - 1) / chunk;
    work = 4 * (chunks + 1);
    if (chunks >= UINT32_MAX)
        return dl__fail(error, DL_ENOTSUP, "rows apart: more than 2^32 chunks");
    alone = work_offset > task->cap_bytes || work > task->cap_bytes - work_offset;
    shape.chunks = (uint32_t)chunks;
    shape.flags_bytes = work_offset;
    snprintf(knobs, sizeof knobs,
             "#define UNIT_BYTES %u\n#define CHUNK %uu\n#define GROUP %zuu\n"
             "#define NARROW %d\n",
             (unsigned)task->unit_bytes, (unsigned)chunk, group, shape.width < group);
    if (!alone) {
        launch.groups[0] =
            dl__divide_up(chunks + 1 < 1 << 16 ? chunks + 1 : 1 << 16, group);
        st = dl__launch_add(plan, &launch, error, "%s", knobs);
        if (work_offset + work > plan->info.workspace_bytes)
            plan->info.workspace_bytes = work_offset + work;
    }
    if (st != DL_OK)
        return st;
    launch.kernel = together ? alone ? "dl_pack_together_alone" : "dl_pack_together"
                    : alone  ? "dl_pack_spread_alone"
                             : "dl_pack_spread";
    launch.groups[0] = alone ? 1 : chunks;
    launch.reads_only = false;
    plan->info.passes++;
    return dl__launch_add(plan, &launch, error, "%s", knobs);
}

static enum dl_status packed_plan(struct dl_transpose_plan *plan,
                                  struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    struct dl__task dense = *task;
    char why[sizeof plan->why];
    enum dl_status st = DL_OK;

    dense.leading = task->cols;
    dense.leading_out = task->rows;
    dense.batch = 1; /* between the rows of one matrix another's can't be moved at once */
    dense.numbers = (struct dl__numbers){.scales = false};
    if (task->batch > 1)
        dense.shift_bytes |= task->stride_bytes;
    if (task->leading != task->cols)
        st = dl__pack_add(plan,
                          (struct pack_shape){.rows = task->rows,
                                              .width = task->cols,
                                              .from = task->leading,
                                              .to = task->cols},
                          0, error);
    if (st == DL_OK)
        st = dl__part_add(plan, &dense, plan->info.algorithm, error);
    snprintf(why, sizeof why, "rows brought together or apart; %.300s", plan->why);
    memcpy(plan->why, why, sizeof why);
    if (st == DL_OK && task->leading_out != task->rows)
        st = dl__pack_add(plan,
                          (struct pack_shape){.rows = task->cols,
                                              .width = task->rows,
                                              .from = task->rows,
                                              .to = task->leading_out},
                          0, error);
    return st;
}

DL_TRANSPOSE_ROW(PACKED) = {20, NULL, packed_plan, .keeps_apart = true};

/* ---- rows that are brought to another distance, and no transposition ---- */

static enum dl_status slide_plan(struct dl_transpose_plan *plan,
                                 struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;

    if (!task->slides)
        return dl__fail(error, DL_ENOTSUP, "slide is for arrays whose axes stay");
    snprintf(plan->why, sizeof plan->why, "rows brought from %llu to %llu elements apart",
             (unsigned long long)task->leading, (unsigned long long)task->leading_out);
    if (task->leading == task->leading_out || task->rows == 1)
        return DL_OK;
    return dl__pack_add(plan,
                        (struct pack_shape){.rows = task->rows,
                                            .width = task->cols,
                                            .from = task->leading,
                                            .to = task->leading_out},
                        0, error);
}

DL_TRANSPOSE_ROW(SLIDE) = {14, NULL, slide_plan};
