/* SPDX-License-Identifier: MIT */
/* The slide from DL's own DA to exact SoA, and back. */
#include "algorithm.h"

extern const char dl_step_cl[], dl_slide_cl[];
static const struct dl__kernel_source source = {{dl_step_cl, dl_slide_cl}};

static double slide_cost(const struct dl__steps *steps, const struct dl__shape *shape)
{
    (void)steps;
    return dl__shape_is_slide(shape) ? 1.1 : DL__CAN_NOT;
}

/* The first column of every leaf, and one past the last. */
static void knobs_add_starts(struct dl__text *text, const struct dl__shape *shape)
{
    const struct dl_step *step = shape->step;
    uint32_t leaves = step->leaf_columns ? step->leaf_count : (uint32_t)step->columns;
    uint64_t first = 0;

    dl__text_add(text, "#define LEAVES %uu\n__constant uint leaf_start[] = {", leaves);
    for (uint32_t leaf = 0; leaf <= leaves; leaf++) {
        dl__text_add(text, "%llu,", (unsigned long long)first);
        if (leaf < leaves)
            first += (step->leaf_columns ? step->leaf_columns[leaf] : 1) * shape->split;
    }
    dl__text_add(text, "};\n");
}

/* The kernels for work-groups of so many work-items, and how places are shared out among
 * them. */
struct build {
    cl_kernel save, move;
    uint64_t group, start, range, groups; /* start: the first place that changes */
};

static enum dl_status build_make(const struct dl__steps *steps,
                                 const struct dl__shape *shape, uint64_t group,
                                 struct build *out)
{
    const struct dl_step *step = shape->step;
    const unsigned items = steps->knobs.slide_items;
    uint64_t strip = step->tail_rows * shape->columns;
    uint64_t places = (step->rows + step->tail_rows) * shape->columns;
    uint64_t first_width =
        (step->leaf_columns ? step->leaf_columns[0] : 1) * shape->split;
    uint64_t chunk = group * items * (16 / shape->element_bytes);
    struct dl__text text = {0};

    out->group = group;
    out->range = dl__round_up(strip * steps->knobs.slide_strip_part, chunk);
    /* The first array stays where it is. */
    out->start = step->rows * first_width / chunk * chunk;
    out->groups = dl__divide_up(places - out->start, out->range);
    dl__text_add(&text, "#define GROUP %lluu\n#define ITEMS %uu\n",
                 (unsigned long long)group, items);
    /* A CPU has no registers for all of it, and its compiler takes half a minute over
     * many leaves. */
    if (steps->engine->limits.is_cpu)
        dl__text_add(&text, "#define UNROLLED 1\n#define PARTS_UNROLLED 1\n");
    knobs_add_starts(&text, shape);
    dl__knobs_add_step(&text, shape, shape->split, places + out->range + strip);
    return dl__step_kernels(steps, &source, &text, "dl_slide_save", &out->save,
                            "dl_slide_move", &out->move);
}

/* The largest work-groups that the device and the compiler allow. */
static enum dl_status build_choose(const struct dl__steps *steps,
                                   const struct dl__shape *shape, struct build *out)
{
    const struct dl__engine *engine = steps->engine;

    for (size_t most = steps->knobs.slide_group;;) {
        uint64_t group = 1;
        enum dl_status st;
        while (group * 2 <= most && group * 2 <= engine->limits.group_items)
            group *= 2;
        st = build_make(steps, shape, group, out);
        if (st != DL_OK)
            return st;
        most = engine->ops->kernel_items_max(engine->device, out->move);
        if (most >= group)
            return DL_OK;
        if (most == 0)
            most = 1;
    }
}

static struct dl__run slide_run(const struct dl__shape *shape, const struct build *build,
                                const char *name, cl_kernel kernel)
{
    struct dl__run run = dl__step_run(name, kernel, shape->base_bytes, shape->step->rows);

    dl__run_add_workspace(&run);
    dl__run_add_ulong(&run, shape->step->tail_rows);
    dl__run_add_ulong(&run, build->start);
    dl__run_add_ulong(&run, build->range);
    dl__run_add_ulong(&run, build->groups);
    return run;
}

static enum dl_status slide_plan(const struct dl__steps *steps,
                                 const struct dl__shape *shape, struct dl__run_list *list)
{
    const struct dl_step *step = shape->step;
    uint64_t strip = step->tail_rows * shape->columns, saved, workspace_bytes;
    uint64_t places = (step->rows + step->tail_rows) * shape->columns;
    size_t items_max = (size_t)steps->engine->limits.compute_units * 8192;
    struct dl__run save, move;
    struct build build;
    enum dl_status st;

    if (shape->base_bytes % 16 != 0)
        return DL_ENOTSUP;
    st = build_choose(steps, shape, &build);
    if (st != DL_OK)
        return st;
    list->traffic_bytes += 2 * (places - build.start) * shape->element_bytes;
    saved = (build.groups + 1) * strip;
    workspace_bytes = saved * shape->element_bytes;
    save = slide_run(shape, &build, "dl_slide_save", build.save);
    save.reads_only = true;
    save.local[0] = dl__engine_group_items(steps->engine, build.save, 256, saved);
    save.global[0] = dl__round_up(saved, save.local[0]);
    if (save.global[0] > items_max)
        save.global[0] = items_max / save.local[0] * save.local[0];
    st = dl__run_list_add(list, &save, workspace_bytes);
    if (st != DL_OK)
        return st;
    move = slide_run(shape, &build, "dl_slide_move", build.move);
    move.local[0] = (size_t)build.group;
    move.global[0] = (size_t)(build.groups * build.group);
    return dl__run_list_add(list, &move, workspace_bytes);
}

const struct dl__step_algorithm dl__step_slide = {slide_cost, false, slide_plan};
