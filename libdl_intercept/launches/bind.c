/* SPDX-License-Identifier: MIT */
/* Finds what a launch needs: the layout of each annotated buffer, evaluated and checked
 * (whether its dimension fits, how wide its rows are, what its discrete arrays or its
 * grid are, where a sub-buffer begins), and the kernel that runs on it. All of it can
 * fail before data moves. */
#include "bind.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/programs/devices.h"
#include "libdl_intercept/programs/shadow.h"
#include "libdl_intercept/reports/reasons.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/state/residence.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/trace/trace.h"
#include "coalesced.h"
#include "repeat.h"

/* Rewritten text takes it that no id is larger: a product of one by a width doesn't wrap.
 */
#define ID_MAX ((uint64_t)1 << 40)

/* The launch as the dimensions see it, to be ended in any case. False: the driver will
 * reject it anyway, or there is no memory. */
static DL__WITH_LOCK bool launch_begin(const struct dl__ndrange *range,
                                       struct dl_launch *launch)
{
    const struct dl__kernel *kernel = range->kernel;
    struct dl_arg_value *values = NULL;

    launch->args = NULL;
    if (dl__ndrange_is_valid(range))
        values = calloc((size_t)kernel->arg_count + 1, sizeof *values);
    if (!values)
        return false;
    launch->work_dim = range->work_dim;
    for (cl_uint d = 0; d < 3; d++) {
        bool used = d < range->work_dim;

        launch->global_size[d] = used ? range->global[d] : 1;
        launch->global_offset[d] = used && range->offset ? range->offset[d] : 0;
        launch->local_size[d] = used ? (range->local ? range->local[d] : 0) : 1;
    }
    for (unsigned i = 0; i < kernel->arg_count; i++) {
        const struct dl__arg *arg = &kernel->args[i];

        values[i].value_bytes = arg->bytes;
        values[i].value = arg->serial == 0 || arg->null ? NULL
                          : arg->bytes > sizeof arg->value.small
                              ? arg->value.large
                              : (const void *)arg->value.small;
    }
    launch->args = values;
    launch->arg_count = kernel->arg_count;
    return true;
}

static void launch_end(struct dl_launch *launch)
{
    free((void *)launch->args);
}

/* True when ids lie beyond what rewritten texts take them to be. */
static bool has_far_ids(const struct dl_launch *launch)
{
    for (unsigned d = 0; d < 3; d++)
        if (launch->global_offset[d] > ID_MAX ||
            launch->global_size[d] > ID_MAX - launch->global_offset[d])
            return true;
    return false;
}

/* Returns why the numbers of bytes that the launch gives keep the kernel from being run
 * in tiles; NULL: nothing does. */
static const char *bytes_refusal(const struct dl_buffer_note *note,
                                 const struct dl_launch *launch)
{
    for (size_t i = 0; i < note->whole_count; i++) {
        const char *ignored;
        int64_t bytes;

        if (dl_dimension_eval(note->wholes[i].number, launch, &bytes, &ignored) != DL_OK)
            return "the bytes by which a pointer into it is moved can't be evaluated";
        if (bytes % note->wholes[i].modulus)
            return "the bytes by which a pointer into it is moved are not whole structs";
    }
    return NULL;
}

/* Says what is wrong with a kernel's annotation, once for each flag of the kernel's.
 * Returns false.
 *   refuses  the kernel runs as written for it, which is said too */
