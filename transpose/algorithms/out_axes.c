/* SPDX-License-Identifier: MIT */
/* Out of place: arrays whose axes are permuted, in one launch: by tiles of two axes, by
 * units, and, where the innermost axes are short, by tiles whose sides are several axes.
 * And the arithmetic on the way. */
#include "algorithm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/text.h"

extern const char dl_out_axes_cl[], dl_out_axes_units_cl[], dl_out_sides_cl[],
    dl_tiles_cl[], dl_out_side_cl[];
static const struct dl__kernel_source source = {
    {dl_shape_cl, dl_tiles_cl, dl_out_axes_cl}};
static const struct dl__kernel_source units_source = {
    {dl_shape_cl, dl_units_cl, dl_out_side_cl, dl_out_axes_units_cl}};
static const struct dl__kernel_source sides_source = {
    {dl_shape_cl, dl_tiles_cl, dl_out_sides_cl}};

enum { LONG_BYTES = 128 /* such elements are whole lines, whichever way they go */ };

/* ---- tiles whose sides are several axes (out_sides.cl) ---- */

enum {
    AXES_MAX = DL__AXES_MAX + 1, /* the units of an element are one more */
    HELD_MAX = 16,
    GROUP_SHORT = 128,
    TILE_BYTES = 36864
};

/* The axes, by rising distance, that a run of neighbours on one side consists of. */
struct side {
    unsigned count, axes[AXES_MAX];
    uint64_t inner, part, units; /* units = inner x part of the last axis */
};

struct sides {
    struct dl__axis axes[AXES_MAX];
    unsigned count;
    uint64_t unit_bytes;
    struct side across, down;
    uint64_t volume;
};

static uint64_t distance_of(const struct dl__axis *axis, bool is_to)
{
    return is_to ? axis->to_bytes : axis->from_bytes;
}

/* The axis with the smallest distance above `least` on that side; the count: none. */
static unsigned next_of(const struct sides *sides, bool is_to, uint64_t least)
{
    unsigned best = sides->count;

    for (unsigned a = 0; a < sides->count; a++) {
        uint64_t distance = distance_of(&sides->axes[a], is_to);
        if (distance > least &&
            (best == sides->count || distance < distance_of(&sides->axes[best], is_to)))
            best = a;
    }
    return best;
}

static bool has(const struct side *side, unsigned axis)
{
    for (unsigned a = 0; a < side->count; a++)
        if (side->axes[a] == axis)
            return true;
    return false;
}

/* Takes about `wanted` units that are neighbours on one side, or half as many if the rest
 * would come from the other side's axes, which do not make the tile larger. */
static struct side side_make(const struct sides *sides, bool is_to, uint64_t wanted,
                             const struct side *other)
{
    struct side side = {.inner = 1, .part = 1, .units = 1};
    uint64_t dense = sides->unit_bytes;

    while (side.units * 4 < wanted * 3 && side.count < sides->count) {
        unsigned a = next_of(sides, is_to, side.count ? dense - 1 : 0);
        uint64_t extent, parts;
        if (a == sides->count || distance_of(&sides->axes[a], is_to) != dense ||
            (other && has(other, a) && side.units * 2 >= wanted))
            break;
        extent = sides->axes[a].extent;
        parts = side.units * extent <= wanted * 5 / 4
                    ? 1
                    : dl__divide_up(side.units * extent, wanted);
        side.axes[side.count++] = a;
        side.inner = side.units;
        side.part = dl__divide_up(extent, parts);
        /* Runs that begin a whole number of sectors apart are as well aligned as the
         * first. */
        if (parts > 1 && side.inner == 1)
            side.part = dl__round_up(side.part, wanted < 16 ? wanted : 16);
        side.units = side.inner * side.part;
        if (parts > 1)
            break;
        dense *= extent;
    }
    return side;
}

static unsigned last_of(const struct side *side)
{
    return side->axes[side->count - 1];
}

/* Lengthens the part of an axis until the tile has the wanted area. */
static void side_grow(struct sides *sides, uint64_t area, struct side *side,
                      struct side *other)
{
    uint64_t extent = sides->axes[last_of(side)].extent;
    uint64_t others = sides->volume / side->part;
    uint64_t most = area / sides->unit_bytes / others, parts;

