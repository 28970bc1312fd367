/* SPDX-License-Identifier: MIT */
/* Buffers of DL's own that members of a buffer's structs lie in. */
#include "beside.h"

#include "layout/members.h"
#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/reports/stats.h"
#include "cancel.h"
#include "contexts.h"

/* The driver keeps it for the commands that use it. */
static DL__WITH_LOCK void release(struct dl__context *context, cl_mem *mem,
                                  uint64_t bytes)
{
    if (!*mem)
        return;
    dl__next.clReleaseMemObject(*mem);
    dl__context_count_released(context, 1);
    context->copies_bytes -= bytes;
    *mem = NULL;
}

bool dl__beside_prepare(struct dl__mem *mem, const struct dl_members *members,
                        uint32_t struct_bytes, uint64_t structs, uint64_t cap_bytes,
                        const char **reason)
{
    struct dl__context *context = mem->object.context;
    struct dl__beside *beside = &mem->residence.beside;
    uint64_t bytes;
    cl_uint before;
    cl_int err;

    if (dl_members_buffer_bytes(members, struct_bytes, structs, &bytes) != DL_OK ||
        bytes > SIZE_MAX) {
        *reason = "its members are too large";
        return false;
    }
    if ((beside->mem && beside->bytes >= bytes) ||
        (beside->next && beside->next_bytes >= bytes))
        return true;
    release(context, &beside->next, beside->next_bytes);
    if (context->copies_bytes + bytes > cap_bytes) {
        *reason = "its members beside it would exceed --memory-cap";
        return false;
    }
    before = dl__context_count_begin(context);
    beside->next = dl__next.clCreateBuffer(context->object.handle, CL_MEM_READ_WRITE,
                                           (size_t)bytes, NULL, &err);
    if (err == CL_SUCCESS)
        dl__context_count_made(context, before);
    if (err != CL_SUCCESS) {
        beside->next = NULL;
        *reason = "there is no memory for its members beside it";
        return false;
    }
    beside->next_bytes = bytes;
    context->copies_bytes += bytes;
    dl__stats_copy(bytes);
    return true;
}

void dl__beside_take(struct dl__mem *mem)
{
    struct dl__beside *beside = &mem->residence.beside;

    if (!beside->next)
        return;
    release(mem->object.context, &beside->mem, beside->bytes);
    beside->mem = beside->next;
    beside->bytes = beside->next_bytes;
    beside->next = NULL;
}

void dl__beside_written(struct dl__mem *mem)
{
    if (dl__mem_has_beside(mem))
        mem->residence.beside.written = true;
}

void dl__beside_end(struct dl__mem *mem)
{
    struct dl__beside *beside = &mem->residence.beside;

    release(mem->object.context, &beside->next, beside->next_bytes);
    release(mem->object.context, &beside->mem, beside->bytes);
}

/* What is kept with a context. */
struct aside {
    struct dl__kept kept;
    cl_command_queue queue DL__UNDER_LOCK; /* of DL's own; NULL: none */
    cl_device_id device DL__UNDER_LOCK;
};

static DL__WITH_LOCK void end_aside(void *record, void *kept)
{
    struct aside *aside = kept;

    (void)record;
    if (aside->queue)
        dl__next.clReleaseCommandQueue(aside->queue);
}

static const struct dl__keeper keeper = {.bytes = sizeof(struct aside), .end = end_aside};

/* NULL: none to be had. It stays as long as the context, for the count of that. */
static DL__WITH_LOCK cl_command_queue queue_aside(struct dl__context *context,
                                                  cl_device_id device)
{
    struct aside *aside = dl__kept_get(context, &keeper);
    cl_uint before;
    cl_int err;

    if (aside && !aside->queue) {
        before = dl__context_count_begin(context);
        aside->queue =
            dl__next.clCreateCommandQueue(context->object.handle, device, 0, &err);
        aside->device = device;
        dl__context_count_end(context, before);
    }
    return aside && aside->device == device ? aside->queue : NULL;
}

void dl__beside_settle(struct dl__context *context)
{
    static unsigned char byte; /* that nobody looks at */

    for (struct dl__mem *mem = context->used; mem; mem = mem->order.next_used) {
        cl_command_queue queue = NULL;

        if (!dl__mem_has_beside(mem)) {
            dl__beside_end(mem);
            continue;
        }
        if (mem->residence.beside.mem && mem->residence.device &&
            !dl__cancel_possible(context))
            queue = queue_aside(context, mem->residence.device->id);
        if (queue &&
            dl__next.clEnqueueReadBuffer(queue, mem->residence.beside.mem, CL_FALSE, 0, 1,
                                         &byte, 0, NULL, NULL) == CL_SUCCESS)
            dl__queue_flush(queue);
    }
}
