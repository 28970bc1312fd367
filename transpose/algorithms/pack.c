/* SPDX-License-Identifier: MIT */
/* Matrices whose rows lie apart: packed before, spread after, around a plan for dense
 * ones. */
#include "transpose/internal.h"

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
    const char *name;
    char knobs[200];
    cl_kernel clear = NULL, kernel;
    struct dl__run *run;
    enum dl_status st;

    shape.width *= units;
    shape.from *= units;
    shape.to *= units;
    chunks = (shape.rows * shape.width + chunk - 1) / chunk;
    work = 4 * (chunks + 1);
    if (chunks >= UINT32_MAX)
        return dl__fail(error, DL_ENOTSUP, "rows apart: more than 2^32 chunks");
    alone = work_offset > task->cap_bytes || work > task->cap_bytes - work_offset;
    name = together ? alone ? "dl_pack_together_alone" : "dl_pack_together"
           : alone  ? "dl_pack_spread_alone"
                    : "dl_pack_spread";
    shape.chunks = (uint32_t)chunks;
    shape.flags_bytes = work_offset;
    snprintf(knobs, sizeof knobs,
             "#define UNIT_BYTES %u\n#define CHUNK %uu\n#define GROUP %zuu\n"
             "#define NARROW %d\n",
             (unsigned)task->unit_bytes, (unsigned)chunk, group, shape.width < group);
    st = dl__kernel_get(transpose, &source, knobs, name, &kernel, error);
    if (st == DL_OK && !alone)
        st = dl__kernel_get(transpose, &source, knobs, "dl_pack_clear", &clear, error);
    if (st != DL_OK)
        return st;
    if (!alone) {
        run = dl__run_add(plan, "dl_pack_clear", clear, &shape, sizeof shape);
        run->local[0] = group;
        run->global[0] = dl__round_up(chunks + 1 < 1 << 16 ? chunks + 1 : 1 << 16, group);
        run->reads_only = true;
        if (work_offset + work > plan->info.workspace_bytes)
            plan->info.workspace_bytes = work_offset + work;
    }
    run = dl__run_add(plan, name, kernel, &shape, sizeof shape);
    run->local[0] = group;
    run->global[0] = alone ? group : chunks * group;
    plan->info.passes++;
    return DL_OK;
}

enum dl_status dl__pack_around(struct dl_transpose_plan *plan,
                               enum dl_transpose_algorithm algorithm,
                               struct dl_transpose_error *error)
{
    const struct dl__task apart = plan->task;
    struct dl_transpose_plan inner = *plan;
    char why[sizeof plan->why];
    enum dl_status st;

    /* The algorithm plans for dense rows in the same memory. */
    inner.task.leading = apart.cols;
    inner.task.leading_out = apart.rows;
    inner.task.batch =
        1; /* between the rows of one matrix another's can't be moved at once */
    if (apart.batch > 1)
        inner.task.shift_bytes |= apart.stride_bytes;
    st = dl__choose(&inner, algorithm, error);
    if (st != DL_OK)
        return st;
    plan->info = inner.info;
    if (inner.phase_count > 0)
        return dl__fail(error, DL_ENOTSUP, "rows apart: the plan has phases");
    if (apart.leading != apart.cols)
        st = dl__pack_add(plan,
                          (struct pack_shape){.rows = apart.rows,
                                              .width = apart.cols,
                                              .from = apart.leading,
                                              .to = apart.cols},
                          0, error);
    if (st == DL_OK && plan->run_count + inner.run_count + 2 > DL__LAUNCHES_MAX)
        st = dl__fail(error, DL_ENOTSUP, "too many launches");
    if (st != DL_OK)
        return st;
    memcpy(plan->runs + plan->run_count, inner.runs,
           inner.run_count * sizeof *inner.runs);
    plan->run_count += inner.run_count;
    if (apart.leading_out != apart.rows)
        st = dl__pack_add(plan,
                          (struct pack_shape){.rows = apart.cols,
                                              .width = apart.rows,
                                              .from = apart.rows,
                                              .to = apart.leading_out},
                          0, error);
    plan->batch_at_once = false;
    snprintf(why, sizeof why, "rows brought together or apart; %.300s", inner.why);
    memcpy(plan->why, why, sizeof why);
    return st;
}
