/* SPDX-License-Identifier: MIT */
/* The layout that each buffer is in, and how it gets there and back. */
#include "residence.h"

#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/reports/reasons.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/trace/trace.h"
#include "contexts.h"
#include "order.h"

struct way_back {
    struct dl_tiling from, to;
    uint64_t bytes; /* of whole structs */
    uint32_t struct_bytes, leaf_count;
    struct dl_leaf *leaves;
    unsigned char *tiles; /* room for what the buffer holds */
};

/* The driver copies this, and puts the buffer's address into it. */
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
    dl_tiling_move(way->leaves, way->leaf_count, way->struct_bytes,
                   way->bytes / way->struct_bytes, &way->from, way->tiles, &way->to,
                   buffer);
    free(way);
}

bool dl__device_lacks_linker(const struct dl__device *device)
{
    return device && device->type & CL_DEVICE_TYPE_CPU && dl__linker_is_lost();
}

/* Brings `mem` back to AoS, all of it in place, behind the events of the list.
 *   done    out; the caller releases it; may be NULL
 *   errors  the driver's; CL_OUT_OF_HOST_MEMORY */
static DL__WITH_LOCK cl_int mem_back_at_host(struct dl__mem *mem, struct dl__queue *queue,
                                             cl_uint wait_count, const cl_event *wait,
                                             cl_event *done)
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

/* ---- where buffers are ---- */

const char *dl__mem_refusal(const struct dl__mem *mem)
{
    if (mem->kind != DL__BUFFER)
        return dl__why_text(DL__WHY_IMAGE);
    if (mem->excluded)
        return dl__why_text(DL__WHY_SHARED);
    if (mem->residence.pins)
        return dl__why_text(DL__WHY_REFERRED);
    if (mem->residence.sub_buffers && mem->residence.host_kind != DL_LAYOUT_AOS)
        return dl__why_text(DL__WHY_SUB_BUFFER);
    if (atomic_load(&mem->maps))
        return dl__why_text(DL__WHY_MAPPED);
    if (mem->order.lost)
        return dl__why_text(DL__WHY_LOST);
    if (mem->order.passing)
        return dl__why_text(DL__WHY_PASSING);
    if (mem->order.users && dl__callouts_run())
        return dl__why_text(DL__WHY_NATIVE_KERNEL);
    if (mem->object.context->cancel.passing || dl__cancel_holds(mem))
        return dl__cancel_reason;
    return NULL;
}

/* ---- conversions ---- */

enum { TRIES = 3 };

static cl_int status_to_cl(enum dl_status status)
{
    return status == DL_OK       ? CL_SUCCESS
           : status == DL_ENOMEM ? CL_OUT_OF_HOST_MEMORY
                                 : CL_OUT_OF_RESOURCES;
}

/* It is in AoS from now on. */
static DL__WITH_LOCK void mem_set_aos(struct dl__mem *mem)
{
    for (struct dl__mem **at = &mem->object.context->tiled; *at;
         at = &(*at)->residence.next_tiled) {
        if (*at == mem) {
            *at = mem->residence.next_tiled;
            break;
        }
    }
    mem->residence.layout = (struct dl_layout){.kind = DL_LAYOUT_AOS};
    mem->residence.changes++;
}

/* Enqueues a conversion, or what one has left. `first`: out, of the first step; NULL: not
 * wanted. With mem->residence.rest set it has broken off. */
static DL__WITH_LOCK enum dl_status enqueue_steps(struct dl__mem *mem,
                                                  struct dl__queue *queue,
                                                  const struct dl_conversion *conversion,
                                                  struct dl__device *device,
                                                  cl_event *first, cl_event *done)
{
    bool wants_done = first || dl__options_get()->stats || dl__queue_needs_events(queue);
    struct dl_rest *rest = mem->residence.rest;
    enum dl_status status = DL_ENOMEM;
    struct dl__wait wait;

    dl__wait_begin(&wait, 0, NULL);
    dl__mem_wait_for_users(mem, queue, &wait);
    if (dl__wait_error(&wait) != CL_SUCCESS)
        goto out;
    if (!rest && mem->residence.layout.kind != DL_LAYOUT_AOS &&
        dl__device_lacks_linker(device) && !mem->residence.copy) {
        status = mem_back_at_host(mem, queue, wait.count, wait.list,
                                  wants_done ? done : NULL) == CL_SUCCESS
                     ? DL_OK
                     : DL_ECL;
        goto out;
    }
    mem->residence.rest = NULL;
    status = rest ? dl_marshal_resume(device->marshal, queue->object.handle, rest,
                                      wait.count, wait.list, wants_done ? done : NULL,
                                      &mem->residence.rest)
                  : dl_marshal_enqueue(device->marshal, queue->object.handle, conversion,
                                       dl__mem_tiles(mem), wait.count, wait.list, first,
                                       wants_done ? done : NULL, &mem->residence.rest);
    mem->residence.rest_device = device;
    dl__trace_conversion_waits(wait.count, wait.list);
out:
    dl__wait_end(&wait);
    return status;
}

