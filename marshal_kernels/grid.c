/* SPDX-License-Identifier: MIT */
/* Conversions between the program's layout and a grid's layout of bits. Slices that stay
 * among themselves go through a workspace of a bounded size; where one is larger than
 * that, the axes that the strips are change places as a permutation in place, if they all
 * divide their extents; else the workspace is as large as the grid. */
#include "engine/text.h"
#include "internal.h"
#include "layout/arith.h"

#include <stdlib.h>

enum {
    GROUP_ITEMS = 256,
    ITEMS_MAX = 1 << 20,
    ITEMS_MAX_CPU = 1 << 14,
    SLICE_BYTES = 64 << 20, /* of the workspace, where slices may be so short */
    ANY_BYTES = 4 << 20     /* that are not worth kernels of their own */
};

extern const char dl_step_cl[], dl_grid_any_cl[], dl_grid_cl[];
static const struct dl__kernel_source source = {{dl_step_cl, dl_grid_any_cl, dl_grid_cl}};

/* ---- slice by slice ---- */

/* The kernels of one conversion. */
struct kernels {
    const struct dl__engine *engine;
    const struct dl_grid_map *map;
    uint64_t columns; /* parts of an element */
    uint32_t part_bytes;
    bool any; /* for any grid, which is an argument */
    const char *name;
    cl_kernel move, copy;
};

/* As grid_any.cl has it. */
struct any_grid {
    uint64_t extents[DL_GRID_DIMS_MAX];
    uint32_t strips[DL_GRID_STRIPS_MAX];
    uint32_t dims, strip_count, columns, unused;
};

void dl__grid_add(struct dl__run *run, const struct dl_grid_map *map, uint32_t columns)
{
    struct any_grid any = {.dims = map->grid.dim_count,
                           .strip_count = map->layout.strip_count,
                           .columns = columns};

    for (uint32_t d = 0; d < map->grid.dim_count; d++)
        any.extents[d] = map->grid.extents[d];
    for (uint32_t s = 0; s < map->layout.strip_count; s++)
        any.strips[s] = dl_grid_code(map->layout.strips[s]);
    dl__run_add_value(run, &any, sizeof any);
}

static enum dl_status kernels_get(struct dl__engine *engine, struct kernels *kernels)
{
    uint64_t parts = dl_grid_elements(&kernels->map->grid) * kernels->columns;
    enum dl_status st = DL_ENOMEM;
    struct dl__text text = {0};
    char macros[1024];

    dl_grid_define(kernels->map, "#define ", " ", "\n", macros, sizeof macros);
    dl__text_add(&text, "#define COLUMNS %uu\n#define ELEMENT_BYTES %u\n%s%s",
                 kernels->any ? 1 : (unsigned)kernels->columns, kernels->part_bytes,
                 kernels->any ? "#define GRID_ANY\n" : macros,
                 parts > UINT32_MAX / 2 ? "#define INDEX_64\n" : "");
    if (!text.failed)
        st = dl__engine_kernel(engine, &source, text.bytes, kernels->name, &kernels->move,
                               NULL);
    if (st == DL_OK)
        st = dl__engine_kernel(engine, &source, text.bytes, "dl_grid_return",
                               &kernels->copy, NULL);
    free(text.bytes);
    return st;
}

/* Of elements from `first` on. */
static enum dl_status add_run(const struct kernels *kernels, bool moves, uint64_t first,
                              uint64_t count, struct dl__run_list *list)
{
    struct dl__run run = {.name = moves ? kernels->name : "dl_grid_return",
                          .kernel = moves ? kernels->move : kernels->copy,
                          .dims = 1,
                          .reads_only = moves};
    uint64_t most = kernels->engine->limits.is_cpu ? ITEMS_MAX_CPU : ITEMS_MAX;
    uint64_t parts = count * kernels->columns, bytes = parts * kernels->part_bytes;

    dl__run_add_buffer(&run);
    dl__run_add_ulong(&run, first * kernels->columns);
    dl__run_add_ulong(&run, parts);
    dl__run_add_workspace(&run);
    if (kernels->any)
        dl__grid_add(&run, kernels->map, (uint32_t)kernels->columns);
    run.local[0] =
        dl__engine_group_items(kernels->engine, run.kernel, GROUP_ITEMS, GROUP_ITEMS);
    run.global[0] = (size_t)dl__round_up(parts < most ? parts : most, run.local[0]);
    list->traffic_bytes += 2 * bytes;
    return dl__run_list_add(list, &run, bytes);
}

