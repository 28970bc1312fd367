/* SPDX-License-Identifier: MIT */
/* Exploring a part of a launch. */
#include "slice.h"

#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/state/contexts.h"
#include "arrays.h"

/* Of buffers that are longer than this, one part in so many; of so many work-items at
 * least, which are also what is compared. */
#define SLICED_BYTES (32ull << 20)
enum { PARTS = 64, LEAST_ITEMS = 8192 };
/* Of numbers of groups, one of which has no divisor that the driver would rather choose;
 * the next prime is not far. */
enum { GROUPS_TRIED = 32 };

/* True where each work-item accesses the struct of its own number, or one that stands as
 * far from it for all, without a loop. */
static bool follows_items(const struct dl_buffer_note *note)
{
    bool follows = note->facts && !note->arrays && note->extent_count == 0 &&
                   !dl__leaves_are_open(note) && note->native == DL_LAYOUT_AOS;

    for (size_t f = 0; f < note->fact_count && follows; f++)
        follows = note->facts[f].form == DL_ACCESS_LINEAR && note->facts[f].step == 1 &&
                  note->facts[f].loops == 0 && !note->facts[f].walks &&
                  !note->facts[f].atomic;
    return follows;
}

/* True when all memory that it writes is structs that follow its items, by whole buffers.
 */
static DL__WITH_LOCK bool has_slices(const struct dl__kernel *kernel,
                                     struct dl__mem *const *mems)
{
    bool has = true;

    for (unsigned i = 0; i < kernel->arg_count && has; i++)
        has = !mems[i] ||
              (!mems[i]->parent && dl__slice_bytes(kernel, mems, mems[i], 1) > 0);
    return has;
}

/* What the argument is to the kernel; NULL: nothing that DL converts. */
static DL__WITH_LOCK const struct dl_buffer_note *
note_of(const struct dl__kernel *kernel, unsigned arg, uint64_t *struct_bytes)
{
    const struct dl_kernel_note *note = kernel->note;

    for (size_t b = 0; b < note->buffer_count; b++)
        if (note->buffers[b].arg_index == arg) {
            *struct_bytes = dl__kernel_leaves(kernel, b)->struct_bytes;
            return &note->buffers[b];
        }
    return NULL;
}

uint64_t dl__slice_bytes(const struct dl__kernel *kernel, struct dl__mem *const *mems,
                         const struct dl__mem *mem, size_t items)
{
    uint64_t struct_bytes = 0;
    bool written = false, follows = true;

    for (unsigned i = 0; i < kernel->arg_count; i++) {
        const struct dl_buffer_note *note;
        uint64_t bytes = 0;

        if (mems[i] != mem)
            continue;
        note = note_of(kernel, i, &bytes);
        written |= dl__arg_is_written(kernel, i);
        follows = follows && note && follows_items(note) &&
                  (struct_bytes == 0 || bytes == struct_bytes);
        struct_bytes = bytes;
    }
    if (!follows)
        return written ? 0 : mem->bytes;
    return struct_bytes * items <= mem->bytes ? struct_bytes * items : 0;
}

static size_t largest_divisor(size_t number, size_t most)
{
    size_t divisor = most < number ? most : number;

    while (divisor > 1 && number % divisor != 0)
        divisor--;
    return divisor;
}

/* The group size that the text asks for, or else the largest that the driver can choose.
 */
static size_t driver_group(const struct dl__kernel *kernel, cl_device_id device,
                           size_t items)
{
    size_t asked[3] = {0}, group = 0;

    if (dl__next.clGetKernelWorkGroupInfo(kernel->object.handle, device,
                                          CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof asked,
                                          asked, NULL) != CL_SUCCESS ||
        dl__next.clGetKernelWorkGroupInfo(kernel->object.handle, device,
                                          CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group,
                                          NULL) != CL_SUCCESS)
        return 0;
    return asked[0] ? asked[0] : largest_divisor(items, group);
}

/* So many work-items or more, of whole groups. Where the driver chooses the group's size,
 * from what divides the items, they are so many that it chooses as for all: another size
 * would be compiled anew, and for the slice alone. 0: there are none. */
static size_t whole_groups(const struct dl__kernel *kernel, cl_device_id device,
                           const struct dl__ndrange *range, size_t items)
{
    size_t group =
        range->local ? range->local[0] : driver_group(kernel, device, range->global[0]);

    if (group == 0)
        return 0;
    items = (items + group - 1) / group * group;
    for (int i = 0; i < GROUPS_TRIED && !range->local; i++, items += group)
        if (driver_group(kernel, device, items) == group)
            return items;
    return range->local ? items : 0;
}

size_t dl__slice_items(struct dl__kernel *kernel, const struct dl__queue *queue,
                       const struct dl__ndrange *range)
{
    const struct dl__device *device =
        dl__context_device(queue->object.context, queue->device);
    uint64_t bytes = 0;
    size_t items;

    for (unsigned i = 0; i < kernel->arg_count; i++)
        bytes += range->mems[i] ? range->mems[i]->bytes : 0;
    if (bytes < SLICED_BYTES || kernel->launched.whole ||
        dl__options_get()->policy_test || !device || !device->unified ||
        range->work_dim != 1 || !range->global ||
        (range->local && range->local[0] == 0) || (range->offset && range->offset[0]) ||
        !has_slices(kernel, range->mems))
        return 0;
    items =
        range->global[0] / PARTS > LEAST_ITEMS ? range->global[0] / PARTS : LEAST_ITEMS;
    items = whole_groups(kernel, device->id, range, items);
    for (unsigned i = 0; i < kernel->arg_count; i++)
        if (range->mems[i] &&
            dl__slice_bytes(kernel, range->mems, range->mems[i], items) == 0)
            return 0;
    return items <= range->global[0] / 4 ? items : 0;
}

