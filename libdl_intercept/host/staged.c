/* SPDX-License-Identifier: MIT */
/* Looks by the host at tiled buffers, through staging areas. */
#include "staged.h"

#include <stdlib.h>

#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/state/residence.h"
#include "libdl_intercept/trace/trace.h"

/* The step that only stands for those before it, by a command of the program's kind;
 * where that is refused a marker does. */
#define LAST_STEP(step, chain, wanted, call)                                             \
    do {                                                                                 \
        if ((chain)->err == CL_SUCCESS) {                                                \
            DL__STEP(step, chain, wanted, call);                                         \
            chain_mark(chain, wanted);                                                   \
        }                                                                                \
    } while (0)

struct area {
    cl_device_id device; /* whose queues alone use it */
    cl_mem mem;
    size_t bytes;  /* a multiple of 16, and of 128 unless it is smaller */
    cl_event last; /* of the last command in it; NULL: none, or ordered by its queue */
    unsigned slot; /* that queue's */
    struct area *next;
};

/* ---- staging areas ---- */

/* Small areas serve small looks, and take as much as one large one in all; beyond that
 * all are of the same size. Of a device. */
enum { AREAS_MAX = 8, AREA_BYTES_MIN = 65536, TOKENS = 64 };
/* The slot of an area of which nobody can tell when its commands have ended. */
enum { AREA_LOST = DL__QUEUE_SLOTS + 1 };

/* Tokens of one device. */
struct token_set {
    struct token_set *next;
    cl_device_id device;
    cl_mem mem;
    unsigned count;
};

struct held_set {
    struct held_set *next;
    struct dl__held_token tokens[TOKENS];
};

/* What is kept with a context. Each device has its own: what two devices use, drivers
 * move from one to the other, all of it, and an area is larger than what goes through it.
 */
struct staging {
    struct dl__kept kept;
    struct area *areas DL__UNDER_LOCK; /* to look at tiled buffers through */
    struct token_set *tokens DL__UNDER_LOCK;
    struct held_set *held DL__UNDER_LOCK;
};

/* ---- chains ---- */

void dl__chain_begin(struct dl__chain *chain, struct dl__queue *queue,
                     const struct dl__wait *program)
{
    *chain = (struct dl__chain){.queue = queue};
    dl__wait_begin_from(&chain->first, program);
}

void dl__chain_use(struct dl__chain *chain, struct dl__mem *mem)
{
    dl__mem_use(mem, chain->queue, &chain->first);
}

void dl__chain_wait_for(struct dl__chain *chain, cl_event event)
{
    dl__wait_add(&chain->first, event, false);
}

static bool keeps_last(const struct dl__chain *chain)
{
    return chain->queue->out_of_order || chain->wants_last;
}

bool dl__step_begin(struct dl__step *step, struct dl__chain *chain, cl_event *wanted)
{
    if (chain->err != CL_SUCCESS)
        return false;
    step->chain = chain;
    step->event = NULL;
    step->wanted = wanted;
    step->out = wanted || keeps_last(chain) ? &step->event : NULL;
    dl__wait_begin_from(&step->wait, &chain->first);
    dl__wait_add(&step->wait, chain->last, false);
    chain->err = dl__wait_error(&step->wait);
    if (chain->err != CL_SUCCESS)
        dl__wait_end(&step->wait);
    return chain->err == CL_SUCCESS;
}

void dl__step_end(struct dl__step *step, cl_int err)
{
    struct dl__chain *chain = step->chain;

    dl__wait_end(&step->wait);
    if (err != CL_SUCCESS) {
        chain->err = err;
        return;
    }
    chain->begun = true;
    if (chain->last)
        dl__next.clReleaseEvent(chain->last);
    chain->last = NULL;
    if (step->wanted) {
        *step->wanted = step->event;
        if (keeps_last(chain) && !dl__event_share(step->event)) {
            /* Then the next one has nothing to wait for. */
            dl__event_wait(step->event);
            return;
        }
    }
    if (keeps_last(chain))
        chain->last = step->event;
}

cl_int dl__chain_end(struct dl__chain *chain)
{
    /* The queue has nothing that waits for the program (contexts.h): this ends. */
    if (chain->err != CL_SUCCESS && chain->begun && chain->host)
        chain->adrift = dl__next.clFinish(chain->queue->object.handle) != CL_SUCCESS &&
                        dl__next.clFinish(chain->queue->object.handle) != CL_SUCCESS;
    if (chain->begun)
        dl__mems_used(&chain->first, chain->queue);
    if (chain->last)
        dl__next.clReleaseEvent(chain->last);
    dl__wait_end(&chain->first);
    return chain->err;
}

