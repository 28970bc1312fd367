/* SPDX-License-Identifier: MIT */
/* Two axes of one extent swapped in place: pairs of elements of any size (swap_runs.cl).
 */
#include "transpose/internal.h"

#include <stdio.h>

extern const char dl_swap_runs_cl[];
static const struct dl__kernel_source source = {
    {dl_shape_cl, dl_units_cl, dl_swap_runs_cl}};

enum { SIDE_MAX = 65535 /* of which 32 bits number the pairs */ };

enum dl_status dl__swap_runs_add(struct dl_transpose_plan *plan,
                                 const struct dl_move *move,
                                 struct dl_transpose_error *error)
{
    struct dl_transpose *transpose = plan->transpose;
    const struct dl__task *task = &plan->task;
    size_t group = dl__group_items(transpose, transpose->tuning.group);
    uint64_t unit = dl__power_of_two_in(move->element_bytes | task->offset_bytes |
                                            (task->batch > 1 ? task->stride_bytes : 0),
                                        16);
    struct runs_shape shape = {.units = move->element_bytes / unit,
                               .middle = move->middle,
                               .side = (uint32_t)move->rows,
                               .lanes = 1};
    uint64_t groups;
    char knobs[100];
    cl_kernel kernel;
    struct dl__run *run;
    enum dl_status st;

    while (shape.lanes * 2 <= group && shape.lanes < shape.units)
        shape.lanes *= 2;
    if (move->rows > SIDE_MAX)
        return dl__fail(error, DL_ENOTSUP, "axes-swap: an extent of %llu",
                        (unsigned long long)move->rows);
    shape.pairs = shape.side * (shape.side - 1u) / 2;
    if (__builtin_mul_overflow(move->instances * move->middle, shape.pairs, &shape.all) ||
        (groups = dl__divide_up(shape.all, group / shape.lanes)) > DL__GROUPS_MAX)
        return dl__fail(error, DL_ENOTSUP, "axes-swap: more than 2^31 pairs");
    snprintf(knobs, sizeof knobs, "#define UNIT_BYTES %u\n#define GROUP %zuu\n",
             (unsigned)unit, group);
    st = dl__kernel_get(transpose, &source, knobs, "dl_swap_runs", &kernel, error);
    if (st != DL_OK)
        return st;
    run = dl__run_add(plan, "dl_swap_runs", kernel, &shape, sizeof shape);
    run->local[0] = group;
    run->global[0] = groups * group;
    plan->info.passes = 1;
    snprintf(plan->why, sizeof plan->why,
             "pairs of elements of %llu bytes swapped, in units of %u",
             (unsigned long long)move->element_bytes, (unsigned)unit);
    return DL_OK;
}
