/* SPDX-License-Identifier: MIT */
/* Layouts that the host wants, and the functions of include/dl.h. Programs get them as
 * exported symbols of this library, or by address, since the symbols of a layer can't be
 * seen by name. */
#define DL_NO_WEAK_SYMBOLS
#include "dl.h"

#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/host/looks.h"
#include "libdl_intercept/launches/args.h"
#include "libdl_intercept/programs/builder.h"
#include "libdl_intercept/reports/reasons.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/state/order.h"
#include "libdl_intercept/state/residence.h"
#include "hooks.h"
#include "pin.h"

/* ---- buffers in the layout that the host wants them in ---- */

/* Kept with a buffer that the host sees in a layout of its own. */
struct host_layout {
    struct dl__kept kept;
    struct dl_layout layout DL__UNDER_LOCK;
    struct dl_leaf_table leaves DL__UNDER_LOCK;
    struct dl__move written DL__UNDER_LOCK; /* prepared for a write of the whole buffer */
    struct dl_leaf_table written_leaves DL__UNDER_LOCK;
};

static void end_host_layout(void *mem, void *kept)
{
    struct host_layout *host = kept;

    (void)mem;
    dl_leaf_table_free(&host->leaves);
    dl_leaf_table_free(&host->written_leaves);
}

static const struct dl__keeper keeper = {.bytes = sizeof(struct host_layout),
                                         .end = end_host_layout};

/* Sets the layout in which the host sees the buffer; AoS: as the program wrote it. Takes
 * over `leaves`. errors  CL_OUT_OF_HOST_MEMORY: nothing has changed */
static DL__WITH_LOCK cl_int mem_set_host(struct dl__mem *mem, struct dl_layout layout,
                                         struct dl_leaf_table *leaves)
{
    struct host_layout *host = layout.kind == DL_LAYOUT_AOS ? dl__kept_find(mem, &keeper)
                                                            : dl__kept_get(mem, &keeper);

    if (!host)
        return layout.kind == DL_LAYOUT_AOS ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
    end_host_layout(mem, host);
    host->layout = layout;
    host->leaves = *leaves;
    host->written = (struct dl__move){0};
    host->written_leaves = (struct dl_leaf_table){0};
    *leaves = (struct dl_leaf_table){0};
    mem->residence.host_kind = layout.kind;
    return CL_SUCCESS;
}

/* A move to the layout, prepared. */
static DL__WITH_LOCK cl_int prepare(struct dl__mem *mem, struct dl__queue *queue,
                                    struct dl_layout layout,
                                    const struct dl_leaf_table *leaves,
                                    struct dl__move *move)
{
    const char *reason = mem->object.context->pinned
                             ? "commands that DL can't see may use it"
                             : dl__mem_refusal(mem);

    *move = (struct dl__move){.mem = mem,
                              .layout = layout,
                              .leaves = leaves,
                              .structs = mem->bytes / leaves->struct_bytes};
    if (dl__mem_is_there(mem, layout, leaves))
        return CL_SUCCESS;
    if (!reason && dl__move_prepare(move, queue, &reason))
        return CL_SUCCESS;
    dl__log(DL__LOG_REMARK, "buffer %u can't be converted to %s: %s", mem->id,
            dl_layout_name(layout.kind), reason);
    return CL_INVALID_OPERATION;
}

/* Converts the buffer to the layout on the queue, where it is not there already.
 *   errors  CL_INVALID_OPERATION: it can't be converted; the driver's code */
static DL__WITH_LOCK cl_int mem_convert(struct dl__mem *mem, struct dl__queue *queue,
                                        struct dl_layout layout,
                                        const struct dl_leaf_table *leaves)
{
    struct dl__move move;
    cl_int err;

    if (mem->order.lost)
        return CL_OUT_OF_RESOURCES;
    err = prepare(mem, queue, layout, leaves, &move);
    return err == CL_SUCCESS ? dl__move_enqueue(&move, queue) : err;
}

cl_int dl__mem_to_host(struct dl__mem *mem, struct dl__queue *queue)
{
    const struct host_layout *host = dl__kept_find(mem, &keeper);

    DL__TELL(mem->object, touched, mem, kept, 0);
    return mem_convert(mem, queue, host->layout, &host->leaves);
}