/* Goes slice by slice, of so many elements each. */
static enum dl_status plan_slices(struct dl__engine *engine,
                                  const struct dl__steps *steps,
                                  const struct dl_grid_map *map, uint32_t struct_bytes,
                                  bool back, uint64_t slice, struct dl__run_list *list)
{
    uint64_t elements = dl_grid_elements(&map->grid);
    uint32_t part_bytes = (uint32_t)dl__gcd(struct_bytes, 16);
    struct kernels kernels = {.engine = engine,
                              .map = map,
                              .columns = struct_bytes / part_bytes,
                              .part_bytes = part_bytes,
                              .any = elements * struct_bytes <= ANY_BYTES &&
                                     elements * struct_bytes <= steps->knobs.place_bytes,
                              .name = back ? "dl_grid_back" : "dl_grid_there"};
    enum dl_status st = kernels_get(engine, &kernels);

    if (st == DL_ECL && !kernels.any && steps->stood_in) {
        *steps->stood_in = kernels.any = true;
        st = kernels_get(engine, &kernels);
    }
    for (uint64_t first = 0; first < elements && st == DL_OK; first += slice) {
        uint64_t count = elements - first < slice ? elements - first : slice;

        st = add_run(&kernels, true, first, count, list);
        if (st == DL_OK)
            st = add_run(&kernels, false, first, count, list);
    }
    return st;
}

/* ---- in place ---- */

/* The strips as axes of a dense array: their extents in the program's order, and `order`,
 * what each axis of the grid's layout was. False: one does not divide, or there are too
 * many. */
static bool axes_of(const struct dl_grid_map *map, uint64_t *extents, unsigned *order,
                    size_t *count)
{
    const struct dl_grid_layout *layout = &map->layout;
    size_t axes = 0;

    if (layout->strip_count > DL_PLAN_STEPS_MAX)
        return false;
    for (uint32_t d = 0; d < map->grid.dim_count; d++) {
        uint64_t extent = map->grid.extents[d];

        for (uint32_t s = 0; s < layout->strip_count; s++) {
            struct dl_grid_strip strip = layout->strips[s];

            if (strip.dim != d)
                continue;
            if (extent % (UINT64_C(1) << strip.low))
                return false;
            order[s] = (unsigned)axes;
            extents[axes++] =
                strip.bits ? UINT64_C(1) << strip.bits : extent >> strip.low;
        }
    }
    *count = axes;
    return true;
}

static enum dl_status plan_in_place(const struct dl__steps *steps,
                                    const struct dl_grid_map *map, uint32_t struct_bytes,
                                    bool back, struct dl__run_list *list)
{
    uint64_t extents[DL_PLAN_STEPS_MAX], there[DL_PLAN_STEPS_MAX];
    unsigned order[DL_PLAN_STEPS_MAX], inverse[DL_PLAN_STEPS_MAX];
    struct dl_plan plan = {0};
    enum dl_status st;
    size_t axes;

    if (!axes_of(map, extents, order, &axes))
        return DL_ENOTSUP;
    for (size_t a = 0; a < axes; a++) {
        there[a] = extents[order[a]];
        inverse[order[a]] = (unsigned)a;
    }
    st = dl_plan_permute(back ? there : extents, back ? inverse : order, axes,
                         struct_bytes, &plan);
    for (size_t s = 0; s < plan.step_count && st == DL_OK; s++)
        st = dl__steps_add(steps, &plan.steps[s], list);
    dl_plan_free(&plan);
    return st;
}

enum dl_status dl__grid_plan(struct dl__engine *engine, const struct dl__steps *steps,
                             struct dl_conversion *conversion)
{
    bool back = conversion->from.kind == DL_LAYOUT_GRID;
    const struct dl_layout *layout = back ? &conversion->from : &conversion->to;
    const struct dl_grid_map *map = &layout->grid;
    uint32_t struct_bytes = conversion->leaves.struct_bytes;
    enum dl_status st = DL_ENOTSUP;
    struct dl_tiling tiling;
    uint64_t elements, slice, most;

    if (conversion->from.kind != DL_LAYOUT_AOS && conversion->to.kind != DL_LAYOUT_AOS)
        return DL_ENOTSUP;
    st = dl_layout_tile(*layout, conversion->structs, &tiling);
    if (st != DL_OK || dl_grid_map_is_plain(map))
        return st;
    elements = tiling.head_structs;
    slice = dl_grid_slice(map);
    most = SLICE_BYTES / struct_bytes / slice * slice;
    /* Both are 0 where no workspace can be had. */
    if (most >= slice && (steps->knobs.aside_bytes || steps->knobs.place_bytes))
        return plan_slices(engine, steps, map, struct_bytes, back,
                           most < elements ? most : elements, &conversion->list);
    st = plan_in_place(steps, map, struct_bytes, back, &conversion->list);
    if (st != DL_ENOTSUP)
        return st;
    dl__run_list_free(&conversion->list);
    return plan_slices(engine, steps, map, struct_bytes, back, slice, &conversion->list);
}