/* Marks the end of a chain whose last step alone has failed, if it has. */
static DL__WITH_LOCK void chain_mark(struct dl__chain *chain, cl_event *wanted)
{
    struct dl__step step;

    if (chain->err == CL_SUCCESS)
        return;
    chain->err = CL_SUCCESS;
    DL__STEP(&step, chain, wanted,
             dl__next.clEnqueueMarkerWithWaitList(
                 chain->queue->object.handle, step.wait.count, step.wait.list, step.out));
}

/* The same of a chain whose last command's event is in *done, which may be NULL: true
 * when all of it is enqueued. Else there is no event either. */
static DL__WITH_LOCK bool chain_is_done(struct dl__chain *chain, cl_event *done)
{
    if (dl__chain_end(chain) == CL_SUCCESS)
        return true;
    if (done && *done) {
        dl__next.clReleaseEvent(*done);
        *done = NULL;
    }
    return false;
}

/* ---- areas ---- */

static DL__WITH_LOCK bool areas_use_slot(const void *kept, unsigned slot)
{
    const struct staging *staging = kept;

    for (const struct area *area = staging->areas; area; area = area->next) {
        if (area->slot == slot && (!area->last || !dl__event_is_done(area->last)))
            return true;
    }
    return false;
}

static DL__WITH_LOCK void retire_areas(void *kept, unsigned slot, cl_event last)
{
    struct staging *staging = kept;

    for (struct area *area = staging->areas; area; area = area->next) {
        if (area->slot != slot || area->last)
            continue;
        area->last = dl__event_share(last);
        area->slot = area->last ? slot : last ? AREA_LOST : DL__QUEUE_SLOTS;
    }
}

static DL__WITH_LOCK void release_memory(struct dl__context *context, cl_mem mem)
{
    dl__next.clReleaseMemObject(mem);
    dl__context_count_released(context, 1);
}

/* The driver keeps the areas for the commands that use them. */
static DL__WITH_LOCK void free_areas(struct dl__context *context, void *kept)
{
    struct staging *staging = kept;
    struct area *area;

    while ((area = staging->areas)) {
        staging->areas = area->next;
        if (area->last)
            dl__next.clReleaseEvent(area->last);
        release_memory(context, area->mem);
        free(area);
    }
}

static DL__WITH_LOCK void free_tokens(struct dl__context *context,
                                      struct staging *staging)
{
    struct token_set *set;

    while ((set = staging->tokens)) {
        staging->tokens = set->next;
        release_memory(context, set->mem);
        free(set);
    }
}

static DL__WITH_LOCK void end_staging(void *context, void *kept)
{
    struct staging *staging = kept;

    free_areas(context, staging);
    free_tokens(context, staging);
    while (staging->held) {
        struct held_set *held = staging->held;

        staging->held = held->next;
        release_memory(context, held->tokens[0].token.mem);
        free(held);
    }
}

static bool is_any_held(const struct held_set *set)
{
    for (size_t t = 0; t < TOKENS; t++)
        if (set->tokens[t].held)
            return true;
    return false;
}

/* With tokens that no map holds: a driver may keep the last command on a buffer for as
 * long as the buffer. */
static DL__WITH_LOCK void settle_staging(struct dl__context *context, void *kept)
{
    struct staging *staging = kept;

    free_areas(context, staging);
    free_tokens(context, staging);
    for (struct held_set **at = &staging->held, *set; (set = *at);) {
        if (is_any_held(set)) {
            at = &set->next;
            continue;
        }
        *at = set->next;
        release_memory(context, set->tokens[0].token.mem);
        free(set);
    }
}

static const struct dl__keeper keeper = {.bytes = sizeof(struct staging),
                                         .end = end_staging,
                                         .settle = settle_staging,
                                         .uses_slot = areas_use_slot,
                                         .retire_slot = retire_areas};

static bool area_is_free(const struct area *area, const struct dl__queue *queue)
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

/* Whole lines of 128 bytes, so that the pieces of a command begin as it does. */
static size_t area_round(size_t bytes)
{
    return bytes < 128 ? bytes / 16 * 16 : bytes / 128 * 128;
}

