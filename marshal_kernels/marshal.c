/* SPDX-License-Identifier: MIT */
/* The marshaling kernels of one device: conversions and parts prepared at need, kept, and
 * enqueued in a chain on the caller's queue. */
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"
#include "layout/arith.h"

enum { GROUP_ITEMS = 256, ITEMS_MAX = 1 << 20 };

/* ---- conversions by one program for any structs and any tiling ----
 *
 * Its arguments say what the leaves are. It copies the array to a workspace as large, and
 * moves each element from there to its place. On CPUs this is the fastest conversion to
 * discrete arrays; everywhere it stands in for kernels that are not built yet. */

extern const char dl_place_cl[];
static const struct dl__kernel_source place_source = {{dl_place_cl}};

enum {
    COPY_ITEMS_MAX = 1 << 16,
    UNIT_BYTES = 4,
    ELEMENT_BYTES_MAX = 16,
    UNITS_EACH_CPU = 1 << 14,
    EACH_BYTES = 32 << 10,
    EACH_STRUCTS_MIN = 16,
    EACH_STRUCTS_MAX = 256,
    NARROW_BYTES = 2 /* stands for elements of fewer bytes than 4 */
};

enum { PLACE_STARTS = 32, PLACE_COLUMNS_MAX = PLACE_STARTS * 64 - 1 };

/* As in place.cl. */
struct place_shape {
    uint64_t starts[PLACE_STARTS];
    uint32_t columns, width, tile, head, tail, each, unit;
    uint32_t count, first, box_width, height, row, slice;
};

/* Describes structs of these leaves as elements of so many bytes, which divide each of
 * them. False: there are too many columns, or elements in `bytes`. */
