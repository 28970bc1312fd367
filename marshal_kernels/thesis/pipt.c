/* SPDX-License-Identifier: MIT */
/* P-IPT, for comparison: taken only when the knob `family` says so. */
#include "marshal_kernels/algorithm.h"

extern const char dl_step_cl[], dl_pipt_cl[];
static const struct dl__kernel_source source = {{dl_step_cl, dl_pipt_cl}};

enum { GROUPS_A_UNIT = 64 };

static double pipt_cost(const struct dl__steps *steps, const struct dl__shape *shape)
{
    return steps->knobs.family == DL_FORCE_PIPT && !dl__shape_is_slide(shape) &&
                   dl__shape_columns_fit(shape, shape->split)
               ? 0
               : DL__CAN_NOT;
}

static enum dl_status pipt_plan(const struct dl__steps *steps,
                                const struct dl__shape *shape, struct dl__run_list *list)
{
    const struct dl_step *step = shape->step;
    bool is_super = shape->instances == 1 && step->element_bytes > 16;
    uint64_t places = shape->rows * (is_super ? step->columns : shape->columns);
    uint64_t vectors = is_super ? shape->split : 1, groups, most;
    struct dl__text knobs = {0};
    cl_kernel kernel;
    enum dl_status st;

    dl__text_add(&knobs, "#define VECTORS %lluu\n", (unsigned long long)vectors);
    dl__knobs_add_step(&knobs, shape, is_super ? 1 : shape->split, places);
    st = dl__step_kernel(steps, &source, &knobs, "dl_pipt", &kernel);
    if (st != DL_OK)
        return st;
    struct dl__run run = dl__step_run("dl_pipt", kernel, shape->base_bytes, shape->rows);
    run.local[0] = dl__engine_group_items(steps->engine, kernel, 256, places * vectors);
    most = (uint64_t)steps->engine->limits.compute_units * GROUPS_A_UNIT;
    groups = dl__divide_up(places * vectors, run.local[0]);
    if (groups > most)
        groups = most;
    if (shape->instances > most)
        groups = 1;
    dl__run_add_ulong(&run, groups);
    run.global[0] = (size_t)(shape->instances * groups) * run.local[0];
    return dl__run_list_add(list, &run, 0);
}

const struct dl__step_algorithm dl__step_pipt = {pipt_cost, false, pipt_plan};
