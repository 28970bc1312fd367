/* SPDX-License-Identifier: MIT */
/* Staging areas, the chains of commands that go through them, and parts of tiled buffers.
 */
#include "staging.h"

#include <stdlib.h>

#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/trace/trace.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/state/queues.h"
#include "libdl_intercept/state/residence.h"

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
    struct dl__area *areas DL__UNDER_LOCK; /* to look at tiled buffers through */
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
    /* The queue has nothing that waits for the program (cancel.h): this ends. */
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

void dl__chain_mark(struct dl__chain *chain, cl_event *wanted)
{
    struct dl__step step;

    if (chain->err == CL_SUCCESS)
        return;
    chain->err = CL_SUCCESS;
    DL__STEP(&step, chain, wanted,
             dl__next.clEnqueueMarkerWithWaitList(
                 chain->queue->object.handle, step.wait.count, step.wait.list, step.out));
}

bool dl__chain_is_done(struct dl__chain *chain, cl_event *done)
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

    for (const struct dl__area *area = staging->areas; area; area = area->next) {
        if (area->slot == slot && (!area->last || !dl__event_is_done(area->last)))
            return true;
    }
    return false;
}

static DL__WITH_LOCK void retire_areas(void *kept, unsigned slot, cl_event last)
{
    struct staging *staging = kept;

    for (struct dl__area *area = staging->areas; area; area = area->next) {
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
    struct dl__area *area;

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

static bool area_is_free(const struct dl__area *area, const struct dl__queue *queue)
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

static DL__WITH_LOCK struct dl__area *area_make(struct dl__context *context,
                                                struct staging *staging,
                                                cl_device_id device, size_t bytes)
{
    struct dl__area *area = calloc(1, sizeof *area);
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

struct dl__area *dl__area_take(struct dl__context *context, struct dl__queue *queue,
                               size_t bytes)
{
    size_t bound = area_round((size_t)dl__options_get()->staging_bytes);
    size_t wanted = area_round(bytes + 127);
    struct staging *staging = dl__kept_get(context, &keeper);
    struct dl__area *area;
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

void dl__area_give(struct dl__area *area, struct dl__chain *chain)
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

bool dl__token_take(const struct dl__queue *queue, struct dl__token *token)
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

bool dl__access_begin(struct dl__access *access, struct dl__mem *mem,
                      struct dl__queue *queue, const struct dl_part_box *box)
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

void dl__access_copy(const struct dl__access *access, struct dl__chain *chain,
                     enum dl_part_way way, const struct dl_part_box *box,
                     const struct dl__area *area)
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