cl_int dl__mem_prepare_host(struct dl__mem *mem, struct dl__queue *queue)
{
    struct host_layout *host = dl__kept_find(mem, &keeper);
    bool lost = mem->order.lost;
    cl_int err;

    /* The lost contents are overwritten. */
    mem->order.lost = false;
    err = prepare(mem, queue, host->layout, &host->leaves, &host->written);
    mem->order.lost = lost;
    dl_leaf_table_free(&host->written_leaves);
    if (err == CL_SUCCESS && host->written.needed &&
        dl_leaf_table_copy(&host->leaves, &host->written_leaves) != DL_OK)
        err = CL_OUT_OF_HOST_MEMORY;
    return err;
}

void dl__mem_written_by_host(struct dl__mem *mem)
{
    struct host_layout *host = dl__kept_find(mem, &keeper);

    dl__mem_drop_rest(mem);
    if (!host->written.needed)
        return;
    dl__move_done_by_host(&host->written, &host->written_leaves);
    host->written_leaves = (struct dl_leaf_table){0};
}

/* ---- the functions ---- */

#define EXPORT __attribute__((visibility("default")))

_Static_assert(CL_LAYOUT_AOS_DL == (int)DL_LAYOUT_AOS &&
                   CL_LAYOUT_ASTA_DL == (int)DL_LAYOUT_ASTA &&
                   CL_LAYOUT_DA_DL == (int)DL_LAYOUT_DA &&
                   CL_LAYOUT_SOA_DL == (int)DL_LAYOUT_SOA,
               "the kinds have two names");

/* The best tile over all GPUs of the thesis (5.4.1). */
enum { ASTA_TILE = 32 };

/* ---- what a program says ---- */

/* The error that the driver has for the handle; CL_SUCCESS: it is a memory object of its.
 * */
static cl_int ask_driver(cl_mem handle)
{
    cl_mem_object_type type;

    if (!handle || !dl__next.clGetMemObjectInfo)
        return CL_INVALID_MEM_OBJECT;
    return dl__next.clGetMemObjectInfo(handle, CL_MEM_TYPE, sizeof type, &type, NULL);
}

static const char not_memory[] = "it is no memory object's handle",
                  not_seen[] = "DL did not see it being made";

/* A layout that a program asks for. */
struct wanted {
    struct dl_layout layout;
    struct dl_leaf_table leaves; /* owned; none for AoS */
};

/* Many reasons share a code, which is all that the program sees. */
static cl_int say_refusal(const char *function, const struct dl__mem *mem, cl_int err,
                          const char *reason)
{
    if (err != CL_SUCCESS && reason && mem)
        dl__log(DL__LOG_REMARK, "%s returns %d for buffer %u: %s", function, err, mem->id,
                reason);
    else if (err != CL_SUCCESS && reason)
        dl__log(DL__LOG_REMARK, "%s returns %d: %s", function, err, reason);
    return err;
}

static cl_int refuse(cl_int err, const char *reason, const char **out)
{
    *out = reason;
    return err;
}

static cl_int read_fields(const cl_buffer_layout_dl *layout, cl_uint count,
                          const cl_field_dl *fields, struct dl_leaf_table *leaves,
                          const char **reason)
{
    struct dl_leaf *copies = calloc(count, sizeof *copies);
    enum dl_status status = DL_ENOMEM;

    for (cl_uint i = 0; copies && i < count; i++)
        copies[i] = (struct dl_leaf){fields[i].offset_bytes, fields[i].width_bytes};
    if (copies)
        status = dl_leaf_table_make(layout->struct_bytes, copies, count, leaves);
    free(copies);
    return status == DL_OK ? CL_SUCCESS
           : status == DL_ENOMEM
               ? refuse(CL_OUT_OF_HOST_MEMORY, "there is no memory for its fields",
                        reason)
               : refuse(CL_INVALID_VALUE,
                        "a field is empty, wider than 128 bytes, past the struct's end "
                        "or overlaps another",
                        reason);
}

