/* SPDX-License-Identifier: MIT */
/* Copies of a launch's buffers, of all of them or of what a slice of its work-items uses.
 */
#include "copies.h"

#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/event.h"
#include "libdl_intercept/state/order.h"
#include "libdl_intercept/base/clock.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/host/looks.h"
#include "libdl_intercept/programs/devices.h"
#include "libdl_intercept/programs/shadow.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/state/residence.h"
#include "libdl_intercept/trace/trace.h"
#include "bind.h"

/* Tries for a command that the driver may refuse once. */
enum { TRIES = 3 };

/* ---- on the host, where a kernel for it would be compiled ---- */

/* The copies lie where the host reaches them. NULL: they can't be mapped. */
static DL__WITH_LOCK unsigned char *map(const struct dl__copies *copies, cl_mem mem,
                                        cl_map_flags flags, uint64_t bytes)
{
    cl_int err;
    void *at = dl__next.clEnqueueMapBuffer(copies->own.object.handle, mem, CL_TRUE, flags,
                                           0, bytes, 0, NULL, NULL, &err);

    return err == CL_SUCCESS ? at : NULL;
}

static DL__WITH_LOCK cl_int unmap(const struct dl__copies *copies, cl_mem mem, void *at)
{
    cl_int err = at ? dl__next.clEnqueueUnmapMemObject(copies->own.object.handle, mem, at,
                                                       0, NULL, NULL)
                    : CL_SUCCESS;

    return err == CL_SUCCESS ? dl__next.clFinish(copies->own.object.handle) : err;
}

/* True when the kernel may access the leaf, as whatever argument it knows the buffer. */
static DL__WITH_LOCK bool is_accessed(const struct dl__copies *copies,
                                      const struct dl__mem *mem,
                                      const struct dl_leaf *leaf)
{
    const struct dl_kernel_note *note = copies->kernel->note;
    uint32_t end = leaf->offset_bytes + leaf->width_bytes;
    bool accessed = false;

    for (size_t b = 0; b < note->buffer_count && !accessed; b++) {
        const struct dl_buffer_note *buffer = &note->buffers[b];

        if (copies->range.mems[buffer->arg_index] != mem)
            continue;
        accessed = !buffer->facts || dl__leaves_are_open(buffer);
        for (size_t f = 0; f < buffer->fact_count && !accessed; f++)
            accessed = buffer->facts[f].offset < end && buffer->facts[f].bytes > 0 &&
                       (uint64_t)buffer->facts[f].offset + buffer->facts[f].bytes >
                           leaf->offset_bytes;
    }
    return accessed;
}

/* The leaves that are moved: of what is only read, those that are. NULL: no memory. */
static DL__WITH_LOCK struct dl_leaf *moved_leaves(const struct dl__copies *copies,
                                                  const struct dl__copied *copied,
                                                  const struct dl_leaf_table *leaves,
                                                  uint32_t *count)
{
    struct dl_leaf *list = malloc((leaves->leaf_count + 1) * sizeof *list);

    *count = 0;
    for (uint32_t l = 0; list && l < leaves->leaf_count; l++)
        if (copied->written || is_accessed(copies, copied->mem, &leaves->leaves[l]))
            list[(*count)++] = leaves->leaves[l];
    return list;
}