static DL__WITH_LOCK bool remark_once(struct dl__kernel *kernel,
                                      const struct dl_buffer_note *note, bool *said,
                                      bool refuses, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

static bool remark_once(struct dl__kernel *kernel, const struct dl_buffer_note *note,
                        bool *said, bool refuses, const char *format, ...)
{
    char text[300];
    size_t used;
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    used = strlen(text);
    /* A kernel that demands discrete arrays is not launched at all. */
    if (refuses && note->native != DL_LAYOUT_SOA)
        snprintf(text + used, sizeof text - used, "; the kernel runs as written");
    if (!*said)
        dl__plan_remark(kernel, note, text);
    *said = true;
    return false;
}

/* Behind a message that a wrong order of `f[rows][width]` may be the cause of. */
static const char *order_of_brackets(const struct dl_buffer_note *note)
{
    return note->width
               ? "; the first brackets hold the number of rows, the second their width"
               : "";
}

/* Checks the annotated dimension against the buffer. False: the kernel must run as
 * written. */
static DL__WITH_LOCK bool dimension_check(struct dl__kernel *kernel,
                                          const struct dl__binding *binding,
                                          const struct dl_launch *launch)
{
    const struct dl_buffer_note *note = binding->note;
    const unsigned long long held = binding->structs;
    bool *said = &kernel->launched.dimension_remarked;
    const char *reason = NULL;
    int64_t structs;

    if (!note->structs || note->arrays)
        return true;
    if (dl_dimension_eval(note->structs, launch, &structs, &reason) != DL_OK)
        return remark_once(kernel, note, said, true,
                           "the count in brackets can't be evaluated: %s",
                           reason ? reason : "an error");
    if (structs <= 0)
        return remark_once(kernel, note, said, true, "the count in brackets is %lld",
                           (long long)structs);
    /* The arrays would stand at other places than the kernel looks at. */
    if (note->native == DL_LAYOUT_SOA && (uint64_t)structs != binding->structs)
        return remark_once(
            kernel, note, said, true,
            "the count in brackets is %lld, the buffer holds %llu structs: discrete "
            "arrays must fill it",
            (long long)structs, held);
    if ((uint64_t)structs > binding->structs)
        remark_once(
            kernel, note, &kernel->launched.clamp_remarked, false,
            "the count in brackets is %lld, but the buffer holds %llu structs of %u "
            "bytes, "
            "by which DL goes: correct it or, of rows, the width in the second brackets, "
            "or leave it out (`[]`)%s",
            (long long)structs, held,
            dl__kernel_leaves(kernel, (size_t)(note - kernel->note->buffers))
                ->struct_bytes,
            order_of_brackets(note));
    return true;
}

enum { ARRAYS_MAX = 1024 }; /* of those that nobody counted: tiles of more gain nothing */

/* How long an array is in this launch; 0: it can't be told. */
static uint64_t length_of(const struct dl_buffer_note *note,
                          const struct dl_launch *launch)
{
    const char *ignored;
    int64_t length;

    return dl_dimension_eval(note->structs, launch, &length, &ignored) == DL_OK &&
                   length > 0
               ? (uint64_t)length
               : 0;
}

/* The arrays that a launch finds in `mem`, which may be NULL, go to *leaves, which it
 * owns; one leaf alone: there are none that fill the buffer.
 *   errors  DL_ENOMEM: *leaves is as it was */
static enum dl_status arrays_make(const struct dl_buffer_note *note,
                                  const struct dl_launch *launch,
                                  const struct dl__mem *mem, struct dl_leaf_table *leaves)
{
    uint64_t length = length_of(note, launch), count = 1;
    uint64_t elements = mem ? mem->bytes / note->leaves.struct_bytes : 0;
    struct dl_leaf_table made;
    enum dl_status st;

    if (length && elements / length > 1 && elements / length <= ARRAYS_MAX)
        count = elements / length;
    if (count == leaves->leaf_count)
        return DL_OK;
    st = dl_flat_leaves_make(note, (int64_t)count, &made);
    if (st != DL_OK)
        return st;
    dl_leaf_table_free(leaves);
    *leaves = made;
    return DL_OK;
}

/* Makes the leaves of a flat buffer as wide as this launch says. False: the kernel must
 * run as written. */
static DL__WITH_LOCK bool width_set(const struct dl__ndrange *range, size_t buffer,
                                    const struct dl_launch *launch)
{
    struct dl__kernel *kernel = range->kernel;
    const struct dl_buffer_note *note = &kernel->note->buffers[buffer];
    bool *said = &kernel->launched.dimension_remarked;
    struct dl_leaf_table made;
    const char *reason = NULL;
    int64_t width = 0;

    if (!dl__leaves_are_open(note))
        return true;
    if (!kernel->launched.rows)
        kernel->launched.rows =
            calloc(kernel->note->buffer_count, sizeof *kernel->launched.rows);
    if (!kernel->launched.rows)
        return false;
    if (note->arrays)
        return note->arg_index < kernel->arg_count &&
               arrays_make(note, launch, dl__buffer_root(range, buffer),
                           &kernel->launched.rows[buffer]) == DL_OK;
    if (dl_dimension_eval(note->width, launch, &width, &reason) != DL_OK)
        return remark_once(kernel, note, said, true, "the width can't be evaluated: %s",
                           reason ? reason : "an error");
    if (width > 0 && width == kernel->launched.rows[buffer].leaf_count)
        return true;
    if (dl_flat_leaves_make(note, width, &made) != DL_OK)
        return remark_once(kernel, note, said, true,
                           "the width evaluates to %lld, not from 1 to %d",
                           (long long)width, DL_FLAT_WIDTH_MAX);
    dl_leaf_table_free(&kernel->launched.rows[buffer]);
    kernel->launched.rows[buffer] = made;
    kernel->launched.rows_made++;
    return true;
}

/* Where sub-buffers begin in the layout of their buffer, and what kernels are given for
 * them. */

/* Kept with a sub-buffer: its part of the buffer's tiled copy. */
struct part_copy {
    struct dl__kept kept;
    cl_mem mem DL__UNDER_LOCK; /* NULL: none */
};

static DL__WITH_LOCK void end_part_copy(void *record, void *kept)
{
    struct dl__context *context = ((struct dl__mem *)record)->object.context;
    struct part_copy *copy = kept;
    cl_uint before;

    if (!copy->mem)
        return;
    before = dl__context_count_begin(context);
    dl__next.clReleaseMemObject(copy->mem);
    dl__context_count_end(context, before);
}

static const struct dl__keeper keeper = {.bytes = sizeof(struct part_copy),
                                         .end = end_part_copy};

/* Structs of the last tile may lie in bytes behind the sub-buffer's end. On one device
 * those are where the kernel looks; of several, each may have its own idea of them. */
static bool reaches_over_end(const struct dl__binding *binding, uint64_t end_bytes)
{
    const struct dl__move *move = &binding->move;
    const uint64_t struct_bytes = move->leaves->struct_bytes;
    cl_uint devices = 1;

    if (end_bytes >= move->structs * struct_bytes ||
        end_bytes % (move->layout.tile_structs * struct_bytes) == 0)
        return false;
    dl__next.clGetContextInfo(binding->mem->object.context->object.handle,
                              CL_CONTEXT_NUM_DEVICES, sizeof devices, &devices, NULL);
    return devices > 1;
}

/* Sets where the binding's argument begins and how many structs it holds. False: kernels
 * can't run on the layout that is wanted, by this sub-buffer; `text` says why. */
static DL__WITH_LOCK bool part_place(struct dl__binding *binding, char *text, size_t room)
{
    const struct dl__mem *part = binding->part;
    const struct dl__move *move = &binding->move;
    const uint32_t tile = move->layout.tile_structs;
    uint32_t struct_bytes = move->leaves->struct_bytes;

    binding->first_struct = 0;
    binding->structs = move->structs;
    if (!part)
        return true;
    binding->structs = part->bytes / struct_bytes;
    switch (move->layout.kind) {
    case DL_LAYOUT_AOS:
        return true;
    case DL_LAYOUT_SOA:
        if (part->bytes == binding->mem->bytes)
            return true;
        snprintf(text, room,
                 "the sub-buffer is not the whole buffer, which discrete "
                 "arrays must fill");
        return false;
    default: /* tiles */
        break;
    }
    binding->first_struct = part->origin_bytes / struct_bytes;
    if (part->origin_bytes % struct_bytes)
        snprintf(text, room,
                 "the sub-buffer begins inside a struct: at byte %zu of structs of %u",
                 part->origin_bytes, struct_bytes);
    else if (binding->structs == 0)
        snprintf(text, room, "the sub-buffer does not hold a whole struct");
    else if (binding->first_struct == 0)
        return true;
    else if (move->layout.kind == DL_LAYOUT_GRID)
        snprintf(text, room,
                 "the sub-buffer begins behind the first of a grid's elements");
    else if (move->layout.kind == DL_LAYOUT_DA)
        snprintf(
            text, room,
            "the sub-buffer begins inside the buffer's discrete arrays: at struct %llu",
            (unsigned long long)binding->first_struct);
    else if (binding->first_struct % tile)
        snprintf(text, room,
                 "the sub-buffer begins inside a tile: at struct %llu of tiles of %u",
                 (unsigned long long)(binding->first_struct % tile), tile);
    else if (reaches_over_end(binding, (uint64_t)part->origin_bytes + part->bytes))
        snprintf(
            text, room,
            "the sub-buffer ends inside a tile, and the context has several devices");
    else
        return true;
    return false;
}

/* Does all else that can fail before data moves, once the move is prepared.
 *   errors  a static clause in *reason */
static DL__WITH_LOCK bool part_prepare(struct dl__binding *binding, const char **reason)
{
    struct dl__mem *part = binding->part;
    struct part_copy *copy;
    cl_buffer_region region;
    cl_uint before;
    cl_int err = CL_OUT_OF_HOST_MEMORY;

    if (!part || binding->first_struct == 0 || !binding->mem->residence.copy)
        return true;
    copy = dl__kept_get(part, &keeper);
    if (copy && copy->mem)
        return true;
    region = (cl_buffer_region){part->origin_bytes, part->bytes};
    before = dl__context_count_begin(part->object.context);
    if (copy)
        copy->mem =
            dl__next.clCreateSubBuffer(binding->mem->residence.copy, CL_MEM_READ_WRITE,
                                       CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
    dl__context_count_end(part->object.context, before);
    if (err == CL_SUCCESS)
        return true;
    if (copy)
        copy->mem = NULL;
    *reason = "DL must not write it, and its tiled copy has no such sub-buffer";
    return false;
}

cl_mem dl__part_argument(const struct dl__binding *binding)
{
    const struct dl__mem *part = binding->part;
    const struct part_copy *copy;

    /* From the buffer's first struct on the buffer itself looks the same, and is wider.
     */
    if (!part || binding->first_struct == 0)
        return dl__mem_tiles(binding->mem);
    if (!binding->mem->residence.copy)
        return part->object.handle;
    copy = dl__kept_find(part, &keeper);
    return copy->mem;
}

/* ---- discrete arrays of the program's own ---- */

/* Why a bound buffer of arrays stays as it lies in this launch; NULL: it may be in tiles.
 */
static DL__WITH_LOCK const char *refusal_of(const struct dl__binding *binding,
                                            const struct dl_launch *launch)
{
    const struct dl__move *move = &binding->move;
    uint64_t length = length_of(binding->note, launch);

    if (length == 0)
        return "the length of its arrays can't be evaluated";
    if (move->leaves->leaf_count < 2 || length != move->structs)
        return "arrays of this length don't fill the buffer";
    if (length < move->layout.tile_structs)
        return "its arrays are shorter than a tile";
    if (binding->part && binding->part->bytes != binding->mem->bytes)
        return "the sub-buffer is not the whole buffer, which its arrays must fill";
    return NULL;
}

/* Why a buffer can't be bound as what it is annotated for; NULL: it can. */
static DL__WITH_LOCK const char *clash_of(const struct dl__binding *binding)
{
    struct dl__residence *residence = &binding->mem->residence;

    if (binding->note->arrays ? residence->as_structs : residence->as_arrays)
        return binding->note->arrays ? "another kernel takes it for structs"
                                     : "another kernel takes it for discrete arrays";
    if (binding->note->arrays && residence->host_kind != DL_LAYOUT_AOS)
        return "the host wants it in a layout of its own";
    if (binding->note->arrays)
        residence->as_arrays = true;
    else
        residence->as_structs = true;
    return NULL;
}

/* Decides about a bound buffer that kernels take for arrays or for structs: one of arrays
 * may be left as it is. Returns why its kernel must run as written; NULL: it need not. */
static DL__WITH_LOCK const char *arrays_settle(struct dl__kernel *kernel,
                                               const struct dl_launch *launch,
                                               struct dl__binding *binding)
{
    const char *refusal;

    if (!dl__binding_is_moved(binding))
        return NULL;
    refusal = binding->note->arrays ? refusal_of(binding, launch) : NULL;
    if (!refusal)
        return clash_of(binding);
    binding->move.layout.kind = DL_LAYOUT_AOS;
    remark_once(kernel, binding->note, &kernel->launched.dimension_remarked, false,
                "%s; it is left as it is", refusal);
    return NULL;
}

/* True when the launch would run a rewritten kernel on nothing but arrays that stay as
 * they lie. */
static bool arrays_for_nothing(const struct dl_kernel_note *note,
                               const struct dl__binding *bindings)
{
    bool any = false;

    for (size_t b = 0; b < note->buffer_count; b++) {
        if (dl__binding_is_moved(&bindings[b]))
            return false;
        any |= note->buffers[b].arrays;
    }
    return any;
}

/* ---- grids (layout/grid.h): one a launch, for all buffers that are such ---- */

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

/* False of grids where the layout is one of structs, and of those where it is a grid's.
 */
static bool grids_may_move(const struct dl_buffer_note *note)
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
    if (!device->has_rates)
        dl__device_rates(device->id, !(device->type & CL_DEVICE_TYPE_GPU),
                         &device->rates);
    device->has_rates = true;
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

    *reason = "the grid has no layout, and its accesses do not suggest one: write `as` "
              "and the strips after it";
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
    if (*text && dl__options_get()->layout_auto)
        kernel->launched.dimension_remarked = true;
    return !*text || remark_once(kernel, open, &kernel->launched.dimension_remarked, true,
                                 "%s", text);
}

bool dl__grids_choose(const struct dl__ndrange *range, struct dl_layout *layout)
{
    struct dl_launch launch;
    bool chosen, any = false;

    for (size_t b = 0; b < range->kernel->note->buffer_count; b++)
        any |= is_grid(&range->kernel->note->buffers[b]);
    if (!any)
        return false;
    chosen = launch_begin(range, &launch) && choose(range, &launch, layout);
    launch_end(&launch);
    return chosen;
}

/* Returns the layout of a buffer of a kernel with grids in a launch on `layout`, or of
 * any kernel if that is a grid's layout. */
static DL__WITH_LOCK struct dl_layout grids_wanted(const struct dl__kernel *kernel,
                                                   size_t buffer,
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

    if (launch_begin(range, &launch))
        own = grids_wanted(range->kernel, buffer, &launch, layout);
    launch_end(&launch);
    return own;
}

/* ---- layouts of structs that a device likes ---- */

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

/* Every device has local memory for tiles of this size. */
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

        if (!leaves || note->native != DL_LAYOUT_AOS ||
            tile * (uint64_t)leaves->struct_bytes <= TILE_BYTES_SURE)
            continue;
        marshal = dl__device_marshal(kernel->object.context, device);
        tile = marshal ? dl_marshal_tile(marshal, leaves, tile) : tile;
        if (tile == 0)
            remark_once(
                kernel, note, &kernel->launched.dimension_remarked, false,
                "structs of %u bytes are too large for tiles that convert fast; the "
                "kernel runs as written; --tile sets a tile by hand%s",
                leaves->struct_bytes, order_of_brackets(note));
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
    else
        layout->tile_structs = device_tile(kernel, device);
}