    if (most < 2 * side->part || side->part == extent)
        return;
    parts = dl__divide_up(extent, most);
    side->part = dl__divide_up(extent, parts);
    if (last_of(side) == last_of(other))
        other->part = side->part;
}

static void volume_find(struct sides *sides)
{
    struct side *a = &sides->across, *d = &sides->down;

    a->units = a->inner * a->part;
    d->units = d->inner * d->part;
    sides->volume = a->units;
    for (unsigned i = 0; i < d->count; i++)
        if (!has(a, d->axes[i]))
            sides->volume *= i + 1 == d->count ? d->part : sides->axes[d->axes[i]].extent;
}

/* Gives an axis of both sides the same part on both; it is in parts only if it is the
 * last of both. */
static void sides_agree(struct sides *sides, uint64_t area)
{
    struct side *a = &sides->across, *d = &sides->down;

    if (last_of(a) == last_of(d)) {
        a->part = d->part = a->part > d->part ? a->part : d->part;
    } else {
        if (has(d, last_of(a)))
            a->part = sides->axes[last_of(a)].extent;
        if (has(a, last_of(d)))
            d->part = sides->axes[last_of(d)].extent;
    }
    volume_find(sides);
    side_grow(sides, area, d, a);
    volume_find(sides);
    side_grow(sides, area, a, d);
    volume_find(sides);
}

static uint64_t pitch_of(const struct sides *sides)
{
    return sides->across.units | 1; /* so that a column is not all in one bank */
}

/* A batch of matrices has three axes. */
static struct dl__axes axes_of(const struct dl__task *task)
{
    uint64_t e = task->element_bytes;

    if (task->is_array)
        return task->axes;
    return (struct dl__axes){3,
                             {{task->batch, task->stride_bytes, task->stride_out_bytes},
                              {task->rows, task->leading * e, e},
                              {task->cols, e, task->leading_out * e}},
                             e};
}

static bool sides_make(const struct dl__tuning *tuning, const struct dl__task *task,
                       struct sides *out)
{
    const struct dl__axes axes = axes_of(task);
    uint64_t aligned = dl__places_of(task) | axes.element_bytes;

    out->count = 0;
    for (unsigned a = 0; a < axes.count; a++)
        if (axes.axes[a].extent > 1) {
            out->axes[out->count++] = axes.axes[a];
            aligned |= axes.axes[a].from_bytes | axes.axes[a].to_bytes;
            if (axes.axes[a].extent > UINT32_MAX)
                return false;
        }
    out->unit_bytes = dl__power_of_two_in(aligned, 16);
    if (axes.element_bytes >= LONG_BYTES ||
        (task->conjugate && axes.element_bytes != out->unit_bytes))
        return false;
    if (axes.element_bytes != out->unit_bytes)
        out->axes[out->count++] = (struct dl__axis){axes.element_bytes / out->unit_bytes,
                                                    out->unit_bytes, out->unit_bytes};
    for (uint64_t wanted = out->unit_bytes <= 8 ? 64 : 32; wanted >= 8;
         wanted = wanted * 3 / 4) {
        out->across = side_make(out, false, wanted, NULL);
        out->down = side_make(out, true, wanted, &out->across);
        if (out->across.count == 0 || out->down.count == 0)
            return false;
        sides_agree(out, tuning->sides_area_bytes);
        if (out->volume / out->across.units * pitch_of(out) * out->unit_bytes <=
            TILE_BYTES)
            return true;
    }
    return false;
}

/* ---- the cost ---- */

/* How much more the parts of an axis cover than the axis, as a factor. */
static double waste_of(const struct sides *sides, const struct side *side)
{
    double extent = (double)sides->axes[last_of(side)].extent;
    uint64_t parts = dl__divide_up(sides->axes[last_of(side)].extent, side->part);

    return (double)(parts * side->part) / extent;
}

static double sides_cost(const struct dl__task *task)
{
    const struct dl__tuning *tuning = &task->transpose->tuning;
    struct sides sides;
    double waste, ends;

    if (tuning->out_sides_pass <= 0 || !sides_make(tuning, task, &sides))
        return DL__NOT_FOR;
    waste = waste_of(&sides, &sides.across);
    if (last_of(&sides.across) != last_of(&sides.down))
        waste *= waste_of(&sides, &sides.down);
    /* One work-item moves one unit at a time. */
    if (sides.unit_bytes < 4)
        waste *= tuning->out_sides_short / (double)sides.unit_bytes;
    ends = tuning->out_sides_end / (double)(sides.across.units * sides.unit_bytes) +
           tuning->out_sides_end / (double)(sides.down.units * sides.unit_bytes);
    return tuning->out_sides_pass * waste * (1 + ends) * (double)task->matrix_bytes;
}

