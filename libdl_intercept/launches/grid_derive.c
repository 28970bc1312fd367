/* SPDX-License-Identifier: MIT */
/* Layouts of grids derived for a launch (layout/derive.h). */
#include "grid_derive.h"

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/state/contexts.h"

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

bool dl__grid_derive(const struct dl_buffer_note *note, const struct dl_grid *grid,
                     const struct dl_launch *launch, struct dl__queue *queue,
                     struct dl_grid_layout *out, const char **reason)
{
    struct dl__device *device = dl__context_device(queue->object.context, queue->device);
    uint32_t bytes = note->leaves.struct_bytes;
    struct dl_grid_memory memory = {0, 0};
    struct dl_grid_derivation derived;
    struct dl_grid_launch shape;
    struct dl_rates rates;
    char name[256] = "";

    *reason = "the grid is given no layout, and its accesses do not suggest one: write "
              "`as` and its strips behind it";
    if (!device || !note->pattern_rows || note->pattern_rows != note->extent_count)
        return false;
    dl__next.clGetDeviceInfo(device->id, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    dl_marshal_rates(name, !(device->type & CL_DEVICE_TYPE_GPU), &rates);
    if (rates.burst_bytes > bytes)
        memory.burst_bits = log2_of(rates.burst_bytes / bytes);
    memory.steering_bits = rates.steering_bits;
    shape_of(launch, &shape);
    shape.resident_groups = resident(device, &rates, &shape);
    if (dl_grid_derive(grid, &note->pattern, &shape, &memory, &derived) != DL_OK)
        return false;
    *reason = "the layout derived for the grid is the program's own";
    *out = derived.layout;
    return !dl_grid_layout_is_own(&derived.layout);
}