/* ---- binding ---- */

enum { SMALL_STRUCTS = 32 };

/* Why this argument can't be tiled in this launch; NULL: it can. */
static DL__WITH_LOCK const char *bind_buffer(const struct dl__ndrange *range,
                                             size_t buffer, struct dl_layout layout,
                                             struct dl__binding *binding)
{
    const struct dl__kernel *kernel = range->kernel;
    const struct dl_buffer_note *note = &kernel->note->buffers[buffer];
    const struct dl__arg *arg =
        note->arg_index < kernel->arg_count ? &kernel->args[note->arg_index] : NULL;
    const char *refusal;

    binding->note = note;
    if (!arg || arg->serial == 0)
        return "the argument is not set";
    if (arg->svm)
        return "the argument is a pointer to shared virtual memory";
    if (arg->null || !arg->value.mem)
        return NULL;
    binding->mem = range->mems[note->arg_index];
    if (!binding->mem || binding->mem->object.context != range->queue->object.context)
        return "the argument is a memory object that DL does not track";
    if (binding->mem->kind == DL__SUB_BUFFER) {
        binding->part = binding->mem;
        binding->mem = binding->part->parent;
    }
    binding->move.mem = binding->mem;
    binding->move.layout = layout;
    binding->move.leaves = dl__kernel_leaves(kernel, buffer);
    binding->move.structs = binding->mem->bytes / binding->move.leaves->struct_bytes;
    /* Of a buffer smaller than one struct nothing moves. */
    if (binding->move.structs == 0 && layout.kind != DL_LAYOUT_SOA)
        binding->move.layout.kind = layout.kind = DL_LAYOUT_AOS;
    if (layout.kind == DL_LAYOUT_AOS)
        return NULL;
    refusal = dl__mem_refusal(binding->mem);
    if (refusal)
        return refusal;
    if (dl__mem_is_copied(binding->mem) && note->written)
        return binding->mem->flags & CL_MEM_READ_ONLY
                   ? "the kernel may write it, but it is CL_MEM_READ_ONLY"
                   : "the kernel may write it, but it is CL_MEM_USE_HOST_PTR";
    return binding->part && binding->part->flags & CL_MEM_READ_ONLY && note->written
               ? "the kernel may write it, but the sub-buffer is CL_MEM_READ_ONLY"
               : NULL;
}

