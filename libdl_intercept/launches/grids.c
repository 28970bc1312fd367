/* SPDX-License-Identifier: MIT */
/* The grids of a launch: their extents, and the layout that they are given. */
#include "grids.h"

#include <stdio.h>
#include <string.h>

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/state/residence.h"
#include "dimensions.h"

/* The extents in this launch. False: they are none, and `text` says why. */
static bool evaluate(const struct dl_buffer_note *note, const struct dl_launch *launch,
                     struct dl_grid *out, char *text, size_t room)
{
    struct dl_grid grid = {.dim_count = note->extent_count};
    const char *reason = NULL;

    for (uint32_t d = 0; d < note->extent_count; d++) {
        int64_t extent;

        if (dl_dimension_eval(note->extents[d], launch, &extent, &reason) != DL_OK) {
            snprintf(text, room, "an extent of the grid can't be evaluated: %s",
                     reason ? reason : "an error");
            return false;
        }
        if (extent <= 0) {
            snprintf(text, room, "extent %s of the grid evaluates to %lld",
                     note->extent_names.names[d], (long long)extent);
            return false;
        }
        grid.extents[d] = (uint64_t)extent;
    }
    reason = dl_grid_check(&grid);
    if (reason)
        snprintf(text, room, "%s", reason);
    else
        *out = grid;
    return !reason;
}

static bool is_grid(const struct dl_buffer_note *note)
{
    return note->extent_count > 0 && note->native == DL_LAYOUT_AOS;
}

bool dl__grids_may_move(const struct dl_buffer_note *note)
{
    const struct dl__options *options = dl__options_get();

    return options->layout_auto || is_grid(note) == (options->layout == DL_LAYOUT_GRID);
}

static bool are_equal(const struct dl_grid *a, const struct dl_grid *b)
{
    bool equal = a->dim_count == b->dim_count;

    for (uint32_t d = 0; d < a->dim_count && equal; d++)
        equal = a->extents[d] == b->extents[d];
    return equal;
}

/* The layout of one buffer: that of its annotation, or the one that it is in. */
static DL__WITH_LOCK bool find_layout(const struct dl_buffer_note *note,
                                      const struct dl__mem *mem,
                                      const struct dl_grid *grid, struct dl_grid_map *out)
{
    char reason[DL_GRID_TEXT_BYTES];
    const struct dl_layout *there = &mem->residence.layout;

    out->grid = *grid;
    if (note->strips)
        return !dl_grid_layout_parse(note->strips, &note->extent_names, grid->dim_count,
                                     &out->layout, reason);
    if (there->kind != DL_LAYOUT_GRID || !are_equal(&there->grid.grid, grid))
        return false;
    out->layout = there->grid.layout;
    return true;
}

/* Once of a kernel. */
static DL__WITH_LOCK void say(struct dl__kernel *kernel,
                              const struct dl_buffer_note *note, const char *what)
{
    char text[300];

    snprintf(text, sizeof text, "%s; the kernel runs as written", what);
    if (!kernel->launched.dimension_remarked && !dl__options_get()->layout_auto)
        dl__plan_remark(kernel, note, text);
    kernel->launched.dimension_remarked = true;
}

/* ---- derived layouts ---- */

/* Of a work-group whose shape is left to the driver. */
enum { GROUP_ITEMS = 128 };

static unsigned log2_of(uint64_t number)
{
    unsigned bits = 0;

    while (number >>= 1)
        bits++;
    return bits;
}

static void shape_of(const struct dl_launch *launch, struct dl_grid_launch *out)
{
    for (int d = 0; d < 3; d++) {
        uint64_t global = launch->global_size[d] ? launch->global_size[d] : 1;
        uint64_t size = launch->local_size[d];

        if (!size)
            size = d ? 1 : global < GROUP_ITEMS ? global : GROUP_ITEMS;
        out->group_sizes[d] = size;
        out->group_counts[d] = (global + size - 1) / size;
    }
}