static DL__WITH_LOCK struct area *area_make(struct dl__context *context,
                                            struct staging *staging, cl_device_id device,
                                            size_t bytes)
{
    struct area *area = calloc(1, sizeof *area);
    cl_uint before;
    cl_int err;

    if (!area)
        return NULL;
    area->bytes = bytes;
    area->device = device;
    area->slot = DL__QUEUE_SLOTS;
    before = dl__context_count_begin(context);
    area->mem = dl__next.clCreateBuffer(context->object.handle, CL_MEM_READ_WRITE, bytes,
                                        NULL, &err);
    if (err != CL_SUCCESS) {
        free(area);
        return NULL;
    }
    dl__context_count_made(context, before);
    area->next = staging->areas;
    staging->areas = area;
    dl__stats_area();
    return area;
}

/* An area that no unfinished command of another queue uses: of `bytes`, or else as large
 * as
 * --staging lets it be. NULL: none is free, or there is no memory. */
static DL__WITH_LOCK struct area *area_take(struct dl__context *context,
                                            struct dl__queue *queue, size_t bytes)
{
    size_t bound = area_round((size_t)dl__options_get()->staging_bytes);
    size_t wanted = area_round(bytes + 127);
    struct staging *staging = dl__kept_get(context, &keeper);
    struct area *area;
    unsigned count = 0;
    size_t made;

    if (bound == 0 || !staging)
        return NULL;
    if (wanted > bound)
        wanted = bound;
    made = bound > AREA_BYTES_MIN && wanted <= AREA_BYTES_MIN ? AREA_BYTES_MIN : bound;
    for (area = staging->areas; area; area = area->next) {
        if (area->device != queue->device)
            continue;
        if (area->bytes >= wanted && area_is_free(area, queue))
            break;
        count += area->bytes == made;
    }
    if (!area && (count < AREAS_MAX || (made < bound && count < bound / made)))
        area = area_make(context, staging, queue->device, made);
    if (!area)
        return NULL;
    if (area->last)
        dl__next.clReleaseEvent(area->last);
    area->last = NULL;
    /* What is free by itself, not by the order of this queue, is free for all until it is
     * given. */
    if (area->slot != queue->slot || queue->out_of_order)
        area->slot = DL__QUEUE_SLOTS;
    return area;
}

/* The chain's commands in the area are enqueued. Before the chain ends. */
static DL__WITH_LOCK void area_give(struct area *area, struct dl__chain *chain)
{
    if (!chain->begun)
        return;
    area->slot = chain->queue->slot;
    /* With one queue in order nobody else comes; otherwise others must see the end. That
     * is the end of the last command itself where it has an event: whoever waited for
     * that command finds the area free, which a marker behind it may not be yet. */
    area->last = dl__event_share(chain->last);
    if (!chain->last && dl__queue_needs_events(chain->queue) &&
        dl__next.clEnqueueMarkerWithWaitList(chain->queue->object.handle, 0, NULL,
                                             &area->last) != CL_SUCCESS)
        area->last = NULL;
    if (!area->last && area->slot >= DL__QUEUE_SLOTS)
        area->slot = AREA_LOST;
}

/* The memory of a set of tokens; NULL: there is none. */
static DL__WITH_LOCK cl_mem token_memory(struct dl__context *context)
{
    cl_uint before = dl__context_count_begin(context);
    cl_int err;
    cl_mem mem = dl__next.clCreateBuffer(context->object.handle, CL_MEM_READ_WRITE,
                                         TOKENS * DL__TOKEN_BYTES, NULL, &err);

    if (err != CL_SUCCESS)
        return NULL;
    dl__context_count_made(context, before);
    return mem;
}

/* NULL: there is no memory. */
static DL__WITH_LOCK struct token_set *tokens_of(struct dl__context *context,
                                                 cl_device_id device)
{
    struct staging *staging = dl__kept_get(context, &keeper);
    struct token_set *set = staging ? staging->tokens : NULL;

    while (set && set->device != device)
        set = set->next;
    if (set || !staging)
        return set;
    set = calloc(1, sizeof *set);
    if (set)
        set->mem = token_memory(context);
    if (!set || !set->mem) {
        free(set);
        return NULL;
    }
    set->device = device;
    set->next = staging->tokens;
    staging->tokens = set;
    return set;
}

