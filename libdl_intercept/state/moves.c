/* SPDX-License-Identifier: MIT */
/* Moves of buffers into layouts, and the copies of DL's own that some need. */
#include "moves.h"

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/trace/trace.h"
#include "contexts.h"

bool dl__mem_is_there(const struct dl__mem *mem, struct dl_layout layout,
                      const struct dl_leaf_table *leaves)
{
    return dl__mem_is_tiled(mem) && dl_layout_equal(&mem->residence.layout, &layout) &&
           dl_leaf_table_equal(&mem->residence.leaves, leaves);
}

uint64_t dl__copies_cap_bytes(const struct dl__device *device)
{
    const struct dl__options *options = dl__options_get();

    if (options->memory_cap_percent == 0)
        return options->memory_cap_bytes;
    return device->global_bytes / 100 * options->memory_cap_percent;
}

static DL__WITH_LOCK bool prepare_copy(struct dl__move *move, const char **reason)
{
    struct dl__mem *mem = move->mem;
    struct dl__context *context = mem->object.context;
    cl_uint before;
    cl_int err;

    if (mem->residence.copy)
        return true;
    if (context->copies_bytes + mem->bytes > dl__copies_cap_bytes(move->device)) {
        *reason = "DL must not write it, and a tiled copy would exceed --memory-cap";
        return false;
    }
    before = dl__context_count_begin(context);
    mem->residence.copy = dl__next.clCreateBuffer(
        context->object.handle, CL_MEM_READ_WRITE, mem->bytes, NULL, &err);
    dl__context_count_end(context, before);
    if (err != CL_SUCCESS) {
        mem->residence.copy = NULL;
        *reason = "DL must not write it, and there is no memory for a tiled copy";
        return false;
    }
    context->copies_bytes += mem->bytes;
    dl__stats_copy(mem->bytes);
    return true;
}

/* Where host and device share memory, programs write through the host pointer without
 * telling anybody, and it works: a copy is good for one launch. */
static bool host_may_have_written(const struct dl__mem *mem,
                                  const struct dl__device *device)
{
    return (mem->flags & CL_MEM_USE_HOST_PTR) && device && device->unified;
}

bool dl__move_prepare(struct dl__move *move, struct dl__queue *queue, const char **reason)
{
    struct dl__context *context = move->mem->object.context;
    const struct dl_layout aos = {.kind = DL_LAYOUT_AOS};
    struct dl_marshal *marshal;
    enum dl_status status;
    uint64_t start_ns;
    cl_uint before;

    move->device = dl__context_device(context, queue->device);
    move->needed = !dl__mem_is_there(move->mem, move->layout, move->leaves) ||
                   host_may_have_written(move->mem, move->device);
    if (!move->needed)
        return true;
    marshal = move->device ? dl__device_marshal(context, move->device) : NULL;
    if (!marshal) {
        *reason = "this device can't convert layouts";
        return false;
    }
    start_ns = dl__trace_now();
    before = dl__context_count_begin(context);
    status = dl_marshal_prepare(marshal, move->leaves, move->structs, aos, move->layout,
                                &move->there);
    if (status == DL_OK)
        status = dl_marshal_prepare(marshal, move->leaves, move->structs, move->layout,
                                    aos, &move->back);
    dl__context_count_end(context, before);
    dl__trace_build("kernels of a conversion", start_ns);
    if (status != DL_OK) {
        *reason = dl_status_text(status);
        return false;
    }
    /* Others take no more than a fixed bound. */
    if (move->layout.kind == DL_LAYOUT_GRID &&
        context->copies_bytes + dl_conversion_workspace_bytes(move->there) >
            dl__copies_cap_bytes(move->device)) {
        *reason = "the workspace of its conversion would exceed --memory-cap";
        return false;
    }
    return !dl__mem_is_copied(move->mem) || prepare_copy(move, reason);
}

