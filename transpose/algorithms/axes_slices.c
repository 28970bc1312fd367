/* SPDX-License-Identifier: MIT */
/* The end of a sequence of moves: once the outermost axes are where they belong, what is
 * left are slices that the workspace has room for, each of which goes through it and
 * back, whatever the order of its axes. */
#include "transpose/internal.h"

#include <string.h>

/* How many at once. */
static uint64_t group_of(const struct dl__slices *slices, uint64_t cap_bytes)
{
    uint64_t most = cap_bytes / slices->bytes;

    return most < slices->instances ? most : slices->instances;
}

/* So many slices out of place, one of them after the other in the workspace. */
static struct dl__task out_task(const struct dl__slices *slices, uint64_t count,
                                uint64_t aligned)
{
    struct dl__task task = {.element_bytes = slices->element_bytes,
                            .batch = 1,
                            .offset_bytes = aligned,
                            .matrix_bytes = slices->bytes,
                            .is_out = true};
    struct dl__axes *axes = &task.axes;
    uint64_t from = slices->element_bytes, to = slices->element_bytes;
    uint64_t from_bytes[DL__AXES_MAX], to_bytes[DL__AXES_MAX];

    for (unsigned a = slices->count; a-- > 0; from *= slices->extents[a])
        from_bytes[a] = from;
    for (unsigned d = slices->count; d-- > 0; to *= slices->extents[slices->order[d]])
        to_bytes[slices->order[d]] = to;
    axes->element_bytes = slices->element_bytes;
    axes->axes[axes->count++] = (struct dl__axis){count, slices->bytes, slices->bytes};
    for (unsigned a = 0; a < slices->count; a++)
        axes->axes[axes->count++] =
            (struct dl__axis){slices->extents[a], from_bytes[a], to_bytes[a]};
    task.matrix_bytes *= count;
    dl__axes_reduce(&task);
    return task;
}

double dl__slices_cost(const struct dl_transpose *transpose, const struct dl__task *task,
                       const struct dl__slices *slices)
{
    const struct dl__tuning *tuning = &transpose->tuning;
    uint64_t group = group_of(slices, task->cap_bytes);
    struct dl__task out = out_task(slices, group, task->offset_bytes | slices->bytes);
    double pass = out.is_array ? dl__out_axes_cost(transpose, &out)
                               : dl__out_cost(transpose, &out) * (double)out.batch;

    pass += tuning->through_back * (double)(group * slices->bytes) +
            tuning->through_launch_bytes;
    return pass * (double)slices->instances / (double)group;
}

/* There and back for so many slices from the one at `first` on. */
static enum dl_status group_add(struct dl_transpose_plan *plan,
                                const struct dl__slices *slices, uint64_t first,
                                uint64_t count, struct dl_transpose_error *error)
{
    uint64_t begin = first * slices->bytes;
    struct dl__task out = out_task(
        slices, count, plan->task.offset_bytes | plan->task.shift_bytes | slices->bytes);
    enum dl_status st = out.is_array ? dl__out_axes_add(plan, &out, false, error)
                                     : dl__out_add(plan, &out, error);

    if (st != DL_OK)
        return st;
    plan->runs[plan->run_count - 1].reads_only = true;
    dl__run_shift(&plan->runs[plan->run_count - 1], begin);
    return dl__back_add(plan,
                        (struct dl__back){.rows = 1,
                                          .width_bytes = count * slices->bytes,
                                          .to_bytes = begin},
                        error);
}

enum dl_status dl__slices_add(struct dl_transpose_plan *plan,
                              const struct dl__slices *slices,
                              struct dl_transpose_error *error)
{
    uint64_t group = group_of(slices, plan->task.cap_bytes);
    uint64_t groups = slices->instances / group, rest = slices->instances % group;
    enum dl_status st;

    plan->task.shift_bytes |= group * slices->bytes;
    st = group_add(plan, slices, 0, group, error);
    plan->phases[plan->phase_count++] =
        (struct dl__phase){plan->run_count, groups, group * slices->bytes};
    if (st == DL_OK && rest > 0) {
        size_t before = plan->run_count;
        st = group_add(plan, slices, groups * group, rest, error);
        plan->phases[plan->phase_count++] =
            (struct dl__phase){plan->run_count - before, 1, 0};
    }
    plan->info.passes = 2;
    plan->info.workspace_bytes = group * slices->bytes;
    return st;
}