static bool place_describe(const struct dl_leaf_table *leaves,
                           const struct dl_tiling *tiling, uint64_t bytes,
                           uint32_t element_bytes, struct place_shape *out)
{
    uint64_t columns = leaves->struct_bytes / element_bytes;
    bool equal = true;

    /* Steps of a loop over elements must not overflow either. */
    if (leaves->arrays || leaves->leaf_count == 0 || columns > PLACE_COLUMNS_MAX ||
        bytes / element_bytes > UINT32_MAX / 2)
        return false;
    *out = (struct place_shape){.columns = (uint32_t)columns,
                                .unit = element_bytes,
                                .head = (uint32_t)tiling->head_structs,
                                .tail = (uint32_t)tiling->tail_structs};
    /* For one tile, the formula takes the head's length. */
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

static enum dl_status place_kernel_get(const struct dl__steps *steps, unsigned only,
                                       const char *name, cl_kernel *out)
{
    char knobs[32] = "";

    if (steps->engine->limits.is_cpu)
        snprintf(knobs, sizeof knobs, "#define PLACE_ONLY %u\n", only);
    return dl__engine_kernel(steps->engine, &place_source, knobs, name, out, NULL);
}

static enum dl_status place_program_build(const struct dl__steps *steps)
{
    cl_kernel kernel;
    enum dl_status st = place_kernel_get(steps, 1, "dl_place_part_1_gather", &kernel);

    for (unsigned bytes = UNIT_BYTES; bytes <= ELEMENT_BYTES_MAX && st == DL_OK;
         bytes *= 2)
        st = place_kernel_get(steps, bytes, "dl_place_aside", &kernel);
    return st;
}

/* The kernels of parts, of elements of 1 or 4 bytes. */
static enum dl_status place_parts(const struct dl__steps *steps, uint32_t element_bytes,
                                  cl_kernel *gather, cl_kernel *scatter)
{
    static const char *const names[2][2] = {
        {"dl_place_part_1_gather", "dl_place_part_1_scatter"},
        {"dl_place_part_4_gather", "dl_place_part_4_scatter"}};
    const char *const *name = names[element_bytes == 4];
    enum dl_status st = place_kernel_get(steps, 1, name[0], gather);

    return st == DL_OK ? place_kernel_get(steps, 1, name[1], scatter) : st;
}

/* A work-item for each share of the work; on a CPU also a work-group. */
static struct dl__run run_make(const struct dl__steps *steps, const char *name,
                               cl_kernel kernel, uint64_t shares)
{
    struct dl__run run = {.name = name, .kernel = kernel, .dims = 1, .can_idle = true};

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
    enum dl_status st = place_kernel_get(steps, element_bytes, name, &kernel);
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

/* As many structs as a CPU's cache holds while it moves their leaves one by one. */
static uint32_t structs_each(const struct place_shape *place)
{
    uint32_t structs = EACH_BYTES / (place->columns * place->unit);

    return structs > EACH_STRUCTS_MAX   ? EACH_STRUCTS_MAX
           : structs < EACH_STRUCTS_MIN ? EACH_STRUCTS_MIN
                                        : structs;
}

static enum dl_status add_move(const struct dl__steps *steps, uint32_t element_bytes,
                               bool back, uint64_t bytes, const struct place_shape *place,
                               struct dl__run_list *list)
{
    static const char *const names[4][2] = {
        {"dl_place_4_there", "dl_place_4_back"},
        {"dl_place_8_there", "dl_place_8_back"},
        {"dl_place_16_there", "dl_place_16_back"},
        {"dl_place_narrow_there", "dl_place_narrow_back"}};
    bool narrow = element_bytes < UNIT_BYTES;
    const char *name = names[narrow ? 3 : element_bytes / 8][back];
    struct place_shape shared = *place;
    cl_kernel kernel;
    enum dl_status st = place_kernel_get(steps, element_bytes, name, &kernel);
    struct dl__run run;

    if (st != DL_OK)
        return st;
    shared.each = steps->engine->limits.is_cpu ? structs_each(place) : 1;
    run = run_make(steps, name, kernel,
                   dl__divide_up((uint64_t)place->head + place->tail, shared.each));
    run.reads_only = back;
    dl__run_add_value(&run, &shared, sizeof shared);
    dl__run_add_workspace(&run);
    return dl__run_list_add(list, &run, bytes);
}

/* Appends the conversion from the program's layout (`back`: to it), out of place. Called
 * with the engine's lock held.
 *   errors  DL_ENOTSUP: it does not take such leaves, or so many bytes (the knob
 *           place_bytes); DL_ENOMEM; DL_ECL */
static enum dl_status place_plan(const struct dl__steps *steps,
                                 const struct dl_leaf_table *leaves,
                                 const struct dl_tiling *tiling, bool back,
                                 struct dl__run_list *list)
{
    uint64_t bytes = tiling->structs * leaves->struct_bytes;
    uint32_t unit = dl_leaf_table_unit_bytes(leaves), element_bytes = ELEMENT_BYTES_MAX;
    struct place_shape place;
    enum dl_status st;

    while (unit % element_bytes)
        element_bytes /= 2;
    /* Arrays that are not whole words wait for kernels of their own, and on GPUs strips
     * are as fast as a copy. */
    if (element_bytes < UNIT_BYTES &&
        (bytes % UNIT_BYTES != 0 || !steps->engine->limits.is_cpu))
        return DL_ENOTSUP;
    if (bytes == 0 || bytes > steps->knobs.place_bytes ||
        !place_describe(leaves, tiling, bytes, element_bytes, &place))
        return DL_ENOTSUP;
    if (element_bytes < UNIT_BYTES)
        element_bytes = NARROW_BYTES;
    list->traffic_bytes += 4 * bytes;
    if (back) {
        st = add_move(steps, element_bytes, true, bytes, &place, list);
        return st == DL_OK ? add_copy(steps, element_bytes, false, bytes, list) : st;
    }
    st = add_copy(steps, element_bytes, true, bytes, list);
    return st == DL_OK ? add_move(steps, element_bytes, false, bytes, &place, list) : st;
}

/* ---- grids ----
 *
 * Conversions between the program's layout and a grid's layout of bits. Independent
 * slices go through a workspace of bounded size; if one is larger than that, the strips
 * change places as axes of a permutation in place, if all divide their extents; else the
 * workspace is as large as the grid. */

enum {
    ITEMS_MAX_CPU = 1 << 14,
    SLICE_BYTES = 64 << 20, /* the workspace, unless a slice is longer */
    ANY_BYTES = 4 << 20     /* smaller grids are not worth kernels of their own */
};

extern const char dl_step_cl[], dl_grid_any_cl[], dl_grid_cl[];
static const struct dl__kernel_source grid_source = {
    {dl_step_cl, dl_grid_any_cl, dl_grid_cl}};

/* ---- slice by slice ---- */

/* The kernels of one conversion. */
struct grid_kernels {
    const struct dl__steps *steps;
    const struct dl_grid_map *map;
    uint64_t columns; /* parts of an element */
    uint32_t part_bytes;
    bool any; /* kernels for any grid, which is an argument */
    const char *name;
    cl_kernel move, copy;
};

/* As grid_any.cl has it. */
struct any_grid {
    uint64_t extents[DL_GRID_DIMS_MAX];
    uint32_t strips[DL_GRID_STRIPS_MAX];
    uint32_t dims, strip_count, columns, unused;
};

/* Adds the argument of kernels for any grid (grid_any.cl). */
static void grid_add(struct dl__run *run, const struct dl_grid_map *map, uint32_t columns)
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

static enum dl_status grid_kernels_get(struct grid_kernels *kernels)
{
    uint64_t parts = dl_grid_elements(&kernels->map->grid) * kernels->columns;
    struct dl__text text = {0};
    char macros[1024];

    dl_grid_define(kernels->map, "#define ", " ", "\n", macros, sizeof macros);
    dl__text_add(&text, "#define COLUMNS %uu\n#define ELEMENT_BYTES %u\n%s%s",
                 kernels->any ? 1 : (unsigned)kernels->columns, kernels->part_bytes,
                 kernels->any ? "#define GRID_ANY\n" : macros,
                 parts > UINT32_MAX / 2 ? "#define INDEX_64\n" : "");
    return dl__step_kernels(kernels->steps->engine, &grid_source, &text, kernels->name,
                            &kernels->move, "dl_grid_return", &kernels->copy);
}

static enum dl_status add_run(const struct grid_kernels *kernels, bool moves,
                              uint64_t first, uint64_t count, struct dl__run_list *list)
{
    const struct dl__engine *engine = kernels->steps->engine;
    struct dl__run run = {.name = moves ? kernels->name : "dl_grid_return",
                          .kernel = moves ? kernels->move : kernels->copy,
                          .dims = 1,
                          .can_idle = true,
                          .reads_only = moves};
    uint64_t most = engine->limits.is_cpu ? ITEMS_MAX_CPU : ITEMS_MAX;
    uint64_t parts = count * kernels->columns, bytes = parts * kernels->part_bytes;

    dl__run_add_buffer(&run);
    dl__run_add_ulong(&run, first * kernels->columns);
    dl__run_add_ulong(&run, parts);
    dl__run_add_workspace(&run);
    if (kernels->any)
        grid_add(&run, kernels->map, (uint32_t)kernels->columns);
    run.local[0] = dl__engine_group_items(engine, run.kernel, GROUP_ITEMS, GROUP_ITEMS);
    run.global[0] = (size_t)dl__round_up(parts < most ? parts : most, run.local[0]);
    list->traffic_bytes += 2 * bytes;
    return dl__run_list_add(list, &run, bytes);
}

static enum dl_status plan_slices(const struct dl__steps *steps,
                                  const struct dl_grid_map *map, uint32_t struct_bytes,
                                  bool back, uint64_t slice, struct dl__run_list *list)
{
    uint64_t elements = dl_grid_elements(&map->grid), bytes = elements * struct_bytes;
    uint32_t part_bytes = (uint32_t)dl__gcd(struct_bytes, 16);
    struct grid_kernels kernels = {.steps = steps,
                                   .map = map,
                                   .columns = struct_bytes / part_bytes,
                                   .part_bytes = part_bytes,
                                   .any = bytes <= ANY_BYTES &&
                                          bytes <= steps->knobs.place_bytes,
                                   .name = back ? "dl_grid_back" : "dl_grid_there"};
    enum dl_status st = grid_kernels_get(&kernels);

    if (st == DL_ECL && !kernels.any && steps->stood_in) {
        *steps->stood_in = kernels.any = true;
        st = grid_kernels_get(&kernels);
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

/* Makes the strips the axes of a dense array: `extents` in the program's order, and in
 * `order` which of them each axis of the grid's layout was. False: a strip does not
 * divide its extent, or there are too many. */
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

/* Makes the runs of a grid's conversion. Called with the lock held.
 *   errors  DL_ENOTSUP: it is not to or from AoS, or there are no kernels; DL_ENOMEM;
 *           DL_ECL; DL_EINVAL: the grid does not have so many structs */
static enum dl_status grid_plan(const struct dl__steps *steps,
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
    /* Both are 0 if the device has no memory for a workspace. */
    if (most >= slice && (steps->knobs.aside_bytes || steps->knobs.place_bytes))
        return plan_slices(steps, map, struct_bytes, back,
                           most < elements ? most : elements, &conversion->list);
    st = plan_in_place(steps, map, struct_bytes, back, &conversion->list);
    if (st != DL_ENOTSUP)
        return st;
    dl__run_list_free(&conversion->list);
    return plan_slices(steps, map, struct_bytes, back, slice, &conversion->list);
}

/* ---- parts of tiled buffers ---- */

/* 32 bits count so many elements of an array, with those between tiles. */
#define NARROW_MAX (UINT64_C(1) << 31)

struct dl_part {
    struct dl_part *next;
    struct dl_leaf_table leaves; /* these four are the key */
    uint64_t bytes;
    struct dl_layout layout;
    uint32_t element_bytes;
    struct dl_tiling tiling;
    cl_kernel gather, scatter;
    bool stands_in; /* kernels for any shape, of `place` */
    unsigned asked;
    struct place_shape place;
};

extern const char dl_part_cl[];
static const struct dl__kernel_source part_source = {
    {dl_step_cl, dl_grid_any_cl, dl_part_cl}};

/* Writes the knobs of step.cl for whole structs, and the formula. The caller frees them.
 */
static struct dl__text knobs_text(const struct dl_leaf_table *leaves,
                                  const struct dl_tiling *tiling, uint32_t element_bytes,
                                  bool narrow)
{
    struct dl__text text = {0};

    dl__text_add(&text,
                 "#define COLUMNS %uu\n#define ELEMENT_BYTES %u\n#define INDEX_64\n"
                 "#define LEAF_TABLE\n#define FORMULA_AT %s_at\n",
                 leaves->struct_bytes / element_bytes, element_bytes,
                 dl_tiling_formula(tiling));
    if (narrow)
        dl__text_add(&text, "#define NARROW\n");
    if (tiling->formula == DL_LAYOUT_GRID)
        dl__text_add(&text, "#define GRID_ANY\n");
    if (leaves->arrays)
        dl__text_add(&text, "#define OWN_ARRAYS %u\n",
                     leaves->leaves[0].width_bytes / element_bytes);
    for (int width = 0; width < 2; width++) {
        dl__text_add(&text, "__constant uint leaf_%s[] = {", width ? "width" : "first");
        for (uint32_t l = 0; l < leaves->leaf_count; l++) {
            uint32_t first = leaves->leaves[l].offset_bytes / element_bytes;
            uint32_t columns = leaves->leaves[l].width_bytes / element_bytes;

            for (uint32_t c = 0; c < columns; c++)
                dl__text_add(&text, "%u,", width ? columns : first);
        }
        dl__text_add(&text, "};\n");
    }
    return text;
}

/* ---- boxes ---- */

/* Whether every row of the box begins and ends between elements of this size. */
static bool box_is_of(const struct dl_part_box *box, uint32_t element_bytes)
{
    return box->first_byte % element_bytes == 0 &&
           box->width_bytes % element_bytes == 0 &&
           (box->height == 1 || box->row_bytes % element_bytes == 0) &&
           (box->depth == 1 || box->slice_bytes % element_bytes == 0);
}

/* Counts the bytes of the box. False: there are none, or some lie beyond the end. */
static bool box_count(const struct dl_part_box *box, uint64_t bytes, uint64_t *count)
{
    uint64_t rows, slices, end;

    return box->width_bytes && box->height && box->depth &&
           !__builtin_mul_overflow(box->width_bytes, box->height, count) &&
           !__builtin_mul_overflow(*count, box->depth, count) &&
           !__builtin_mul_overflow(box->height - 1, box->row_bytes, &rows) &&
           !__builtin_mul_overflow(box->depth - 1, box->slice_bytes, &slices) &&
           !__builtin_add_overflow(box->first_byte, box->width_bytes, &end) &&
           !__builtin_add_overflow(end, rows, &end) &&
           !__builtin_add_overflow(end, slices, &end) && end <= bytes;
}

/* ---- parts ---- */

static struct dl_part *part_find(const struct dl_marshal *marshal,
                                 const struct dl_leaf_table *leaves, uint64_t bytes,
                                 struct dl_layout layout, uint32_t element_bytes)
{
    for (struct dl_part *part = marshal->parts; part; part = part->next)
        if (part->bytes == bytes && dl_layout_equal(&part->layout, &layout) &&
            part->element_bytes == element_bytes &&
            dl_leaf_table_equal(&part->leaves, leaves))
            return part;
    return NULL;
}

/* The element by which the program for any shape moves it. */
static uint32_t place_element(const struct dl_part *part)
{
    return part->element_bytes < 4 ? 1 : 4;
}

/* Gets the part's own kernels, or those for any shape if nobody may wait for its own. */
static enum dl_status part_build(struct dl_marshal *marshal, struct dl_part *part,
                                 bool kept_only, bool may_stand_in)
{
    struct dl__text knobs = knobs_text(&part->leaves, &part->tiling, part->element_bytes,
                                       part->bytes / part->element_bytes < NARROW_MAX &&
                                           !marshal->wide_parts);
    enum dl_status st;

    marshal->opencl.kept_only = kept_only;
    st = dl__step_kernels(&marshal->engine, &part_source, &knobs, "dl_part_gather",
                          &part->gather, "dl_part_scatter", &part->scatter);
    if (st == DL_ECL && may_stand_in && part->tiling.formula != DL_LAYOUT_GRID &&
        place_describe(&part->leaves, &part->tiling, part->bytes, place_element(part),
                       &part->place)) {
        part->stands_in = true;
        st = place_parts(&marshal->steps, place_element(part), &part->gather,
                         &part->scatter);
    }
    marshal->opencl.kept_only = false;
    return st;
}

/* Adds the arguments that say which part; returns its number of elements. */
static uint64_t add_box(struct dl__run *run, const struct dl_part *part,
                        const struct dl_part_box *box, uint64_t count_bytes)
{
    uint64_t unit = part->stands_in ? place_element(part) : part->element_bytes;
    bool is_row = box->height == 1 && box->depth == 1;
    const uint64_t numbers[] = {part->tiling.tile_structs,
                                part->tiling.head_structs,
                                part->tiling.tail_structs,
                                count_bytes / unit,
                                box->first_byte / unit,
                                is_row ? 0 : box->width_bytes / unit,
                                box->height,
                                box->height > 1 ? box->row_bytes / unit : 0,
                                box->depth > 1 ? box->slice_bytes / unit : 0};

    if (part->stands_in) {
        struct place_shape place = part->place;
        uint32_t *const fields[] = {&place.count,  &place.first, &place.box_width,
                                    &place.height, &place.row,   &place.slice};

        for (size_t n = 0; n < sizeof fields / sizeof *fields; n++)
            *fields[n] = (uint32_t)numbers[3 + n];
        dl__run_add_value(run, &place, sizeof place);
    } else {
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
            dl__run_add_ulong(run, numbers[n]);
    }
    return count_bytes / unit;
}

static struct dl__run part_run(const struct dl_marshal *marshal,
                               const struct dl_part *part, enum dl_part_way way,
                               const struct dl_part_box *box, uint64_t count_bytes)
{
    bool gathers = way == DL_PART_GATHER;
    struct dl__run run = {.name = gathers ? "dl_part_gather" : "dl_part_scatter",
                          .kernel = gathers ? part->gather : part->scatter,
                          .reads_only = gathers,
                          .can_idle = true,
                          .dims = 1};
    uint64_t items;

    dl__run_add_buffer(&run);
    items = add_box(&run, part, box, count_bytes);
    dl__run_add_workspace(&run);
    if (part->tiling.formula == DL_LAYOUT_GRID)
        grid_add(&run, &part->tiling.grid, 1);
    if (items > ITEMS_MAX)
        items = ITEMS_MAX;
    /* If PoCL chose the size of groups, it would compile for each part. */
    run.local[0] =
        dl__engine_group_items(&marshal->engine, run.kernel, GROUP_ITEMS, GROUP_ITEMS);
    run.global[0] = (size_t)dl__round_up(items, run.local[0]);
    return run;
}

/* Warms for one element and for all: PoCL compiles for few groups, and for many. */
static void part_warm(struct dl_marshal *marshal, const struct dl_part *part)
{
    const uint64_t widths[] = {part->element_bytes,
                               part->bytes - part->bytes % part->element_bytes};
    struct dl__run runs[4];

    for (unsigned r = 0; r < 4; r++) {
        const struct dl_part_box box = {
            .width_bytes = widths[r % 2], .height = 1, .depth = 1};

        runs[r] = part_run(marshal, part, r < 2 ? DL_PART_GATHER : DL_PART_SCATTER, &box,
                           widths[r % 2]);
    }
    dl__marshal_warm(marshal, runs, 4);
}

static enum dl_status part_make(struct dl_marshal *marshal,
                                const struct dl_leaf_table *leaves, uint64_t bytes,
                                struct dl_layout layout, uint32_t element_bytes,
                                bool kept_only, bool may_stand_in, struct dl_part **out)
{
    struct dl_part *part = calloc(1, sizeof *part);
    enum dl_status st = part ? dl_leaf_table_copy(leaves, &part->leaves) : DL_ENOMEM;

    if (st == DL_OK)
        st = dl_layout_tile(layout, bytes / leaves->struct_bytes, &part->tiling);
    if (st == DL_OK) {
        part->bytes = bytes;
        part->layout = layout;
        part->element_bytes = element_bytes;
        st = part_build(marshal, part, kept_only, may_stand_in);
    }
    if (st != DL_OK) {
        if (part)
            dl_leaf_table_free(&part->leaves);
        free(part);
        return st;
    }
    part_warm(marshal, part);
    part->next = marshal->parts;
    marshal->parts = part;
    *out = part;
    return DL_OK;
}

/* True at the 1st, 2nd, 4th, 8th... question. */
static bool is_due(unsigned *asked)
{
    ++*asked;
    return (*asked & (*asked - 1)) == 0;
}

/* Every so often, looks whether its own kernels are built by now: that part is found
 * first from then on. */
static void part_replace(struct dl_marshal *marshal, struct dl_part **part)
{
    struct dl_part *own = *part;

    if (is_due(&own->asked))
        part_make(marshal, &own->leaves, own->bytes, own->layout, own->element_bytes,
                  true, false, part);
}

/* Whether kernels for any shape have made conversions of such structs, whose own are
 * being built. On a CPU no such kernels are. */
static bool conversions_stand_in(const struct dl_marshal *marshal,
                                 const struct dl_leaf_table *leaves)
{
    if (marshal->engine.limits.is_cpu)
        return false;
    for (const struct dl_conversion *c = marshal->conversions; c; c = c->next)
        if (c->stands_in && dl_leaf_table_equal(&c->leaves, leaves))
            return true;
    return false;
}

enum dl_status dl_marshal_part_prepare(struct dl_marshal *marshal,
                                       const struct dl_leaf_table *leaves, uint64_t bytes,
                                       struct dl_layout layout,
                                       const struct dl_part_box *box, bool kept_only,
                                       const struct dl_part **out)
{
    uint32_t unit = dl_leaf_table_unit_bytes(leaves), element_bytes = 16;
    struct dl_part *part = NULL;
    enum dl_status st = DL_OK;
    uint64_t count_bytes;

    if (!box_count(box, bytes, &count_bytes))
        return DL_EINVAL;
    while (unit % element_bytes)
        element_bytes /= 2;
    if (!box_is_of(box, element_bytes))
        element_bytes = 1;
    if (leaves->struct_bytes / element_bytes > DL__COLUMNS_MAX)
        return DL_ENOTSUP;
    pthread_mutex_lock(&marshal->engine.lock);
    part = part_find(marshal, leaves, bytes, layout, element_bytes);
    if (part && part->stands_in)
        part_replace(marshal, &part);
    if (!part) {
        bool stands_in = conversions_stand_in(marshal, leaves);

        st = part_make(marshal, leaves, bytes, layout, element_bytes,
                       kept_only || stands_in, stands_in, &part);
    }
    pthread_mutex_unlock(&marshal->engine.lock);
    if (st == DL_OK)
        *out = part;
    return st;
}

enum dl_status dl_marshal_part_enqueue(struct dl_marshal *marshal, cl_command_queue queue,
                                       const struct dl_part *part, enum dl_part_way way,
                                       cl_mem tiled, const struct dl_part_box *box,
                                       cl_mem staging, cl_uint wait_count,
                                       const cl_event *wait, cl_event *done)
{
    const struct dl__run_place place = {tiled, staging, 0};
    const struct dl__device_order order = {wait_count, wait, done};
    uint64_t count_bytes;
    struct dl__run run;
    cl_int err;

    if (!box_count(box, part->bytes, &count_bytes) ||
        !box_is_of(box, part->element_bytes))
        return DL_EINVAL;
    run = part_run(marshal, part, way, box, count_bytes);
    pthread_mutex_lock(&marshal->engine.lock);
    err = dl__run_enqueue(&marshal->engine, queue, &run, &place, &order);
    pthread_mutex_unlock(&marshal->engine.lock);
    return dl__status_of_cl(err);
}

/* ---- conversions, and the kernels of one device ---- */

enum dl_status dl_marshal_make(const cl_icd_dispatch *cl, cl_context context,
                               cl_device_id device, struct dl_marshal **out)
{
    struct dl_marshal *marshal = calloc(1, sizeof *marshal);
    enum dl_status st;

    if (!marshal)
        return DL_ENOMEM;
    marshal->opencl = (struct dl__opencl){.cl = cl, .context = context, .device = device};
    st = dl__engine_open(&marshal->engine, &dl__opencl_ops, &marshal->opencl);
    if (st != DL_OK) {
        free(marshal);
        return st;
    }
    dl__steps_open(&marshal->steps, &marshal->engine);
    *out = marshal;
    return DL_OK;
}

void dl_marshal_use_binaries(struct dl_marshal *marshal,
                             const struct dl__binaries *binaries)
{
    marshal->opencl.binaries = binaries;
}

static void conversion_free(struct dl_conversion *conversion)
{
    dl_leaf_table_free(&conversion->leaves);
    dl__run_list_free(&conversion->list);
    free(conversion);
}

void dl_marshal_free(struct dl_marshal *marshal)
{
    struct dl_conversion *conversion;
    struct dl_part *part;

    if (!marshal)
        return;
    while ((conversion = marshal->conversions)) {
        marshal->conversions = conversion->next;
        conversion_free(conversion);
    }
    while ((part = marshal->parts)) {
        marshal->parts = part->next;
        dl_leaf_table_free(&part->leaves);
        free(part);
    }
    dl__engine_close(&marshal->engine);
    free(marshal);
}

void dl_marshal_settle(struct dl_marshal *marshal)
{
    pthread_mutex_lock(&marshal->engine.lock);
    dl__workspaces_settle(&marshal->engine);
    pthread_mutex_unlock(&marshal->engine.lock);
}

unsigned dl_marshal_workspaces(struct dl_marshal *marshal)
{
    return atomic_load(&marshal->engine.workspace_count);
}

enum { TILE_STRUCTS_MIN = 4 };

uint32_t dl_marshal_tile(const struct dl_marshal *marshal,
                         const struct dl_leaf_table *leaves, uint32_t wanted)
{
    uint32_t structs = wanted;

    while (
        structs >= TILE_STRUCTS_MIN &&
        !dl__steps_tile_fits(&marshal->steps, structs * (uint64_t)leaves->struct_bytes))
        structs /= 2;
    return structs >= TILE_STRUCTS_MIN || structs == wanted ? structs : 0;
}

static struct dl_conversion *conversion_find(const struct dl_marshal *marshal,
                                             const struct dl_leaf_table *leaves,
                                             uint64_t structs, struct dl_layout from,
                                             struct dl_layout to)
{
    for (struct dl_conversion *c = marshal->conversions; c; c = c->next)
        if (c->structs == structs && dl_layout_equal(&c->from, &from) &&
            dl_layout_equal(&c->to, &to) && dl_leaf_table_equal(&c->leaves, leaves))
            return c;
    return NULL;
}

/* Whether it is between the program's layout and another; *back: from that one. */
static bool is_placed(const struct dl_conversion *conversion, struct dl_tiling *tiling,
                      bool *back)
{
    *back = conversion->to.kind == DL_LAYOUT_AOS;
    return *back != (conversion->from.kind == DL_LAYOUT_AOS) &&
           dl_layout_tile(*back ? conversion->from : conversion->to, conversion->structs,
                          tiling) == DL_OK;
}

static enum dl_status place_build(const struct dl__steps *steps,
                                  struct dl_conversion *conversion)
{
    struct dl_tiling tiling;
    bool back;

    dl__run_list_free(&conversion->list);
    return is_placed(conversion, &tiling, &back)
               ? place_plan(steps, &conversion->leaves, &tiling, back, &conversion->list)
               : DL_ENOTSUP;
}

/* ---- conversions by the host ----
 *
 * On a CPU a function of the host stands in until the kernels are compiled. */

struct host_move {
    uint64_t structs;
    struct {
        enum dl_layout_kind kind;
        uint32_t tile_structs;
    } from, to;
    uint32_t struct_bytes, leaf_count;
    struct dl_leaf leaves[];
};

static void CL_CALLBACK move_on_host(void *user)
{
    const struct dl__host_call *call = user;
    const struct host_move *move = (const struct host_move *)(const void *)call->values;
    const struct dl_layout layout_from = {move->from.kind, move->from.tile_structs},
                           layout_to = {move->to.kind, move->to.tile_structs};
    struct dl_tiling from, to;

    /* Neither fails: both were asked for before. */
    dl_layout_tile(layout_from, move->structs, &from);
    dl_layout_tile(layout_to, move->structs, &to);
    memcpy(call->room, call->mem, move->structs * move->struct_bytes);
    dl_tiling_move(move->leaves, move->leaf_count, move->struct_bytes, move->structs,
                   &from, call->room, &to, call->mem);
    free(call->room);
}

/*   errors  DL_ENOTSUP: the device can't call the host, or the buffer (the knob
 *           place_bytes) or its leaves are too large for that; DL_ENOMEM */
static enum dl_status host_build(const struct dl__steps *steps,
                                 struct dl_conversion *conversion)
{
    const struct dl_leaf_table *leaves = &conversion->leaves;
    struct dl__run run = {.name = "move_on_host", .host = move_on_host};
    size_t leaf_bytes = leaves->leaf_count * sizeof *leaves->leaves;
    struct host_move *move;
    uint64_t bytes;
    struct dl_tiling tiling;
    bool back;

    if (!steps->engine->limits.is_cpu || !steps->engine->limits.calls_host ||
        leaves->arrays ||
        __builtin_mul_overflow(conversion->structs, leaves->struct_bytes, &bytes) ||
        bytes == 0 || bytes > steps->knobs.place_bytes ||
        sizeof *move + leaf_bytes > DL__RUN_VALUE_BYTES ||
        !is_placed(conversion, &tiling, &back))
        return DL_ENOTSUP;
    move = malloc(sizeof *move + leaf_bytes);
    if (!move)
        return DL_ENOMEM;
    *move =
        (struct host_move){.structs = conversion->structs,
                           .from = {conversion->from.kind, conversion->from.tile_structs},
                           .to = {conversion->to.kind, conversion->to.tile_structs},
                           .struct_bytes = leaves->struct_bytes,
                           .leaf_count = leaves->leaf_count};
    memcpy(move->leaves, leaves->leaves, leaf_bytes);
    dl__run_add_value(&run, move, sizeof *move + leaf_bytes);
    free(move);
    run.room_bytes = bytes;
    conversion->list.traffic_bytes += 4 * bytes;
    return dl__run_list_add(&conversion->list, &run, 0);
}

/* On a CPU, a conversion in place to discrete arrays, or to tiles that no work-item
 * holds, takes several times as long, and a compiler for each shape. */
static bool prefers_place(const struct dl__steps *steps,
                          const struct dl_conversion *conversion)
{
    struct dl_tiling tiling;
    bool back;

    return steps->engine->limits.is_cpu && steps->knobs.family == DL_FORCE_NONE &&
           is_placed(conversion, &tiling, &back) && tiling.head_structs > 0 &&
           (tiling.tile_structs == tiling.head_structs ||
            tiling.tile_structs * conversion->leaves.struct_bytes >
                steps->knobs.each_bytes_max);
}

static enum dl_status steps_build(const struct dl__steps *steps,
                                  struct dl_conversion *conversion)
{
    struct dl_plan_limits limits;
    struct dl_plan plan = {0};
    enum dl_status st;

    dl__steps_plan_limits(steps, &limits);
    st = dl_plan_make(&conversion->leaves, conversion->structs, conversion->from,
                      conversion->to, &limits, &plan);
    for (size_t s = 0; s < plan.step_count && st == DL_OK; s++)
        st = dl__steps_add(steps, &plan.steps[s], &conversion->list);
    dl_plan_free(&plan);
    return st;
}

static enum dl_status runs_build(const struct dl__steps *steps,
                                 struct dl_conversion *conversion)
{
    enum dl_status st = DL_ENOTSUP;

    if (conversion->from.kind == DL_LAYOUT_GRID || conversion->to.kind == DL_LAYOUT_GRID)
        return grid_plan(steps, conversion);
    /* Before kernels that are kept: PoCL may not have compiled them for a launch yet. */
    if (steps->stood_in)
        st = host_build(steps, conversion);
    if (st != DL_ENOTSUP) {
        *steps->stood_in = true;
        return st;
    }
    if (prefers_place(steps, conversion))
        st = place_build(steps, conversion);
    if (st == DL_ENOTSUP)
        st = steps_build(steps, conversion);
    if (st == DL_ECL && steps->stood_in) {
        st = place_build(steps, conversion);
        *steps->stood_in = true;
        st = st == DL_ENOTSUP ? DL_ECL : st;
    }
    return st;
}

/* Also checks that the device has memory for the workspace. */
static enum dl_status conversion_build(const struct dl__steps *steps,
                                       struct dl_conversion *conversion)
{
    const uint64_t *bytes = &conversion->list.workspace_bytes;
    struct dl__workspace *workspace;
    enum dl_status st = runs_build(steps, conversion);

    if (st != DL_OK || *bytes == 0)
        return st;
    if (*bytes > steps->engine->limits.alloc_bytes)
        return DL_EWORKSPACE;
    st = dl__workspace_take(steps->engine, NULL, *bytes, &workspace);
    if (st == DL_OK)
        dl__workspace_give(steps->engine, workspace, NULL, NULL);
    return st;
}

/* In place if the device has no memory for a workspace as large as the buffer. */
static enum dl_status conversion_build_or_in_place(const struct dl_marshal *marshal,
                                                   struct dl_conversion *conversion,
                                                   bool may_stand_in)
{
    struct dl__steps steps = marshal->steps;
    enum dl_status st;

    if (may_stand_in)
        steps.stood_in = &conversion->stands_in;
    st = conversion_build(&steps, conversion);
    if (st == DL_OK || conversion->list.workspace_bytes == 0 ||
        (steps.knobs.aside_bytes == 0 && steps.knobs.place_bytes == 0))
        return st;
    dl__run_list_free(&conversion->list);
    DL__STEPS_SET(&steps, aside_bytes, 0);
    DL__STEPS_SET(&steps, place_bytes, 0);
    return conversion_build(&steps, conversion);
}

static enum dl_status conversion_make(struct dl_marshal *marshal,
                                      const struct dl_leaf_table *leaves,
                                      uint64_t structs, struct dl_layout from,
                                      struct dl_layout to, bool may_stand_in,
                                      struct dl_conversion **out)
{
    struct dl_conversion *conversion = calloc(1, sizeof *conversion);
    enum dl_status st;

    if (!conversion)
        return DL_ENOMEM;
    conversion->structs = structs;
    conversion->from = from;
    conversion->to = to;
    st = dl_leaf_table_copy(leaves, &conversion->leaves);
    if (st == DL_OK)
        st = conversion_build_or_in_place(marshal, conversion, may_stand_in);
    if (st != DL_OK) {
        conversion_free(conversion);
        return st;
    }
    conversion->next = marshal->conversions;
    marshal->conversions = conversion;
    *out = conversion;
    return DL_OK;
}

/* Every so often, looks whether its own kernels are built by now. */
static void conversion_replace(struct dl_marshal *marshal,
                               struct dl_conversion **conversion)
{
    struct dl_conversion *own = *conversion;
    bool kept_only = marshal->opencl.kept_only;

    if (!is_due(&own->asked))
        return;
    marshal->opencl.kept_only = true;
    conversion_make(marshal, &own->leaves, own->structs, own->from, own->to, false,
                    conversion);
    marshal->opencl.kept_only = kept_only;
}

enum way { BUILT, KEPT, KEPT_OR_STOOD_IN };

static enum dl_status conversion_get(struct dl_marshal *marshal,
                                     const struct dl_leaf_table *leaves, uint64_t structs,
                                     struct dl_layout from, struct dl_layout to,
                                     enum way way, const struct dl_conversion **out)
{
    struct dl_conversion *conversion;
    enum dl_status st = DL_OK;

    pthread_mutex_lock(&marshal->engine.lock);
    marshal->opencl.kept_only = way != BUILT;
    conversion = conversion_find(marshal, leaves, structs, from, to);
    if (conversion && conversion->stands_in)
        conversion_replace(marshal, &conversion);
    if (!conversion || (conversion->stands_in && way == KEPT))
        st = conversion_make(marshal, leaves, structs, from, to, way == KEPT_OR_STOOD_IN,
                             &conversion);
    if (st == DL_OK && way == BUILT)
        dl__marshal_warm(marshal, conversion->list.runs, conversion->list.count);
    marshal->opencl.kept_only = false;
    pthread_mutex_unlock(&marshal->engine.lock);
    if (st == DL_OK)
        *out = conversion;
    return st;
}

enum dl_status dl_marshal_prepare(struct dl_marshal *marshal,
                                  const struct dl_leaf_table *leaves, uint64_t structs,
                                  struct dl_layout from, struct dl_layout to,
                                  const struct dl_conversion **out)
{
    return conversion_get(marshal, leaves, structs, from, to, BUILT, out);
}

enum dl_status dl_marshal_ask(struct dl_marshal *marshal,
                              const struct dl_leaf_table *leaves, uint64_t structs,
                              struct dl_layout from, struct dl_layout to,
                              bool may_stand_in)
{
    const struct dl_conversion *conversion;

    return conversion_get(marshal, leaves, structs, from, to,
                          may_stand_in ? KEPT_OR_STOOD_IN : KEPT, &conversion);
}

void dl_marshal_build(struct dl_marshal *marshal, size_t count, const char **texts)
{
    cl_program program;

    pthread_mutex_lock(&marshal->engine.lock);
    if (dl__opencl_ops.program_build(&marshal->opencl, count, texts, &program) ==
        CL_SUCCESS)
        dl__opencl_ops.program_free(&marshal->opencl, program);
    pthread_mutex_unlock(&marshal->engine.lock);
}

enum dl_status dl_marshal_prepare_any(struct dl_marshal *marshal)
{
    enum dl_status st;

    pthread_mutex_lock(&marshal->engine.lock);
    st = dl__step_any_build(&marshal->steps);
    if (st == DL_OK)
        st = place_program_build(&marshal->steps);
    pthread_mutex_unlock(&marshal->engine.lock);
    return st;
}

uint64_t dl_conversion_workspace_bytes(const struct dl_conversion *conversion)
{
    return conversion->list.workspace_bytes;
}

/* Kernels that are not built after so many questions never will be. */
enum { ASKED_LONG = 1024 };

bool dl_marshal_stands_in(struct dl_marshal *marshal,
                          const struct dl_conversion *conversion)
{
    bool stands_in;

    pthread_mutex_lock(&marshal->engine.lock);
    stands_in = conversion->stands_in && conversion->asked < ASKED_LONG;
    pthread_mutex_unlock(&marshal->engine.lock);
    return stands_in;
}

uint64_t dl_conversion_traffic_bytes(const struct dl_conversion *conversion)
{
    return conversion->list.traffic_bytes;
}

/* ---- conversions enqueued ---- */

/* A device without memory now may have some in a moment. */
enum { RUN_TRIES = 3 };

struct dl_rest {
    const struct dl_conversion *conversion;
    cl_mem mem;
    size_t step; /* the next run */
    struct dl__workspace *workspace;
    bool moved;
};

static cl_int chain_begin(struct dl__run_chain *chain, struct dl_marshal *marshal,
                          cl_command_queue queue, cl_uint wait_count,
                          const cl_event *wait)
{
    struct dl__queue_info info = {0};
    cl_int err = marshal->engine.ops->queue_info(marshal->engine.device, queue, &info);

    *chain = (struct dl__run_chain){.engine = &marshal->engine,
                                    .queue = queue,
                                    .is_in_order = info.is_in_order,
                                    .tries = RUN_TRIES,
                                    .wait_count = wait_count,
                                    .wait = wait};
    return err;
}

/* Enqueues the runs from rest->step on; the engine's lock is held. */
static enum dl_status run_steps(struct dl__run_chain *chain, struct dl_rest *rest)
{
    const struct dl__run_list *list = &rest->conversion->list;
    const struct dl__run_place place = {rest->mem,
                                        rest->workspace ? rest->workspace->mem : NULL, 0};

    /* Nobody gets the workspace before the last enqueued run is done. */
    chain->wants_each = chain->wants_each || rest->workspace;
    while (rest->step < list->count) {
        const struct dl__run *run = &list->runs[rest->step];
        cl_int err = dl__run_chain_run(chain, run, &place, rest->step + 1 == list->count);

        if (err != CL_SUCCESS)
            return dl__status_of_cl(err);
        rest->step++;
        rest->moved = rest->moved || !run->reads_only;
    }
    return DL_OK;
}

/* A later conversion of the buffer waits for this one. */
static struct dl__turns turns_of(const struct dl__run_chain *chain,
                                 const struct dl_rest *rest)
{
    return (struct dl__turns){chain->is_in_order ? chain->queue : NULL, rest->mem};
}

/* Hands on the outcome; keeps `rest` for later if data has moved, else frees it. */
static void steps_end(struct dl__run_chain *chain, struct dl_rest *rest,
                      enum dl_status st, cl_event *first, cl_event *done,
                      struct dl_rest **left)
{
    struct dl__turns turns = turns_of(chain, rest);
    bool stays = st != DL_OK && rest->moved;

    /* Nobody waits for the runs of a conversion that failed before it moved data. */
    if (st != DL_OK)
        turns.mem = NULL;
    if (!stays && rest->workspace && (chain->last || st == DL_OK || rest->step == 0))
        dl__workspace_give(chain->engine, rest->workspace, &turns, chain->last);
    *left = stays ? rest : NULL;
    if (!stays)
        free(rest);
    dl__run_chain_end(chain, st == DL_OK ? first : NULL,
                      st == DL_OK || stays ? done : NULL);
}

/* Takes the workspace, and makes sure that it is allocated before data moves. */
static enum dl_status prepare_workspace(struct dl__run_chain *chain, struct dl_rest *rest)
{
    const struct dl__run_list *list = &rest->conversion->list;
    const struct dl__turns turns = turns_of(chain, rest);
    cl_event event = NULL;
    /* Also on a queue in order: no other queue may get the workspace meanwhile. */
    const struct dl__device_order order = {chain->wait_count, chain->wait, &event};
    enum dl_status st;

    if (list->workspace_bytes == 0)
        return DL_OK;
    st = dl__workspace_take(chain->engine, &turns, list->workspace_bytes,
                            &rest->workspace);
    /* If only a later run needs the workspace, it must not fail for lack of memory. */
    if (st != DL_OK || rest->workspace->touched || dl__run_uses_workspace(&list->runs[0]))
        return st;
    st = dl__workspace_touch(chain->engine, chain->queue, rest->workspace, &order);
    if (st == DL_OK)
        dl__run_chain_follow(chain, event);
    return st;
}

enum dl_status dl_marshal_enqueue(struct dl_marshal *marshal, cl_command_queue queue,
                                  const struct dl_conversion *conversion, cl_mem mem,
                                  cl_uint wait_count, const cl_event *wait,
                                  cl_event *first, cl_event *done, struct dl_rest **left)
{
    struct dl__run_chain chain;
    struct dl_rest *rest;
    enum dl_status st;
    cl_int err;

    *left = NULL;
    if (conversion->list.count == 0)
        return dl__status_of_cl(
            dl__engine_mark(&marshal->engine, queue, wait_count, wait, first, done));
    err = chain_begin(&chain, marshal, queue, wait_count, wait);
    if (err != CL_SUCCESS)
        return dl__status_of_cl(err);
    rest = calloc(1, sizeof *rest);
    if (!rest)
        return DL_ENOMEM;
    *rest = (struct dl_rest){.conversion = conversion, .mem = mem};
    chain.wants_first = first != NULL;
    /* Nobody must take a chain that broke off for one that has ended. */
    chain.wants_each = done != NULL;
    pthread_mutex_lock(&marshal->engine.lock);
    st = prepare_workspace(&chain, rest);
    if (st == DL_OK)
        st = run_steps(&chain, rest);
    steps_end(&chain, rest, st, first, done, left);
    pthread_mutex_unlock(&marshal->engine.lock);
    return st;
}

enum dl_status dl_marshal_resume(struct dl_marshal *marshal, cl_command_queue queue,
                                 struct dl_rest *rest, cl_uint wait_count,
                                 const cl_event *wait, cl_event *done,
                                 struct dl_rest **left)
{
    struct dl__run_chain chain;
    cl_int err = chain_begin(&chain, marshal, queue, wait_count, wait);
    enum dl_status st;

    *left = rest;
    if (err != CL_SUCCESS)
        return dl__status_of_cl(err);
    chain.wants_each = done != NULL;
    pthread_mutex_lock(&marshal->engine.lock);
    st = run_steps(&chain, rest);
    steps_end(&chain, rest, st, NULL, done, left);
    pthread_mutex_unlock(&marshal->engine.lock);
    return st;
}

void dl_rest_free(struct dl_rest *rest)
{
    free(rest);
}