/* The tile where the program leaves it to DL. */
static DL__WITH_LOCK uint32_t choose_tile(const struct dl__mem *mem,
                                          enum dl_layout_kind kind)
{
    const struct dl__options *options = dl__options_get();

    if (mem->residence.layout.kind == kind)
        return mem->residence.layout.tile_structs;
    if (options->tile_structs > 1)
        return options->tile_structs;
    return kind == DL_LAYOUT_DA ? DL__DA_TILE : ASTA_TILE;
}

/* Judges what does not depend on the buffer. */
static cl_int check_request(const cl_buffer_layout_dl *layout, cl_uint field_count,
                            const cl_field_dl *fields, const char **reason)
{
    if (!layout)
        return refuse(CL_INVALID_VALUE, "the layout is NULL", reason);
    if (layout->kind > CL_LAYOUT_SOA_DL || layout->version != 0)
        return refuse(CL_INVALID_VALUE, "the layout's kind or version is unknown",
                      reason);
    if ((field_count > 0) != (fields != NULL))
        return refuse(CL_INVALID_VALUE, "fields and field_count disagree", reason);
    if (field_count > 0 && layout->struct_bytes == 0)
        return refuse(CL_INVALID_VALUE, "fields need the layout's struct_bytes", reason);
    if (layout->tile_structs > 0 &&
        (layout->kind == CL_LAYOUT_AOS_DL || layout->kind == CL_LAYOUT_SOA_DL))
        return refuse(CL_INVALID_VALUE, "only ASTA and DA have tile_structs", reason);
    return CL_SUCCESS;
}

/* Returns why the buffer is never converted, or not now; NULL: it may be. */
static DL__WITH_LOCK const char *why_left_alone(const struct dl__mem *mem)
{
    return mem->kind != DL__BUFFER       ? "it is a sub-buffer or an image"
           : mem->excluded               ? dl__why_text(DL__WHY_SHARED)
           : dl__mem_is_copied(mem)      ? "it is CL_MEM_READ_ONLY or CL_MEM_USE_HOST_PTR"
           : mem->residence.pins         ? dl__why_text(DL__WHY_REFERRED)
           : mem->residence.sub_buffers  ? "it has a sub-buffer"
           : mem->object.context->pinned ? dl__why_text(DL__WHY_PINNED)
                                         : NULL;
}

/* Turns a checked request into a layout of the buffer. */
static DL__WITH_LOCK cl_int read_request(const struct dl__mem *mem,
                                         const cl_buffer_layout_dl *layout,
                                         cl_uint field_count, const cl_field_dl *fields,
                                         struct wanted *wanted, const char **reason)
{
    const char *left_alone;
    cl_int err = CL_SUCCESS;

    *wanted = (struct wanted){.layout.kind = (enum dl_layout_kind)layout->kind};
    if (layout->kind == CL_LAYOUT_AOS_DL)
        return CL_SUCCESS;
    left_alone = why_left_alone(mem);
    if (left_alone)
        return refuse(CL_INVALID_OPERATION, left_alone, reason);
    if (field_count > 0) {
        err = read_fields(layout, field_count, fields, &wanted->leaves, reason);
    } else if (mem->residence.leaves.struct_bytes == 0) {
        return refuse(CL_INVALID_OPERATION,
                      "DL has not converted it yet, so that no struct of it is known: "
                      "pass struct_bytes and fields",
                      reason);
    } else if (layout->struct_bytes &&
               layout->struct_bytes != mem->residence.leaves.struct_bytes) {
        return refuse(CL_INVALID_VALUE, "its structs have another struct_bytes", reason);
    } else if (dl_leaf_table_copy(&mem->residence.leaves, &wanted->leaves) != DL_OK) {
        return refuse(CL_OUT_OF_HOST_MEMORY, "there is no memory for its fields", reason);
    }
    if (err == CL_SUCCESS && wanted->leaves.struct_bytes > mem->bytes) {
        dl_leaf_table_free(&wanted->leaves);
        err = refuse(CL_INVALID_VALUE, "the struct is larger than the buffer", reason);
    }
    if (layout->kind != CL_LAYOUT_SOA_DL)
        wanted->layout.tile_structs = layout->tile_structs
                                          ? layout->tile_structs
                                          : choose_tile(mem, wanted->layout.kind);
    return err;
}

