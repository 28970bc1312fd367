/* SPDX-License-Identifier: MIT */
/* Parts of tiled buffers: preparing and enqueuing the gather and scatter kernels. */
#include "engine/text.h"
#include "internal.h"
#include "layout/arith.h"

#include <stdlib.h>

enum {
    GROUP_ITEMS = 256,
    ITEMS_MAX = 1 << 20,
    COLUMNS_MAX = 7680 /* of a table of leaves in 60 KB of constant memory */
};
/* Elements of an array that 32 bits count, with what lies between tiles. */
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
    struct dl__place_shape place;
};

extern const char dl_step_cl[], dl_grid_any_cl[], dl_part_cl[];
static const struct dl__kernel_source source = {{dl_step_cl, dl_grid_any_cl, dl_part_cl}};

/* The knobs of step.cl for whole structs of these leaves, and the formula. The caller
 * frees them. */
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

/* Both kernels, or an error. */
static enum dl_status kernels_get(struct dl__engine *engine,
                                  const struct dl_leaf_table *leaves,
                                  const struct dl_tiling *tiling, uint32_t element_bytes,
                                  bool narrow, cl_kernel *gather, cl_kernel *scatter)
{
    struct dl__text knobs = knobs_text(leaves, tiling, element_bytes, narrow);
    enum dl_status st = DL_ENOMEM;

    if (!knobs.failed)
        st = dl__engine_kernel(engine, &source, knobs.bytes, "dl_part_gather", gather,
                               NULL);
    if (st == DL_OK)
        st = dl__engine_kernel(engine, &source, knobs.bytes, "dl_part_scatter", scatter,
                               NULL);
    free(knobs.bytes);
    return st;
}

/* ---- boxes ---- */

/* True when every row of the box begins and ends between elements of this size. */
static bool box_is_of(const struct dl_part_box *box, uint32_t element_bytes)
{
    return box->first_byte % element_bytes == 0 &&
           box->width_bytes % element_bytes == 0 &&
           (box->height == 1 || box->row_bytes % element_bytes == 0) &&
           (box->depth == 1 || box->slice_bytes % element_bytes == 0);
}

/* All bytes of the box. False: there are none, or some lie past the end. */
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

void dl__parts_free(struct dl_marshal *marshal)
{
    struct dl_part *part;

    while ((part = marshal->parts)) {
        marshal->parts = part->next;
        dl_leaf_table_free(&part->leaves);
        free(part);
    }
}

/* Elements that the program for any shape moves it by. */
static uint32_t place_element(const struct dl_part *part)
{
    return part->element_bytes < 4 ? 1 : 4;
}

/* The part's own kernels, or those for any shape where nobody may wait for its own. */
static enum dl_status part_build(struct dl_marshal *marshal, struct dl_part *part,
                                 bool kept_only, bool may_stand_in)
{
    enum dl_status st;

    /* Who does not wait for a conversion's kernels does not wait for these. */
    marshal->opencl.kept_only = kept_only;
    st = kernels_get(&marshal->engine, &part->leaves, &part->tiling, part->element_bytes,
                     part->bytes / part->element_bytes < NARROW_MAX &&
                         !marshal->wide_parts,
                     &part->gather, &part->scatter);
    if (st == DL_ECL && may_stand_in && part->tiling.formula != DL_LAYOUT_GRID &&
        dl__place_describe(&part->leaves, &part->tiling, part->bytes, place_element(part),
                           &part->place)) {
        part->stands_in = true;
        st = dl__place_parts(&marshal->steps, place_element(part), &part->gather,
                             &part->scatter);
    }
    marshal->opencl.kept_only = false;
    return st;
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
    part->next = marshal->parts;
    marshal->parts = part;
    *out = part;
    return DL_OK;
}

/* Every so often, whether what it stands in for is built by now: that is found first from
 * then on. */
static void part_replace(struct dl_marshal *marshal, struct dl_part **part)
{
    struct dl_part *own = *part;

    own->asked++;
    if ((own->asked & (own->asked - 1)) == 0)
        part_make(marshal, &own->leaves, own->bytes, own->layout, own->element_bytes,
                  true, false, part);
}

/* True when conversions of such structs were made by kernels for any shape: their own are
 * being built. */
static bool conversions_stand_in(const struct dl_marshal *marshal,
                                 const struct dl_leaf_table *leaves)
{
    for (const struct dl_conversion *c = marshal->conversions; c; c = c->next)
        if (c->stands_in && dl_leaf_table_equal(&c->leaves, leaves))
            return true;
    return false;
}

