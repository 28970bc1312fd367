/* SPDX-License-Identifier: MIT */
/* Conversion plans. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "arith.h"

/* ---- the tile through which an array becomes one tile ---- */

/* 010! on tiles, then 100! on super-elements as long as a tile and, if the tile leaves a
 * rest, a slide. */
struct middle {
    uint64_t tile; /* structs; 0: none is worth it, and single elements are moved */
    /* The tile leaves a rest: the arrays must slide into place. */
    bool slides;
};

/* 010!: chunks of whole vectors are fastest. */
static unsigned time_of_tiles(uint64_t tile_bytes, const struct dl_plan_limits *limits)
{
    if (tile_bytes / dl__gcd(tile_bytes, 16) * 16 <= limits->tile_bytes)
        return limits->chunk_time;
    return tile_bytes <= limits->tile_bytes ? limits->tile_time : limits->beyond_time;
}

/* 100!: a super-element that is not whole lines shares its ends with its neighbours. */
static unsigned time_of_supers(uint64_t super_bytes, const struct dl_plan_limits *limits)
{
    size_t t = limits->super_count - 1;

    while (t > 0 && super_bytes < limits->supers[t].bytes)
        t--;
    return super_bytes % limits->line_bytes == 0 ? limits->supers[t].lines_time
                                                 : limits->supers[t].others_time;
}

/* Finds the best tile that divides the structs; returns its time. */
static unsigned best_whole(uint64_t structs, uint64_t struct_bytes, uint64_t unit_bytes,
                           const struct dl_plan_limits *limits, struct middle *best)
{
    unsigned best_time = 0;

    for (uint64_t tile = 2; tile <= limits->tile_structs_max && tile < structs; tile++) {
        unsigned time = time_of_tiles(tile * struct_bytes, limits) +
                        time_of_supers(tile * unit_bytes, limits);
        if (structs % tile == 0 && (best->tile == 0 || time < best_time)) {
            best->tile = tile;
            best_time = time;
        }
    }
    return best_time;
}

/* The fastest way for structs whose leaves are multiples of unit_bytes. */
static struct middle middle_choose(uint64_t structs, uint64_t struct_bytes,
                                   uint64_t unit_bytes,
                                   const struct dl_plan_limits *limits, bool may_slide)
{
    /* The smallest tile of whole lines. */
    uint64_t line = limits->line_bytes / dl__gcd(unit_bytes, limits->line_bytes);
    uint64_t rest = 0;
    struct middle best = {0, false};
    unsigned best_time = best_whole(structs, struct_bytes, unit_bytes, limits, &best);

    for (uint64_t tile = line; may_slide && tile <= limits->tile_structs_max;
         tile += line) {
        uint64_t bytes = tile * unit_bytes;
        unsigned time = time_of_tiles(tile * struct_bytes, limits) +
                        time_of_supers(bytes, limits) + limits->slide_time;
        if (tile < 2 || structs % tile == 0 || structs / tile < limits->slide_tiles_min ||
            (bytes > limits->slide_bytes_max && tile > line))
            continue;
        /* As good as another, the one that leaves the shortest rest: its strips are
         * short. */
        if (best.tile == 0 || time < best_time ||
            (time == best_time && best.slides && structs % tile < rest)) {
            best = (struct middle){tile, true};
            best_time = time;
            rest = structs % tile;
        }
    }
    return best;
}

/* ---- the struct as columns ---- */

/* Fills the leaf widths in columns of `unit` bytes; none when all leaves are one
 * column. */
static enum dl_status columns_make(const struct dl_leaf_table *leaves, uint32_t unit,
                                   struct dl_step *step, struct dl_plan *plan)
{
    step->columns = leaves->struct_bytes / unit;
    if (step->columns == leaves->leaf_count)
        return DL_OK;
    plan->leaf_columns = calloc(leaves->leaf_count, sizeof *plan->leaf_columns);
    if (!plan->leaf_columns)
        return DL_ENOMEM;
    for (uint32_t i = 0; i < leaves->leaf_count; i++)
        plan->leaf_columns[i] = leaves->leaves[i].width_bytes / unit;
    step->leaf_columns = plan->leaf_columns;
    step->leaf_count = leaves->leaf_count;
    return DL_OK;
}

/* ---- steps ---- */

