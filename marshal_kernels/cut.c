/* SPDX-License-Identifier: MIT */
/* 100! on super-elements by cut cycles; on single elements the last resort. */
#include "algorithm.h"

extern const char dl_step_cl[], dl_cut_cl[];
static const struct dl__kernel_source source = {{dl_step_cl, dl_cut_cl}};

enum { ROW_ITEMS_MAX = 32 };

/* How a super-element is shared out among work-items. */
struct share {
    uint64_t row; /* elements of an aligned row, or 0: whole vectors in any places */
    uint64_t vectors, lanes, per_item;
    unsigned ahead, stretches, group;
};

static struct share share_make(const struct dl__knobs *knobs, uint64_t super_bytes,
                               uint64_t element_bytes, uint64_t row_lanes_max)
{
    bool is_short = super_bytes <= knobs->cut_line_bytes;
    struct share share = {.vectors = super_bytes / element_bytes,
                          .ahead = is_short ? knobs->cut_ahead_short : knobs->cut_ahead,
                          .stretches = is_short ? knobs->cut_stretches_short
                                                : knobs->cut_stretches,
                          .group = is_short ? knobs->cut_group_short : knobs->cut_group};
    uint64_t wanted =
        knobs->cut_bytes > element_bytes ? knobs->cut_bytes / element_bytes : 1;
    /* Lines of a cache: half of one where whole ones would leave most lanes idle, several
     * where one would leave a lane so many loads for each super-element that few of those
     * can be in flight. */
    uint64_t row_bytes = super_bytes < 2 * knobs->cut_line_bytes
                             ? (knobs->cut_row + 1) / 2
                             : knobs->cut_row;

    while (row_bytes > 0 && row_bytes < 4 * knobs->cut_line_bytes &&
           row_bytes * (element_bytes < 8 ? 10 : 6) < super_bytes)
        row_bytes *= 2;
    /* A lane holds its part of a row in registers, and each vector of it makes the
     * kernel longer. */
    if (super_bytes % knobs->cut_line_bytes != 0 &&
        super_bytes >= knobs->cut_line_bytes / 4 &&
        super_bytes <= ROW_ITEMS_MAX * row_bytes)
        share.row = row_bytes / element_bytes;
    /* A power of two, as work-groups are. */
    while (share.row > row_lanes_max || (share.row & (share.row - 1)) != 0)
        share.row =
            share.row > row_lanes_max ? share.row / 2 : share.row & (share.row - 1);
    if (share.row > 1 && share.vectors <= ROW_ITEMS_MAX * share.row) {
        uint64_t parts = (share.vectors + 2 * share.row - 2) / share.row;
        share.lanes = share.row;
        share.per_item = (share.vectors + share.row - 1) / share.row;
        share.ahead = parts < knobs->cut_loads ? (unsigned)(knobs->cut_loads / parts) : 1;
        share.group = knobs->cut_group_short; /* few wait for each other at the barrier */
        return share;
    }
    share.row = 0;
    share.per_item = wanted < share.vectors ? wanted : share.vectors;
    share.lanes = (share.vectors + share.per_item - 1) / share.per_item;
    return share;
}

/* Cut cycles need neither flags nor a memory model, so that they are the last resort too.
 */
static double cut_cost(const struct dl__steps *steps, const struct dl__shape *shape)
{
    bool is_super = dl__shape_is_super(steps, shape);

    if (dl__shape_is_slide(shape) || !dl__shape_columns_fit(shape, 1))
        return DL__CAN_NOT;
    if (steps->knobs.family == DL_FORCE_CUT && is_super)
        return 0;
    return is_super ? 1.2 : 15;
}