/* Where the argument begins. False: the kernel must run as written. */
static DL__WITH_LOCK bool check_place(struct dl__kernel *kernel,
                                      struct dl__binding *binding)
{
    char reason[128];

    return part_place(binding, reason, sizeof reason) ||
           remark_once(kernel, binding->note, &kernel->launched.place_remarked, true,
                       "%s", reason);
}

/* A buffer bound twice must be wanted the same way twice. */
static const char *check_aliases(const struct dl__ndrange *range,
                                 const struct dl__binding *bindings, size_t count)
{
    for (unsigned a = 0; a < range->kernel->arg_count; a++) {
        struct dl__mem *root = dl__mem_root(range->mems[a]);
        const struct dl__binding *own = NULL;

        for (size_t b = 0; b < count; b++) {
            if (bindings[b].mem && bindings[b].note->arg_index == a)
                own = &bindings[b];
        }
        for (size_t b = 0; root && b < count; b++) {
            if (bindings[b].mem != root || own == &bindings[b])
                continue;
            if (!own)
                return "the same buffer is also passed as an argument that is left alone";
            if (!dl_leaf_table_equal(own->move.leaves, bindings[b].move.leaves))
                return "the same buffer is passed as two different struct types";
            if (own->move.layout.kind != bindings[b].move.layout.kind)
                return "the same buffer is wanted in two layouts";
        }
    }
    return NULL;
}