enum dl_status dl_marshal_part_prepare(struct dl_marshal *marshal,
                                       const struct dl_leaf_table *leaves, uint64_t bytes,
                                       struct dl_layout layout,
                                       const struct dl_part_box *box,
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
    if (leaves->struct_bytes / element_bytes > COLUMNS_MAX)
        return DL_ENOTSUP;
    pthread_mutex_lock(&marshal->engine.lock);
    part = part_find(marshal, leaves, bytes, layout, element_bytes);
    if (part && part->stands_in)
        part_replace(marshal, &part);
    if (!part) {
        bool stands_in = conversions_stand_in(marshal, leaves);

        st = part_make(marshal, leaves, bytes, layout, element_bytes, stands_in,
                       stands_in, &part);
    }
    pthread_mutex_unlock(&marshal->engine.lock);
    if (st == DL_OK)
        *out = part;
    return st;
}

/* The kernels' arguments that say which part; how many elements it has. */
static uint64_t add_numbers(struct dl__run *run, const struct dl_part *part,
                            const struct dl_part_box *box, uint64_t count_bytes)
{
    uint64_t unit = part->element_bytes;
    const uint64_t numbers[] = {
        part->tiling.tile_structs,
        part->tiling.head_structs,
        part->tiling.tail_structs,
        count_bytes / unit,
        box->first_byte / unit,
        box->height == 1 && box->depth == 1 ? 0 : box->width_bytes / unit,
        box->height,
        box->height > 1 ? box->row_bytes / unit : 0,
        box->depth > 1 ? box->slice_bytes / unit : 0,
    };

    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        dl__run_add_ulong(run, numbers[n]);
    return count_bytes / unit;
}

static uint64_t add_placed(struct dl__run *run, const struct dl_part *part,
                           const struct dl_part_box *box, uint64_t count_bytes)
{
    struct dl__place_shape place = part->place;
    uint64_t unit = place_element(part);

    place.count = (uint32_t)(count_bytes / unit);
    place.first = (uint32_t)(box->first_byte / unit);
    if (box->height > 1 || box->depth > 1)
        place.box_width = (uint32_t)(box->width_bytes / unit);
    place.height = (uint32_t)box->height;
    if (box->height > 1)
        place.row = (uint32_t)(box->row_bytes / unit);
    if (box->depth > 1)
        place.slice = (uint32_t)(box->slice_bytes / unit);
    dl__run_add_value(run, &place, sizeof place);
    return count_bytes / unit;
}

enum dl_status dl_marshal_part_enqueue(struct dl_marshal *marshal, cl_command_queue queue,
                                       const struct dl_part *part, enum dl_part_way way,
                                       cl_mem tiled, const struct dl_part_box *box,
                                       cl_mem staging, cl_uint wait_count,
                                       const cl_event *wait, cl_event *done)
{
    bool gathers = way == DL_PART_GATHER;
    uint64_t count_bytes, items;
    struct dl__run run = {.name = gathers ? "dl_part_gather" : "dl_part_scatter",
                          .kernel = gathers ? part->gather : part->scatter,
                          .reads_only = gathers,
                          .dims = 1};
    const struct dl__run_place place = {tiled, staging, 0};
    const struct dl__device_order order = {wait_count, wait, done};
    cl_int err;

    if (!box_count(box, part->bytes, &count_bytes) ||
        !box_is_of(box, part->element_bytes))
        return DL_EINVAL;
    dl__run_add_buffer(&run);
    items = part->stands_in ? add_placed(&run, part, box, count_bytes)
                            : add_numbers(&run, part, box, count_bytes);
    dl__run_add_workspace(&run);
    if (part->tiling.formula == DL_LAYOUT_GRID)
        dl__grid_add(&run, &part->tiling.grid, 1);
    if (items > ITEMS_MAX)
        items = ITEMS_MAX;
    /* Left to the device, groups are of another size for each part: PoCL compiles for
     * each. */
    run.local[0] =
        dl__engine_group_items(&marshal->engine, run.kernel, GROUP_ITEMS, GROUP_ITEMS);
    run.global[0] = (size_t)dl__round_up(items, run.local[0]);
    pthread_mutex_lock(&marshal->engine.lock);
    err = dl__run_enqueue(&marshal->engine, queue, &run, &place, &order);
    pthread_mutex_unlock(&marshal->engine.lock);
    return dl__status_of_cl(err);
}