/* A tile of one struct, or a struct of one leaf, is the same in every layout. */
static void plan_add(struct dl_plan *plan, struct dl_step step)
{
    if (step.rest_rows == 1)
        step.rest_rows = 0;
    if (step.instances > 0 && step.rows > 1 && step.columns > 1 && step.leaf_count != 1)
        plan->steps[plan->step_count++] = step;
}

static void plan_from_aos(struct dl_plan *plan, struct dl_step form,
                          uint64_t struct_bytes, const struct dl_tiling *tiling,
                          uint64_t known_tile, const struct dl_plan_limits *limits);

/* From AoS to DL's own DA of this tile, whose arrays then slide to exact SoA. */
static void plan_slide(struct dl_plan *plan, struct dl_step form, uint64_t struct_bytes,
                       uint64_t structs, uint64_t tile,
                       const struct dl_plan_limits *limits)
{
    uint64_t tail = structs % tile, head = structs - tail;
    struct dl_tiling own = {structs, head, head, tail, DL_LAYOUT_AOS};
    struct dl_step step = form;

    plan_from_aos(plan, form, struct_bytes, &own, 0, limits);
    step.instances = 1;
    step.rows = head;
    step.tail_rows = tail;
    plan_add(plan, step);
}

/* Makes the steps from AoS to `tiling`. `form` has the columns; `known_tile` is the tile
 * in which the data already is, or 0. */
static void plan_from_aos(struct dl_plan *plan, struct dl_step form,
                          uint64_t struct_bytes, const struct dl_tiling *tiling,
                          uint64_t known_tile, const struct dl_plan_limits *limits)
{
    uint64_t head = tiling->head_structs, tile = tiling->tile_structs, middle;
    uint64_t bytes = (head + tiling->tail_structs) * struct_bytes;
    /* The short tile goes along with the first step on structs if it is the shortest
     * there. */
    uint64_t rest = known_tile == 0 ? tiling->tail_structs : 0;
    struct dl_step step = form;

    if (head > 0 && tile < head) {
        step.instances = head / tile;
        step.rows = tile;
        step.rest_rows = rest;
        rest = 0;
        plan_add(plan, step);
    } else if (head > 0) {
        struct middle way = {known_tile, false};
        if (known_tile == 0 && head * struct_bytes > limits->tile_bytes &&
            bytes > limits->aside_bytes)
            way = middle_choose(head, struct_bytes, form.element_bytes, limits,
                                tiling->tail_structs == 0);
        if (way.slides) {
            plan_slide(plan, form, struct_bytes, head, way.tile, limits);
            return;
        }
        middle = way.tile;
        step.instances = 1;
        step.rows = head;
        if (middle > 0) {
            step.instances = head / middle;
            step.rows = middle;
            step.rest_rows = rest < middle ? rest : 0;
            rest -= step.rest_rows;
            if (known_tile == 0)
                plan_add(plan, step);
            step.instances = 1;
            step.rest_rows = 0;
            step.rows = head / middle;
            step.element_bytes = form.element_bytes * middle;
        } else {
            step.rest_rows = rest;
            rest = 0;
        }
        plan_add(plan, step);
    }
    step = form;
    step.base_bytes = head * struct_bytes;
    step.instances = 1;
    step.rows = rest;
    plan_add(plan, step);
}

/* Undoes the same steps, last first. */
static void plan_reverse(struct dl_plan *plan)
{
    size_t first = 0, last = plan->step_count;

    for (size_t i = 0; i < last; i++)
        plan->steps[i].inverse = !plan->steps[i].inverse;
    for (; first + 1 < last; first++, last--) {
        struct dl_step swap = plan->steps[first];
        plan->steps[first] = plan->steps[last - 1];
        plan->steps[last - 1] = swap;
    }
}

/* The tile of `tiled` if `whole` is one tile over the same head, so that moving whole
 * super-elements converts one to the other; else 0. */
static uint64_t shared_tile(const struct dl_tiling *tiled, const struct dl_tiling *whole)
{
    bool same = tiled->head_structs == whole->head_structs && tiled->head_structs > 0 &&
                whole->tile_structs == whole->head_structs && tiled->tile_structs > 1 &&
                tiled->tile_structs < tiled->head_structs;

    return same ? tiled->tile_structs : 0;
}

/* From one tile of all structs to tiles and a shorter one behind them, or back: the
 * arrays slide apart, and whole tiles are moved as super-elements. False: it is another
 * change. */