/* Read once: a device's file is text, and every launch of an open grid asks. */
static const struct dl_rates *rates_of(struct dl__device *device)
{
    char name[256] = "";

    if (!device->has_rates) {
        dl__next.clGetDeviceInfo(device->id, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
        dl_marshal_rates(name, !(device->type & CL_DEVICE_TYPE_GPU), &device->rates);
        device->has_rates = true;
    }
    return &device->rates;
}

/* How many groups of this shape run at once on the whole device. */
static uint64_t resident(const struct dl__device *device, const struct dl_rates *rates,
                         const struct dl_grid_launch *launch)
{
    uint64_t items =
        launch->group_sizes[0] * launch->group_sizes[1] * launch->group_sizes[2];
    uint64_t groups = rates->resident_items / (items ? items : 1);
    cl_uint units = 1;

    dl__next.clGetDeviceInfo(device->id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units,
                             &units, NULL);
    groups = groups > rates->resident_groups ? rates->resident_groups : groups;
    return (groups ? groups : 1) * (units ? units : 1);
}

/* A layout of a grid that nobody gave one, from the accesses, the work-groups and the
 * device (layout/derive.h). False: there is none, or it is the program's own; *reason is
 * a static clause. */
static DL__WITH_LOCK bool derive_layout(const struct dl_buffer_note *note,
                                        const struct dl_grid *grid,
                                        const struct dl_launch *launch,
                                        struct dl__queue *queue,
                                        struct dl_grid_layout *out, const char **reason)
{
    struct dl__device *device = dl__context_device(queue->object.context, queue->device);
    uint32_t bytes = note->leaves.struct_bytes;
    struct dl_grid_memory memory = {0, 0};
    struct dl_grid_derivation derived;
    struct dl_grid_launch shape;
    const struct dl_rates *rates;

    *reason = "the grid is given no layout, and its accesses do not suggest one: write "
              "`as` and its strips behind it";
    if (!device || !note->pattern_rows || note->pattern_rows != note->extent_count)
        return false;
    rates = rates_of(device);
    if (rates->burst_bytes > bytes)
        memory.burst_bits = log2_of(rates->burst_bytes / bytes);
    memory.steering_bits = rates->steering_bits;
    shape_of(launch, &shape);
    shape.resident_groups = resident(device, rates, &shape);
    if (dl_grid_derive(grid, &note->pattern, &shape, &memory, &derived) != DL_OK)
        return false;
    *reason = "the layout derived for the grid is the program's own";
    *out = derived.layout;
    return !dl_grid_layout_is_own(&derived.layout);
}

/* The first of the kernel's grids that has a layout of its own. */
static DL__WITH_LOCK void derive(const struct dl__ndrange *range,
                                 const struct dl_launch *launch, struct dl_layout *layout,
                                 char *text, size_t room)
{
    const struct dl__kernel *kernel = range->kernel;
    const char *reason = "the kernel has no grid";

    for (size_t b = 0; b < kernel->note->buffer_count; b++) {
        const struct dl_buffer_note *note = &kernel->note->buffers[b];
        struct dl_grid_map *map = &layout->grid;
        char ignored[200];

        if (is_grid(note) && dl__buffer_root(range, b) &&
            evaluate(note, launch, &map->grid, ignored, sizeof ignored) &&
            derive_layout(note, &map->grid, launch, range->queue, &map->layout, &reason))
            return;
    }
    snprintf(text, room, "%s", reason);
}

static DL__WITH_LOCK bool choose(const struct dl__ndrange *range,
                                 const struct dl_launch *launch, struct dl_layout *layout)
{
    struct dl__kernel *kernel = range->kernel;
    const struct dl_kernel_note *note = kernel->note;
    const struct dl_buffer_note *open = NULL;
    char text[200] = "";
    bool any = false;

    for (size_t b = 0; b < note->buffer_count && !*text; b++) {
        const struct dl__mem *mem = dl__buffer_root(range, b);
        struct dl_grid grid;
        uint64_t structs;

        if (!is_grid(&note->buffers[b]) || !mem)
            continue;
        open = &note->buffers[b];
        structs = mem->bytes / dl__kernel_leaves(kernel, b)->struct_bytes;
        if (!evaluate(open, launch, &grid, text, sizeof text))
            break;
        if (dl_grid_elements(&grid) > structs)
            snprintf(text, sizeof text, "the grid has %llu elements, its buffer %llu",
                     (unsigned long long)dl_grid_elements(&grid),
                     (unsigned long long)structs);
        else if (!any)
            any = find_layout(open, mem, &grid, &layout->grid);
    }
    if (!*text && !any && open)
        derive(range, launch, layout, text, sizeof text);
    /* Accessors would cost what they cost and bring nothing. */
    else if (!*text && any && dl_grid_map_is_plain(&layout->grid))
        snprintf(text, sizeof text, "the layout of the grid is the program's own");
    if (*text)
        say(kernel, open, text);
    return !*text;
}

bool dl__grids_choose(const struct dl__ndrange *range, struct dl_layout *layout)
{
    struct dl_launch launch;
    bool chosen, any = false;

    for (size_t b = 0; b < range->kernel->note->buffer_count; b++)
        any |= is_grid(&range->kernel->note->buffers[b]);
    if (!any)
        return false;
    chosen = dl__launch_begin(range, &launch) && choose(range, &launch, layout);
    dl__launch_end(&launch);
    return chosen;
}

struct dl_layout dl__grids_wanted(const struct dl__kernel *kernel, size_t buffer,
                                  const struct dl_launch *launch,
                                  const struct dl_layout *layout)
{
    const struct dl_buffer_note *note = &kernel->note->buffers[buffer];
    struct dl_layout own = {.kind = DL_LAYOUT_AOS};
    struct dl_grid grid;
    char text[200];

    if (layout->kind == DL_LAYOUT_GRID && is_grid(note) &&
        evaluate(note, launch, &grid, text, sizeof text) &&
        are_equal(&grid, &layout->grid.grid))
        own = *layout;
    return own;
}

struct dl_layout dl__grids_bound(const struct dl__ndrange *range, size_t buffer,
                                 const struct dl_layout *layout)
{
    struct dl_layout own = {.kind = DL_LAYOUT_AOS};
    struct dl_launch launch;

    if (dl__launch_begin(range, &launch))
        own = dl__grids_wanted(range->kernel, buffer, &launch, layout);
    dl__launch_end(&launch);
    return own;
}