/* ---- on the host, where a kernel for it would be compiled ---- */

/* The copies lie where the host reaches them. NULL: they can't be mapped. */
static DL__WITH_LOCK unsigned char *map(const struct dl__copies *copies, cl_mem mem,
                                        uint64_t bytes)
{
    cl_int err;
    void *at = dl__next.clEnqueueMapBuffer(copies->own.object.handle, mem, CL_TRUE,
                                           CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL,
                                           NULL, &err);

    return err == CL_SUCCESS ? at : NULL;
}

static DL__WITH_LOCK cl_int unmap(const struct dl__copies *copies, cl_mem mem, void *at)
{
    cl_int err = at ? dl__next.clEnqueueUnmapMemObject(copies->own.object.handle, mem, at,
                                                       0, NULL, NULL)
                    : CL_SUCCESS;

    return err == CL_SUCCESS ? dl__next.clFinish(copies->own.object.handle) : err;
}

/* Moves what the slice has of the buffer from one tiling to another. */
static void move(const struct dl_leaf_table *leaves, uint64_t structs,
                 const struct dl_tiling *from_tiling, const unsigned char *from,
                 const struct dl_tiling *to_tiling, unsigned char *to)
{
    for (uint32_t l = 0; l < leaves->leaf_count; l++)
        for (uint64_t i = 0; i < structs; i++)
            memcpy(to + dl_tiling_leaf_byte(to_tiling, leaves->struct_bytes,
                                            leaves->leaves[l], i),
                   from + dl_tiling_leaf_byte(from_tiling, leaves->struct_bytes,
                                              leaves->leaves[l], i),
                   leaves->leaves[l].width_bytes);
}

static DL__WITH_LOCK cl_int convert_one(struct dl__copies *copies,
                                        const struct dl__copied *copied,
                                        const struct dl__move *moved, bool there)
{
    const struct dl_leaf_table *leaves = moved->leaves;
    const struct dl_layout own = {.kind = leaves->arrays ? DL_LAYOUT_SOA : DL_LAYOUT_AOS};
    uint64_t bytes = copied->mem->bytes, structs = copied->bytes / leaves->struct_bytes;
    cl_mem handle = copied->of[DL__WORK];
    struct dl_tiling tiling, own_tiling;
    unsigned char *slice = malloc(copied->bytes + 1), *work = NULL;
    cl_int err = CL_OUT_OF_RESOURCES;

    if (slice && moved->layout.kind != DL_LAYOUT_GRID &&
        dl_layout_tile(moved->layout, moved->structs, &tiling) == DL_OK &&
        dl_layout_tile(own, moved->structs, &own_tiling) == DL_OK)
        work = map(copies, handle, bytes);
    if (work) {
        /* The slice lies at the begin of WORK in the program's layout. */
        memcpy(slice, work, copied->bytes);
        if (there)
            move(leaves, structs, &own_tiling, slice, &tiling, work);
        else
            move(leaves, structs, &tiling, work, &own_tiling, slice);
        if (!there)
            memcpy(work, slice, copied->bytes);
        err = unmap(copies, handle, work);
    }
    free(slice);
    return err;
}

cl_int dl__slice_convert(struct dl__copies *copies, const struct dl__plan *plan,
                         bool there, bool again)
{
    cl_uint before = dl__context_count_begin(copies->queue->object.context);
    cl_int err = CL_SUCCESS;

    for (size_t i = 0; i < copies->count && err == CL_SUCCESS; i++)
        for (size_t b = 0; b < copies->kernel->note->buffer_count; b++)
            if (plan->bindings[b].mem == copies->list[i].mem &&
                dl__binding_is_moved(&plan->bindings[b]) &&
                ((there && !again) || copies->list[i].written)) {
                err =
                    convert_one(copies, &copies->list[i], &plan->bindings[b].move, there);
                break;
            }
    dl__context_count_end(copies->queue->object.context, before);
    return err;
}

bool dl__slice_compare(const struct dl__copies *copies, const struct dl__copied *copied,
                       cl_mem other, bool *differ)
{
    cl_uint before = dl__context_count_begin(copies->queue->object.context);
    unsigned char *slice = malloc(copied->bytes + 1), *work = NULL;
    bool known = false;

    if (slice &&
        dl__next.clEnqueueReadBuffer(copies->own.object.handle, other, CL_TRUE, 0,
                                     copied->bytes, slice, 0, NULL, NULL) == CL_SUCCESS)
        work = map(copies, copied->of[DL__WORK], copied->bytes);
    if (work) {
        *differ = memcmp(slice, work, copied->bytes) != 0;
        known = unmap(copies, copied->of[DL__WORK], work) == CL_SUCCESS;
    }
    free(slice);
    dl__context_count_end(copies->queue->object.context, before);
    return known;
}