/* False: no memory. */
static DL__WITH_LOCK bool token_take(const struct dl__queue *queue,
                                     struct dl__token *token)
{
    struct token_set *set = tokens_of(queue->object.context, queue->device);

    if (!set)
        return false;
    token->mem = set->mem;
    token->offset = (size_t)(set->count++ % TOKENS) * DL__TOKEN_BYTES;
    return true;
}

static DL__WITH_LOCK struct held_set *held_set_make(struct dl__context *context,
                                                    cl_device_id device)
{
    struct held_set *set = calloc(1, sizeof *set);
    cl_mem mem = set ? token_memory(context) : NULL;

    if (!mem) {
        free(set);
        return NULL;
    }
    for (size_t t = 0; t < TOKENS; t++) {
        set->tokens[t].token = (struct dl__token){mem, t * DL__TOKEN_BYTES};
        set->tokens[t].device = device;
    }
    return set;
}

struct dl__held_token *dl__token_hold(const struct dl__queue *queue, bool more)
{
    struct staging *staging = dl__kept_get(queue->object.context, &keeper);
    struct held_set *set = staging ? staging->held : NULL;

    for (; set; set = set->next) {
        for (size_t t = 0; t < TOKENS && set->tokens[0].device == queue->device; t++) {
            if (!set->tokens[t].held) {
                set->tokens[t].held = true;
                return &set->tokens[t];
            }
        }
    }
    if (!more || !staging)
        return NULL;
    set = held_set_make(queue->object.context, queue->device);
    if (!set)
        return NULL;
    set->next = staging->held;
    staging->held = set;
    set->tokens[0].held = true;
    return &set->tokens[0];
}

/* ---- parts of a tiled buffer ---- */

/* Prepares everything that can fail before a command is enqueued. False: it failed, the
 * box is not inside the buffer, or bringing it back is thought to be better. */
static DL__WITH_LOCK bool access_begin(struct dl__access *access, struct dl__mem *mem,
                                       struct dl__queue *queue,
                                       const struct dl_part_box *box)
{
    struct dl__context *context = mem->object.context;
    struct dl__device *device = dl__context_device(context, queue->device);
    enum dl_status status;
    uint64_t start_ns;
    cl_uint before;

    access->mem = mem;
    access->marshal = device ? dl__device_marshal(context, device) : NULL;
    if (!access->marshal ||
        !dl__mem_may_look(mem, box->width_bytes * box->height * box->depth,
                          &access->timed))
        return false;
    access->timed = access->timed && queue->profiled;
    start_ns = dl__trace_now();
    before = dl__context_count_begin(context);
    status = dl_marshal_part_prepare(access->marshal, &mem->residence.leaves, mem->bytes,
                                     mem->residence.layout, box, &access->part);
    dl__context_count_end(context, before);
    dl__trace_build("kernels that look at parts", start_ns);
    return status == DL_OK;
}

/* Copies the box between the buffer and the beginning of the area. */
static DL__WITH_LOCK void access_copy(const struct dl__access *access,
                                      struct dl__chain *chain, enum dl_part_way way,
                                      const struct dl_part_box *box,
                                      const struct area *area)
{
    uint64_t bytes = box->width_bytes * box->height * box->depth;
    enum dl_status status = DL_ECL;
    cl_event event = NULL;
    struct dl__step step;

    if (!dl__step_begin(&step, chain, access->timed || dl__trace_is_on() ? &event : NULL))
        return;
    if (access->timed)
        dl__queue_time_begin(chain->queue);
    for (int tries = 0; tries < DL__STEP_TRIES && status != DL_OK; tries++)
        status =
            dl_marshal_part_enqueue(access->marshal, chain->queue->object.handle,
                                    access->part, way, access->mem->object.handle, box,
                                    area->mem, step.wait.count, step.wait.list, step.out);
    if (access->timed)
        dl__queue_time_end(chain->queue);
    dl__step_end(&step, status == DL_OK       ? CL_SUCCESS
                        : status == DL_ENOMEM ? CL_OUT_OF_HOST_MEMORY
                                              : CL_OUT_OF_RESOURCES);
    if (status == DL_OK) {
        dl__stats_part(bytes);
        dl__trace_part(chain->queue->object.handle, access->mem->id,
                       way == DL_PART_GATHER, bytes, event);
        dl__mem_looked(access->mem, bytes, access->timed ? event : NULL);
    }
    if (event)
        dl__next.clReleaseEvent(event);
}