/* ---- the launch ---- */

/* How far apart neighbours along an axis lie in local memory. */
static uint64_t local_step(const struct sides *sides, unsigned axis)
{
    uint64_t step = 1;

    for (unsigned i = 0; i < sides->across.count;
         step *= sides->axes[sides->across.axes[i++]].extent)
        if (sides->across.axes[i] == axis)
            return step;
    step = pitch_of(sides);
    for (unsigned i = 0; i < sides->down.count; i++) {
        unsigned a = sides->down.axes[i];
        if (a == axis)
            return step;
        if (!has(&sides->across, a))
            step *= sides->axes[a].extent;
    }
    return 0;
}

/* The length of an axis within a tile. */
static uint64_t part_of(const struct sides *sides, unsigned axis)
{
    return axis == last_of(&sides->across) ? sides->across.part
           : axis == last_of(&sides->down) ? sides->down.part
           : has(&sides->across, axis) || has(&sides->down, axis)
               ? sides->axes[axis].extent
               : 1;
}

static uint64_t parts_of(const struct sides *sides, unsigned axis)
{
    return dl__divide_up(sides->axes[axis].extent, part_of(sides, axis));
}

/* Writes #define NAME(X) with a side's axes except those of `without`. */
static void axes_write(struct dl__text *text, const char *name, const struct sides *sides,
                       const struct side *side, const struct side *without, bool is_to)
{
    dl__text_add(text, "#define %s(X)", name);
    for (unsigned i = 0; i < side->count; i++) {
        unsigned a = side->axes[i];
        uint64_t extent = i + 1 == side->count ? side->part : sides->axes[a].extent;
        if (without && has(without, a))
            continue;
        dl__text_add(text, " X(%lluu, %lluu, %lluul)", (unsigned long long)extent,
                     (unsigned long long)local_step(sides, a),
                     (unsigned long long)(distance_of(&sides->axes[a], is_to) /
                                          sides->unit_bytes));
    }
    dl__text_add(text, "\n");
}

/* How many axes that a tile has only in part have a smaller distance on that side. */
static unsigned rank_of(const struct sides *sides, unsigned axis, bool is_to)
{
    uint64_t distance = distance_of(&sides->axes[axis], is_to);
    unsigned rank = 0;

    for (unsigned a = 0; a < sides->count; a++)
        rank += parts_of(sides, a) > 1 && distance_of(&sides->axes[a], is_to) < distance;
    return rank;
}

/* The order in which work-groups take tiles: when a run ends within a sector, the cache
 * should still hold its other half, above all of runs that are written. */
static unsigned turn_of(const struct sides *sides, unsigned axis)
{
    unsigned to = 2 * rank_of(sides, axis, true),
             from = 2 * rank_of(sides, axis, false) + 1;

    return to < from ? to : from;
}

/* Writes the other axes; returns the number of tiles. */
static uint64_t others_write(struct dl__text *text, const struct sides *sides)
{
    uint64_t tiles = 1;

    dl__text_add(text, "#define OTHERS(X)");
    for (unsigned turn = 0; turn < 2 * sides->count; turn++)
        for (unsigned a = 0; a < sides->count; a++) {
            const struct dl__axis *axis = &sides->axes[a];
            uint64_t part = part_of(sides, a), parts = parts_of(sides, a);
            if (parts == 1 || turn_of(sides, a) != turn)
                continue;
            if (__builtin_mul_overflow(tiles, parts, &tiles))
                return UINT64_MAX;
            dl__text_add(
                text, " X(%lluu, %lluul, %lluul, %s)", (unsigned long long)parts,
                (unsigned long long)(part * axis->from_bytes / sides->unit_bytes),
                (unsigned long long)(part * axis->to_bytes / sides->unit_bytes),
                a == last_of(&sides->across) ? "across"
                : a == last_of(&sides->down) ? "down"
                                             : "no");
        }
    dl__text_add(text, "\n");
    return tiles;
}