static bool plan_split(struct dl_plan *plan, struct dl_step form,
                       const struct dl_tiling *whole, const struct dl_tiling *tiled)
{
    uint64_t head = tiled->head_structs, tile = tiled->tile_structs;
    struct dl_step step = form;

    if (whole->tile_structs != whole->structs || whole->tail_structs > 0 || head == 0 ||
        tiled->tail_structs == 0 || tile < 2)
        return false;
    step.instances = 1;
    step.rows = head;
    step.tail_rows = tiled->tail_structs;
    step.inverse = true;
    plan_add(plan, step);
    step = form;
    step.instances = 1;
    step.rows = head / tile;
    step.element_bytes = form.element_bytes * tile;
    step.inverse = true;
    plan_add(plan, step);
    return true;
}

/* The leaves say which layout the program's own is. */
static struct dl_layout own_layout(const struct dl_leaf_table *leaves,
                                   struct dl_layout layout)
{
    if (layout.kind == DL_LAYOUT_AOS && leaves->arrays)
        layout.kind = DL_LAYOUT_SOA;
    return layout;
}

enum dl_status dl_plan_make(const struct dl_leaf_table *leaves, uint64_t structs,
                            struct dl_layout from, struct dl_layout to,
                            const struct dl_plan_limits *limits, struct dl_plan *out)
{
    struct dl_plan plan = {0};
    struct dl_tiling a, b;
    uint32_t unit = dl_leaf_table_unit_bytes(leaves);
    struct dl_step form = {.element_bytes = unit};
    enum dl_status st = dl_layout_tile(own_layout(leaves, from), structs, &a);
    uint64_t down, up;

    if (st == DL_OK)
        st = dl_layout_tile(own_layout(leaves, to), structs, &b);
    if (st != DL_OK)
        return st;
    if (limits->line_bytes == 0 || limits->super_count == 0)
        return DL_EINVAL;
    if (structs > INT64_MAX / leaves->struct_bytes)
        return DL_EOVERFLOW;
    if (dl_tiling_equal(&a, &b)) {
        *out = plan;
        return DL_OK;
    }
    st = columns_make(leaves, unit, &form, &plan);
    if (st != DL_OK)
        return st;
    if (plan_split(&plan, form, &a, &b))
        goto out;
    if (plan_split(&plan, form, &b, &a)) {
        plan_reverse(&plan);
        goto out;
    }
    down = shared_tile(&b, &a);
    up = shared_tile(&a, &b);
    if (up == 0)
        plan_from_aos(&plan, form, leaves->struct_bytes, &a, down, limits);
    plan_reverse(&plan);
    if (down == 0)
        plan_from_aos(&plan, form, leaves->struct_bytes, &b, up, limits);
out:
    *out = plan;
    return DL_OK;
}

/* ---- dimensions ---- */

enum dl_status dl_plan_permute(const uint64_t *extents, const unsigned *order,
                               size_t dimensions, uint64_t element_bytes,
                               struct dl_plan *out)
{
    struct dl_plan plan = {0};
    unsigned now[DL_PLAN_STEPS_MAX]; /* the old dimension at each place */
    uint64_t bytes = element_bytes;

    if (dimensions > DL_PLAN_STEPS_MAX)
        return DL_EINVAL;
    for (size_t d = 0; d < dimensions; d++) {
        unsigned seen = 0;
        for (size_t e = 0; e < dimensions; e++)
            seen += order[e] == d;
        if (seen != 1)
            return DL_EINVAL;
        if (extents[d] > 0 && bytes > INT64_MAX / extents[d])
            return DL_EOVERFLOW;
        bytes *= extents[d];
        now[d] = (unsigned)d;
    }
    if (bytes == 0) {
        *out = plan;
        return DL_OK;
    }
    for (size_t place = 0; place < dimensions; place++) {
        struct dl_step step = {.instances = 1, .rows = 1, .element_bytes = element_bytes};
        size_t found = place;
        while (now[found] != order[place])
            found++;
        if (found == place)
            continue;
        /* For this step the dimensions between are one, so that rotating is transposing.
         */
        for (size_t d = 0; d < dimensions; d++) {
            uint64_t extent = extents[now[d]];
            if (d < place)
                step.instances *= extent;
            else if (d < found)
                step.rows *= extent;
            else if (d == found)
                step.columns = extent;
            else
                step.element_bytes *= extent;
        }
        plan_add(&plan, step);
        memmove(now + place + 1, now + place, (found - place) * sizeof *now);
        now[place] = order[place];
    }
    *out = plan;
    return DL_OK;
}
