/* SPDX-License-Identifier: MIT */
/* The thesis's own forms of 100!, for comparison: taken only when the knob `family` says
 * so. */
#include "marshal_kernels/algorithm.h"

extern const char dl_step_cl[], dl_super_cl[];
static const struct dl__kernel_source source = {{dl_step_cl, dl_super_cl}};

enum { WARP_ITEMS = 32 };

static double super_cost(const struct dl__steps *steps, const struct dl__shape *shape)
{
    return steps->knobs.family == DL_FORCE_SUPER && !dl__shape_is_slide(shape) &&
                   dl__shape_columns_fit(shape, shape->split) &&
                   dl__shape_is_super(steps, shape) &&
                   shape->instances < steps->engine->limits.compute_units
               ? 0
               : DL__CAN_NOT;
}

struct build {
    cl_kernel kernel, clear;
    uint64_t group, team; /* work-items, and those of them that move a super-element */
};

static enum dl_status build_make(const struct dl__steps *steps,
                                 const struct dl__shape *shape, struct build *out)
{
    struct dl__text knobs = {0};

    dl__text_add(&knobs,
                 "#define VECTORS %lluu\n#define GROUP %lluu\n#define TEAM %llu\n"
                 "#define MODE %u\n",
                 (unsigned long long)(shape->step->element_bytes / shape->element_bytes),
                 (unsigned long long)out->group, (unsigned long long)out->team,
                 steps->knobs.super_mode);
    dl__knobs_add_step(&knobs, shape, 1, shape->rows * shape->step->columns);
    return dl__step_kernels(steps, &source, &knobs, "dl_super", &out->kernel,
                            "dl_super_clear", &out->clear);
}

static enum dl_status build_choose(const struct dl__steps *steps,
                                   const struct dl__shape *shape, struct build *out)
{
    const struct dl__engine *engine = steps->engine;
    uint64_t vectors = shape->step->element_bytes / shape->element_bytes;

    out->team = WARP_ITEMS;
    out->group = steps->knobs.super_group;
    if (steps->knobs.super_mode == 0 || engine->limits.is_cpu)
        out->group = dl__round_up(vectors, WARP_ITEMS);
    /* Several short super-elements a warp. */
    while (steps->knobs.super_mode == 2 && out->team / 2 >= vectors)
        out->team /= 2;
    /* Local memory must hold two super-elements of each team. */
    while (out->group > engine->limits.group_items ||
           (steps->knobs.super_mode == 1 && out->group > WARP_ITEMS &&
            out->group / out->team * 2 * shape->step->element_bytes >
                engine->limits.local_bytes))
        out->group /= 2;
    /* A compiler may find that the device can't run so many work-items of it. */
    for (;; out->group /= 2) {
        enum dl_status st = build_make(steps, shape, out);
        if (st != DL_OK || out->group <= WARP_ITEMS ||
            engine->ops->kernel_items_max(engine->device, out->kernel) >= out->group)
            return st;
    }
}

static enum dl_status super_plan(const struct dl__steps *steps,
                                 const struct dl__shape *step_shape,
                                 struct dl__run_list *list)
{
    struct dl__shape shape = *step_shape;
    uint64_t places = shape.rows * shape.step->columns, words = places / 32 + 1;
    const uint64_t never = 0; /* see dl_super */
    struct dl__run run, clear;
    struct build build;
    enum dl_status st;

    while (shape.element_bytes > steps->knobs.super_vector && shape.element_bytes > 1)
        shape.element_bytes /= 2;
    st = build_choose(steps, &shape, &build);
    if (st != DL_OK)
        return st;
    run = dl__step_run("dl_super", build.kernel, shape.base_bytes, shape.rows);
    dl__run_add_workspace(&run);
    dl__run_add_ulong(&run, never);
    run.local[0] = (size_t)build.group;
    run.global[0] = (size_t)steps->engine->limits.compute_units *
                    (2048 / build.group + 1) * build.group;
    clear = dl__clear_run(steps, "dl_super_clear", build.clear, words);
    for (uint64_t i = 0; i < shape.instances && st == DL_OK; i++) {
        st = dl__run_list_add(list, &clear, words * 4);
        if (st == DL_OK)
            st = dl__run_list_add(list, &run, words * 4);
        dl__run_shift(&run, places * shape.step->element_bytes);
    }
    return st;
}

const struct dl__step_algorithm dl__step_super = {super_cost, false, super_plan};
