/* SPDX-License-Identifier: MIT */
/* 010! on single tiles of any length: barrier-sync through local memory. For the few
 * tiles that chunks leave and the short last one. */
#include "algorithm.h"

#include <stdlib.h>

extern const char dl_step_cl[], dl_rest_cl[], dl_tile_cl[];
static const struct dl__kernel_source source = {{dl_step_cl, dl_rest_cl, dl_tile_cl}};

static double tile_cost(const struct dl__steps *steps, const struct dl__shape *shape)
{
    (void)steps, (void)shape;
    return 1.1;
}

enum dl_status dl__step_tiles_plan(const struct dl__steps *steps,
                                   const struct dl__shape *shape, uint64_t first,
                                   struct dl__run_list *list)
{
    struct dl__text knobs = {0};
    uint64_t elements = shape->rows * shape->columns, tiles = shape->instances - first;
    uint64_t rest_rows = shape->step->rest_rows;
    cl_kernel kernel;
    enum dl_status st;

    dl__knobs_add_step(&knobs, shape, shape->split, elements);
    st = dl__step_kernel(steps, &source, &knobs, "dl_tile_any", &kernel);
    free(knobs.bytes);
    if (st != DL_OK)
        return st;
    struct dl__run run =
        dl__step_run("dl_tile_any", kernel,
                     shape->base_bytes + first * dl__shape_bytes(shape), shape->rows);
    dl__run_add_ulong(&run, tiles);
    dl__run_add_ulong(&run, rest_rows);
    dl__run_add_local(&run, elements * shape->element_bytes);
    run.local[0] = dl__engine_group_items(steps->engine, kernel, 256, elements);
    run.global[0] = (size_t)(tiles + (rest_rows > 0)) * run.local[0];
    return dl__run_list_add(list, &run, 0);
}

static enum dl_status tile_plan(const struct dl__steps *steps,
                                const struct dl__shape *shape, struct dl__run_list *list)
{
    return dl__step_tiles_plan(steps, shape, 0, list);
}

const struct dl__step_algorithm dl__step_tile = {"tile", dl__shape_is_tile, tile_cost,
                                                 true, tile_plan};
