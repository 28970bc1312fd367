/* SPDX-License-Identifier: MIT */
/* Matrices whose rows lie apart: packed before, spread after, around a plan for dense ones. */
#include "internal.h"

#include <stdio.h>
#include <string.h>

extern const char dl_pack_cl[];
static const struct dl__kernel_source source = {{dl_shape_cl, dl_pack_cl}};

enum { CHUNK_BYTES = 8192 };

static enum dl_status pack_add(struct dl_transpose_plan *plan, const char *name,
                               uint64_t rows, uint64_t cols, uint64_t leading,
                               struct dl_transpose_error *error)
{
    struct dl_transpose *transpose = plan->transpose;
    const struct dl__task *task = &plan->task;
    uint64_t units = task->element_bytes / task->unit_bytes, chunks;
    uint64_t chunk = CHUNK_BYTES / task->unit_bytes, work;
    struct pack_shape shape = {rows, cols * units, leading * units, 0};
    size_t group = dl__group_items(transpose, transpose->tuning.group);
    char knobs[200];
    cl_kernel clear, kernel;
    struct dl__run *run;
    enum dl_status st;

    chunks = (rows * shape.width + chunk - 1) / chunk;
    work = 4 * (chunks + 1);
    if (chunks >= UINT32_MAX)
        return dl__fail(error, DL_ENOTSUP, "rows apart: more than 2^32 chunks");
    if (work > task->cap_bytes)
        return dl__fail(
            error, DL_EREFUSED,
            "rows that lie apart need %llu bytes of workspace, the cap is %llu",
            (unsigned long long)work, (unsigned long long)task->cap_bytes);
    shape.chunks = (uint32_t)chunks;
    snprintf(knobs, sizeof knobs,
             "#define UNIT_BYTES %u\n#define CHUNK %uu\n#define GROUP %zuu\n",
             (unsigned)task->unit_bytes, (unsigned)chunk, group);
    st = dl__kernel_get(transpose, &source, knobs, "dl_pack_clear", &clear, error);
    if (st == DL_OK)
        st = dl__kernel_get(transpose, &source, knobs, name, &kernel, error);
    if (st != DL_OK)
        return st;
    run = dl__run_add(plan, "dl_pack_clear", clear, &shape, sizeof shape);
    run->local[0] = group;
    run->global[0] = dl__round_up(chunks + 1 < 1 << 16 ? chunks + 1 : 1 << 16, group);
    run->reads_only = true;
    run = dl__run_add(plan, name, kernel, &shape, sizeof shape);
    run->local[0] = group;
    run->global[0] = chunks * group;
    plan->info.passes++;
    if (work > plan->info.workspace_bytes)
        plan->info.workspace_bytes = work;
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
    st = dl__choose(&inner, algorithm, error);
    if (st != DL_OK)
        return st;
    plan->info = inner.info;
    if (apart.leading != apart.cols)
        st = pack_add(plan, "dl_pack_together", apart.rows, apart.cols, apart.leading,
                      error);
    if (st == DL_OK && plan->run_count + inner.run_count + 2 > DL__LAUNCHES_MAX)
        st = dl__fail(error, DL_ENOTSUP, "too many launches");
    if (st != DL_OK)
        return st;
    memcpy(plan->runs + plan->run_count, inner.runs,
           inner.run_count * sizeof *inner.runs);
    plan->run_count += inner.run_count;
    if (apart.leading_out != apart.rows)
        st = pack_add(plan, "dl_pack_spread", apart.cols, apart.rows, apart.leading_out,
                      error);
    /* Between the rows of one matrix another's can't be moved at once. */
    plan->batch_at_once = false;
    snprintf(why, sizeof why, "rows brought together or apart; %.300s", inner.why);
    memcpy(plan->why, why, sizeof why);
    return st;
}
