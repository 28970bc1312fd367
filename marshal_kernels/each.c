/* SPDX-License-Identifier: MIT */
/* 010! on whole tiles a work-item, the short last one among them: for CPUs. */
#include "algorithm.h"

extern const char dl_step_cl[], dl_each_cl[];
static const struct dl__kernel_source source = {{dl_step_cl, dl_each_cl}};

static double each_cost(const struct dl__steps *steps, const struct dl__shape *shape)
{
    return (steps->engine->limits.is_cpu || steps->knobs.family == DL_FORCE_EACH) &&
                   dl__shape_is_tile(steps, shape) && shape->instances > 1 &&
                   dl__shape_bytes(shape) <= steps->knobs.each_bytes_max
               ? 1
               : DL__CAN_NOT;
}

/* The struct as runs of equally wide leaves. */
static void knobs_add_runs(struct dl__text *text, const struct dl_step *step)
{
    uint32_t leaves = step->leaf_columns ? step->leaf_count : (uint32_t)step->columns;
    uint64_t offset = 0;

    dl__text_add(text, "#define RUN_MAP(X)");
    for (uint32_t leaf = 0, past; leaf < leaves; leaf = past) {
        uint64_t columns = step->leaf_columns ? step->leaf_columns[leaf] : 1;
        for (past = leaf + 1; past < leaves; past++)
            if ((step->leaf_columns ? step->leaf_columns[past] : 1) != columns)
                break;
        dl__text_add(text, " X(%lluu, %lluu, %uu)",
                     (unsigned long long)(columns * step->element_bytes),
                     (unsigned long long)offset, past - leaf);
        offset += columns * step->element_bytes * (past - leaf);
    }
    dl__text_add(text, "\n");
}

static enum dl_status each_plan(const struct dl__steps *steps,
                                const struct dl__shape *shape, struct dl__run_list *list)
{
    unsigned each = dl__steps_knobs(steps, "each", dl__shape_bytes(shape)).each_tiles;
    uint64_t rest_rows = shape->step->rest_rows;
    const char *name = shape->step->inverse ? "dl_each_back" : "dl_each";
    struct dl__text knobs = {0};
    cl_kernel kernel;
    enum dl_status st;

    dl__text_add(&knobs, "#define ROWS %lluu\n#define EACH %uu\n",
                 (unsigned long long)shape->rows, each);
    knobs_add_runs(&knobs, shape->step);
    /* All of step.cl's that it asks for: the rest is the same there and back. */
    dl__text_add(&knobs, "#define COLUMNS %lluu\n#define ELEMENT_BYTES %u\n",
                 (unsigned long long)shape->columns, (unsigned)shape->element_bytes);
    st = dl__step_kernel(steps, &source, &knobs, name, &kernel);
    if (st != DL_OK)
        return st;
    struct dl__run run = dl__step_run(name, kernel, shape->base_bytes, shape->instances);
    dl__run_add_ulong(&run, rest_rows);
    run.local[0] = 1;
    run.global[0] = (size_t)dl__divide_up(shape->instances + (rest_rows > 0), each);
    return dl__run_list_add(list, &run, 0);
}

const struct dl__step_algorithm dl__step_each = {each_cost, true, each_plan};
