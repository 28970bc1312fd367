/* SPDX-License-Identifier: MIT */
/* The mover of whole blocks along cut cycles. */
#include "transpose/internal.h"

#include <stdio.h>

extern const char dl_move_cl[], dl_panel_strip_cl[];
static const struct dl__kernel_source source = {
    {dl_shape_cl, dl_units_cl, dl_panel_strip_cl, dl_move_cl}};

/* Vectors of a block that a work-item may move: its loops are unrolled. */
enum { EACH_MAX = 64 };

/* Units of the strip for each work-item that copies them. */
enum { STRIP_EACH = 16 };

uint32_t dl__vector_bytes_of(const struct dl__sides *sides, const struct dl__task *task,
                             const struct panel_shape *shape)
{
    uint64_t all = sides->offset_bytes + shape->phase * sides->element_bytes;
    uint64_t step = shape->align * sides->element_bytes;
    uint32_t bytes = 16;

    all |= task->shift_bytes;
    if (task->batch > 1)
        all |= task->stride_bytes;
    all |= step | shape->block * sides->element_bytes;
    while (all % bytes != 0)
        bytes /= 2;
    return bytes;
}

/* Work-groups that copy the strip; the inverse's clear the counts, too. */
static uint32_t strippers_of(const struct panel_shape *shape, const struct dl__task *task,
                             size_t group, bool inverse)
{
    uint64_t units = (uint64_t)shape->strip_rows * shape->cols *
                     (task->element_bytes / task->unit_bytes);
    uint32_t groups = (uint32_t)dl__divide_up(units, group * STRIP_EACH);

    return inverse && groups == 0 ? 1 : groups;
}

/* The mover, and, where no pass before it puts cuts aside, what does. */
enum dl_status dl__moves_add(struct dl_transpose_plan *plan, struct panel_shape shape,
                             uint32_t vector_bytes, bool inverse, bool alone,
                             struct dl_transpose_error *error)
{
    struct dl_transpose *transpose = plan->transpose;
    uint64_t used = (uint64_t)shape.blocks * shape.cols - shape.hole, stretches, movers;
    const struct dl__tuning tuning =
        dl__tuning_for(transpose, inverse ? "joins" : "panels", plan->task.element_bytes);
    unsigned per_lane, ahead;
    size_t lanes, group = tuning.move_group;
    char knobs[400];
    cl_kernel save = NULL, move;
    struct dl__run *run;
    enum dl_status st;

    while (group > transpose->engine.limits.group_items)
        group /= 2;
    shape.vectors = (uint32_t)(shape.block * plan->task.element_bytes / vector_bytes);
    per_lane = tuning.move_bytes / vector_bytes;
    if (per_lane > EACH_MAX)
        per_lane = EACH_MAX;
    lanes = dl__power_of_two_up((shape.vectors + per_lane - 1) / per_lane);
    while (lanes > group)
        lanes /= 2;
    per_lane = (unsigned)((shape.vectors + lanes - 1) / lanes);
    ahead = tuning.move_ahead * 16 / (per_lane * vector_bytes);
    if (ahead < 2)
        ahead = 2;
    shape.searchers = (uint32_t)((used + tuning.move_span - 1) / tuning.move_span);
    shape.strippers = alone ? 0 : strippers_of(&shape, &plan->task, group, inverse);
    snprintf(knobs, sizeof knobs,
             "#define UNIT_BYTES %u\n#define UNITS %uu\n#define VECTOR_BYTES %u\n#define "
             "ELEMENT_BYTES %lluu\n#define LANES %zuu\n"
             "#define PER_LANE %uu\n#define UNROLL %u\n#define AHEAD %u\n"
             "#define SPAN %uu\n#define INVERSE %d\n",
             (unsigned)plan->task.unit_bytes,
             (unsigned)(plan->task.element_bytes / plan->task.unit_bytes), vector_bytes,
             (unsigned long long)plan->task.element_bytes, lanes, per_lane,
             tuning.unroll > 1 ? per_lane : 1, ahead, tuning.move_span, inverse);
    st = dl__kernel_get(transpose, &source, knobs, "dl_move", &move, error);
    if (st == DL_OK && alone)
        st = dl__kernel_get(transpose, &source, knobs, "dl_move_save", &save, error);
    if (st != DL_OK)
        return st;
    if (alone) {
        run = dl__run_add(plan, "dl_move_save", save, &shape, sizeof shape);
        run->reads_only = true;
        run->local[0] = group;
        run->global[0] = dl__round_up((uint64_t)shape.cuts * shape.vectors, group);
    }
    run = dl__run_add(plan, "dl_move", move, &shape, sizeof shape);
    stretches = (uint64_t)shape.hole + shape.cuts;
    movers = (stretches * lanes + group - 1) / group;
    run->local[0] = group;
    run->global[0] = (shape.strippers + movers + shape.searchers) * group;
    return DL_OK;
}