static cl_buffer_layout_dl describe(const struct dl__mem *mem, struct dl_layout layout,
                                    uint32_t struct_bytes)
{
    const uint64_t structs = struct_bytes ? mem->bytes / struct_bytes : 0;
    struct dl_tiling tiling = {.head_structs = structs};

    if (layout.kind != DL_LAYOUT_AOS)
        dl_layout_tile(layout, structs, &tiling);
    return (cl_buffer_layout_dl){.kind = layout.kind,
                                 .tile_structs = layout.tile_structs,
                                 .struct_bytes = struct_bytes,
                                 .structs = structs,
                                 .head_structs = tiling.head_structs};
}

/* ---- the functions ---- */

EXPORT cl_int CL_API_CALL clGetBufferLayoutDL(cl_mem buffer, cl_buffer_layout_dl *layout)
{
    struct dl__mem *mem = dl__mem_find(buffer);
    cl_int err = mem ? CL_SUCCESS : ask_driver(buffer);

    if (err == CL_SUCCESS && !layout)
        err = CL_INVALID_VALUE;
    if (err != CL_SUCCESS)
        return err;
    if (!mem || mem->kind != DL__BUFFER) {
        *layout = (cl_buffer_layout_dl){.kind = CL_LAYOUT_AOS_DL};
        return CL_SUCCESS;
    }
    dl__context_lock(mem->object.context);
    *layout =
        describe(mem,
                 dl__mem_lies_in_tiles(mem) ? mem->residence.layout
                                            : (struct dl_layout){.kind = DL_LAYOUT_AOS},
                 mem->residence.leaves.struct_bytes);
    dl__context_unlock(mem->object.context);
    return CL_SUCCESS;
}

EXPORT cl_int CL_API_CALL clSetBufferHostLayoutDL(cl_mem buffer,
                                                  cl_buffer_layout_dl *layout,
                                                  cl_uint field_count,
                                                  const cl_field_dl *fields)
{
    static const char function[] = "dl_buffer_set_host_layout";
    struct dl__mem *mem = dl__mem_find(buffer);
    const char *reason = not_memory;
    cl_int err = mem ? CL_SUCCESS : ask_driver(buffer);
    cl_buffer_layout_dl described;
    struct wanted wanted;

    if (err == CL_SUCCESS)
        err = check_request(layout, field_count, fields, &reason);
    if (err == CL_SUCCESS && !mem && layout->kind != CL_LAYOUT_AOS_DL)
        err = refuse(CL_INVALID_OPERATION, not_seen, &reason);
    if (err != CL_SUCCESS || !mem)
        return say_refusal(function, mem, err, reason);
    dl__context_lock(mem->object.context);
    err = read_request(mem, layout, field_count, fields, &wanted, &reason);
    if (err == CL_SUCCESS &&
        (layout->kind == CL_LAYOUT_AOS_DL
             ? mem->residence.host_maps > 0
             : atomic_load(&mem->maps) > 0 || dl__view_map_count(mem) > 0))
        err = refuse(CL_INVALID_OPERATION, "it is mapped", &reason);
    if (err == CL_SUCCESS) {
        described =
            describe(mem, wanted.layout,
                     layout->kind == CL_LAYOUT_AOS_DL ? mem->residence.leaves.struct_bytes
                                                      : wanted.leaves.struct_bytes);
        /* Its commands are DL's business from now on, if they were not before. */
        if (layout->kind != CL_LAYOUT_AOS_DL)
            dl__context_set_annotated(mem->object.context);
        reason = "there is no memory for its layout";
        err = mem_set_host(mem, wanted.layout, &wanted.leaves);
    }
    dl__context_unlock(mem->object.context);
    dl_leaf_table_free(&wanted.leaves);
    if (err == CL_SUCCESS)
        *layout = described;
    return say_refusal(function, mem, err, reason);
}