/* ---- transfers, copies and fills of tiled buffers, through staging areas ---- */

/* For a command that only stands for what came before it. */
static const unsigned char nothing;

enum { TOKEN_HALF = DL__TOKEN_BYTES / 2 };

static cl_command_queue chain_queue(const struct dl__chain *chain)
{
    return chain->queue->object.handle;
}

static bool is_inside(const struct dl__mem *mem, size_t offset, size_t bytes)
{
    return bytes > 0 && offset <= mem->bytes && bytes <= mem->bytes - offset;
}

/* ---- bytes ---- */

static size_t piece(const struct area *area, size_t rest)
{
    return rest < area->bytes ? rest : area->bytes;
}

/* Between a buffer as it lies and the host; `host` is only read when it `writes`. */
static DL__WITH_LOCK void host_transfer(struct dl__chain *chain, bool writes, cl_mem mem,
                                        size_t offset, size_t bytes, void *host,
                                        cl_event *done)
{
    struct dl__step step;

    DL__STEP(&step, chain, done,
             writes ? dl__next.clEnqueueWriteBuffer(chain_queue(chain), mem, CL_FALSE,
                                                    offset, bytes, host, step.wait.count,
                                                    step.wait.list, step.out)
                    : dl__next.clEnqueueReadBuffer(chain_queue(chain), mem, CL_FALSE,
                                                   offset, bytes, host, step.wait.count,
                                                   step.wait.list, step.out));
}

/* What both begin with where the buffer lies in tiles; NULL: it can't be staged. */
static DL__WITH_LOCK struct area *area_begin(struct dl__access *access,
                                             const struct dl__chain *chain,
                                             struct dl__mem *mem, size_t offset,
                                             size_t bytes)
{
    const struct dl_part_box all = dl__range(offset, bytes);

    if (!access_begin(access, mem, chain->queue, &all))
        return NULL;
    return area_take(mem->object.context, chain->queue, bytes);
}

bool dl__chain_read(struct dl__chain *chain, struct dl__mem *mem, size_t offset,
                    size_t bytes, void *host, cl_event *done)
{
    struct dl__access access;
    struct area *area;

    if (!dl__mem_lies_in_tiles(mem)) {
        host_transfer(chain, false, mem->object.handle, offset, bytes, host, done);
        return true;
    }
    area = area_begin(&access, chain, mem, offset, bytes);
    if (!area)
        return false;
    for (size_t at = 0, now; at < bytes && chain->err == CL_SUCCESS; at += now) {
        now = piece(area, bytes - at);
        const struct dl_part_box box = dl__range(offset + at, now);

        chain->host = at > 0;
        access_copy(&access, chain, DL_PART_GATHER, &box, area);
        host_transfer(chain, false, area->mem, 0, now, (char *)host + at,
                      at + now == bytes ? done : NULL);
    }
    area_give(area, chain);
    return true;
}

bool dl__chain_write(struct dl__chain *chain, struct dl__mem *mem, size_t offset,
                     size_t bytes, const void *host)
{
    struct dl__access access;
    struct area *area;

    if (!dl__mem_lies_in_tiles(mem)) {
        host_transfer(chain, true, mem->object.handle, offset, bytes, (void *)host, NULL);
        return true;
    }
    area = area_begin(&access, chain, mem, offset, bytes);
    if (!area)
        return false;
    for (size_t at = 0, now; at < bytes && chain->err == CL_SUCCESS; at += now) {
        now = piece(area, bytes - at);
        const struct dl_part_box box = dl__range(offset + at, now);

        chain->host = true;
        host_transfer(chain, true, area->mem, 0, now, (char *)host + at, NULL);
        access_copy(&access, chain, DL_PART_SCATTER, &box, area);
    }
    area_give(area, chain);
    return true;
}

/* Nothing has been enqueued yet, and nothing will be. */
static DL__WITH_LOCK bool leave(struct dl__chain *chain)
{
    dl__chain_end(chain);
    return false;
}

bool dl__staged_read(struct dl__mem *mem, struct dl__queue *queue,
                     const struct dl__wait *program, size_t offset, size_t bytes,
                     void *host, cl_event *done)
{
    struct dl__chain chain;

    if (!host || !dl__mem_lies_in_tiles(mem) || !is_inside(mem, offset, bytes))
        return false;
    dl__chain_begin(&chain, queue, program);
    dl__chain_use(&chain, mem);
    if (!dl__chain_read(&chain, mem, offset, bytes, host, done))
        return leave(&chain);
    return chain_is_done(&chain, done);
}