static DL__WITH_LOCK void keep_converted(struct dl__mem *mem, struct dl__queue *queue,
                                         cl_event done)
{
    if (done && !dl__queue_needs_events(queue)) {
        dl__next.clReleaseEvent(done);
        done = NULL;
    }
    dl__mem_converted(mem, queue, done);
}

/* After the rest of a broken-off conversion has run, the buffer is in the layout that it
 * was being converted to. */
static DL__WITH_LOCK cl_int finish_rest_on(struct dl__mem *mem, struct dl__queue *queue)
{
    cl_event done = NULL;
    enum dl_status status =
        enqueue_steps(mem, queue, NULL, mem->residence.rest_device, NULL, &done);

    if (status == DL_OK || done)
        keep_converted(mem, queue, done);
    return status_to_cl(status);
}

/* Enqueues what a conversion that broke off has left to do, on the queue or one of DL's
 * own.
 *   errors  the driver's code: it is tried again at the next use */
static DL__WITH_LOCK cl_int mem_finish_rest(struct dl__mem *mem, struct dl__queue *queue)
{
    struct dl__queue own;
    cl_int err;

    if (!mem->residence.rest)
        return CL_SUCCESS;
    if (queue && queue->device == mem->residence.rest_device->id &&
        !dl__cancel_possible(mem->object.context))
        return finish_rest_on(mem, queue);
    err =
        dl__queue_apart_begin(mem->object.context, mem->residence.rest_device->id, &own);
    if (err != CL_SUCCESS)
        return err;
    err = finish_rest_on(mem, &own);
    dl__queue_apart_end(&own);
    return err;
}

void dl__mem_give_up_rest(struct dl__mem *mem, struct dl__queue *queue)
{
    if (mem_finish_rest(mem, queue) == CL_SUCCESS)
        return;
    mem->order.lost = true;
    DL__TELL(mem->object, overwritten, mem, kept, false);
    dl__mem_drop_rest(mem);
    if (dl__mem_is_tiled(mem))
        mem_set_aos(mem);
}

/* Before the record of a buffer ends. */
static DL__WITH_LOCK void mem_residence_end(struct dl__mem *mem)
{
    struct dl__context *context = mem->object.context;
    cl_uint before;

    mem_set_aos(mem);
    if (mem->residence.copy) {
        before = dl__context_count_begin(context);
        dl__next.clReleaseMemObject(mem->residence.copy);
        dl__context_count_end(context, before);
        context->copies_bytes -= mem->bytes;
    }
    dl__mem_drop_rest(mem);
    dl_leaf_table_free(&mem->residence.leaves);
}

/* Tells those who keep something with the buffer. `wants`: only asks whether anybody
 * does. */
static DL__WITH_LOCK bool tell_converted(struct dl__mem *mem, const struct dl_layout *to,
                                         cl_event first, cl_event done, bool wants)
{
    bool any = false;

    for (struct dl__kept *kept = mem->object.kept; kept; kept = kept->next) {
        any |= kept->keeper->converted != NULL;
        if (kept->keeper->converted && !wants)
            kept->keeper->converted(mem, kept, to, first, done);
    }
    return any;
}

/* As users call it: the program's own layout is not structs where it has arrays. */
static struct dl_layout as_named(const struct dl_leaf_table *leaves,
                                 struct dl_layout layout)
{
    if (leaves->arrays && layout.kind == DL_LAYOUT_AOS)
        layout.kind = DL_LAYOUT_SOA;
    return layout;
}

/* For the statistics and the trace. */
static DL__WITH_LOCK void note_conversion(const struct dl__mem *mem,
                                          const struct dl__queue *queue,
                                          const struct dl_conversion *conversion,
                                          const struct dl_leaf_table *leaves,
                                          struct dl_layout to, cl_event first,
                                          cl_event done)
{
    uint64_t bytes = dl_conversion_traffic_bytes(conversion);
    struct dl_layout from = as_named(leaves, mem->residence.layout);

    to = as_named(leaves, to);
    if (dl__options_get()->stats)
        dl__stats_conversion(mem->id, mem->bytes / leaves->struct_bytes,
                             leaves->struct_bytes, from, to, bytes, first, done);
    dl__trace_conversion(queue->object.handle, mem->id, from, to, bytes, first, done);
}