/* ---- the plan ---- */

bool dl__plan_may_shadow(struct dl__kernel *kernel, struct dl__queue *queue)
{
    bool rewritten = false;

    for (size_t b = 0; b < kernel->note->buffer_count; b++)
        rewritten |= kernel->note->buffers[b].native == DL_LAYOUT_AOS &&
                     grids_may_move(&kernel->note->buffers[b]);
    return rewritten && !dl__is_given_up(kernel, queue->device) &&
           !kernel->svm_indirect && !kernel->object.context->pinned &&
           dl__rewrite_is_for(kernel->rewrite, queue->device) &&
           !dl__lacks_linker(kernel, queue);
}

bool dl__plan_widths(const struct dl__ndrange *range)
{
    struct dl__kernel *kernel = range->kernel;
    struct dl_launch launch;
    bool known, any = false;

    for (size_t b = 0; b < kernel->note->buffer_count; b++)
        any |= dl__leaves_are_open(&kernel->note->buffers[b]);
    if (!any)
        return true;
    known = launch_begin(range, &launch);
    for (size_t b = 0; known && b < kernel->note->buffer_count; b++)
        known = width_set(range, b, &launch);
    launch_end(&launch);
    return known;
}

/* True when each buffer is one tile of all its structs, from its first byte to its last.
 */