/* The kernels for super-elements that are shared out so. */
static enum dl_status cut_build(const struct dl__steps *steps,
                                const struct dl__knobs *knobs,
                                const struct dl__shape *shape, const struct share *share,
                                cl_kernel *save, cl_kernel *move)
{
    uint64_t places = shape->rows * shape->step->columns;
    struct dl__text text = {0};

    dl__text_add(&text,
                 "#define VECTORS %lluu\n#define PER_ITEM %lluu\n#define AHEAD %u\n",
                 (unsigned long long)share->vectors, (unsigned long long)share->per_item,
                 share->ahead);
    dl__text_add(&text, "#define CUT %uu\n#define SPAN %uu\n#define STRETCHES %uu\n",
                 knobs->cut_places, knobs->cut_span, share->stretches);
    if (share->row > 0)
        dl__text_add(
            &text, "#define ROW %lluu\n#define BASE_ELEMENTS %lluu\n",
            (unsigned long long)share->row,
            (unsigned long long)(shape->base_bytes / shape->element_bytes % share->row));
    /* Indices count super-elements. */
    dl__knobs_add_step(&text, shape, 1,
                       places + knobs->cut_span + (uint64_t)knobs->cut_places * 2);
    return dl__step_kernels(steps, &source, &text, "dl_cut_save", save, "dl_cut_move",
                            move);
}

/* A way to share the work out that the device can run, with its kernels. */
struct build {
    struct share share;
    cl_kernel save, move;
    uint64_t chains; /* stretches one after the other */
    size_t group;
};

static enum dl_status build_choose(const struct dl__steps *steps,
                                   const struct dl__knobs *knobs,
                                   const struct dl__shape *shape, uint64_t blocks,
                                   struct build *out)
{
    uint64_t resident =
        knobs->cut_resident * (uint64_t)steps->engine->limits.compute_units;
    struct share *share = &out->share;

    for (uint64_t lanes = knobs->cut_group_short;; lanes = 0) {
        enum dl_status st;
        *share =
            share_make(knobs, shape->step->element_bytes, shape->element_bytes, lanes);
        /* One after the other only where enough are left to fill the device. */
        while (share->stretches > 1 &&
               blocks * share->lanes * shape->instances < share->stretches * resident)
            share->stretches--;
        st = cut_build(steps, knobs, shape, share, &out->save, &out->move);
        if (st != DL_OK)
            return st;
        out->chains = dl__divide_up(blocks, share->stretches);
        out->group = dl__engine_group_items(steps->engine, out->move, share->group,
                                            out->chains * share->lanes);
        /* The lanes of a row meet at a barrier: they must be of one work-group. */
        if (share->row <= out->group)
            return DL_OK;
    }
}

static enum dl_status cut_plan(const struct dl__steps *steps,
                               const struct dl__shape *step_shape,
                               struct dl__run_list *list)
{
    struct dl__shape shape = *step_shape;
    const struct dl_step *step = shape.step;
    const struct dl__knobs knobs = dl__steps_knobs(steps, "cut", step->element_bytes);
    uint64_t places = shape.rows * step->columns;
    uint64_t blocks = dl__divide_up(places, knobs.cut_places), workspace_bytes;
    uint64_t searchers = dl__divide_up(places, knobs.cut_span), movers, saved;
    struct dl__run save, move;
    struct build build;
    enum dl_status st;

    while (shape.element_bytes > knobs.cut_vector && shape.element_bytes > 1)
        shape.element_bytes /= 2;
    st = build_choose(steps, &knobs, &shape, blocks, &build);
    if (st != DL_OK)
        return st;
    workspace_bytes = shape.instances * blocks * step->element_bytes;
    saved = blocks * build.share.vectors;
    save = dl__step_run("dl_cut_save", build.save, shape.base_bytes, shape.rows);
    dl__run_add_workspace(&save);
    save.reads_only = true;
    save.global[1] = (size_t)shape.instances;
    save.local[0] = dl__engine_group_items(steps->engine, build.save, 256, saved);
    save.global[0] = dl__round_up(saved, save.local[0]);
    st = dl__run_list_add(list, &save, workspace_bytes);
    if (st != DL_OK)
        return st;
    move = dl__step_run("dl_cut_move", build.move, shape.base_bytes, shape.rows);
    dl__run_add_workspace(&move);
    dl__run_add_ulong(&move, searchers);
    move.global[1] = (size_t)shape.instances;
    movers = dl__divide_up(build.chains * build.share.lanes, build.group);
    move.local[0] = build.group;
    move.global[0] = (movers + searchers) * build.group;
    return dl__run_list_add(list, &move, workspace_bytes);
}

const struct dl__step_algorithm dl__step_cut = {cut_cost, false, cut_plan};
