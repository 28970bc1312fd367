/* SPDX-License-Identifier: MIT */
/* The layouts that a device likes. */
#include "layouts.h"

#include <stdio.h>

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/state/contexts.h"
#include "coalesced.h"
#include "bind.h"

static DL__WITH_LOCK uint32_t preferred_tile(struct dl__kernel *kernel,
                                             struct dl__device *device)
{
    size_t multiple = 0;

    if (device->preferred_multiple == 0) {
        if (dl__next.clGetKernelWorkGroupInfo(
                kernel->object.handle, device->id,
                CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof multiple, &multiple,
                NULL) != CL_SUCCESS ||
            multiple < 16 || multiple > 128)
            multiple = 32; /* what the thesis measured best over GPUs, 5.4.1 */
        device->preferred_multiple = (uint32_t)multiple;
    }
    return device->preferred_multiple;
}

/* Every device has local memory for tiles of so many bytes. */
enum { TILE_BYTES_SURE = 16 << 10 };

/* Structs in a tile on this device, fewer where those of a buffer are so large that it
 * would not fit local memory; 0: no tile of them is worth its conversion. */
static DL__WITH_LOCK uint32_t device_tile(struct dl__kernel *kernel,
                                          struct dl__device *device)
{
    uint32_t tile = preferred_tile(kernel, device);

    for (size_t b = 0; b < kernel->note->buffer_count && tile > 0; b++) {
        const struct dl_buffer_note *note = &kernel->note->buffers[b];
        const struct dl_leaf_table *leaves =
            dl__leaves_are_open(note) && !kernel->launched.rows
                ? NULL
                : dl__kernel_leaves(kernel, b);
        const struct dl_marshal *marshal;
        char text[160];

        if (!leaves || note->native != DL_LAYOUT_AOS ||
            tile * (uint64_t)leaves->struct_bytes <= TILE_BYTES_SURE)
            continue;
        marshal = dl__device_marshal(kernel->object.context, device);
        tile = marshal ? dl_marshal_tile(marshal, leaves, tile) : tile;
        if (tile > 0 || kernel->launched.dimension_remarked)
            continue;
        snprintf(text, sizeof text,
                 "structs of %u bytes are too large for tiles that convert fast; the "
                 "kernel runs as written; --tile sets a tile by hand",
                 leaves->struct_bytes);
        dl__plan_remark(kernel, note, text);
        kernel->launched.dimension_remarked = true;
    }
    return tile;
}

/* Discrete arrays as this device likes them. A CPU's compiler vectorises plain arrays,
 * which one tile of all structs is; elsewhere a short tile at the end lets buffers
 * convert fast. */
static struct dl_layout device_arrays(const struct dl__device *device)
{
    if (device->type & CL_DEVICE_TYPE_CPU)
        return (struct dl_layout){DL_LAYOUT_SOA, 1};
    return (struct dl_layout){DL_LAYOUT_DA, DL__DA_TILE};
}

bool dl__layout_by_options(struct dl__kernel *kernel, struct dl__queue *queue,
                           struct dl_layout *layout)
{
    const struct dl__options *options = dl__options_get();
    struct dl__device *device = dl__context_device(kernel->object.context, queue->device);

    if (!device)
        return false;
    layout->kind = options->layout;
    if (options->layout_auto) {
        if (!(device->type & CL_DEVICE_TYPE_GPU))
            return false;
        layout->kind = DL_LAYOUT_ASTA;
    }
    if (layout->kind == DL_LAYOUT_AOS)
        return false;
    /* Which grid, the launch says (grids.h). */
    if (layout->kind == DL_LAYOUT_GRID) {
        layout->tile_structs = 1;
        return true;
    }
    if (options->tile_structs)
        layout->tile_structs = options->tile_structs;
    else if (layout->kind == DL_LAYOUT_DA)
        *layout = device_arrays(device);
    else
        layout->tile_structs = device_tile(kernel, device);
    if (layout->tile_structs == 0)
        return false;
    if (options->tile_structs == 1)
        layout->kind = DL_LAYOUT_AOS; /* the rewritten kernel on the program's layout */
    return true;
}

/* False: the kernel has no buffer that goes into layouts of structs. */
static bool has_structs(const struct dl__kernel *kernel)
{
    bool any = false;

    for (size_t b = 0; b < kernel->note->buffer_count; b++)
        any |= kernel->note->buffers[b].extent_count == 0;
    return any;
}

void dl__choice_layout(enum dl__candidate_id id, struct dl__kernel *kernel,
                       const struct dl__ndrange *range, struct dl__device *device,
                       struct dl_layout *layout)
{
    const struct dl__candidate *candidate = dl__candidate_get(id);
    bool is_cpu = !(device->type & CL_DEVICE_TYPE_GPU);

    layout->kind = candidate->kind;
    layout->tile_structs = 0;
    if (candidate->in_place) {
        layout->tile_structs = range && dl__coalesced_may(range, NULL);
        return;
    }
    if (candidate->kind == DL_LAYOUT_GRID) {
        layout->tile_structs = range && dl__grids_choose(range, layout);
        return;
    }
    if (!has_structs(kernel))
        return;
    layout->tile_structs = dl__options_get()->tile_structs;
    if (layout->tile_structs)
        return;
    if (candidate->kind == DL_LAYOUT_DA)
        *layout = device_arrays(device);
    else if (is_cpu && candidate->cpu_tile_structs)
        layout->tile_structs = candidate->cpu_tile_structs;
    else
        layout->tile_structs = device_tile(kernel, device);
}