static DL__WITH_LOCK bool are_plain(const struct dl__binding *bindings, size_t count)
{
    for (size_t b = 0; b < count; b++)
        if (bindings[b].mem &&
            (bindings[b].part ||
             bindings[b].mem->bytes % bindings[b].move.leaves->struct_bytes))
            return false;
    return true;
}

/* True of parameters and the like, which are not worth what a layout takes. */
static bool are_small(const struct dl__binding *bindings, size_t count,
                      const struct dl_layout *layout)
{
    uint64_t tile = layout->kind == DL_LAYOUT_ASTA ? layout->tile_structs : SMALL_STRUCTS;

    for (size_t b = 0; b < count; b++)
        if (bindings[b].mem && bindings[b].move.structs >= tile)
            return false;
    return true;
}

/* Returns what a buffer is to be in where the launch is on `layout`. */
static DL__WITH_LOCK struct dl_layout layout_of_buffer(const struct dl__kernel *kernel,
                                                       size_t buffer,
                                                       const struct dl_launch *launch,
                                                       const struct dl_layout *layout)
{
    struct dl_layout own = *layout;

    if (layout->kind == DL_LAYOUT_GRID || kernel->note->buffers[buffer].extent_count)
        return grids_wanted(kernel, buffer, launch, layout);
    if (kernel->note->buffers[buffer].arrays && own.kind != DL_LAYOUT_ASTA)
        own.kind = DL_LAYOUT_AOS;
    return own;
}