static void side_write(struct dl__text *text, const char *name, const char *lines,
                       const struct sides *sides, const struct side *side,
                       const struct side *other)
{
    /* How many of the other side's runs there are for one of this side's last axis. */
    uint64_t inner = 1;

    for (unsigned i = 0; i + 1 < side->count; i++)
        if (!has(other, side->axes[i]))
            inner *= sides->axes[side->axes[i]].extent;
    if (has(other, last_of(side)))
        inner = 0;
    dl__text_add(text,
                 "#define %s %lluu\n#define %s_INNER %lluu\n#define %s_EXTENT %lluu\n"
                 "#define %s_PART %lluu\n#define %s %lluu\n#define %s_INNER %lluu\n",
                 name, (unsigned long long)side->units, name,
                 (unsigned long long)side->inner, name,
                 (unsigned long long)sides->axes[last_of(side)].extent, name,
                 (unsigned long long)side->part, lines,
                 (unsigned long long)(sides->volume / other->units), lines,
                 (unsigned long long)inner);
}

/* Measured on an H200: runs of several axes of short elements want few work-items, and
 * loads that bring whole lines to the second cache. */
static bool is_short(const struct sides *sides)
{
    return sides->unit_bytes <= 4 && sides->across.count + sides->down.count > 2;
}

static size_t group_of(const struct dl_transpose *transpose, const struct sides *sides)
{
    size_t group = dl__group_items(transpose, 0);

    if (is_short(sides) && group > GROUP_SHORT)
        group = GROUP_SHORT;
    /* Small tiles by fewer, so that each has something on its way. */
    while (group > 64 && sides->volume < 8 * group)
        group /= 2;
    return group;
}

static unsigned hint_of(const struct dl__tuning *tuning, const struct sides *sides)
{
    unsigned hint = tuning->out_hint ? tuning->out_hint : is_short(sides) ? 128 : 1;

    return hint > 1 ? hint : 0;
}

static uint64_t knobs_write(struct dl__text *text, const struct sides *sides,
                            const struct dl__tuning *tuning, size_t group, bool conjugate)
{
    /* As much as registers hold, in rounds of equal length. */
    uint64_t items = dl__divide_up(sides->volume, group);
    uint64_t held = dl__divide_up(items, dl__divide_up(items, HELD_MAX));

    dl__text_add(text,
                 "#define ELEMENT_BYTES %u\n#define GROUP %zuu\n#define CONJUGATE %d\n"
                 "#define PITCH %lluu\n#define HELD %lluu\n#define L2_HINT %u\n"
                 "#define AT_ONCE %d\n",
                 (unsigned)sides->unit_bytes, group, conjugate,
                 (unsigned long long)pitch_of(sides), (unsigned long long)held,
                 hint_of(tuning, sides),
                 last_of(&sides->across) == last_of(&sides->down));
    side_write(text, "ACROSS", "LINES_OUT", sides, &sides->across, &sides->down);
    side_write(text, "DOWN", "LINES", sides, &sides->down, &sides->across);
    axes_write(text, "LINE_AXES", sides, &sides->down, &sides->across, false);
    axes_write(text, "DOWN_AXES", sides, &sides->down, NULL, true);
    axes_write(text, "LINE_OUT_AXES", sides, &sides->across, &sides->down, true);
    return others_write(text, sides);
}

static enum dl_status sides_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    const struct dl__tuning *tuning = &plan->transpose->tuning;
    struct dl__text text = {0};
    struct sides sides;
    uint64_t tiles;
    size_t group;
    enum dl_status st;

    if (!sides_make(tuning, task, &sides))
        return dl__decline(plan, "no tile has sides of these axes");
    group = group_of(plan->transpose, &sides);
    tiles = knobs_write(&text, &sides, tuning, group, task->conjugate);
    dl__describe(
        plan, sides.across.units, sides.down.units,
        "tiles of %llu elements along %u axes by %llu along %u, %llu elements in all",
        (unsigned long long)sides.across.units, sides.across.count,
        (unsigned long long)sides.down.units, sides.down.count,
        (unsigned long long)sides.volume);
    st = tiles > DL__GROUPS_MAX || !text.bytes
             ? dl__decline(plan, "it has more than 2^31 tiles")
             : dl__launch_add(plan,
                              DL__LAUNCH(&sides_source, "dl_out_sides",
                                         task->offset_out_bytes, group, tiles),
                              "%s", text.bytes);
    free(text.bytes);
    return st;
}