static DL__WITH_LOCK cl_int convert_on(struct dl__mem *mem, struct dl__queue *queue,
                                       const struct dl_conversion *conversion,
                                       struct dl__device *device,
                                       const struct dl_leaf_table *leaves,
                                       struct dl_layout to)
{
    cl_event first = NULL, done = NULL;
    bool counted = dl__options_get()->stats || dl__trace_is_on();
    bool timed =
        counted || (queue->profiled && tell_converted(mem, &to, NULL, NULL, true));
    enum dl_status status;
    cl_int err;

    /* The host looks at its bytes as they lie. */
    if (mem->residence.host_maps)
        return CL_INVALID_OPERATION;
    err = mem_finish_rest(mem, queue);
    if (err != CL_SUCCESS)
        return err;
    if (timed)
        dl__queue_time_begin(queue);
    status = enqueue_steps(mem, queue, conversion, device, timed ? &first : NULL, &done);
    if (timed)
        dl__queue_time_end(queue);
    if (status != DL_OK && !mem->residence.rest)
        return status_to_cl(status);
    dl__log(DL__LOG_DEBUG, "buffer %u: %s -> %s%s", mem->id,
            dl_layout_name(mem->residence.layout.kind), dl_layout_name(to.kind),
            mem->residence.rest ? ", with steps left to do" : "");
    if (counted && !mem->residence.rest)
        note_conversion(mem, queue, conversion, leaves, to, first, done);
    tell_converted(mem, &to,
                   dl_marshal_stands_in(device->marshal, conversion) ? NULL : first, done,
                   false);
    if (first)
        dl__next.clReleaseEvent(first);
    keep_converted(mem, queue, done);
    return CL_SUCCESS;
}

/* Enqueues a conversion on the queue, or apart while what comes behind the queue's
 * commands may fall. A conversion that breaks off counts as made: the rest of it runs
 * before the next command on the buffer. The record is the caller's to change.
 *   errors  the driver's code; nothing has changed */
static DL__WITH_LOCK cl_int mem_enqueue_conversion(
    struct dl__mem *mem, struct dl__queue *queue, const struct dl_conversion *conversion,
    struct dl__device *device, const struct dl_leaf_table *leaves, struct dl_layout to)
{
    struct dl__context *context = mem->object.context;
    struct dl__queue own;
    cl_int err;

    if (!dl__cancel_possible(context) || queue->slot >= DL__QUEUE_SLOTS)
        return convert_on(mem, queue, conversion, device, leaves, to);
    if (dl__cancel_holds(mem))
        return CL_OUT_OF_RESOURCES;
    err = dl__queue_apart_begin(context, device->id, &own);
    if (err != CL_SUCCESS)
        return err;
    err = convert_on(mem, &own, conversion, device, leaves, to);
    dl__queue_apart_end(&own);
    return err;
}

static DL__WITH_LOCK cl_int bring_back(struct dl__mem *mem, struct dl__queue *queue,
                                       struct dl__device *device,
                                       const struct dl_conversion *back, const char *why)
{
    const struct dl_layout aos = {.kind = DL_LAYOUT_AOS};
    const char *name;
    cl_int err = CL_SUCCESS;

    /* A call that fails once may succeed the second time, and the program must not
     * notice. */
    for (int tries = 0; tries < TRIES; tries++) {
        err =
            mem_enqueue_conversion(mem, queue, back, device, &mem->residence.leaves, aos);
        if (err == CL_SUCCESS)
            break;
    }
    if (err != CL_SUCCESS) {
        dl__log(DL__LOG_ERROR, "buffer %u can't be brought back for %s", mem->id, why);
        return err;
    }
    name = dl__stats_buffer_name(mem->id);
    dl__log(DL__LOG_REMARK, "buffer %u%s%s%s is brought back to AoS for %s", mem->id,
            name ? " '" : "", name ? name : "", name ? "'" : "", why);
    mem_set_aos(mem);
    dl__cancel_returned(mem->object.context);
    return CL_SUCCESS;
}

/* On a passing queue of DL's own, of the device that the buffer was tiled on: behind the
 * commands on the buffer and no others. */
static DL__WITH_LOCK cl_int bring_back_apart(struct dl__mem *mem, const char *why)
{
    struct dl__queue own;
    cl_int err =
        dl__queue_apart_begin(mem->object.context, mem->residence.device->id, &own);

    if (err != CL_SUCCESS)
        return err;
    err = bring_back(mem, &own, mem->residence.device, mem->residence.back, why);
    dl__queue_apart_end(&own);
    return err;
}

/* The way back on another device than the buffer was tiled on; NULL: it has none. */
static DL__WITH_LOCK const struct dl_conversion *back_on(struct dl__mem *mem,
                                                         struct dl__device *device)
{
    const struct dl_conversion *back = NULL;
    cl_uint before = dl__context_count_begin(mem->object.context);

