/* SPDX-License-Identifier: MIT */
/* Exploring a part of a launch. */
#include "slice.h"

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/state/contexts.h"
#include "arrays.h"

/* Of buffers that are longer than this, one part in so many; of so many work-items at least, which are also what is compared. */
#define SLICED_BYTES (32ull << 20)
enum { PARTS = 64, LEAST_ITEMS = 8192 };

/* True where each work-item accesses the struct of its own number, or one that stands as far from it for all, without a loop. */
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

/* True when all memory that it writes is structs that follow its items, by whole buffers. */
static DL__WITH_LOCK bool has_slices(const struct dl__kernel *kernel,
                                     struct dl__mem *const *mems)
{
    const struct dl_kernel_note *note = kernel->note;
    bool has = true;

    for (size_t b = 0; b < note->buffer_count && has; b++)
        has = follows_items(&note->buffers[b]) &&
              note->buffers[b].arg_index < kernel->arg_count;
    for (unsigned i = 0; i < kernel->arg_count && has; i++)
        has = !mems[i] ||
              (!mems[i]->parent && dl__slice_bytes(kernel, mems, mems[i], 1) > 0);
    return has;
}

uint64_t dl__slice_bytes(const struct dl__kernel *kernel, struct dl__mem *const *mems,
                         const struct dl__mem *mem, size_t items)
{
    uint64_t struct_bytes = 0;

    for (size_t b = 0; b < kernel->note->buffer_count; b++) {
        uint64_t bytes = dl__kernel_leaves(kernel, b)->struct_bytes;

        if (mems[kernel->note->buffers[b].arg_index] != mem)
            continue;
        if (struct_bytes > 0 && bytes != struct_bytes)
            return 0;
        struct_bytes = bytes;
    }
    return struct_bytes * items <= mem->bytes ? struct_bytes * items : 0;
}

size_t dl__slice_items(struct dl__kernel *kernel, const struct dl__queue *queue,
                       const struct dl__ndrange *range)
{
    const struct dl__device *device =
        dl__context_device(queue->object.context, queue->device);
    uint64_t bytes = 0;
    size_t items, group;

    /* Nobody but its author answers for what the others of its work-items do. */
    if (kernel->note->detected || kernel->note->tells || kernel->launched.whole ||
        dl__options_get()->policy_test || !device || !device->unified ||
        range->work_dim != 1 || !range->global || !range->local || range->local[0] == 0 ||
        (range->offset && range->offset[0]) || !has_slices(kernel, range->mems))
        return 0;
    group = range->local[0];
    items =
        range->global[0] / PARTS > LEAST_ITEMS ? range->global[0] / PARTS : LEAST_ITEMS;
    items = (items + group - 1) / group * group;
    for (unsigned i = 0; i < kernel->arg_count; i++) {
        if (range->mems[i] &&
            dl__slice_bytes(kernel, range->mems, range->mems[i], items) == 0)
            return 0;
        bytes += range->mems[i] ? range->mems[i]->bytes : 0;
    }
    return bytes >= SLICED_BYTES && items <= range->global[0] / 4 ? items : 0;
}

static DL__WITH_LOCK cl_int convert_one(struct dl__copies *copies,
                                        const struct dl__copied *copied,
                                        const struct dl__move *move, bool there)
{
    const struct dl_part_box box = {
        .width_bytes = copied->bytes, .height = 1, .depth = 1};
    cl_command_queue queue = copies->own.object.handle;
    cl_event done = NULL;
    const struct dl_part *part;
    cl_int err = CL_OUT_OF_RESOURCES;

    if (dl_marshal_part_prepare(copies->marshal, move->leaves, copied->mem->bytes,
                                move->layout, &box, &part) == DL_OK &&
        dl_marshal_part_enqueue(
            copies->marshal, queue, part, there ? DL_PART_SCATTER : DL_PART_GATHER,
            copied->of[DL__WORK], &box, copied->of[there ? DL__BEFORE : DL__RAN], 0, NULL,
            &done) == DL_OK)
        err = dl__copies_wait(&copies->own, done);
    if (done)
        dl__next.clReleaseEvent(done);
    if (err != CL_SUCCESS || there)
        return err;
    done = NULL;
    err = dl__next.clEnqueueCopyBuffer(queue, copied->of[DL__RAN], copied->of[DL__WORK],
                                       0, 0, copied->bytes, 0, NULL, &done);
    if (err == CL_SUCCESS)
        err = dl__copies_wait(&copies->own, done);
    if (done)
        dl__next.clReleaseEvent(done);
    return err;
}

cl_int dl__slice_convert(struct dl__copies *copies, const struct dl__plan *plan,
                         bool there)
{
    cl_uint before = dl__context_count_begin(copies->queue->object.context);
    cl_int err = CL_SUCCESS;

    for (size_t i = 0; i < copies->count && err == CL_SUCCESS; i++)
        for (size_t b = 0; b < copies->kernel->note->buffer_count; b++)
            if (plan->bindings[b].mem == copies->list[i].mem &&
                dl__binding_is_moved(&plan->bindings[b])) {
                err =
                    convert_one(copies, &copies->list[i], &plan->bindings[b].move, there);
                break;
            }
    dl__context_count_end(copies->queue->object.context, before);
    return err;
}
