/* SPDX-License-Identifier: MIT */
/* Conversions by one program for any structs and any tiling, whose leaves are arguments:
 * by way of a workspace as large as the array, into which it goes as it is and from where
 * each element finds its place. On CPUs they are the fastest to discrete arrays;
 * everywhere they stand in for kernels that are not built yet. */
#include "internal.h"

#include <stdio.h>

#include "layout/arith.h"

extern const char dl_place_cl[];
static const struct dl__kernel_source source = {{dl_place_cl}};

enum {
    GROUP_ITEMS = 256,
    COPY_ITEMS_MAX = 1 << 16,
    UNIT_BYTES = 4,
    ELEMENT_BYTES_MAX = 16,
    UNITS_EACH_CPU = 1 << 14,
    STRUCTS_EACH_CPU = 256
};

bool dl__place_describe(const struct dl_leaf_table *leaves,
                        const struct dl_tiling *tiling, uint64_t bytes,
                        uint32_t element_bytes, struct dl__place_shape *out)
{
    uint64_t columns = leaves->struct_bytes / element_bytes;
    bool equal = true;

    /* Steps of a loop over elements must not overflow either. */
    if (leaves->arrays || leaves->leaf_count == 0 || columns > DL__PLACE_COLUMNS_MAX ||
        bytes / element_bytes > UINT32_MAX / 2)
        return false;
    *out = (struct dl__place_shape){.columns = (uint32_t)columns,
                                    .head = (uint32_t)tiling->head_structs,
                                    .tail = (uint32_t)tiling->tail_structs};
    /* Of one tile, the formula has the head's length instead. */
    out->tile = tiling->tile_structs < tiling->head_structs
                    ? (uint32_t)tiling->tile_structs
                    : out->head;
    for (uint32_t l = 0; l < leaves->leaf_count; l++) {
        uint32_t first = leaves->leaves[l].offset_bytes / element_bytes;

        out->starts[first / 64] |= UINT64_C(1) << first % 64;
        equal = equal && leaves->leaves[l].width_bytes == leaves->leaves[0].width_bytes;
    }
    out->starts[columns / 64] |= UINT64_C(1) << columns % 64;
    out->width = equal ? leaves->leaves[0].width_bytes / element_bytes : 0;
    return true;
}

/* PoCL compiles all kernels of a program whose binary it is asked for: there it has no
 * more than are used together.
 *   only  bytes of an element; 1: of a part */
static enum dl_status kernel_get(const struct dl__steps *steps, unsigned only,
                                 const char *name, cl_kernel *out)
{
    char knobs[32] = "";

    if (steps->engine->limits.is_cpu)
        snprintf(knobs, sizeof knobs, "#define PLACE_ONLY %u\n", only);
    return dl__engine_kernel(steps->engine, &source, knobs, name, out, NULL);
}

enum dl_status dl__place_build(const struct dl__steps *steps)
{
    cl_kernel kernel;
    enum dl_status st = kernel_get(steps, 1, "dl_place_part_1_gather", &kernel);

    for (unsigned bytes = UNIT_BYTES; bytes <= ELEMENT_BYTES_MAX && st == DL_OK;
         bytes *= 2)
        st = kernel_get(steps, bytes, "dl_place_aside", &kernel);
    return st;
}

enum dl_status dl__place_parts(const struct dl__steps *steps, uint32_t element_bytes,
                               cl_kernel *gather, cl_kernel *scatter)
{
    bool words = element_bytes == 4;
    enum dl_status st = kernel_get(
        steps, 1, words ? "dl_place_part_4_gather" : "dl_place_part_1_gather", gather);

    return st != DL_OK
               ? st
               : kernel_get(steps, 1,
                            words ? "dl_place_part_4_scatter" : "dl_place_part_1_scatter",
                            scatter);
}

/* Work-items for so many shares of the work; on a CPU each is a group of its own. */
static struct dl__run run_make(const struct dl__steps *steps, const char *name,
                               cl_kernel kernel, uint64_t shares)
{
    struct dl__run run = {.name = name, .kernel = kernel, .dims = 1};

    run.local[0] =
        steps->engine->limits.is_cpu
            ? 1
            : dl__engine_group_items(steps->engine, kernel, GROUP_ITEMS, shares);
    run.global[0] = (size_t)dl__round_up(shares, run.local[0]);
    dl__run_add_buffer(&run);
    return run;
}

static enum dl_status add_copy(const struct dl__steps *steps, uint32_t element_bytes,
                               bool aside, uint64_t bytes, struct dl__run_list *list)
{
    const char *name = aside ? "dl_place_aside" : "dl_place_return";
    uint64_t units = bytes / UNIT_BYTES;
    uint64_t each = steps->engine->limits.is_cpu ? UNITS_EACH_CPU : 1;
    uint64_t shares = dl__divide_up(units, each);
    cl_kernel kernel;
    enum dl_status st = kernel_get(steps, element_bytes, name, &kernel);
    struct dl__run run;

    if (st != DL_OK)
        return st;
    run =
        run_make(steps, name, kernel, shares < COPY_ITEMS_MAX ? shares : COPY_ITEMS_MAX);
    run.reads_only = aside;
    dl__run_add_ulong(&run, units);
    dl__run_add_ulong(&run, each);
    dl__run_add_workspace(&run);
    return dl__run_list_add(list, &run, bytes);
}

static enum dl_status add_move(const struct dl__steps *steps, uint32_t element_bytes,
                               bool back, uint64_t bytes,
                               const struct dl__place_shape *place,
                               struct dl__run_list *list)
{
    static const char *const names[3][2] = {{"dl_place_4_there", "dl_place_4_back"},
                                            {"dl_place_8_there", "dl_place_8_back"},
                                            {"dl_place_16_there", "dl_place_16_back"}};
    const char *name = names[element_bytes / 8][back];
    struct dl__place_shape shared = *place;
    cl_kernel kernel;
    enum dl_status st = kernel_get(steps, element_bytes, name, &kernel);
    struct dl__run run;

    if (st != DL_OK)
        return st;
    shared.each = steps->engine->limits.is_cpu ? STRUCTS_EACH_CPU : 1;
    run = run_make(steps, name, kernel,
                   dl__divide_up((uint64_t)place->head + place->tail, shared.each));
    run.reads_only = back;
    dl__run_add_value(&run, &shared, sizeof shared);
    dl__run_add_workspace(&run);
    return dl__run_list_add(list, &run, bytes);
}

enum dl_status dl__place_plan(const struct dl__steps *steps,
                              const struct dl_leaf_table *leaves,
                              const struct dl_tiling *tiling, bool back,
                              struct dl__run_list *list)
{
    uint64_t bytes = tiling->structs * leaves->struct_bytes;
    uint32_t unit = dl_leaf_table_unit_bytes(leaves), element_bytes = ELEMENT_BYTES_MAX;
    struct dl__place_shape place;
    enum dl_status st;

    while (unit % element_bytes)
        element_bytes /= 2;
    if (element_bytes < UNIT_BYTES || bytes == 0 || bytes > steps->knobs.place_bytes ||
        !dl__place_describe(leaves, tiling, bytes, element_bytes, &place))
        return DL_ENOTSUP;
    list->traffic_bytes += 4 * bytes;
    if (back) {
        st = add_move(steps, element_bytes, true, bytes, &place, list);
        return st == DL_OK ? add_copy(steps, element_bytes, false, bytes, list) : st;
    }
    st = add_copy(steps, element_bytes, true, bytes, list);
    return st == DL_OK ? add_move(steps, element_bytes, false, bytes, &place, list) : st;
}
