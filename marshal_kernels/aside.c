/* SPDX-License-Identifier: MIT */
/* Small arrays, out of place: each element goes to its new place in a workspace, and all
 * of it back. Two launches, where cycles are followed one load after the other for as
 * long as a small array takes altogether. The workspace is as large as the array, which
 * is why `aside_bytes` bounds it. */
#include "algorithm.h"

extern const char dl_step_cl[], dl_aside_cl[];
static const struct dl__kernel_source source = {{dl_step_cl, dl_aside_cl}};

/* Beyond one pass through local memory, before all others. */
static double aside_cost(const struct dl__steps *steps, const struct dl__shape *shape)
{
    uint64_t bytes = dl__shape_total_bytes(shape);

    return !dl__shape_is_slide(shape) && dl__shape_columns_fit(shape, shape->split) &&
                   bytes <= steps->knobs.aside_bytes &&
                   bytes / shape->element_bytes < UINT32_MAX / 4
               ? 1.15
               : DL__CAN_NOT;
}

/* Work-items for so many accesses, no more than the device runs at once. */
static void shares_set(const struct dl__steps *steps, struct dl__run *run,
                       uint64_t accesses)
{
    uint64_t most = steps->engine->limits.compute_units * (uint64_t)2048;

    run->local[0] = dl__engine_group_items(steps->engine, run->kernel, 256, accesses);
    run->global[0] =
        (size_t)dl__round_up(accesses < most ? accesses : most, run->local[0]);
}

static enum dl_status aside_plan(const struct dl__steps *steps,
                                 const struct dl__shape *shape, struct dl__run_list *list)
{
    uint64_t bytes = dl__shape_total_bytes(shape),
             elements = bytes / shape->element_bytes;
    uint64_t unit = shape->base_bytes % 16 == 0 ? 16 : shape->element_bytes;
    uint64_t rest_rows = shape->step->rest_rows;
    struct dl__text text = {0};
    struct dl__run there, back;
    cl_kernel gather, copy;
    enum dl_status st;

    dl__text_add(&text, "#define UNIT_BYTES %u\n", (unsigned)unit);
    dl__knobs_add_step(&text, shape, shape->split, elements);
    st = dl__step_kernels(steps, &source, &text, "dl_aside_there", &gather,
                          "dl_aside_back", &copy);
    if (st != DL_OK)
        return st;
    there = dl__step_run("dl_aside_there", gather, shape->base_bytes, shape->rows);
    dl__run_add_workspace(&there);
    dl__run_add_ulong(&there, shape->instances);
    dl__run_add_ulong(&there, rest_rows);
    there.reads_only = true;
    shares_set(steps, &there, shape->rows * shape->columns);
    there.global[1] = (size_t)(shape->instances + (rest_rows > 0));
    st = dl__run_list_add(list, &there, bytes);
    if (st != DL_OK)
        return st;
    back = dl__step_run("dl_aside_back", copy, shape->base_bytes, elements);
    dl__run_add_workspace(&back);
    shares_set(steps, &back, bytes / unit + 16);
    list->traffic_bytes += 2 * bytes;
    return dl__run_list_add(list, &back, bytes);
}

const struct dl__step_algorithm dl__step_aside = {aside_cost, true, aside_plan};