/* ---- tiles of two axes, and units ---- */

enum { PIECE_UNITS = 1024 };

/* The axes that are innermost in the source and in the target; the count: none. */
struct inner {
    unsigned cols, rows;
};

/* The axis with the smallest distance on one side but for `other`; the count: there is
 * none. */
static unsigned innermost(const struct dl__axes *axes, bool is_to, unsigned other)
{
    unsigned best = axes->count;

    for (unsigned a = 0; a < axes->count; a++)
        if (a != other && axes->axes[a].extent > 1 &&
            (best == axes->count ||
             distance_of(&axes->axes[a], is_to) < distance_of(&axes->axes[best], is_to)))
            best = a;
    return best;
}

static struct inner inner_of(const struct dl__axes *axes)
{
    struct inner inner = {innermost(axes, false, axes->count),
                          innermost(axes, true, axes->count)};

    if (inner.rows == inner.cols)
        inner.rows = axes->count;
    return inner;
}

/* All distances and places, and the extents of the tiles' sides, in bytes, combined by
 * OR. */
static uint64_t aligned_of(const struct dl__task *task, bool with_sides)
{
    const struct dl__axes *axes = &task->axes;
    struct inner inner = inner_of(axes);
    uint64_t aligned = dl__places_of(task);

    for (unsigned a = 0; a < axes->count; a++) {
        const struct dl__axis *axis = &axes->axes[a];
        if (a != inner.cols || axis->from_bytes != axes->element_bytes || !with_sides)
            aligned |= axis->from_bytes;
        if (a != inner.rows || axis->to_bytes != axes->element_bytes || !with_sides)
            aligned |= axis->to_bytes;
        if ((a == inner.cols || a == inner.rows) && with_sides)
            aligned |= axis->extent * axes->element_bytes;
    }
    return aligned;
}

/* False: only units will do. */
static bool tiling_of(const struct dl__task *task, struct dl__tiling *out)
{
    const struct dl__axes *axes = &task->axes;
    struct inner inner = inner_of(axes);

    return inner.rows < axes->count &&
           axes->axes[inner.cols].from_bytes == axes->element_bytes &&
           axes->axes[inner.rows].to_bytes == axes->element_bytes &&
           dl__tiling_choose(task, "out", aligned_of(task, true), out);
}

/* The numbers of a launch by tiles of two axes, without the numbers of tiles; distances
 * are in units.
 *   rows, cols  which axes those are; the count of axes: none
 *   others      out: the product of all other extents; UINT64_MAX: it is too large */
static struct axes_shape shape_of(const struct dl__task *task,
                                  const struct dl__axes *axes, unsigned rows,
                                  unsigned cols, uint64_t unit_bytes, uint64_t *others)
{
    struct axes_shape shape = {.base_out_bytes = task->offset_out_bytes,
                               .units = axes->element_bytes / unit_bytes,
                               .rows = 1,
                               .cols = 1,
                               .order = TILES_ROWS,
                               .width = 1};

    *others = 1;
    for (unsigned a = 0; a < axes->count; a++) {
        const struct dl__axis *axis = &axes->axes[a];
        uint64_t from = axis->from_bytes / unit_bytes, to = axis->to_bytes / unit_bytes;
        if (a == cols) {
            shape.cols = axis->extent;
            shape.col_from = from;
            shape.col_to = to;
        } else if (a == rows) {
            shape.rows = axis->extent;
            shape.row_from = from;
            shape.row_to = to;
        } else if (axis->extent > 1) {
            if (axis->extent > UINT32_MAX ||
                __builtin_mul_overflow(*others, axis->extent, others)) {
                *others = UINT64_MAX;
                return shape;
            }
            shape.extents[shape.others] = (uint32_t)axis->extent;
            shape.from[shape.others] = from;
            shape.to[shape.others++] = to;
        }
    }
    return shape;
}

static struct axes_shape shape_make(const struct dl__task *task, uint64_t unit_bytes,
                                    uint64_t *others)
{
    struct inner inner = inner_of(&task->axes);

    return shape_of(task, &task->axes, inner.rows, inner.cols, unit_bytes, others);
}

