/* Staging areas, and the commands that go through them. */
#include "staging.h"

#include <stdlib.h>

#include "contexts.h"
#include "log.h"
#include "options.h"
#include "residence.h"
#include "stats.h"

enum { AREAS_MAX = 8 };

/* One byte beyond the area, for a write that only stands for what came before it. */
static const unsigned char nothing;

struct dl__staging {
    cl_mem mem;
    size_t bytes;  /* without the byte beyond */
    cl_event last; /* of the last command in it; NULL: none, or ordered by its queue */
    unsigned slot; /* that queue's */
    struct dl__staging *next;
};

/* A chain of commands on one queue: in order by itself, or by events. */
struct chain {
    struct dl__queue *queue;
    struct dl__wait
        first;     /* what the program's command waits for, and conversions before */
    cl_event last; /* of the command before; out-of-order queues only */
    bool begun;
    cl_int err;
};

static void chain_begin(struct chain *chain, struct dl__mem *mem, struct dl__queue *queue,
                        const struct dl__wait *program)
{
    *chain = (struct chain){.queue = queue};
    dl__wait_begin_from(&chain->first, program);
    dl__mem_use(mem, queue, &chain->first);
    if (chain->first.failed)
        chain->err = CL_OUT_OF_HOST_MEMORY;
}

/* What the next command waits for: the one before, and always what the program's command
 * waits for, since each of the chain must fall away when that fails. */
static void chain_wait(const struct chain *chain, struct dl__wait *step)
{
    dl__wait_begin_from(step, &chain->first);
    dl__wait_add(step, chain->last, false);
}

/* The command just enqueued gave `event`, NULL where none was asked for. Takes it over.
 */
static void chain_step(struct chain *chain, cl_int err, cl_event event)
{
    if (err != CL_SUCCESS) {
        chain->err = err;
        return;
    }
    chain->begun = true;
    if (chain->last)
        dl__next.clReleaseEvent(chain->last);
    chain->last = NULL;
    if (chain->queue->out_of_order)
        chain->last = event;
    else if (event)
        dl__next.clReleaseEvent(event);
}

static void chain_end(struct chain *chain)
{
    if (chain->begun)
        dl__mems_used(&chain->first, chain->queue);
    if (chain->last)
        dl__next.clReleaseEvent(chain->last);
    dl__wait_end(&chain->first);
}

/* ---- areas
 * ----------------------------------------------------------------------------------- */

static bool area_is_free(const struct dl__staging *area, const struct dl__queue *queue)
{
    cl_int status = CL_QUEUED;

    if (area->slot == queue->slot && !queue->out_of_order)
        return true;
    if (!area->last)
        return area->slot == DL__QUEUE_SLOTS;
    dl__next.clGetEventInfo(area->last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                            &status, NULL);
    return status <= CL_COMPLETE;
}

/* An area of at least `bytes` that no unfinished command of another queue uses. NULL:
 * none. */
static struct dl__staging *area_take(struct dl__context *context, struct dl__queue *queue,
                                     size_t bytes)
{
    struct dl__staging *area;
    unsigned count = 0;
    cl_uint before;
    cl_int err;

    for (area = context->staging; area; area = area->next, count++) {
        if (area->bytes >= bytes && area_is_free(area, queue))
            break;
    }
    if (!area && count < AREAS_MAX && (area = calloc(1, sizeof *area))) {
        area->bytes = bytes < 65536 ? 65536 : dl__options_get()->staging_bytes;
        if (area->bytes < bytes)
            area->bytes = bytes;
        before = dl__context_count_begin(context);
        area->mem = dl__next.clCreateBuffer(context->object.handle, CL_MEM_READ_WRITE,
                                            area->bytes + 1, NULL, &err);
        dl__context_count_end(context, before);
        if (err != CL_SUCCESS) {
            free(area);
            return NULL;
        }
        area->next = context->staging;
        context->staging = area;
    }
    if (area && area->last) {
        dl__next.clReleaseEvent(area->last);
        area->last = NULL;
    }
    return area;
}