/* Binds each buffer as the plan needs it. False: as dl__plan_prepare. */
static DL__WITH_LOCK bool bind_buffers(const struct dl__ndrange *range,
                                       const struct dl_launch *launch,
                                       const struct dl_layout *layout,
                                       struct dl__plan *plan)
{
    static const struct dl_layout soa = {.kind = DL_LAYOUT_SOA};
    struct dl__kernel *kernel = range->kernel;
    const struct dl_kernel_note *note = kernel->note;
    struct dl__binding *bindings = plan->bindings;

    for (size_t b = 0; b < note->buffer_count; b++) {
        bool discrete = note->buffers[b].native == DL_LAYOUT_SOA;
        struct dl_layout wanted;

        plan->culprit = &note->buffers[b];
        bindings[b].note = plan->culprit;
        if (!discrete && !layout)
            continue;
        if (!width_set(range, b, launch))
            return false;
        wanted = discrete ? soa : layout_of_buffer(kernel, b, launch, layout);
        plan->reason = bind_buffer(range, b, wanted, &bindings[b]);
        if (!plan->reason)
            plan->reason = bytes_refusal(plan->culprit, launch);
        if (!plan->reason)
            plan->reason = arrays_settle(kernel, launch, &bindings[b]);
        if (plan->reason)
            return false;
        if (!bindings[b].mem)
            continue;
        if (!check_place(kernel, &bindings[b]) ||
            !dimension_check(kernel, &bindings[b], launch))
            return false;
        if (!discrete &&
            dl_annotate_needs_index_64(bindings[b].move.leaves, bindings[b].mem->bytes))
            plan->knobs.index_64 = true;
    }
    if (layout && layout->kind == DL_LAYOUT_SOA)
        plan->knobs.arrays = are_plain(bindings, note->buffer_count);
    plan->culprit = &note->buffers[0];
    if (layout && layout->kind != DL_LAYOUT_AOS && arrays_for_nothing(note, bindings)) {
        plan->reason =
            "discrete arrays of its own go to tiles, where they fill the buffer";
        plan->is_known = true;
        return false;
    }
    if (layout && note->detected && are_small(bindings, note->buffer_count, layout)) {
        plan->reason = dl__why_text(DL__WHY_SMALL);
        return false;
    }
    plan->reason = check_aliases(range, bindings, note->buffer_count);
    return !plan->reason;
}

/* True while a compiler would have to be waited for: where DL chooses the layout itself,
 * nobody does. Everything is asked for at once. */
static DL__WITH_LOCK bool is_building(struct dl__kernel *kernel, struct dl__queue *queue,
                                      struct dl__plan *plan)
{
    bool ready;

    /* Tests must not hang on how far a compiler is. */
    if (!dl__options_get()->layout_auto || dl__options_get()->policy_test)
        return false;
    ready = dl__shadow_ask(kernel, queue->device, &plan->knobs) == DL__READY;
    for (size_t b = 0; b < kernel->note->buffer_count && !plan->by_host; b++)
        if (dl__binding_is_moved(&plan->bindings[b]))
            ready = dl__move_ask(&plan->bindings[b].move, queue) == DL__READY && ready;
    return !ready;
}

bool dl__plan_prepare(const struct dl__ndrange *range, const struct dl_layout *layout,
                      struct dl__plan *plan)
{
    struct dl__queue *queue = range->queue;
    struct dl__kernel *kernel = range->kernel;
    const struct dl_kernel_note *note = kernel->note;
    struct dl__binding *bindings = plan->bindings;
    struct dl_launch launch;
    bool ready = false;