/* An array that is only copied is one element: it is cut into pieces. */
static void pieces_make(struct axes_shape *shape)
{
    uint64_t units = shape->units;

    if (units <= PIECE_UNITS)
        return;
    shape->units = shape->col_from = shape->col_to = PIECE_UNITS;
    shape->cols = dl__divide_up(units, PIECE_UNITS);
    shape->tail = (uint32_t)(units % PIECE_UNITS);
}

/* Puts the other axes on a grid, as square as possible without wasting more than one
 * place. */
static uint32_t grid_of(const struct axes_shape *shape)
{
    uint64_t others = 1, down = 1, across;

    for (uint32_t o = 0; o < shape->others; o++)
        others *= shape->extents[o];
    while ((down + 1) * (down + 1) <= others)
        down++;
    for (;; down--) {
        across = dl__divide_up(others, down);
        if (down * across - others <= 1)
            return (uint32_t)across;
    }
}

static enum dl_status axes_add(struct dl_transpose_plan *plan, struct dl__launch launch,
                               struct axes_shape shape, uint64_t others, unsigned side,
                               bool on_grid, const char *knobs)
{
    uint64_t down = dl__divide_up(shape.rows, side);
    uint64_t across = dl__divide_up(shape.cols, side), groups = down;

    if (__builtin_mul_overflow(groups, across, &groups) ||
        __builtin_mul_overflow(groups, others, &groups) || groups > DL__GROUPS_MAX)
        return dl__decline(plan, "it has more than 2^31 tiles");
    shape.tiles_down = (uint32_t)down;
    shape.tiles_across = (uint32_t)across;
    shape.grid = on_grid ? grid_of(&shape) : 0;
    launch.numbers = &shape;
    launch.numbers_bytes = sizeof shape;
    launch.groups[0] = on_grid ? shape.grid * across : groups;
    launch.groups[1] = on_grid ? dl__divide_up(others, shape.grid) * down : 1;
    return dl__launch_add(plan, &launch, "%s", knobs);
}

static enum dl_status tiles_add(struct dl_transpose_plan *plan,
                                const struct dl__tiling *tiling, bool on_grid)
{
    const struct dl__task *task = &plan->task;
    uint64_t others;
    struct axes_shape shape = shape_make(task, task->element_bytes, &others);
    char knobs[DL__KNOBS_BYTES];

    dl__describe(plan, tiling->side, tiling->side,
                 "%u axes by tiles of %u x %u out of place, %u elements read as one",
                 task->axes.count, tiling->side, tiling->side, tiling->vector);
    return axes_add(
        plan,
        (struct dl__launch){
            .source = &source, .kernel = "dl_out_axes", .group = tiling->group},
        shape, others, tiling->side, on_grid, dl__tiling_knobs(tiling, task, knobs));
}

static enum dl_status units_add(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    uint64_t bytes = task->axes.element_bytes;
    uint64_t unit = dl__power_of_two_in(aligned_of(task, false) | bytes, 16);
    size_t group = dl__group_items(plan->transpose, 0);
    unsigned side = dl__units_side(bytes);
    uint64_t others;
    struct axes_shape shape = shape_make(task, unit, &others);
    char knobs[DL__KNOBS_BYTES];

    if (task->axes.count == 0 && side == 1)
        pieces_make(&shape);
    if (task->conjugate && unit != bytes)
        return dl__decline(plan, "it does not conjugate elements that are not aligned");
    snprintf(knobs, sizeof knobs,
             "#define UNIT_BYTES %u\n#define SIDE %uu\n#define GROUP %zuu\n"
             "#define CONJUGATE %d\n#define UNITS %lluul\n",
             (unsigned)unit, side, group, task->conjugate,
             (unsigned long long)shape.units);
    dl__describe(plan, side, side,
                 "%u axes by units of %u bytes out of place, %llu to an element",
                 task->axes.count, (unsigned)unit, (unsigned long long)(bytes / unit));
    return axes_add(plan,
                    (struct dl__launch){.source = &units_source,
                                        .kernel = "dl_out_axes_units",
                                        .group = group},
                    shape, others, side, false, knobs);
}