static DL__WITH_LOCK cl_int convert_one(struct dl__copies *copies,
                                        const struct dl__copied *copied,
                                        const struct dl__move *moved, bool there)
{
    const struct dl_leaf_table *leaves = moved->leaves;
    const struct dl_layout own = {.kind = leaves->arrays ? DL_LAYOUT_SOA : DL_LAYOUT_AOS};
    uint64_t bytes = copied->mem->bytes, structs = copied->bytes / leaves->struct_bytes;
    cl_mem handle = copied->of[DL__WORK], itself = copied->mem->object.handle;
    struct dl_tiling tiling, own_tiling;
    uint32_t count;
    struct dl_leaf *list = moved_leaves(copies, copied, leaves, &count);
    unsigned char *slice = NULL, *kept = NULL, *work = NULL;
    cl_int err = CL_OUT_OF_RESOURCES;

    /* The bytes of a buffer that is only read are also in the buffer itself, if the host
     * can see that. */
    if (!copied->written)
        slice = map(copies, itself, CL_MAP_READ, copied->bytes);
    if (!slice)
        kept = malloc(copied->bytes + 1);
    if (list && (slice || kept) && moved->layout.kind != DL_LAYOUT_GRID &&
        dl_layout_tile(moved->layout, moved->structs, &tiling) == DL_OK &&
        dl_layout_tile(own, moved->structs, &own_tiling) == DL_OK)
        work = map(copies, handle, CL_MAP_READ | CL_MAP_WRITE, bytes);
    if (work) {
        /* The slice lies at the begin of WORK in the program's layout. */
        if (kept)
            memcpy(kept, work, copied->bytes);
        if (there)
            dl_tiling_move(list, count, leaves->struct_bytes, structs, &own_tiling,
                           kept ? kept : slice, &tiling, work);
        else
            dl_tiling_move(list, count, leaves->struct_bytes, structs, &tiling, work,
                           &own_tiling, kept);
        if (!there)
            memcpy(work, kept, copied->bytes);
        err = unmap(copies, handle, work);
    }
    if (slice && unmap(copies, itself, slice) != CL_SUCCESS)
        err = CL_OUT_OF_RESOURCES;
    free(kept);
    free(list);
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

enum { COMPARED_AT_ONCE = 1 << 18 };

/* Whether WORK differs from another copy, or the buffer. False: that can't be told. */
static DL__WITH_LOCK bool host_compare(const struct dl__copies *copies,
                                       const struct dl__copied *copied, cl_mem other,
                                       bool *differ)
{
    cl_uint before = dl__context_count_begin(copies->queue->object.context);
    unsigned char *read = malloc(COMPARED_AT_ONCE), *work = NULL;
    bool known = false;

    if (read)
        work = map(copies, copied->of[DL__WORK], CL_MAP_READ, copied->compared);
    if (work) {
        known = true;
        for (uint64_t at = 0; at < copied->compared && known && !*differ;
             at += COMPARED_AT_ONCE) {
            uint64_t left = copied->compared - at,
                     bytes = left < COMPARED_AT_ONCE ? left : COMPARED_AT_ONCE;

            known = dl__next.clEnqueueReadBuffer(copies->own.object.handle, other,
                                                 CL_TRUE, at, bytes, read, 0, NULL,
                                                 NULL) == CL_SUCCESS;
            *differ = known && memcmp(read, work + at, bytes) != 0;
        }
        known = unmap(copies, copied->of[DL__WORK], work) == CL_SUCCESS && known;
    }
    free(read);
    dl__context_count_end(copies->queue->object.context, before);
    return known;
}

/* ---- images ---- */

static const size_t origin[3] = {0, 0, 0};

static cl_mem handle_of(const struct dl__kernel *kernel, unsigned arg)
{
    return kernel->args[arg].bytes == sizeof(cl_mem) ? kernel->args[arg].value.mem : NULL;
}

static bool ask(cl_mem image, cl_image_info what, size_t bytes, void *out)
{
    return dl__next.clGetImageInfo(image, what, bytes, out, NULL) == CL_SUCCESS;
}

/* NULL, or why the image can't be copied. */
static const char *describe_image(struct dl__image *out, uint64_t *bytes)
{
    static const char unknown[] = "an argument is an image that DL can't copy";
    cl_uint levels = 0, samples = 0;
    size_t pixel_bytes;
    cl_mem_object_type type;
    cl_image_desc *desc = &out->desc;
    cl_mem handle = out->itself;

    if (dl__next.clGetMemObjectInfo(handle, CL_MEM_TYPE, sizeof type, &type, NULL) !=
            CL_SUCCESS ||
        type == CL_MEM_OBJECT_BUFFER || type == CL_MEM_OBJECT_PIPE)
        return unknown;
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        return "an argument is an image of a buffer";
    desc->image_type = type;
    if (!ask(handle, CL_IMAGE_FORMAT, sizeof out->format, &out->format) ||
        !ask(handle, CL_IMAGE_ELEMENT_SIZE, sizeof pixel_bytes, &pixel_bytes) ||
        !ask(handle, CL_IMAGE_WIDTH, sizeof desc->image_width, &desc->image_width) ||
        !ask(handle, CL_IMAGE_HEIGHT, sizeof desc->image_height, &desc->image_height) ||
        !ask(handle, CL_IMAGE_DEPTH, sizeof desc->image_depth, &desc->image_depth) ||
        !ask(handle, CL_IMAGE_ARRAY_SIZE, sizeof desc->image_array_size,
             &desc->image_array_size) ||
        !ask(handle, CL_IMAGE_NUM_MIP_LEVELS, sizeof levels, &levels) ||
        !ask(handle, CL_IMAGE_NUM_SAMPLES, sizeof samples, &samples) || levels > 1 ||
        samples > 1 || pixel_bytes == 0 || pixel_bytes > sizeof out->ours)
        return unknown;
    out->region[0] = desc->image_width;
    out->region[1] = type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? desc->image_array_size
                     : desc->image_height                ? desc->image_height
                                                         : 1;
    out->region[2] = type == CL_MEM_OBJECT_IMAGE2D_ARRAY ? desc->image_array_size
                     : desc->image_depth                 ? desc->image_depth
                                                         : 1;
    out->pixel_bytes = pixel_bytes;
    *bytes = pixel_bytes * out->region[0] * out->region[1] * out->region[2];
    return NULL;
}

/* The image with this handle; NULL: it is not one of them. */
static struct dl__copied *image_of(struct dl__copies *copies, cl_mem handle)
{
    for (size_t i = 0; handle && i < copies->count; i++)
        if (copies->list[i].image && copies->list[i].image->itself == handle)
            return &copies->list[i];
    return NULL;
}

/* Adds the images that the launch may write. NULL, or why they can't be copied. */
static const char *gather_images(struct dl__copies *copies)
{
    const struct dl__kernel *kernel = copies->kernel;
    const bool *image_args = kernel->note->image_args;
    const char *why = NULL;

    for (unsigned i = 0; image_args && i < kernel->note->arg_count && !why; i++) {
        cl_mem handle = image_args[i] ? handle_of(kernel, i) : NULL;
        struct dl__copied *copied = &copies->list[copies->count];

        if (!image_args[i])
            continue;
        if (!handle)
            return "an argument is not set";
        if (image_of(copies, handle))
            continue;
        *copied = (struct dl__copied){
            .image = calloc(1, sizeof *copied->image), .arg_index = i, .written = true};
        if (!copied->image)
            return "there is no memory for copies";
        copies->count++;
        copied->image->itself = handle;
        why = describe_image(copied->image, &copied->bytes);
        copies->bytes += copied->bytes;
        copies->written_bytes += copied->bytes;
    }
    return why;
}

static DL__WITH_LOCK cl_int copy_image(struct dl__queue *queue,
                                       const struct dl__image *image, cl_mem from,
                                       cl_mem to)
{
    cl_event done = NULL;
    cl_int err = dl__next.clEnqueueCopyImage(queue->object.handle, from, to, origin,
                                             origin, image->region, 0, NULL, &done);

    if (err == CL_SUCCESS)
        err = dl__queue_wait_for(queue, done);
    if (done)
        dl__next.clReleaseEvent(done);
    return err;
}

static DL__WITH_LOCK bool read_image(const struct dl__copies *copies,
                                     const struct dl__image *image, cl_mem from,
                                     unsigned char *to)
{
    return dl__next.clEnqueueReadImage(copies->own.object.handle, from, CL_TRUE, origin,
                                       image->region, 0, 0, to, 0, NULL,
                                       NULL) == CL_SUCCESS;
}

/* Returns a new buffer with that much room and the image's pixels. NULL: there is none.
 */
static DL__WITH_LOCK cl_mem pixels_of(const struct dl__copies *copies,
                                      const struct dl__image *image, cl_mem from,
                                      uint64_t room)
{
    cl_int err;
    cl_mem to = dl__next.clCreateBuffer(copies->queue->object.context->object.handle,
                                        CL_MEM_READ_WRITE, room, NULL, &err);

    if (err == CL_SUCCESS && dl__next.clEnqueueCopyImageToBuffer(
                                 copies->own.object.handle, from, to, origin,
                                 image->region, 0, 0, NULL, NULL) != CL_SUCCESS) {
        dl__next.clReleaseMemObject(to);
        to = NULL;
    }
    return err == CL_SUCCESS ? to : NULL;
}

/* True when the device finds the same in both: reading 64 MB twice takes 0.1 s. */
static DL__WITH_LOCK bool are_same_images(const struct dl__copies *copies,
                                          const struct dl__copied *copied, cl_mem other)
{
    struct dl__context *context = copies->queue->object.context;
    cl_uint before = dl__context_count_begin(context);
    uint64_t room = dl_marshal_compare_bytes(copied->bytes, 0);
    cl_mem theirs = NULL, ours = NULL;
    bool differ = true;

    if (context->copies_bytes + 2 * room <= dl__copies_cap_bytes(copies->device) &&
        dl_marshal_compare_prepare(copies->marshal, 0) == DL_OK)
        theirs = pixels_of(copies, copied->image, other, room);
    if (theirs)
        ours = pixels_of(copies, copied->image, copied->of[DL__WORK], room);
    if (ours && dl_marshal_compare(copies->marshal, copies->own.object.handle, theirs,
                                   ours, copied->bytes, &differ) != DL_OK)
        differ = true;
    if (ours)
        dl__next.clReleaseMemObject(ours);
    if (theirs)
        dl__next.clReleaseMemObject(theirs);
    dl__context_count_end(context, before);
    return !differ;
}

/* Which pixel differs first, the host finds. False: that can't be told. */
static DL__WITH_LOCK bool compare_images(const struct dl__copies *copies,
                                         const struct dl__copied *copied, cl_mem other,
                                         bool *differ)
{
    struct dl__image *image = copied->image;
    size_t bytes = copied->bytes, pixel_bytes = image->pixel_bytes, at = 0;
    unsigned char *ours = NULL, *theirs = NULL;
    bool known = true;

    *differ = false;
    if (dl__device_is_gpu(copies->device->id) && are_same_images(copies, copied, other))
        return true;
    ours = malloc(bytes + 1);
    theirs = malloc(bytes + 1);
    known = ours && theirs && read_image(copies, image, copied->of[DL__WORK], ours) &&
            read_image(copies, image, other, theirs);
    *differ = known && memcmp(ours, theirs, bytes) != 0;
    if (*differ) {
        while (memcmp(ours + at, theirs + at, pixel_bytes) == 0)
            at += pixel_bytes;
        image->pixel = at / pixel_bytes;
        memcpy(image->ours, ours + at, pixel_bytes);
        memcpy(image->theirs, theirs + at, pixel_bytes);
    }
    free(ours);
    free(theirs);
    return known;
}

/* ---- which ---- */

/* Adds the buffers of the arguments. NULL, or why they can't be copied. */
static DL__WITH_LOCK const char *gather(struct dl__copies *copies)
{
    struct dl__kernel *kernel = copies->kernel;
    const bool *memory_args = kernel->note->memory_args;

    for (unsigned i = 0; i < kernel->arg_count; i++) {
        struct dl__mem *mem = copies->range.mems[i];
        const struct dl__arg *arg = &kernel->args[i];
        struct dl__copied *copied;
        const char *refusal;

        if (arg->serial == 0)
            return "an argument is not set";
        /* A second run would write there once more. */
        if (arg->svm || (memory_args && memory_args[i] && !arg->null && !mem))
            return "an argument is memory that DL can't copy";
        if (mem && mem->kind == DL__BUFFER_IMAGE)
            return "an argument is an image of a buffer";
        mem = dl__mem_root(mem);
        if (!mem || mem->object.context != copies->queue->object.context)
            continue;
        copied = dl__copies_of(copies, mem);
        if (!copied) {
            refusal = dl__mem_refusal(mem);
            if (refusal)
                return refusal;
            copied = &copies->list[copies->count++];
            *copied = (struct dl__copied){
                .mem = mem, .arg_index = i, .bytes = mem->bytes, .compared = mem->bytes};
            copies->bytes += mem->bytes;
        }
        if (!copied->written && dl__arg_is_written(kernel, i)) {
            copied->written = true;
            copies->written_bytes += mem->bytes;
        }
    }
    return copies->count ? gather_images(copies) : "it has no buffer";
}

struct dl__copies *dl__copies_find(const struct dl__ndrange *range, const char **why)
{
    struct dl__kernel *kernel = range->kernel;
    struct dl__queue *queue = range->queue;
    struct dl__context *context = queue->object.context;
    struct dl__device *device = dl__context_device(context, queue->device);
    struct dl__copies *copies = NULL;

    *why = NULL;
    if (!kernel->note || kernel->object.context != context || !device)
        *why = "it is not DL's to look at";
    else if (!dl__ndrange_is_valid(range))
        *why = "the driver will refuse it";
    else if (kernel->note->once && !(kernel->note->detected && kernel->note->tells))
        *why = "run once more, it would print or start kernels again";
    else if (kernel->svm_indirect)
        *why = "it may reach memory by pointers";
    else if (context->pinned)
        *why = "the context has commands that DL can't see, or too many queues";
    else if (dl__cancel_possible(context))
        *why = dl__cancel_reason;
    if (*why)
        return NULL;
    copies = calloc(1, sizeof *copies + kernel->arg_count * sizeof *copies->list);
    if (!copies) {
        *why = "there is no memory for copies";
        return NULL;
    }
    copies->kernel = kernel;
    copies->queue = queue;
    copies->device = device;
    copies->range = *range;
    copies->range.known = NULL;
    *why = gather(copies);
    if (!*why)
        return copies;
    dl__copies_free(copies);
    return NULL;
}

/* ---- making and freeing ---- */

static DL__WITH_LOCK cl_int open_queue(struct dl__copies *copies)
{
    struct dl__context *context = copies->queue->object.context;
    cl_device_id device = copies->queue->device;
    cl_int err;

    copies->own =
        (struct dl__queue){.slot = DL__QUEUE_SLOTS, .device = device, .profiled = true};
    copies->own.object.context = context;
    copies->own.object.handle = dl__next.clCreateCommandQueue(
        context->object.handle, device, CL_QUEUE_PROFILING_ENABLE, &err);
    if (err != CL_SUCCESS) {
        copies->own.profiled = false;
        copies->own.object.handle =
            dl__next.clCreateCommandQueue(context->object.handle, device, 0, &err);
    }
    copies->own_is_open = err == CL_SUCCESS;
    dl__context_count_made(context, 0, copies->own_is_open);
    if (copies->own_is_open)
        dl__trace_queue(copies->own.object.handle, device, true);
    return err;
}

/* Where device and host share memory, most of what a copy takes is the touching of fresh
 * memory: the copies of the last exploration are kept for the next one. */
enum { SPARES_MAX = 8 };

struct spares {
    struct dl__kept kept;
    unsigned count DL__UNDER_LOCK;
    cl_mem mems[SPARES_MAX] DL__UNDER_LOCK;
    uint64_t bytes[SPARES_MAX] DL__UNDER_LOCK;
};

static DL__WITH_LOCK void end_spares(void *record, void *kept)
{
    struct spares *spares = kept;

    (void)record;
    while (spares->count)
        dl__next.clReleaseMemObject(spares->mems[--spares->count]);
}

static DL__WITH_LOCK void settle_spares(struct dl__context *context, void *kept)
{
    (void)kept;
    dl__copies_let_go(context);
}

static const struct dl__keeper keeper = {
    .bytes = sizeof(struct spares), .end = end_spares, .settle = settle_spares};

bool dl__copies_let_go(struct dl__context *context)
{
    struct spares *spares = dl__kept_find(context, &keeper);
    cl_uint count = spares ? spares->count : 0;

    if (spares)
        end_spares(context, spares);
    dl__context_count_made(context, -(int)count, 0);
    return count > 0;
}

bool dl__copies_touch(const struct dl__queue *queue)
{
    struct dl__context *context = queue->object.context;
    const struct dl__device *device = dl__context_device(context, queue->device);
    const struct spares *spares = dl__kept_find(context, &keeper);

    return device && device->unified && (!spares || spares->count == 0);
}

static DL__WITH_LOCK cl_mem take_spare(struct dl__context *context, uint64_t bytes)
{
    struct spares *spares = dl__kept_find(context, &keeper);
    cl_mem mem;

    for (unsigned s = 0; spares && s < spares->count; s++) {
        if (spares->bytes[s] != bytes)
            continue;
        mem = spares->mems[s];
        spares->count--;
        spares->mems[s] = spares->mems[spares->count];
        spares->bytes[s] = spares->bytes[spares->count];
        return mem;
    }
    return NULL;
}

/* False: it is not kept. */
static DL__WITH_LOCK bool keep_spare(const struct dl__copies *copies, cl_mem mem,
                                     uint64_t bytes)
{
    struct spares *spares = copies->device->unified
                                ? dl__kept_get(copies->queue->object.context, &keeper)
                                : NULL;

    if (!spares || spares->count == SPARES_MAX)
        return false;
    spares->mems[spares->count] = mem;
    spares->bytes[spares->count++] = bytes;
    return true;
}

/* 0: nothing is known of gaps. */
static uint32_t struct_bytes(const struct dl__copied *copied)
{
    return copied->structs ? copied->structs->leaves.struct_bytes : 0;
}

static uint64_t bytes_of(const struct dl__copied *copied, enum dl__copy which)
{
    return dl_marshal_compare_bytes(
        which == DL__WORK ? copied->mem->bytes : copied->bytes, struct_bytes(copied));
}

bool dl__explore_wait(struct dl__queue *queue, const struct dl__ndrange *range,
                      double limit_seconds)
{
    double until = dl__clock_seconds() + limit_seconds;
    struct dl__context *context = queue->object.context;
    cl_event marker = NULL;
    bool possible, ended;

    dl__context_lock(context);
    possible = dl__cancel_possible(context);
    dl__context_unlock(context);
    if (possible || dl__callouts_run() ||
        dl__next.clEnqueueMarkerWithWaitList(queue->object.handle, 0, NULL, &marker) !=
            CL_SUCCESS)
        return false;
    ended = dl__queue_flush(queue->object.handle);
    for (cl_uint i = 0; ended && i < range->wait_count; i++)
        ended = dl__event_flush(range->wait[i], queue->object.handle) &&
                dl__event_ends_within(range->wait[i], until - dl__clock_seconds()) &&
                dl__event_status(range->wait[i]) == CL_COMPLETE;
    ended = ended && dl__event_ends_within(marker, until - dl__clock_seconds()) &&
            dl__event_status(marker) == CL_COMPLETE;
    dl__next.clReleaseEvent(marker);
    return ended;
}

static DL__WITH_LOCK cl_int make_one(struct dl__copies *copies, struct dl__copied *copied,
                                     enum dl__copy which)
{
    struct dl__context *context = copies->queue->object.context;
    const struct dl__image *image = copied->image;
    uint64_t bytes = image ? 0 : bytes_of(copied, which);
    /* A fresh buffer is better where a slice does not fill it. */
    cl_mem made = copies->items || image ? NULL : take_spare(context, bytes);
    cl_int err = CL_SUCCESS;

    if (!made) {
        made = image ? dl__next.clCreateImage(context->object.handle, CL_MEM_READ_WRITE,
                                              &image->format, &image->desc, NULL, &err)
                     : dl__next.clCreateBuffer(context->object.handle, CL_MEM_READ_WRITE,
                                               bytes, NULL, &err);
        dl__context_count_made(context, err == CL_SUCCESS, 0);
    }
    if (err == CL_SUCCESS)
        copied->of[which] = made;
    return err;
}

bool dl__copies_make(struct dl__copies *copies, bool again, const char **why)
{
    struct dl__context *context = copies->queue->object.context;
    /* A buffer that is not written has one copy, whichever that is. */
    uint64_t bytes = copies->bytes + (copies->once ? 0
                                      : again      ? 2
                                                   : 1) *
                                         copies->written_bytes;
    cl_int err = CL_SUCCESS;

    for (size_t i = 0; copies->items && i < copies->count; i++)
        bytes += copies->list[i].mem->bytes +
                 (copies->list[i].plain ? copies->list[i].bytes : 0);
    copies->marshal = dl__device_marshal(context, copies->device);
    *why = NULL;
    if (!copies->marshal)
        *why = "this device can't convert layouts";
    else if (context->copies_bytes + bytes > dl__copies_cap_bytes(copies->device))
        *why = "copies of its buffers would exceed --memory-cap";
    if (*why)
        return false;
    err = open_queue(copies);
    for (size_t i = 0; i < copies->count && err == CL_SUCCESS; i++) {
        struct dl__copied *copied = &copies->list[i];

        if (copied->written || !again)
            err = make_one(copies, copied, DL__WORK);
        if (err == CL_SUCCESS && (again || (copied->written && !copies->once)))
            err = make_one(copies, copied, DL__BEFORE);
        if (err == CL_SUCCESS && copied->written && (again || copied->plain))
            err = make_one(copies, copied, DL__RAN);
    }
    /* Copies without a use now would only take memory. */
    dl__copies_let_go(context);
    if (err != CL_SUCCESS)
        *why = "there is no memory for copies of its buffers";
    return err == CL_SUCCESS;
}

void dl__copies_free(struct dl__copies *copies)
{
    int released = 0;

    if (!copies)
        return;
    /* A driver may keep the last command on a workspace, and with it this queue, for as
     * long as the workspace. */
    if (copies->own_is_open)
        dl_marshal_settle(copies->marshal);
    for (size_t i = 0; i < copies->count; i++) {
        const struct dl__copied *copied = &copies->list[i];

        for (int c = 0; c < DL__COPIES; c++)
            if (copied->of[c] && (copies->items || copied->image ||
                                  !keep_spare(copies, copied->of[c],
                                              bytes_of(copied, (enum dl__copy)c)))) {
                dl__next.clReleaseMemObject(copied->of[c]);
                released++;
            }
        free(copied->image);
    }
    if (copies->own_is_open)
        dl__next.clReleaseCommandQueue(copies->own.object.handle);
    dl__context_count_made(copies->queue->object.context, -released,
                           -(int)copies->own_is_open);
    free(copies);
}

/* ---- copying ---- */

/* True where the copy may be made of the tiles as they lie, and converted by itself: at
 * memory speed, and by kernels that are there. */
static DL__WITH_LOCK bool converts_copy(const struct dl__copies *copies,
                                        const struct dl__copied *copied)
{
    const struct dl__residence *residence = &copied->mem->residence;

    return (residence->layout.kind == DL_LAYOUT_ASTA ||
            residence->layout.kind == DL_LAYOUT_DA ||
            residence->layout.kind == DL_LAYOUT_SOA) &&
           residence->back && residence->device == copies->device && !residence->rest &&
           copied->bytes == copied->mem->bytes;
}

cl_int dl__copies_convert(struct dl__copies *copies,
                          const struct dl_conversion *conversion, cl_mem copy,
                          double *seconds)
{
    struct dl_rest *rest = NULL;
    cl_event first = NULL, done = NULL;
    enum dl_status status =
        dl_marshal_enqueue(copies->marshal, copies->own.object.handle, conversion, copy,
                           0, NULL, &first, &done, &rest);
    cl_int err = status == DL_OK && !rest ? dl__queue_wait_for(&copies->own, done)
                                          : CL_OUT_OF_RESOURCES;

    *seconds = err == CL_SUCCESS ? dl__event_seconds(first, done) : 0;
    if (rest)
        dl_rest_free(rest);
    if (first)
        dl__next.clReleaseEvent(first);
    if (done)
        dl__next.clReleaseEvent(done);
    return err;
}

/* All of a buffer as the program sees it, behind all commands on it. */
static DL__WITH_LOCK cl_int take_one(struct dl__copies *copies, struct dl__copied *copied,
                                     cl_mem copy)
{
    struct dl__queue *queue = copies->queue;
    struct dl__mem *mem = copied->mem;
    const struct dl__end from = {.handle = mem->object.handle,
                                 .mem = mem,
                                 .tiled = dl__mem_lies_in_tiles(mem)},
                         to = {.handle = copy};
    bool converts = from.tiled && converts_copy(copies, copied);
    struct dl__wait wait;
    cl_event done = NULL;
    double seconds;
    cl_int err = CL_SUCCESS;

    dl__wait_begin(&wait, 0, NULL);
    dl__mem_wait_for_users(mem, queue, &wait);
    if (!from.tiled || converts ||
        !dl__staged_copy(queue, &wait, &from, &to, NULL, copied->bytes, &done)) {
        if (!converts)
            err = dl__mem_bring_back(mem, queue, "a comparison");
        dl__mem_use(mem, queue, &wait);
        if (err == CL_SUCCESS)
            err = dl__wait_error(&wait);
        if (err == CL_SUCCESS)
            err = dl__next.clEnqueueCopyBuffer(
                queue->object.handle, converts ? dl__mem_tiles(mem) : from.handle, copy,
                0, 0, copied->bytes, wait.count, wait.list, &done);
    }
    if (err == CL_SUCCESS)
        err = dl__queue_wait_for(queue, done);
    if (err == CL_SUCCESS)
        copied->copy_seconds = dl__event_seconds(done, done);
    if (done)
        dl__next.clReleaseEvent(done);
    dl__wait_end(&wait);
    return err == CL_SUCCESS && converts
               ? dl__copies_convert(copies, mem->residence.back, copy, &seconds)
               : err;
}

double dl__copies_arrive(struct dl__copies *copies)
{
    double begun = dl__clock_seconds();
    cl_int err = CL_SUCCESS;

    if (copies->device->unified)
        return 0;
    for (size_t i = 0; i < copies->count && err == CL_SUCCESS; i++) {
        const struct dl__copied *copied = &copies->list[i];
        cl_mem copy = copied->of[copied->of[DL__WORK] ? DL__WORK : DL__BEFORE];

        if (copied->mem && copy)
            err = dl__next.clEnqueueCopyBuffer(copies->own.object.handle,
                                               copied->mem->object.handle, copy, 0, 0, 1,
                                               0, NULL, NULL);
    }
    dl__next.clFinish(copies->own.object.handle);
    return dl__clock_seconds() - begun;
}

cl_int dl__copies_take(struct dl__copies *copies, enum dl__copy which)
{
    cl_int err = CL_SUCCESS;

    for (size_t i = 0; i < copies->count && err == CL_SUCCESS; i++) {
        struct dl__copied *copied = &copies->list[i];
        const struct dl__image *image = copied->image;
        cl_mem copy = copied->of[which];

        if (copy)
            err = image ? copy_image(copies->queue, image, image->itself, copy)
                        : take_one(copies, copied, copy);
    }
    return err;
}

/* The buffer or image that the copies are of. */
static cl_mem itself(const struct dl__copied *copied)
{
    return copied->image ? copied->image->itself : copied->mem->object.handle;
}

cl_int dl__copies_restore(struct dl__copies *copies, enum dl__copy which)
{
    struct dl__queue *own = &copies->own;
    cl_int err = CL_SUCCESS;

    for (size_t i = 0; i < copies->count && err == CL_SUCCESS; i++) {
        struct dl__copied *copied = &copies->list[i];
        cl_mem from = copied->of[DL__BEFORE] ? copied->of[DL__BEFORE] : itself(copied);
        cl_event done = NULL;

        if (!copied->of[which])
            continue;
        if (copied->image) {
            err = copy_image(own, copied->image, from, copied->of[which]);
            continue;
        }
        err = dl__next.clEnqueueCopyBuffer(own->object.handle, from, copied->of[which], 0,
                                           0, copied->bytes, 0, NULL, &done);
        if (err != CL_SUCCESS)
            break;
        err = dl__queue_wait_for(own, done);
        copied->copy_seconds = dl__event_seconds(done, done);
        dl__next.clReleaseEvent(done);
    }
    return err;
}

/* ---- running ---- */

/* NULL: the buffer is left alone. */
static cl_mem stand_in(enum dl__copy which, const struct dl__copied *copied)
{
    if (!copied)
        return NULL;
    return copied->of[which]      ? copied->of[which]
           : copied->of[DL__WORK] ? copied->of[DL__WORK]
                                  : copied->of[DL__BEFORE];
}

/* Sets the arguments that name buffers to copies. One where its buffer begins is given
 * all of it, which looks the same: the last tile of such a sub-buffer may end behind it.
 *   parts  out, by argument: of copies, for the other sub-buffers */
static DL__WITH_LOCK cl_int set_copies(struct dl__copies *copies, cl_kernel handle,
                                       struct dl__shadow_kernel *shadow,
                                       enum dl__copy which, cl_mem *parts)
{
    const struct dl__kernel *kernel = copies->kernel;
    cl_int err = CL_SUCCESS;

    for (unsigned i = 0; i < kernel->arg_count && err == CL_SUCCESS; i++) {
        const struct dl__mem *mem = copies->range.mems[i];
        cl_mem argument =
            stand_in(which, mem ? dl__copies_of(copies, mem->parent ? mem->parent : mem)
                                : image_of(copies, handle_of(kernel, i)));

        if (!argument)
            continue;
        if (mem && mem->parent && mem->origin_bytes > 0) {
            const cl_buffer_region region = {mem->origin_bytes, mem->bytes};

            argument = parts[i] = dl__next.clCreateSubBuffer(
                argument, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
        }
        if (shadow && i < kernel->note->arg_count)
            shadow->args[i] = (struct dl__shadow_arg){0};
        if (err == CL_SUCCESS)
            err = dl__next.clSetKernelArg(handle, i, sizeof argument, &argument);
    }
    return err;
}

/* Launches that are as one before don't look at arguments. */
static DL__WITH_LOCK void set_back(struct dl__copies *copies,
                                   struct dl__shadow_kernel *shadow)
{
    struct dl__kernel *kernel = copies->kernel;
    struct dl__mem *const *mems = copies->range.mems;
    cl_int err = CL_OUT_OF_RESOURCES;

    for (int tries = 0; shadow && tries < TRIES && err != CL_SUCCESS; tries++)
        err = dl__shadow_kernel_set(kernel, mems, shadow);
    for (unsigned i = 0; !shadow && i < kernel->arg_count; i++)
        if (mems[i] ? dl__copies_of(copies, dl__mem_root(mems[i]))
                    : image_of(copies, handle_of(kernel, i)))
            dl__argument_back(kernel, i);
}

cl_int dl__copies_run(struct dl__copies *copies, struct dl__shadow_kernel *shadow,
                      enum dl__copy which, double *seconds)
{
    const struct dl__ndrange *range = &copies->range;
    const struct dl__kernel *kernel = copies->kernel;
    cl_kernel handle = shadow ? shadow->handle : kernel->object.handle;
    cl_mem *parts = calloc((size_t)kernel->arg_count + 1, sizeof(cl_mem));
    cl_event done = NULL;
    cl_int err;

    *seconds = 0;
    if (!parts)
        return CL_OUT_OF_HOST_MEMORY;
    err = set_copies(copies, handle, shadow, which, parts);
    if (err == CL_SUCCESS)
        err = dl__next.clEnqueueNDRangeKernel(
            copies->own.object.handle, handle, range->work_dim, range->offset,
            range->global, range->local, 0, NULL, &done);
    if (err == CL_SUCCESS)
        err = dl__queue_wait_for(&copies->own, done);
    if (err == CL_SUCCESS)
        *seconds = dl__event_seconds(done, done);
    if (done)
        dl__next.clReleaseEvent(done);
    set_back(copies, shadow);
    for (unsigned i = 0; i < kernel->arg_count; i++)
        if (parts[i])
            dl__next.clReleaseMemObject(parts[i]);
    free(parts);
    return err;
}

/* ---- whether a launch would print ---- */

const char dl__prints[] = "it prints, and what it prints must not be seen twice";

static DL__WITH_LOCK struct dl__shadow_kernel *telling(struct dl__copies *copies,
                                                       const char **why)
{
    const struct dl__options *options = dl__options_get();
    struct dl__kernel *kernel = copies->kernel;
    struct dl__shadow_knobs knobs = {.printing = true};

    *why = "the kernel that tells whether it prints is still being built";
    if (options->layout_auto && !options->policy_test &&
        dl__shadow_ask(kernel, copies->queue->device, &knobs) != DL__READY)
        return NULL;
    return dl__shadow_kernel_get(kernel, copies->queue, copies->range.mems, &knobs, why);
}

const char *dl__copies_tell(struct dl__copies *copies)
{
    struct dl__context *context = copies->queue->object.context;
    struct dl__kernel *kernel = copies->kernel;
    const char *why = NULL;
    cl_mem flag = NULL;
    struct dl__shadow_kernel *shadow;
    cl_int err, printed = 0;
    double seconds;
    cl_uint before;

    if (!kernel->note->tells)
        return NULL;
    shadow = telling(copies, &why);
    if (!shadow)
        return why;
    before = dl__context_count_begin(context);
    flag = dl__next.clCreateBuffer(context->object.handle,
                                   CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   sizeof printed, &printed, &err);
    if (err == CL_SUCCESS)
        err = dl__next.clSetKernelArg(shadow->handle, kernel->note->arg_count,
                                      sizeof flag, &flag);
    if (err == CL_SUCCESS)
        err = dl__copies_run(copies, shadow, DL__WORK, &seconds);
    if (err == CL_SUCCESS)
        err = dl__next.clEnqueueReadBuffer(copies->own.object.handle, flag, CL_TRUE, 0,
                                           sizeof printed, &printed, 0, NULL, NULL);
    if (flag)
        dl__next.clReleaseMemObject(flag);
    dl__context_count_end(context, before);
    if (err != CL_SUCCESS)
        return "it can't be told whether it prints";
    return printed ? dl__prints : NULL;
}

/* ---- comparing ---- */

/* Finds out which gaps of the structs differ, and whether anything else does. False: that
 * can't be told. */
static DL__WITH_LOCK bool look_at_gaps(const struct dl__copies *copies,
                                       struct dl__copied *copied, cl_mem other)
{
    const struct dl_buffer_note *note = copied->structs;
    uint32_t bytes = struct_bytes(copied);
    unsigned char *where = malloc(bytes);
    bool known = where && dl_marshal_differences(
                              copies->marshal, copies->own.object.handle, other,
                              copied->of[DL__WORK], copied->bytes, bytes, where) == DL_OK;

    for (size_t g = 0; known && g < note->gap_count; g++) {
        unsigned char *gap = where + note->gaps[g].offset_bytes;

        if (memchr(gap, 1, note->gaps[g].width_bytes))
            copied->differ |= UINT64_C(1) << g;
        memset(gap, 0, note->gaps[g].width_bytes);
    }
    copied->beyond = known && memchr(where, 1, bytes);
    free(where);
    return known;
}

/* Whether WORK differs from another copy, or the buffer. False: that can't be told. */
static DL__WITH_LOCK bool compare_one(const struct dl__copies *copies,
                                      struct dl__copied *copied, cl_mem other,
                                      bool *differ)
{
    struct dl__context *context = copies->queue->object.context;
    cl_uint references;
    bool known;

    if (copied->image)
        return compare_images(copies, copied, other, differ);
    /* Buffers of the program's may be closed to the host. */
    if (copies->items || !dl__device_is_gpu(copies->device->id)) {
        if (host_compare(copies, copied, other, differ))
            return true;
        *differ = false;
    }
    if (copies->items)
        return false;
    references = dl__context_count_begin(context);
    known = dl_marshal_compare_prepare(copies->marshal, 0) == DL_OK;
    dl__context_count_end(context, references);
    return known &&
           dl_marshal_compare(copies->marshal, copies->own.object.handle, other,
                              copied->of[DL__WORK], copied->bytes, differ) == DL_OK;
}

bool dl__copies_compare(struct dl__copies *copies, enum dl__copy other,
                        const struct dl__copied **found)
{
    struct dl__context *context = copies->queue->object.context;
    bool known = true;

    *found = NULL;
    for (size_t i = 0; i < copies->count && known; i++) {
        struct dl__copied *copied = &copies->list[i];
        cl_mem own = other == DL__ITSELF ? itself(copied) : copied->of[other];
        bool differ = false;

        copied->differ = 0;
        copied->beyond = false;
        if (!copied->written || (copied->plain && other == DL__ITSELF && !copies->ran))
            continue;
        if (copied->plain && other == DL__ITSELF)
            own = copied->of[DL__RAN];
        known = compare_one(copies, copied, own, &differ);
        copied->beyond = known && differ;
        if (copied->beyond && copied->structs && copies->sees_gaps) {
            cl_uint references = dl__context_count_begin(context);

            known = look_at_gaps(copies, copied, own);
            dl__context_count_end(context, references);
        }
        if (copied->beyond ? !*found || !(*found)->beyond
                           : copied->differ & ~copied->unset && !*found)
            *found = copied;
    }
    return known;
}

void dl__copies_put_back(struct dl__copies *copies)
{
    cl_command_queue queue = copies->queue->object.handle;
    cl_int images_err = CL_SUCCESS;

    for (size_t i = 0; i < copies->count; i++) {
        const struct dl__copied *copied = &copies->list[i];
        struct dl__mem *mem = copied->mem;
        cl_int err = CL_OUT_OF_RESOURCES;

        if (copied->image && images_err == CL_SUCCESS)
            images_err = copy_image(copies->queue, copied->image, copied->of[DL__RAN],
                                    copied->image->itself);
        /* Buffers that kernels must not write are left alone. */
        if (copied->image || !copied->written || mem->flags & CL_MEM_READ_ONLY)
            continue;
        dl__mem_overwritten(mem, false);
        for (int tries = 0; tries < TRIES && err != CL_SUCCESS; tries++)
            err = dl__next.clEnqueueCopyBuffer(queue, copied->of[DL__RAN],
                                               mem->object.handle, 0, 0, mem->bytes, 0,
                                               NULL, NULL);
        mem->order.lost |= err != CL_SUCCESS;
    }
    if (images_err != CL_SUCCESS)
        dl__log(
            DL__LOG_WARNING,
            "kernel '%s': an image holds what its rewritten kernel gave, which is not "
            "what its own text gives; run the program with --detect off",
            copies->kernel->name);
    /* The copies are about to go. */
    dl__next.clFinish(queue);
}
