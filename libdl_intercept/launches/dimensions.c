/* SPDX-License-Identifier: MIT */
/* What an annotated buffer is in one launch: whether its dimension fits, how wide its
 * rows are, what its discrete arrays are, and where a sub-buffer begins. */
#include "dimensions.h"

#include <stdio.h>
#include <stdlib.h>

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/state/contexts.h"

static enum dl_status arrays_make(const struct dl_buffer_note *note,
                                  const struct dl_launch *launch,
                                  const struct dl__mem *mem,
                                  struct dl_leaf_table *leaves);

/* Rewritten text takes it that no id is larger: a product of one by a width doesn't wrap.
 */
#define ID_MAX ((uint64_t)1 << 40)

bool dl__launch_begin(const struct dl__ndrange *range, struct dl_launch *launch)
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

void dl__launch_end(struct dl_launch *launch)
{
    free((void *)launch->args);
}

bool dl__has_far_ids(const struct dl_launch *launch)
{
    for (unsigned d = 0; d < 3; d++)
        if (launch->global_offset[d] > ID_MAX ||
            launch->global_size[d] > ID_MAX - launch->global_offset[d])
            return true;
    return false;
}

const char *dl__bytes_refusal(const struct dl_buffer_note *note,
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

bool dl__dimension_check(struct dl__kernel *kernel, const struct dl__binding *binding,
                         const struct dl_launch *launch)
{
    const struct dl_buffer_note *note = binding->note;
    const char *reason = NULL;
    bool exact = note->native == DL_LAYOUT_SOA;
    const char *end = exact ? "" : "; the kernel runs as written";
    char text[200];
    int64_t structs;

    if (!note->structs || note->arrays)
        return true;
    if (dl_dimension_eval(note->structs, launch, &structs, &reason) != DL_OK) {
        snprintf(text, sizeof text, "the dimension can't be evaluated: %s%s",
                 reason ? reason : "an error", end);
    } else if (structs <= 0) {
        snprintf(text, sizeof text, "the dimension evaluates to %lld%s",
                 (long long)structs, end);
    } else if (exact && (uint64_t)structs != binding->structs) {
        /* The arrays would stand at other places than the kernel looks at. */
        snprintf(
            text, sizeof text,
            "the dimension evaluates to %lld, the buffer holds %llu structs: discrete "
            "arrays must fill it",
            (long long)structs, (unsigned long long)binding->structs);
    } else {
        if ((uint64_t)structs > binding->structs && !kernel->launched.clamp_remarked) {
            kernel->launched.clamp_remarked = true;
            snprintf(
                text, sizeof text,
                "the dimension evaluates to %lld, the buffer holds %llu structs; clamped",
                (long long)structs, (unsigned long long)binding->structs);
            dl__plan_remark(kernel, note, text);
        }
        return true;
    }
    if (!kernel->launched.dimension_remarked)
        dl__plan_remark(kernel, note, text);
    kernel->launched.dimension_remarked = true;
    return false;
}

bool dl__width_set(const struct dl__ndrange *range, size_t buffer,
                   const struct dl_launch *launch)
{
    struct dl__kernel *kernel = range->kernel;
    const struct dl_buffer_note *note = &kernel->note->buffers[buffer];
    struct dl_leaf_table made;
    const char *reason = NULL;
    const char *end = note->native == DL_LAYOUT_SOA ? "" : "; the kernel runs as written";
    char text[200];
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
    if (dl_dimension_eval(note->width, launch, &width, &reason) != DL_OK) {
        snprintf(text, sizeof text, "the width can't be evaluated: %s%s",
                 reason ? reason : "an error", end);
    } else if (width > 0 && width == kernel->launched.rows[buffer].leaf_count) {
        return true;
    } else if (dl_flat_leaves_make(note, width, &made) == DL_OK) {
        dl_leaf_table_free(&kernel->launched.rows[buffer]);
        kernel->launched.rows[buffer] = made;
        kernel->launched.rows_made++;
        return true;
    } else {
        snprintf(text, sizeof text, "the width evaluates to %lld, not from 1 to %d%s",
                 (long long)width, DL_FLAT_WIDTH_MAX, end);
    }
    if (!kernel->launched.dimension_remarked)
        dl__plan_remark(kernel, note, text);
    kernel->launched.dimension_remarked = true;
    return false;
}

/* Where sub-buffers begin in the layout of their buffer, and what kernels are given for
 * them. */

/* What is kept with a sub-buffer: its part of the buffer's tiled copy. */
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

bool dl__part_place(struct dl__binding *binding, char *text, size_t room)
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

bool dl__part_prepare(struct dl__binding *binding, const char **reason)
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
    if (binding->note->arrays && residence->host_wants)
        return "the host wants it in a layout of its own";
    if (binding->note->arrays)
        residence->as_arrays = true;
    else
        residence->as_structs = true;
    return NULL;
}

const char *dl__arrays_settle(struct dl__kernel *kernel, const struct dl_launch *launch,
                              struct dl__binding *binding)
{
    const char *refusal;
    char text[160];

    if (!dl__binding_is_moved(binding))
        return NULL;
    refusal = binding->note->arrays ? refusal_of(binding, launch) : NULL;
    if (!refusal)
        return clash_of(binding);
    binding->move.layout.kind = DL_LAYOUT_AOS;
    snprintf(text, sizeof text, "%s; it is left as it is", refusal);
    if (!kernel->launched.dimension_remarked)
        dl__plan_remark(kernel, binding->note, text);
    kernel->launched.dimension_remarked = true;
    return NULL;
}

bool dl__arrays_for_nothing(const struct dl_kernel_note *note,
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