static double tiles_cost(const struct dl__task *task)
{
    const struct dl__axes *axes = &task->axes;
    struct inner inner = inner_of(axes);
    struct dl__tiling tiling;
    double pass = task->transpose->tuning.out_units_pass;

    if (tiling_of(task, &tiling))
        pass = tiling.costs.out_plain * dl__tiles_waste(axes->axes[inner.rows].extent,
                                                        axes->axes[inner.cols].extent,
                                                        &tiling);
    else if (axes->element_bytes >= LONG_BYTES)
        pass = task->transpose->tuning.out_runs_pass;
    return pass * (double)task->matrix_bytes;
}

static double axes_cost(const struct dl__task *task)
{
    double sides = sides_cost(task), tiles = task->is_array ? tiles_cost(task) : sides;

    return sides < tiles ? sides : tiles;
}

static enum dl_status axes_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    struct dl__tiling tiling;

    plan->batch_at_once = true;
    if (!task->has_axes && axes_cost(task) >= DBL_MAX)
        return dl__decline(plan,
                           "it is for arrays of axes and batches of small matrices");
    if (!task->has_axes || sides_cost(task) < tiles_cost(task))
        return sides_plan(plan);
    return tiling_of(task, &tiling) ? tiles_add(plan, &tiling, false) : units_add(plan);
}

static enum dl_status grid_plan(struct dl_transpose_plan *plan)
{
    struct dl__tiling tiling;

    plan->batch_at_once = true;
    if (!plan->task.has_axes)
        return dl__decline(plan, "it is for arrays of axes");
    if (!tiling_of(&plan->task, &tiling))
        return dl__decline(
            plan,
            "the innermost axis stays innermost, or elements of %llu bytes "
            "are not for its tiles",
            (unsigned long long)plan->task.element_bytes);
    return tiles_add(plan, &tiling, true);
}

DL_TRANSPOSE_ROW(OUT_AXES) = {
    2, axes_cost, axes_plan, .is_out = true, .keeps_apart = true, .takes_axes = true};
DL_TRANSPOSE_ROW(OUT_AXES_GRID) = {
    13, NULL, grid_plan, .is_out = true, .keeps_apart = true, .takes_axes = true};

/* ---- alpha, beta and conjugates: out of place in the pass that transposes, in place in
 * one more ---- */

extern const char dl_scaled_cl[];
static const struct dl__kernel_source scaled_source = {{dl_shape_cl, dl_scaled_cl}};

struct scaled_tile {
    unsigned rows, cols, group;
    bool turns;
};

static enum dl_status scaled_add(struct dl_transpose_plan *plan, struct scaled_tile tile,
                                 struct dl__launch launch)
{
    const struct dl__numbers *numbers = &plan->task.numbers;

    if (numbers->scales && numbers->real_bytes == 8 &&
        !plan->transpose->engine.limits.doubles)
        return dl__fail(plan->error, DL_ENOTSUP,
                        "scale: the device does not compute with double");
    launch.source = &scaled_source;
    return dl__launch_add(
        plan, &launch,
        "#define REAL_BYTES %u\n#define COMPLEX %d\n#define CONJUGATE %d\n"
        "#define SCALES %d\n#define TILE_ROWS %uu\n#define TILE_COLS %uu\n"
        "#define TURNS %d\n#define GROUP %uu\n",
        numbers->real_bytes, numbers->bytes != numbers->real_bytes, numbers->conjugates,
        numbers->scales, tile.rows, tile.cols, tile.turns, tile.group);
}

/* ---- in place ---- */

enum { ITEMS_MAX = 1 << 20 /* in all; then each has several numbers */ };

enum dl_status dl__scale_add(struct dl_transpose_plan *plan)
{
    const struct dl__numbers *numbers = &plan->task.numbers;
    unsigned group = (unsigned)dl__group_items(plan->transpose, 256);
    struct scale_shape shape = {.width = numbers->width,
                                .rows = numbers->rows,
                                .leading = numbers->leading,
                                .batch = numbers->batch,
                                .stride = numbers->stride};
    struct dl__launch launch = {
        .kernel = "dl_scale", .numbers = &shape, .numbers_bytes = sizeof shape};
    uint64_t across, down;
    enum dl_status st;

