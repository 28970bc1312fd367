/* SPDX-License-Identifier: MIT */
/* Buffers brought back without a kernel. */
#include "at_host.h"

#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"

struct way_back {
    struct dl_tiling from, to;
    uint64_t bytes; /* of whole structs */
    uint32_t struct_bytes, leaf_count;
    struct dl_leaf *leaves;
    unsigned char *tiles; /* room for what the buffer holds */
};

/* What the driver copies, and puts the buffer's address into. */
struct arguments {
    struct way_back *way;
    void *buffer;
};

static void CL_CALLBACK go_back(void *user)
{
    const struct arguments *arguments = user;
    struct way_back *way = arguments->way;
    unsigned char *buffer = arguments->buffer;

    memcpy(way->tiles, buffer, way->bytes);
    for (uint32_t l = 0; l < way->leaf_count; l++)
        for (uint64_t i = 0; i < way->bytes / way->struct_bytes; i++)
            memcpy(buffer + dl_tiling_leaf_byte(&way->to, way->struct_bytes,
                                                way->leaves[l], i),
                   way->tiles + dl_tiling_leaf_byte(&way->from, way->struct_bytes,
                                                    way->leaves[l], i),
                   way->leaves[l].width_bytes);
    free(way);
}

bool dl__device_lacks_linker(const struct dl__device *device)
{
    return device && device->type & CL_DEVICE_TYPE_CPU && dl__linker_is_lost();
}

cl_int dl__mem_back_at_host(struct dl__mem *mem, struct dl__queue *queue,
                            cl_uint wait_count, const cl_event *wait, cl_event *done)
{
    const struct dl_leaf_table *leaves = &mem->residence.leaves;
    const struct dl_layout to = {.kind = leaves->arrays ? DL_LAYOUT_SOA : DL_LAYOUT_AOS};
    uint64_t structs = mem->bytes / leaves->struct_bytes;
    uint64_t bytes = structs * leaves->struct_bytes;
    size_t leaf_bytes = leaves->leaf_count * sizeof *leaves->leaves;
    struct way_back *way = malloc(sizeof *way + leaf_bytes + bytes);
    struct arguments arguments = {.way = way};
    const void *place = &arguments.buffer;
    cl_mem handle = mem->object.handle;
    cl_int err;

    if (!way)
        return CL_OUT_OF_HOST_MEMORY;
    *way = (struct way_back){.bytes = bytes,
                             .struct_bytes = leaves->struct_bytes,
                             .leaf_count = leaves->leaf_count,
                             .leaves = (struct dl_leaf *)(way + 1)};
    way->tiles = (unsigned char *)(way->leaves + leaves->leaf_count);
    memcpy(way->leaves, leaves->leaves, leaf_bytes);
    err = dl_layout_tile(mem->residence.layout, structs, &way->from) == DL_OK &&
                  dl_layout_tile(to, structs, &way->to) == DL_OK
              ? dl__next.clEnqueueNativeKernel(queue->object.handle, go_back, &arguments,
                                               sizeof arguments, 1, &handle, &place,
                                               wait_count, wait, done)
              : CL_OUT_OF_RESOURCES;
    if (err != CL_SUCCESS)
        free(way);
    return err;
}