bool dl__staged_write(struct dl__mem *mem, struct dl__queue *queue,
                      const struct dl__wait *program, size_t offset, size_t bytes,
                      const void *host, cl_event *done)
{
    struct dl__token token;
    struct dl__chain chain;
    struct dl__step step;

    if (!host || !dl__mem_lies_in_tiles(mem) || !is_inside(mem, offset, bytes) ||
        !token_take(queue, &token))
        return false;
    dl__chain_begin(&chain, queue, program);
    dl__chain_use(&chain, mem);
    if (!dl__chain_write(&chain, mem, offset, bytes, host))
        return leave(&chain);
    if (done)
        LAST_STEP(&step, &chain, done,
                  dl__next.clEnqueueWriteBuffer(
                      chain_queue(&chain), token.mem, CL_FALSE, token.offset, 1, &nothing,
                      step.wait.count, step.wait.list, step.out));
    return chain_is_done(&chain, done);
}

bool dl__staged_fill(struct dl__mem *mem, struct dl__queue *queue,
                     const struct dl__wait *program, const void *pattern,
                     size_t pattern_bytes, size_t offset, size_t bytes, cl_event *done)
{
    const struct dl_part_box all = dl__range(offset, bytes);
    struct dl__access access;
    struct dl__token token;
    struct dl__chain chain;
    struct area *area;
    struct dl__step step;
    size_t now;

    if (!pattern || pattern_bytes == 0 || pattern_bytes > 128 ||
        (pattern_bytes & (pattern_bytes - 1)) || offset % pattern_bytes ||
        bytes % pattern_bytes || !dl__mem_lies_in_tiles(mem) ||
        !access_begin(&access, mem, queue, &all) || !token_take(queue, &token))
        return false;
    area = area_take(mem->object.context, queue, bytes);
    if (!area || area->bytes % pattern_bytes)
        return false;
    dl__chain_begin(&chain, queue, program);
    dl__chain_use(&chain, mem);
    /* Every piece is a beginning of the first. */
    DL__STEP(&step, &chain, NULL,
             dl__next.clEnqueueFillBuffer(chain_queue(&chain), area->mem, pattern,
                                          pattern_bytes, 0, piece(area, bytes),
                                          step.wait.count, step.wait.list, step.out));
    for (size_t at = 0; at < bytes && chain.err == CL_SUCCESS; at += now) {
        now = piece(area, bytes - at);
        const struct dl_part_box box = dl__range(offset + at, now);

        access_copy(&access, &chain, DL_PART_SCATTER, &box, area);
    }
    if (done)
        LAST_STEP(&step, &chain, done,
                  dl__next.clEnqueueFillBuffer(chain_queue(&chain), token.mem, &nothing,
                                               1, token.offset, 1, step.wait.count,
                                               step.wait.list, step.out));
    area_give(area, &chain);
    return chain_is_done(&chain, done);
}

/* ---- copies ---- */

bool dl__staged_copy(struct dl__queue *queue, const struct dl__wait *program,
                     const struct dl__end *from, const struct dl__end *to, size_t bytes,
                     cl_event *done)
{
    const struct dl_part_box all_from = dl__range(from->offset, bytes),
                             all_to = dl__range(to->offset, bytes);
    struct dl__access read, write;
    struct dl__token token;
    struct dl__chain chain;
    struct area *area;
    struct dl__step step;
    size_t now;

    if ((from->tiled && !access_begin(&read, from->mem, queue, &all_from)) ||
        (to->tiled && !access_begin(&write, to->mem, queue, &all_to)) ||
        !token_take(queue, &token))
        return false;
    area = area_take(queue->object.context, queue, bytes);
    if (!area)
        return false;
    dl__chain_begin(&chain, queue, program);
    dl__chain_use(&chain, from->mem);
    if (to->mem != from->mem)
        dl__chain_use(&chain, to->mem);
    for (size_t at = 0; at < bytes && chain.err == CL_SUCCESS; at += now) {
        now = piece(area, bytes - at);
        const struct dl_part_box box_from = dl__range(from->offset + at, now),
                                 box_to = dl__range(to->offset + at, now);

        if (from->tiled)
            access_copy(&read, &chain, DL_PART_GATHER, &box_from, area);
        else
            DL__STEP(&step, &chain, NULL,
                     dl__next.clEnqueueCopyBuffer(
                         chain_queue(&chain), from->handle, area->mem, from->offset + at,
                         0, now, step.wait.count, step.wait.list, step.out));
        if (to->tiled)
            access_copy(&write, &chain, DL_PART_SCATTER, &box_to, area);
        else
            DL__STEP(&step, &chain, at + now == bytes ? done : NULL,
                     dl__next.clEnqueueCopyBuffer(
                         chain_queue(&chain), area->mem, to->handle, 0, to->offset + at,
                         now, step.wait.count, step.wait.list, step.out));
    }
    if (done && to->tiled)
        LAST_STEP(&step, &chain, done,
                  dl__next.clEnqueueCopyBuffer(chain_queue(&chain), token.mem, token.mem,
                                               token.offset, token.offset + TOKEN_HALF, 1,
                                               step.wait.count, step.wait.list,
                                               step.out));
    area_give(area, &chain);
    return chain_is_done(&chain, done);
}