    if (plan->task.is_empty || (!numbers->scales && !numbers->conjugates))
        return DL_OK;
    memcpy(shape.alpha, numbers->alpha, sizeof shape.alpha);
    if (shape.leading == shape.width) {
        shape.width *= shape.rows;
        shape.rows = 1;
    }
    launch.group = shape.width < group ? 1 : group;
    across = dl__round_up(shape.width, launch.group);
    across = across < ITEMS_MAX ? across : ITEMS_MAX;
    down = ITEMS_MAX / across < shape.rows ? ITEMS_MAX / across : shape.rows;
    launch.groups[0] = across / launch.group;
    launch.groups[1] = down;
    launch.groups[2] = ITEMS_MAX / (across * down);
    if (launch.groups[2] > shape.batch)
        launch.groups[2] = shape.batch;
    st = scaled_add(plan, (struct scaled_tile){32, 32, 256, true}, launch);
    if (st != DL_OK)
        return st;
    plan->last = plan->runs[--plan->run_count];
    plan->has_last = true;
    plan->info.passes++;
    return DL_OK;
}

void dl__scale_set(struct dl_transpose_plan *plan, const double alpha[2],
                   const double beta[2])
{
    struct dl__run *run = plan->task.is_out ? plan->runs : &plan->last;
    unsigned char *numbers = run->values + run->args[DL__ARG_NUMBERS].at;
    uint64_t bits[2];

    if (plan->task.is_empty)
        return;
    dl__number_bits(plan->task.numbers.real_bytes, alpha, bits);
    memcpy(numbers + (plan->task.is_out ? offsetof(struct scaled_shape, alpha)
                                        : offsetof(struct scale_shape, alpha)),
           bits, sizeof bits);
    if (!plan->task.is_out)
        return;
    dl__number_bits(plan->task.numbers.real_bytes, beta, bits);
    memcpy(numbers + offsetof(struct scaled_shape, beta), bits, sizeof bits);
}

/* ---- out of place ---- */

static enum dl_status scaled_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    const struct dl__axes axes = axes_of(task);
    unsigned cols = innermost(&axes, false, axes.count);
    unsigned rows = innermost(&axes, true, axes.count);
    struct scaled_tile tile = {32, 32, (unsigned)dl__group_items(plan->transpose, 256),
                               rows != cols};
    struct scaled_shape shape = {.alpha = {0}};
    uint64_t down, across, others;

    if (!task->numbers.scales)
        return dl__decline(plan, "it is for problems with scale");
    if (!tile.turns) {
        rows = innermost(&axes, false, cols);
        tile.rows = 16;
        tile.cols = 64;
    }
    while (tile.turns && tile.cols * (tile.rows + 1) * task->numbers.bytes + 64 >
                             plan->transpose->engine.limits.local_bytes)
        tile.rows = tile.cols /= 2;
    memcpy(shape.alpha, task->numbers.alpha, sizeof shape.alpha);
    memcpy(shape.beta, task->numbers.beta, sizeof shape.beta);
    shape.axes = shape_of(task, &axes, rows, cols, axes.element_bytes, &others);
    down = dl__divide_up(shape.axes.rows, tile.rows);
    across = dl__divide_up(shape.axes.cols, tile.cols);
    if (down > DL__GROUPS_MAX / across || others > DL__GROUPS_MAX / (down * across))
        return dl__decline(plan, "it has more than 2^31 tiles");
    shape.axes.tiles_down = (uint32_t)down;
    shape.axes.tiles_across = (uint32_t)across;
    plan->batch_at_once = true;
    dl__describe(plan, tile.rows, tile.cols, "tiles of %u x %u out of place, scaled%s",
                 tile.rows, tile.cols, tile.turns ? "" : ", rows stay rows");
    return scaled_add(plan, tile,
                      (struct dl__launch){.kernel = "dl_out_scaled",
                                          .numbers = &shape,
                                          .numbers_bytes = sizeof shape,
                                          .group = tile.group,
                                          .groups = {down * across * others}});
}

/* No other algorithm scales. */
static double scaled_cost(const struct dl__task *task)
{
    return task->numbers.scales ? 0 : DL__NOT_FOR;
}

DL_TRANSPOSE_ROW(OUT_SCALED) = {15,
                                scaled_cost,
                                scaled_plan,
                                .is_out = true,
                                .keeps_apart = true,
                                .takes_axes = true,
                                .scales = true};