/* The chain's commands in the area are enqueued. */
static void area_give(struct dl__staging *area, struct chain *chain)
{
    area->slot = chain->queue->slot;
    /* With one queue in order nobody else comes; otherwise others must see the end. */
    if (chain->begun && dl__queue_has_company(chain->queue) &&
        dl__next.clEnqueueMarkerWithWaitList(
            chain->queue->object.handle, chain->last ? 1 : 0,
            chain->last ? &chain->last : NULL, &area->last) != CL_SUCCESS)
        area->last = NULL;
}

void dl__staging_free(struct dl__context *context)
{
    struct dl__staging *area;

    while ((area = context->staging)) {
        context->staging = area->next;
        if (area->last)
            dl__next.clReleaseEvent(area->last);
        dl__next.clReleaseMemObject(area->mem);
        free(area);
    }
}

/* ---- parts of the buffer
 * ------------------------------------------------------------------------ */

/* What the commands on one buffer share. */
struct access {
    struct dl_marshal *marshal;
    const struct dl_part *part;
    size_t struct_bytes, structs_end; /* where the whole structs end, in bytes */
    size_t area_bytes;                /* of whole structs */
};

static bool access_begin(struct access *access, struct dl__mem *mem,
                         struct dl__queue *queue, size_t offset, size_t bytes)
{
    struct dl__context *context = mem->object.context;
    struct dl__device *device;
    enum dl_status status;
    cl_uint before;

    if (!dl__mem_is_tiled(mem) || mem->copy || bytes == 0 || offset > mem->bytes ||
        bytes > mem->bytes - offset)
        return false;
    device = dl__context_device(context, queue->device);
    access->marshal = device ? dl__device_marshal(context, device) : NULL;
    access->struct_bytes = mem->leaves.struct_bytes;
    access->structs_end = mem->bytes / access->struct_bytes * access->struct_bytes;
    access->area_bytes = (size_t)dl__options_get()->staging_bytes / access->struct_bytes *
                         access->struct_bytes;
    if (!access->marshal || access->area_bytes == 0)
        return false;
    before = dl__context_count_begin(context);
    status = dl_marshal_part_prepare(access->marshal, &mem->leaves,
                                     mem->bytes / access->struct_bytes, mem->layout,
                                     &access->part);
    dl__context_count_end(context, before);
    return status == DL_OK;
}

static void enqueue_part(struct chain *chain, const struct access *access,
                         enum dl_part_way way, struct dl__mem *mem, size_t offset,
                         size_t bytes, const struct dl__staging *area)
{
    cl_event event = NULL;
    struct dl__wait wait;
    enum dl_status status = DL_ENOMEM;

    if (chain->err != CL_SUCCESS)
        return;
    chain_wait(chain, &wait);
    if (!wait.failed)
        status = dl_marshal_part_enqueue(
            access->marshal, chain->queue->object.handle, access->part, way,
            mem->object.handle, offset / access->struct_bytes,
            bytes / access->struct_bytes, area->mem, wait.count, wait.list,
            chain->queue->out_of_order ? &event : NULL);
    dl__wait_end(&wait);
    chain_step(chain, status == DL_OK ? CL_SUCCESS : CL_OUT_OF_RESOURCES, event);
    if (status == DL_OK)
        dl__stats_part(bytes);
}

/* A plain read or write in the chain; its event goes to `wanted` where that is not NULL.
 */
static void enqueue_transfer(struct chain *chain, bool write, cl_mem mem, size_t offset,
                             size_t bytes, const void *host, cl_event *wanted)
{
    cl_event event = NULL;
    cl_event *out = wanted || chain->queue->out_of_order ? &event : NULL;
    struct dl__wait wait;
    cl_int err = CL_OUT_OF_HOST_MEMORY;

    if (chain->err != CL_SUCCESS)
        return;
    chain_wait(chain, &wait);
    if (!wait.failed && write)
        err = dl__next.clEnqueueWriteBuffer(chain->queue->object.handle, mem, CL_FALSE,
                                            offset, bytes, host, wait.count, wait.list,
                                            out);
    else if (!wait.failed)
        err = dl__next.clEnqueueReadBuffer(chain->queue->object.handle, mem, CL_FALSE,
                                           offset, bytes, (void *)(uintptr_t)host,
                                           wait.count, wait.list, out);
    dl__wait_end(&wait);
    if (err == CL_SUCCESS && wanted) {
        *wanted = event;
        if (chain->queue->out_of_order)
            dl__next.clRetainEvent(event);
        else
            event = NULL;
    }
    chain_step(chain, err, event);
}