cl_int dl__waits_check(const struct dl__queue *queue, cl_uint count, const cl_event *list)
{
    if ((count > 0) != (list != NULL))
        return CL_INVALID_EVENT_WAIT_LIST;
    for (cl_uint i = 0; i < count; i++) {
        cl_context context = NULL;

        if (!list[i] || dl__next.clGetEventInfo(list[i], CL_EVENT_CONTEXT, sizeof context,
                                                &context, NULL) != CL_SUCCESS)
            return CL_INVALID_EVENT_WAIT_LIST;
        if (context != queue->object.context->object.handle)
            return CL_INVALID_CONTEXT;
    }
    return CL_SUCCESS;
}

static DL__WITH_LOCK cl_int marshal(struct dl__queue *queue, struct dl__mem *mem,
                                    const struct wanted *wanted, cl_uint wait_count,
                                    const cl_event *wait, cl_event *event)
{
    struct dl__wait marker;
    cl_int err;

    if (wanted->layout.kind == DL_LAYOUT_AOS)
        err = dl__mem_bring_back(mem, queue, "clEnqueueMarshalBufferDL");
    else
        err = mem_convert(mem, queue, wanted->layout, &wanted->leaves);
    if (err != CL_SUCCESS)
        return err;
    dl__wait_begin(&marker, wait_count, wait);
    dl__mem_use(mem, queue, &marker);
    err = dl__wait_error(&marker);
    if (err == CL_SUCCESS && (event || marker.count > 0))
        err = dl__next.clEnqueueMarkerWithWaitList(queue->object.handle, marker.count,
                                                   marker.list, event);
    if (err == CL_SUCCESS)
        dl__mems_used(&marker, queue, NULL);
    dl__wait_end(&marker);
    return err;
}

EXPORT cl_int CL_API_CALL clEnqueueMarshalBufferDL(
    cl_command_queue queue_handle, cl_mem buffer, const cl_buffer_layout_dl *layout,
    cl_uint field_count, const cl_field_dl *fields, cl_uint wait_count,
    const cl_event *wait, cl_event *event)
{
    static const char function[] = "dl_buffer_enqueue_marshal";
    struct dl__queue *queue = dl__queue_find(queue_handle);
    struct dl__mem *mem = dl__mem_find(buffer);
    const char *reason = not_memory;
    cl_int err = mem ? CL_SUCCESS : ask_driver(buffer);
    struct wanted wanted;

    if (!queue)
        return CL_INVALID_COMMAND_QUEUE;
    if (err == CL_SUCCESS)
        err = check_request(layout, field_count, fields, &reason);
    if (err != CL_SUCCESS)
        return say_refusal(function, mem, err, reason);
    if (mem && mem->object.context != queue->object.context)
        return CL_INVALID_CONTEXT;
    if (!mem)
        return layout->kind == CL_LAYOUT_AOS_DL
                   ? dl__next.clEnqueueMarkerWithWaitList(queue_handle, wait_count, wait,
                                                          event)
                   : CL_INVALID_OPERATION;
    if (layout->kind != CL_LAYOUT_AOS_DL)
        dl__context_set_annotated(mem->object.context);
    reason = NULL;
    dl__context_lock(mem->object.context);
    err = dl__waits_check(queue, wait_count, wait);
    if (err == CL_SUCCESS)
        err = read_request(mem, layout, field_count, fields, &wanted, &reason);
    if (err == CL_SUCCESS) {
        err = marshal(queue, mem, &wanted, wait_count, wait, event);
        dl_leaf_table_free(&wanted.leaves);
    }
    dl__context_unlock(mem->object.context);
    return say_refusal(function, mem, err, reason);
}

void *dl__pin_find_function(const char *name)
{
    typedef void (*any_fn)(void);
    static const struct {
        const char *name;
        any_fn function;
    } functions[] = {
        {"clGetBufferLayoutDL", (any_fn)clGetBufferLayoutDL},
        {"clSetBufferHostLayoutDL", (any_fn)clSetBufferHostLayoutDL},
        {"clEnqueueMarshalBufferDL", (any_fn)clEnqueueMarshalBufferDL},
    };
    void *function;

    for (size_t i = 0; name && i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, name) != 0)
            continue;
        memcpy(&function, &functions[i].function, sizeof function);
        return function;
    }
    return NULL;
}