/* Rectangular transfers and copies of tiled buffers, through staging areas where their
 * rows lie one after the other. */

static const size_t dense[3] = {0, 0, 0}, one_byte[3] = {1, 1, 1};

/* One command on one rectangle, on its way through an area. */
struct pass {
    struct area *area;
    struct dl__token token;
    struct dl__chain chain;
    const size_t *region;
    size_t slice_bytes; /* of the dense rows */
};

static cl_command_queue pass_queue(const struct pass *pass)
{
    return pass->chain.queue->object.handle;
}

static bool box_of(const size_t *region, struct dl__rect rect, size_t buffer_bytes,
                   struct dl_part_box *box)
{
    size_t row = rect.row_bytes, slice = rect.slice_bytes, rows, first, z;

    if (!rect.origin || !region[0] || !region[1] || !region[2])
        return false;
    if (row == 0)
        row = region[0];
    if (row < region[0] || __builtin_mul_overflow(row, region[1], &rows))
        return false;
    if (slice == 0)
        slice = rows;
    if (slice < rows || slice % row != 0 ||
        __builtin_mul_overflow(rect.origin[2], slice, &z) ||
        __builtin_mul_overflow(rect.origin[1], row, &first) ||
        __builtin_add_overflow(first, z, &first) ||
        __builtin_add_overflow(first, rect.origin[0], &first) || first >= buffer_bytes)
        return false;
    *box = (struct dl_part_box){.first_byte = first,
                                .width_bytes = region[0],
                                .height = region[1],
                                .row_bytes = row,
                                .depth = region[2],
                                .slice_bytes = slice};
    return true;
}

static DL__WITH_LOCK bool pass_begin(struct pass *pass, struct dl__queue *queue,
                                     const struct dl__wait *program, const size_t *region)
{
    struct dl__context *context = queue->object.context;
    size_t bytes;

    pass->region = region;
    if (__builtin_mul_overflow(region[0], region[1], &pass->slice_bytes) ||
        __builtin_mul_overflow(pass->slice_bytes, region[2], &bytes) ||
        !token_take(queue, &pass->token))
        return false;
    pass->area = area_take(context, queue, bytes);
    if (!pass->area || pass->area->bytes < bytes)
        return false;
    dl__chain_begin(&pass->chain, queue, program);
    return true;
}

static DL__WITH_LOCK bool pass_is_done(struct pass *pass, cl_event *done)
{
    area_give(pass->area, &pass->chain);
    return chain_is_done(&pass->chain, done);
}

bool dl__staged_read_rect(struct dl__mem *mem, struct dl__queue *queue,
                          const struct dl__wait *program, const size_t *region,
                          struct dl__rect rect, struct dl__rect host_rect, void *host,
                          cl_event *done)
{
    struct dl__access access;
    struct dl_part_box box;
    struct dl__step step;
    struct pass pass;

    if (!host || !region || !host_rect.origin || !dl__mem_lies_in_tiles(mem) ||
        !box_of(region, rect, mem->bytes, &box) ||
        !access_begin(&access, mem, queue, &box) ||
        !pass_begin(&pass, queue, program, region))
        return false;
    pass.chain.host = true;
    dl__chain_use(&pass.chain, mem);
    access_copy(&access, &pass.chain, DL_PART_GATHER, &box, pass.area);
    DL__STEP(&step, &pass.chain, done,
             dl__next.clEnqueueReadBufferRect(
                 pass_queue(&pass), pass.area->mem, CL_FALSE, dense, host_rect.origin,
                 region, region[0], pass.slice_bytes, host_rect.row_bytes,
                 host_rect.slice_bytes, host, step.wait.count, step.wait.list, step.out));
    return pass_is_done(&pass, done);
}