    plan->culprit = &note->buffers[0];
    plan->reason = dl__cancel_possible(kernel->object.context) ? dl__cancel_reason : NULL;
    if (plan->reason)
        return false;
    memset(bindings, 0, note->buffer_count * sizeof *bindings);
    if (layout) {
        memset(&plan->knobs, 0, sizeof plan->knobs);
        dl_layout_knobs(layout, &plan->knobs.layout);
    }
    if (!launch_begin(range, &launch))
        goto out;
    if (layout && has_far_ids(&launch))
        plan->reason = "the launch has ids beyond 2^40";
    if (plan->reason || !bind_buffers(range, &launch, layout, plan))
        goto out;
    if (range->known)
        range->known->rows_made = kernel->launched.rows_made;
    plan->building = layout && is_building(kernel, queue, plan);
    if (plan->building) {
        dl__choice_building(range);
        goto out;
    }
    if (layout) {
        plan->shadow = dl__shadow_kernel_get(kernel, queue, range->mems, &plan->knobs,
                                             &plan->reason);
        if (!plan->shadow) {
            dl__give_up_on(kernel, queue->device);
            goto out;
        }
        plan->handle = plan->shadow->handle;
    }
    for (size_t b = 0; b < note->buffer_count; b++) {
        plan->culprit = &note->buffers[b];
        /* Discrete arrays that a kernel demands are waited for under any layout. */
        if (dl__binding_is_moved(&bindings[b]) &&
            (!layout || !dl__options_get()->layout_auto) &&
            !dl__move_wait(&bindings[b].move, queue, &plan->reason))
            goto out;
        if (dl__binding_is_moved(&bindings[b]) && !plan->on_copies &&
            (!dl__move_prepare(&bindings[b].move, queue, &plan->reason) ||
             !part_prepare(&bindings[b], &plan->reason)))
            goto out;
    }
    ready = true;
out:
    launch_end(&launch);
    return ready;
}

/* ---- the hidden arguments of rewritten kernels ---- */

/* The next of the hidden numbers, where it is another than at the last launch. */
static cl_int set_hidden_arg(const struct dl__kernel *kernel, const struct dl__plan *plan,
                             unsigned hidden, uint64_t value)
{
    struct dl__shadow_kernel *shadow = plan->shadow;
    cl_uint index = kernel->note->arg_count + hidden;
    cl_ulong wide = value;
    cl_uint narrow = (cl_uint)value;
    cl_int err;

    if (hidden < shadow->hidden_count && shadow->hidden[hidden] == value)
        return CL_SUCCESS;
    err = plan->knobs.index_64
              ? dl__next.clSetKernelArg(plan->handle, index, sizeof wide, &wide)
              : dl__next.clSetKernelArg(plan->handle, index, sizeof narrow, &narrow);
    if (err != CL_SUCCESS) {
        shadow->hidden_count = 0;
        return err;
    }
    shadow->hidden[hidden] = value;
    if (shadow->hidden_count == hidden)
        shadow->hidden_count++;
    return CL_SUCCESS;
}

cl_int dl__hidden_args_set(const struct dl__kernel *kernel, const struct dl__plan *plan)
{
    unsigned hidden = 0;
    cl_int err = CL_SUCCESS;

    for (size_t b = 0; b < kernel->note->buffer_count && err == CL_SUCCESS; b++) {
        const struct dl__binding *binding = &plan->bindings[b];
        struct dl_tiling tiling = {0};

        if (binding->note->native == DL_LAYOUT_SOA)
            continue;
        if (binding->mem)
            dl_layout_tile(binding->move.layout, binding->move.structs, &tiling);
        /* Whole tiles from where a sub-buffer begins, also those behind its end: its last
         * struct may lie in the middle of one. */
        uint64_t values[] = {tiling.head_structs - binding->first_struct,
                             tiling.tail_structs};

        /* Of what stays as it is no struct is in a tile. */
        if (binding->mem && !dl__binding_is_moved(binding))
            values[0] = values[1] = 0;
        if (binding->note->arrays) { /* not in tiles: no head (annotate.h) */
            values[0] = dl__binding_is_moved(binding) ? tiling.head_structs : 0;
            values[1] = binding->mem ? binding->move.leaves->leaf_count : 0;
        }
        for (size_t v = 0; v < 2 && err == CL_SUCCESS; v++)
            err = set_hidden_arg(kernel, plan, hidden++, values[v]);
    }
    return err;
}