/* A chain that broke off must not touch the host's memory any more when the program hears
 * of it. */
static void chain_settle(const struct chain *chain)
{
    if (chain->err != CL_SUCCESS && chain->begun)
        dl__next.clFinish(chain->queue->object.handle);
}

bool dl__staged_read(struct dl__mem *mem, struct dl__queue *queue,
                     const struct dl__wait *program, size_t offset, size_t bytes,
                     void *host, cl_event *done, cl_int *err)
{
    struct access access;
    struct dl__staging *area;
    struct chain chain;
    size_t end = offset + bytes, step;

    if (!host || !access_begin(&access, mem, queue, offset, bytes))
        return false;
    area = area_take(mem->object.context, queue,
                     bytes + 2 * access.struct_bytes < access.area_bytes
                         ? bytes + 2 * access.struct_bytes
                         : access.area_bytes);
    if (!area)
        return false;
    chain_begin(&chain, mem, queue, program);
    for (size_t at = offset; at < end && chain.err == CL_SUCCESS; at += step) {
        if (at >= access.structs_end) { /* bytes beyond the whole structs never move */
            step = end - at;
            enqueue_transfer(&chain, false, mem->object.handle, at, step,
                             (char *)host + (at - offset), done);
            break;
        }
        size_t first = at - at % access.struct_bytes;
        size_t last = end < access.structs_end ? end : access.structs_end;
        size_t room = area->bytes / access.struct_bytes * access.struct_bytes;

        if (last - first > room)
            last = first + room;
        step = last - at;
        last =
            (last + access.struct_bytes - 1) / access.struct_bytes * access.struct_bytes;
        enqueue_part(&chain, &access, DL_PART_GATHER, mem, first, last - first, area);
        enqueue_transfer(&chain, false, area->mem, at - first, step,
                         (char *)host + (at - offset), at + step == end ? done : NULL);
    }
    area_give(area, &chain);
    chain_settle(&chain);
    *err = chain.err;
    chain_end(&chain);
    return true;
}

bool dl__staged_write(struct dl__mem *mem, struct dl__queue *queue,
                      const struct dl__wait *program, size_t offset, size_t bytes,
                      const void *host, cl_event *done, cl_int *err)
{
    struct access access;
    struct dl__staging *area;
    struct chain chain;
    size_t end = offset + bytes, structs_end, step;

    if (!host || !access_begin(&access, mem, queue, offset, bytes) ||
        offset >= access.structs_end)
        return false;
    area = area_take(mem->object.context, queue,
                     bytes + 2 * access.struct_bytes < access.area_bytes
                         ? bytes + 2 * access.struct_bytes
                         : access.area_bytes);
    if (!area)
        return false;
    structs_end = end < access.structs_end ? end : access.structs_end;
    chain_begin(&chain, mem, queue, program);
    if (end > structs_end) /* bytes beyond the whole structs never move */
        enqueue_transfer(&chain, true, mem->object.handle, structs_end, end - structs_end,
                         (const char *)host + (structs_end - offset), NULL);
    for (size_t at = offset; at < structs_end && chain.err == CL_SUCCESS; at += step) {
        size_t first = at - at % access.struct_bytes, last = structs_end;
        size_t room = area->bytes / access.struct_bytes * access.struct_bytes;

        if (last - first > room)
            last = first + room;
        step = last - at;
        last =
            (last + access.struct_bytes - 1) / access.struct_bytes * access.struct_bytes;
        /* Structs written in part keep the rest of what they hold. */
        if (first != at || last != at + step)
            enqueue_part(&chain, &access, DL_PART_GATHER, mem, first, last - first, area);
        enqueue_transfer(&chain, true, area->mem, at - first, step,
                         (const char *)host + (at - offset), NULL);
        enqueue_part(&chain, &access, DL_PART_SCATTER, mem, first, last - first, area);
    }
    /* The program's event is of a write, as its command was. */
    if (done)
        enqueue_transfer(&chain, true, area->mem, area->bytes, 1, &nothing, done);
    area_give(area, &chain);
    chain_settle(&chain);
    *err = chain.err;
    chain_end(&chain);
    return true;
}