bool dl__staged_write_rect(struct dl__mem *mem, struct dl__queue *queue,
                           const struct dl__wait *program, const size_t *region,
                           struct dl__rect rect, struct dl__rect host_rect,
                           const void *host, cl_event *done)
{
    struct dl__access access;
    struct dl_part_box box;
    struct dl__step step;
    struct pass pass;

    if (!host || !region || !host_rect.origin || !dl__mem_lies_in_tiles(mem) ||
        !box_of(region, rect, mem->bytes, &box) ||
        !access_begin(&access, mem, queue, &box) ||
        !pass_begin(&pass, queue, program, region))
        return false;
    pass.chain.host = true;
    dl__chain_use(&pass.chain, mem);
    DL__STEP(&step, &pass.chain, NULL,
             dl__next.clEnqueueWriteBufferRect(
                 pass_queue(&pass), pass.area->mem, CL_FALSE, dense, host_rect.origin,
                 region, region[0], pass.slice_bytes, host_rect.row_bytes,
                 host_rect.slice_bytes, host, step.wait.count, step.wait.list, step.out));
    access_copy(&access, &pass.chain, DL_PART_SCATTER, &box, pass.area);
    if (done) {
        const size_t at[3] = {pass.token.offset, 0, 0};

        LAST_STEP(&step, &pass.chain, done,
                  dl__next.clEnqueueWriteBufferRect(
                      pass_queue(&pass), pass.token.mem, CL_FALSE, at, dense, one_byte, 0,
                      0, 0, 0, &nothing, step.wait.count, step.wait.list, step.out));
    }
    return pass_is_done(&pass, done);
}

bool dl__staged_copy_rect(struct dl__queue *queue, const struct dl__wait *program,
                          const struct dl__end *from, const struct dl__end *to,
                          const size_t *region, cl_event *done)
{
    struct dl__access read, write;
    struct dl_part_box box_from, box_to;
    struct dl__step step;
    struct pass pass;

    if (!region || !from->rect.origin || !to->rect.origin ||
        (from->tiled && (!box_of(region, from->rect, from->mem->bytes, &box_from) ||
                         !access_begin(&read, from->mem, queue, &box_from))) ||
        (to->tiled && (!box_of(region, to->rect, to->mem->bytes, &box_to) ||
                       !access_begin(&write, to->mem, queue, &box_to))) ||
        !pass_begin(&pass, queue, program, region))
        return false;
    dl__chain_use(&pass.chain, from->mem);
    dl__chain_use(&pass.chain, to->mem);
    if (from->tiled)
        access_copy(&read, &pass.chain, DL_PART_GATHER, &box_from, pass.area);
    else
        DL__STEP(&step, &pass.chain, NULL,
                 dl__next.clEnqueueCopyBufferRect(
                     pass_queue(&pass), from->handle, pass.area->mem, from->rect.origin,
                     dense, region, from->rect.row_bytes, from->rect.slice_bytes,
                     region[0], pass.slice_bytes, step.wait.count, step.wait.list,
                     step.out));
    if (to->tiled)
        access_copy(&write, &pass.chain, DL_PART_SCATTER, &box_to, pass.area);
    else
        DL__STEP(&step, &pass.chain, done,
                 dl__next.clEnqueueCopyBufferRect(
                     pass_queue(&pass), pass.area->mem, to->handle, dense,
                     to->rect.origin, region, region[0], pass.slice_bytes,
                     to->rect.row_bytes, to->rect.slice_bytes, step.wait.count,
                     step.wait.list, step.out));
    if (done && to->tiled) {
        const size_t at[3] = {pass.token.offset, 0, 0},
                     after[3] = {pass.token.offset + TOKEN_HALF, 0, 0};

        LAST_STEP(&step, &pass.chain, done,
                  dl__next.clEnqueueCopyBufferRect(
                      pass_queue(&pass), pass.token.mem, pass.token.mem, at, after,
                      one_byte, 0, 0, 0, 0, step.wait.count, step.wait.list, step.out));
    }
    return pass_is_done(&pass, done);
}