static DL__WITH_LOCK cl_int refresh_copy(struct dl__mem *mem, struct dl__queue *queue)
{
    struct dl__wait wait;
    cl_event done = NULL;
    cl_int err = CL_OUT_OF_HOST_MEMORY;

    dl__wait_begin(&wait, 0, NULL);
    dl__mem_wait_for_users(mem, queue, &wait);
    if (dl__wait_error(&wait) == CL_SUCCESS)
        err = dl__next.clEnqueueCopyBuffer(queue->object.handle, mem->object.handle,
                                           mem->residence.copy, 0, 0, mem->bytes,
                                           wait.count, wait.list,
                                           dl__queue_needs_events(queue) ? &done : NULL);
    dl__wait_end(&wait);
    if (err != CL_SUCCESS)
        return err;
    dl__mem_converted(mem, queue, done);
    return CL_SUCCESS;
}

static DL__WITH_LOCK void set_layout(struct dl__mem *mem, struct dl_layout layout)
{
    if (!dl__mem_is_tiled(mem)) {
        mem->residence.next_tiled = mem->object.context->tiled;
        mem->object.context->tiled = mem;
    }
    mem->residence.layout = layout;
    mem->residence.changes++;
}

static DL__WITH_LOCK void set_tiled(struct dl__mem *mem, const struct dl__move *move,
                                    struct dl_leaf_table *leaves)
{
    set_layout(mem, move->layout);
    dl_leaf_table_free(&mem->residence.leaves);
    mem->residence.leaves = *leaves;
    mem->residence.back = move->back;
    mem->residence.device = move->device;
}

/* Has the buffer that a conversion begins with in the program's layout. */
static DL__WITH_LOCK cl_int make_way(struct dl__mem *mem, struct dl__queue *queue)
{
    cl_int err = CL_SUCCESS;

    if (!mem->residence.copy)
        err = dl__mem_bring_back(mem, queue, "another layout");
    if (err != CL_SUCCESS)
        return err;
    if (dl__mem_is_tiled(mem))
        dl__mem_set_aos(mem);
    if (!mem->residence.copy)
        return CL_SUCCESS;
    dl__mem_drop_rest(mem);
    return refresh_copy(mem, queue);
}

cl_int dl__move_enqueue(struct dl__move *move, struct dl__queue *queue)
{
    struct dl__mem *mem = move->mem;
    struct dl_leaf_table leaves;
    cl_int err;

    if (!move->needed)
        return CL_SUCCESS;
    if (dl_leaf_table_copy(move->leaves, &leaves) != DL_OK)
        return CL_OUT_OF_HOST_MEMORY;
    err = make_way(mem, queue);
    if (err == CL_SUCCESS)
        err = dl__mem_enqueue_conversion(mem, queue, move->there, move->device,
                                         move->leaves, move->layout);
    if (err != CL_SUCCESS) {
        dl_leaf_table_free(&leaves);
        return err;
    }
    set_tiled(mem, move, &leaves);
    return CL_SUCCESS;
}

void dl__move_done_by_host(const struct dl__move *move, struct dl_leaf_table *leaves)
{
    move->mem->order.lost = false;
    dl__mem_drop_rest(move->mem);
    set_tiled(move->mem, move, leaves);
}

bool dl__mem_may_copy_tiles(const struct dl__mem *from, const struct dl__mem *to)
{
    return from != to && dl__mem_lies_in_tiles(from) && from->bytes == to->bytes &&
           from->object.context == to->object.context && !to->object.context->pinned &&
           !dl__mem_refusal(to) && !dl__mem_is_copied(to);
}

void dl__mem_copied_tiles(const struct dl__mem *from, struct dl__mem *to,
                          struct dl_leaf_table *leaves)
{
    const struct dl__move as_from = {.device = from->residence.device,
                                     .layout = from->residence.layout,
                                     .back = from->residence.back};

    set_tiled(to, &as_from, leaves);
}

struct dl_layout dl__mem_set_aside(struct dl__mem *mem)
{
    const struct dl_layout aside = mem->residence.layout;

    if (dl__mem_is_tiled(mem))
        dl__mem_set_aos(mem);
    return aside;
}

void dl__mem_set_back(struct dl__mem *mem, const struct dl_layout *aside,
                      struct dl__queue *queue)
{
    if (aside->kind == DL_LAYOUT_AOS)
        return;
    set_layout(mem, *aside);
    if (mem->object.context->pinned || dl__mem_refusal(mem))
        dl__mem_bring_back(mem, queue, "what came while a call blocked on it");
}
