/* SPDX-License-Identifier: MIT */
/* Where sub-buffers begin in the layout of their buffer, and what kernels are given for
 * them. */
#include "part.h"

#include <stdio.h>

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/state/contexts.h"

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