    if (device && dl__device_marshal(mem->object.context, device))
        dl_marshal_prepare(device->marshal, &mem->residence.leaves,
                           mem->bytes / mem->residence.leaves.struct_bytes,
                           mem->residence.layout,
                           (struct dl_layout){.kind = DL_LAYOUT_AOS}, &back);
    dl__context_count_end(mem->object.context, before);
    return back;
}

cl_int dl__mem_bring_back_part(struct dl__mem *mem, struct dl__queue *queue,
                               uint64_t part_bytes, const char *why)
{
    struct dl__mem *root = dl__mem_root(mem);

    if (root && !root->order.lost && !dl__mem_is_tiled(root))
        DL__TELL(root->object, touched, root, kept, part_bytes);
    return dl__mem_bring_back_for_copy(mem, queue, why);
}

cl_int dl__mem_bring_back_for_copy(struct dl__mem *mem, struct dl__queue *queue,
                                   const char *why)
{
    const struct dl_conversion *back;
    struct dl__device *device;

    mem = dl__mem_root(mem);
    if (mem && mem->order.lost)
        return CL_OUT_OF_RESOURCES;
    if (!mem || !dl__mem_lies_in_tiles(mem))
        return mem ? mem_finish_rest(mem, queue) : CL_SUCCESS;
    if (mem->residence.device->id == queue->device)
        return bring_back(mem, queue, mem->residence.device, mem->residence.back, why);
    device = dl__context_device(mem->object.context, queue->device);
    back = back_on(mem, device);
    return back ? bring_back(mem, queue, device, back, why) : bring_back_apart(mem, why);
}

cl_int dl__mem_bring_back_now(struct dl__mem *mem, const char *why)
{
    struct dl__queue *queue = NULL;

    mem = dl__mem_root(mem);
    if (!mem)
        return CL_SUCCESS;
    if (mem->order.lost)
        return CL_OUT_OF_RESOURCES;
    if (!dl__mem_lies_in_tiles(mem))
        return mem_finish_rest(mem, NULL);
    if (mem->order.marshaled_slot < DL__QUEUE_SLOTS)
        queue = mem->object.context->slots[mem->order.marshaled_slot].queue;
    /* Among other queues, what the program has enqueued behind its commands on the buffer
     * may wait for the host, which may be about to wait for this. */
    if (queue && !dl__queue_needs_events(queue) &&
        !dl__cancel_possible(mem->object.context))
        return dl__mem_bring_back(mem, queue, why);
    return bring_back_apart(mem, why);
}

void dl__mem_use(struct dl__mem *mem, struct dl__queue *queue, struct dl__wait *command)
{
    mem = dl__mem_root(mem);
    if (!mem)
        return;
    if (mem_finish_rest(mem, queue) != CL_SUCCESS)
        command->lost = true;
    dl__mem_order(mem, queue, command);
}

void dl__mem_written(struct dl__mem *mem)
{
    mem = dl__mem_root(mem);
    if (!mem || !dl__mem_is_apart(mem))
        return;
    DL__TELL(mem->object, overwritten, mem, kept, false);
    mem_set_aos(mem);
    dl__mem_drop_rest(mem);
}

void dl__mem_overwritten(struct dl__mem *mem, bool as_written)
{
    mem = dl__mem_root(mem);
    if (!mem)
        return;
    mem->order.lost = false;
    DL__TELL(mem->object, overwritten, mem, kept, as_written);
    dl__mem_drop_rest(mem);
    if (dl__mem_is_tiled(mem))
        mem_set_aos(mem);
}

/* ---- moves of buffers into layouts, and the copies of DL's own that some need ---- */

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
    dl__stats_add(DL__STATS_COPIED_BYTES, (double)mem->bytes);
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
        mem_set_aos(mem);
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
        err = mem_enqueue_conversion(mem, queue, move->there, move->device, move->leaves,
                                     move->layout);
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
        mem_set_aos(mem);
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

/* ---- making and ending the records of memory objects ---- */

static void end_mem(void *record)
{
    struct dl__mem *mem = record;
    struct dl__context *context = mem->object.context;

    dl__context_lock(context);
    if (mem->parent)
        (*(mem->kind == DL__SUB_BUFFER ? &mem->parent->residence.sub_buffers
                                       : &mem->parent->residence.pins))--;
    dl__kept_end(mem);
    mem_residence_end(mem);
    dl__mem_order_end(mem);
    dl__context_unlock(context);
}

struct dl__type dl__mem_type = {.bytes = sizeof(struct dl__mem), .end = end_mem};
