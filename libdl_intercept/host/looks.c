/* SPDX-License-Identifier: MIT */
/* Looks by the host at tiled buffers: chains of commands, staging areas, the program's
 * commands that go through them, and maps. */
#include "looks.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/state/order.h"
#include "libdl_intercept/state/residence.h"
#include "libdl_intercept/trace/trace.h"

/* ---- chains ---- */

/* Commands on one queue that stand for one of the program's, in order by themselves or by
 * events. Each waits for what the program's command waits for, since each must fall away
 * when that fails. After an error no more are enqueued. */
struct chain {
    struct dl__queue *queue;
    /* what the program's command waits for, and conversions before */
    struct dl__wait first;
    cl_event last;   /* of the command before; out-of-order queues only */
    bool begun;      /* one is enqueued */
    bool host;       /* and one that uses the host's memory may be */
    bool wants_last; /* `last` is wanted of in-order queues, too */
    bool adrift;     /* it has ended with commands that may use the host's memory still */
    struct dl__mem *timed; /* the buffer of the look that is timed; NULL: none is */
    uint64_t timed_bytes;
    cl_event begins, own; /* of that: its first command, and its last, of which nobody
                             else wants the event */
    cl_int err;
};

/* One command of a chain. `wanted`: where its event goes for the caller to release, or
 * NULL. */
struct dl__step {
    struct chain *chain;
    struct dl__wait wait;
    cl_event event, *out, *wanted;
};

/* How often the driver is asked for a step of a chain: a chain that breaks off has done a
 * part of the program's command, which is to be done whole or not at all. */
enum { STEP_TRIES = 3 };

/* A step that is one call of the driver's, which ends with STEP_ORDER. */
#define STEP(chain, wanted, call)                                                        \
    do {                                                                                 \
        struct dl__step step;                                                            \
                                                                                         \
        if (step_begin(&step, chain, wanted)) {                                          \
            cl_int dl__err = (call);                                                     \
                                                                                         \
            for (int dl__try = 1; dl__err != CL_SUCCESS && dl__try < STEP_TRIES;         \
                 dl__try++)                                                              \
                dl__err = (call);                                                        \
            step_end(&step, dl__err);                                                    \
        }                                                                                \
    } while (0)
#define STEP_ORDER step.wait.count, step.wait.list, step.out

/* ---- areas ---- */

/* A few bytes that nobody looks at, of a buffer of the device's: for a command that only
 * stands for what came before it, so that the program's event is of its own kind of
 * command. */
enum { TOKEN_BYTES = 64 };

struct dl__token {
    cl_mem mem;
    size_t offset;
    bool held; /* nobody else is given it: two maps of the same bytes, one of them on its
                  way, end PoCL */
};

/* ---- parts of a tiled buffer ---- */

struct dl__access {
    struct dl__mem *mem;
    struct dl_marshal *marshal;
    const struct dl_part *part;
};

/* A box of one row. */
static inline struct dl_part_box dl__range(size_t offset, size_t bytes)
{
    return (struct dl_part_box){
        .first_byte = offset, .width_bytes = bytes, .height = 1, .depth = 1};
}

/* ---- views: host memory of DL's own that maps of a tiled buffer show ---- */

struct dl__map {
    size_t offset, bytes;
    unsigned char *at;  /* where the program sees it: in the view, or in `own` */
    unsigned char *own; /* memory of its own (dl__view.apart); NULL: none */
    bool writes;
    bool back_apart; /* its unmap has written back on a queue of DL's own */
    cl_event ready;  /* completes when the bytes are there */
    /* of the unmap enqueued; NULL: none. It is mapped still if that fails */
    cl_event unmapped;
    struct dl__token *token; /* NULL: let go */
    void *token_mapped;      /* what the driver has mapped in its place */
    struct dl__map *next;
};

struct dl__view {
    unsigned char *base;
    size_t bytes;
    size_t touched_bytes; /* an upper bound of its bytes that have memory */
    struct dl__map *maps; /* open ones, the newest first */
    cl_event *busy;       /* commands that use the memory */
    size_t busy_count, busy_room;
    bool lost;        /* what uses it is not known: it is never freed */
    bool apart;       /* maps that overlap do not share memory, as with the driver's */
    cl_event renewed; /* the last dl__view_renew; NULL: none */
    bool stale;       /* a command has written the buffer, and open maps do not show it */
    struct dl__mem *mem; /* NULL: it has ended */
    struct dl__view *next;
};

/* The step that only stands for those before it, by a command of the program's kind;
 * where that is refused a marker does. */
#define LAST_STEP(chain, wanted, call)                                                   \
    do {                                                                                 \
        if ((chain)->err == CL_SUCCESS) {                                                \
            STEP(chain, wanted, call);                                                   \
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
    unsigned count; /* taken so far, in turns */
    struct dl__token tokens[TOKENS];
};

/* Kept with a context. Each device has its own area: drivers move memory that two devices
 * use from one to the other as a whole, and an area is larger than what goes through it.
 */
struct staging {
    struct dl__kept kept;
    struct area *areas DL__UNDER_LOCK;       /* to look at tiled buffers through */
    struct token_set *tokens DL__UNDER_LOCK; /* for anybody in turns */
    struct token_set *held DL__UNDER_LOCK;   /* for one at a time */
};

/* ---- chains ---- */

/* Starts from another wait's present list, borrowing its events. */
static void wait_begin_from(struct dl__wait *wait, const struct dl__wait *other)
{
    dl__wait_begin(wait, other->count, other->list);
    wait->queue = other->queue;
    wait->failed = other->failed;
    wait->lost = other->lost;
    wait->mem_count = 0;
}

/* `program`: the wait list of the program's command, borrowed to the end; NULL: it stands
 * for none. */
static DL__WITH_LOCK void chain_begin(struct chain *chain, struct dl__queue *queue,
                                      const struct dl__wait *program)
{
    *chain = (struct chain){.queue = queue};
    if (program)
        wait_begin_from(&chain->first, program);
    else
        dl__wait_begin(&chain->first, 0, NULL);
}

/* The chain uses the buffer as it now lies. `mem` may be NULL or a sub-object. */
static DL__WITH_LOCK void chain_use(struct chain *chain, struct dl__mem *mem)
{
    dl__mem_use(mem, chain->queue, &chain->first);
}

/* It also waits for this event, borrowed. NULL is ignored. */
static DL__WITH_LOCK void chain_wait_for(struct chain *chain, cl_event event)
{
    dl__wait_add(&chain->first, event, false);
}

static bool keeps_last(const struct chain *chain)
{
    return chain->queue->out_of_order || chain->wants_last;
}

static DL__WITH_LOCK bool step_begin(struct dl__step *step, struct chain *chain,
                                     cl_event *wanted)
{
    if (chain->err != CL_SUCCESS)
        return false;
    step->chain = chain;
    step->event = NULL;
    step->wanted = wanted;
    step->out = wanted || keeps_last(chain) || (chain->timed && !chain->begun)
                    ? &step->event
                    : NULL;
    wait_begin_from(&step->wait, &chain->first);
    dl__wait_add(&step->wait, chain->last, false);
    chain->err = dl__wait_error(&step->wait);
    if (chain->err != CL_SUCCESS)
        dl__wait_end(&step->wait);
    return chain->err == CL_SUCCESS;
}

static DL__WITH_LOCK void step_end(struct dl__step *step, cl_int err)
{
    struct chain *chain = step->chain;

    dl__wait_end(&step->wait);
    if (err != CL_SUCCESS) {
        chain->err = err;
        return;
    }
    if (chain->timed && !chain->begun)
        chain->begins = step->wanted || keeps_last(chain) ? dl__event_share(step->event)
                                                          : step->event;
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

/* Ends the chain: its commands are noted, and after an error waited for if they use the
 * program's memory, which is its own again when it hears of the error. Returns the error.
 */
static DL__WITH_LOCK cl_int chain_end(struct chain *chain)
{
    /* The queue has nothing that waits for the program (contexts.h): this ends. */
    if (chain->err != CL_SUCCESS && chain->begun && chain->host)
        chain->adrift = dl__next.clFinish(chain->queue->object.handle) != CL_SUCCESS &&
                        dl__next.clFinish(chain->queue->object.handle) != CL_SUCCESS;
    if (chain->begun)
        dl__mems_used(&chain->first, chain->queue, NULL);
    if (chain->last)
        dl__next.clReleaseEvent(chain->last);
    dl__wait_end(&chain->first);
    return chain->err;
}

/* Marks the end of a chain whose last step alone has failed, if it has. */
static DL__WITH_LOCK void chain_mark(struct chain *chain, cl_event *wanted)
{
    if (chain->err == CL_SUCCESS)
        return;
    chain->err = CL_SUCCESS;
    STEP(chain, wanted,
         dl__next.clEnqueueMarkerWithWaitList(chain->queue->object.handle, STEP_ORDER));
}

bool dl__look_begin(struct dl__mem *mem, struct dl__queue *queue, uint64_t bytes)
{
    bool timed = false;

    for (struct dl__kept *kept = mem->object.kept; kept && queue->profiled;
         kept = kept->next)
        timed |=
            kept->keeper->looked && kept->keeper->looked(mem, kept, bytes, NULL, NULL);
    if (timed)
        dl__queue_time_begin(queue);
    return timed;
}

void dl__look_end(struct dl__mem *mem, struct dl__queue *queue, uint64_t bytes,
                  cl_event first, cl_event last)
{
    dl__queue_time_end(queue);
    if (mem && first && last)
        DL__TELL(mem->object, looked, mem, kept, bytes, first, last);
}

/* The chain is a look at this number of bytes, and is timed if somebody wants that.
 * Before its first command. Returns where the event of its last goes. */
static DL__WITH_LOCK cl_event *chain_times(struct chain *chain, struct dl__mem *mem,
                                           uint64_t bytes, cl_event *done)
{
    if (!dl__look_begin(mem, chain->queue, bytes))
        return done;
    chain->timed = mem;
    chain->timed_bytes = bytes;
    return done ? done : &chain->own;
}

/* All of it is enqueued; `last` is NULL if it failed. */
static DL__WITH_LOCK void chain_timed(struct chain *chain, cl_event last)
{
    if (chain->timed)
        dl__look_end(chain->timed, chain->queue, chain->timed_bytes, chain->begins, last);
    if (chain->begins)
        dl__next.clReleaseEvent(chain->begins);
    if (chain->own)
        dl__next.clReleaseEvent(chain->own);
}

/* The same of a chain whose last command's event is in *done, which may be NULL: true
 * when all of it is enqueued. Else there is no event either. */
static DL__WITH_LOCK bool chain_is_done(struct chain *chain, cl_event *done)
{
    bool is_done = chain_end(chain) == CL_SUCCESS;

    chain_timed(chain, is_done && done ? *done : NULL);
    if (!is_done && done && *done && done != &chain->own)
        dl__next.clReleaseEvent(*done);
    if (!is_done && done)
        *done = NULL;
    return is_done;
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
    dl__context_count_made(context, -1, 0);
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

static bool is_any_held(const struct token_set *set)
{
    for (size_t t = 0; t < TOKENS; t++)
        if (set->tokens[t].held)
            return true;
    return false;
}

/* But for sets of which one is held. */
static DL__WITH_LOCK void free_tokens(struct dl__context *context, struct token_set **at)
{
    struct token_set *set;

    while ((set = *at)) {
        if (is_any_held(set)) {
            at = &set->next;
            continue;
        }
        *at = set->next;
        release_memory(context, set->tokens[0].mem);
        free(set);
    }
}

/* With tokens that no map holds: a driver may keep the last command on a buffer for as
 * long as the buffer. */
static DL__WITH_LOCK void settle_staging(struct dl__context *context, void *kept)
{
    struct staging *staging = kept;

    free_areas(context, staging);
    free_tokens(context, &staging->tokens);
    free_tokens(context, &staging->held);
}

static DL__WITH_LOCK void end_staging(void *context, void *kept)
{
    struct staging *staging = kept;

    for (struct token_set *set = staging->held; set; set = set->next)
        for (size_t t = 0; t < TOKENS; t++)
            set->tokens[t].held = false;
    settle_staging(context, kept);
}

static const struct dl__keeper keeper = {.bytes = sizeof(struct staging),
                                         .end = end_staging,
                                         .settle = settle_staging,
                                         .uses_slot = areas_use_slot,
                                         .retire_slot = retire_areas};

static bool area_is_free(const struct area *area, const struct dl__queue *queue)
{
    if (area->slot == queue->slot && !queue->out_of_order)
        return true;
    if (!area->last)
        return area->slot == DL__QUEUE_SLOTS;
    return dl__event_is_done(area->last);
}

/* Whole lines of 128 bytes, so that the pieces of a command begin as it does. */
static size_t area_round(size_t bytes)
{
    return bytes < 128 ? bytes / 16 * 16 : bytes / 128 * 128;
}

/* NULL: there is no memory. */
static DL__WITH_LOCK cl_mem make_memory(struct dl__context *context, size_t bytes)
{
    cl_mem mem = dl__next.clCreateBuffer(context->object.handle, CL_MEM_READ_WRITE, bytes,
                                         NULL, NULL);

    dl__context_count_made(context, mem != NULL, 0);
    return mem;
}

static DL__WITH_LOCK struct area *area_make(struct dl__context *context,
                                            struct staging *staging, cl_device_id device,
                                            size_t bytes)
{
    struct area *area = calloc(1, sizeof *area);
    cl_mem mem = area ? make_memory(context, bytes) : NULL;

    if (!mem) {
        free(area);
        return NULL;
    }
    *area = (struct area){.device = device,
                          .mem = mem,
                          .bytes = bytes,
                          .slot = DL__QUEUE_SLOTS,
                          .next = staging->areas};
    staging->areas = area;
    dl__stats_add(DL__STATS_AREAS, 1);
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
    /* An area that is free without regard to this queue's order is free for all queues
     * until it is given away. */
    if (area->slot != queue->slot || queue->out_of_order)
        area->slot = DL__QUEUE_SLOTS;
    return area;
}

/* The chain's commands in the area are enqueued. Before the chain ends. */
static DL__WITH_LOCK void area_give(struct area *area, struct chain *chain)
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

/* One more in front of the list. NULL: there is no memory. */
static DL__WITH_LOCK struct token_set *make_tokens(const struct dl__queue *queue,
                                                   struct token_set **list)
{
    struct token_set *set = calloc(1, sizeof *set);
    cl_mem mem = set ? make_memory(queue->object.context, TOKENS * TOKEN_BYTES) : NULL;

    if (!mem) {
        free(set);
        return NULL;
    }
    for (size_t t = 0; t < TOKENS; t++)
        set->tokens[t] = (struct dl__token){.mem = mem, .offset = t * TOKEN_BYTES};
    set->device = queue->device;
    set->next = *list;
    *list = set;
    return set;
}

/* False: no memory. */
static DL__WITH_LOCK bool token_take(const struct dl__queue *queue,
                                     struct dl__token *token)
{
    struct staging *staging = dl__kept_get(queue->object.context, &keeper);
    struct token_set *set = staging ? staging->tokens : NULL;

    while (set && set->device != queue->device)
        set = set->next;
    if (!set && staging)
        set = make_tokens(queue, &staging->tokens);
    if (!set)
        return false;
    *token = set->tokens[set->count++ % TOKENS];
    return true;
}

/* NULL: none is free; or with `more`, which makes some: no memory. As old as the context.
 */
static DL__WITH_LOCK struct dl__token *token_hold(const struct dl__queue *queue,
                                                  bool more)
{
    struct staging *staging = dl__kept_get(queue->object.context, &keeper);
    struct token_set *set = staging ? staging->held : NULL;

    for (; set; set = set->next) {
        for (size_t t = 0; t < TOKENS && set->device == queue->device; t++) {
            if (!set->tokens[t].held) {
                set->tokens[t].held = true;
                return &set->tokens[t];
            }
        }
    }
    set = more && staging ? make_tokens(queue, &staging->held) : NULL;
    if (!set)
        return NULL;
    set->tokens[0].held = true;
    return &set->tokens[0];
}

/* ---- parts of a tiled buffer ---- */

/* True when a command may look at this number of bytes of a tiled buffer by parts. */
static DL__WITH_LOCK bool mem_may_look(struct dl__mem *mem, uint64_t bytes)
{
    for (struct dl__kept *kept = mem->object.kept; kept; kept = kept->next) {
        if (kept->keeper->may_look && !kept->keeper->may_look(mem, kept, bytes))
            return false;
    }
    return true;
}

/* A look at most of a buffer takes as long as bringing it back, for which the kernels are
 * there: it does not wait for a compiler. */
static DL__WITH_LOCK enum dl_status part_prepare(struct dl__access *access,
                                                 struct dl__queue *queue,
                                                 const struct dl_part_box *box)
{
    struct dl__mem *mem = access->mem;
    const struct dl__residence *lies = &mem->residence;
    const struct dl__move move = {.mem = mem,
                                  .layout = lies->layout,
                                  .leaves = &lies->leaves,
                                  .structs = mem->bytes / lies->leaves.struct_bytes};
    const bool kept_only = dl__options_get()->layout_auto &&
                           !dl__options_get()->policy_test &&
                           box->width_bytes * box->height * box->depth >= mem->bytes / 2;
    enum dl_status status =
        dl_marshal_part_prepare(access->marshal, &lies->leaves, mem->bytes, lies->layout,
                                box, kept_only, &access->part);

    if (status == DL_ECL && kept_only)
        DL__TELL(mem->object.context->object, looks_unbuilt, kept, &move, queue->device);
    return status;
}

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
        !mem_may_look(mem, box->width_bytes * box->height * box->depth))
        return false;
    start_ns = dl__trace_now();
    before = dl__context_count_begin(context);
    status = part_prepare(access, queue, box);
    dl__context_count_end(context, before);
    dl__trace_build("kernels that look at parts", start_ns);
    return status == DL_OK;
}

/* Copies the box between the buffer and the beginning of the area. */
static DL__WITH_LOCK void access_copy(const struct dl__access *access,
                                      struct chain *chain, enum dl_part_way way,
                                      const struct dl_part_box *box,
                                      const struct area *area)
{
    uint64_t bytes = box->width_bytes * box->height * box->depth;
    enum dl_status status = DL_ECL;
    cl_event event = NULL;
    struct dl__step step;

    if (!step_begin(&step, chain, dl__trace_is_on() ? &event : NULL))
        return;
    for (int tries = 0; tries < STEP_TRIES && status != DL_OK; tries++)
        status = dl_marshal_part_enqueue(access->marshal, chain->queue->object.handle,
                                         access->part, way, access->mem->object.handle,
                                         box, area->mem, STEP_ORDER);
    step_end(&step, status == DL_OK       ? CL_SUCCESS
                    : status == DL_ENOMEM ? CL_OUT_OF_HOST_MEMORY
                                          : CL_OUT_OF_RESOURCES);
    if (status == DL_OK) {
        dl__stats_add(DL__STATS_PARTS, 1);
        dl__stats_add(DL__STATS_PART_BYTES, (double)bytes);
        dl__trace_part(chain->queue->object.handle, access->mem->id,
                       way == DL_PART_GATHER, bytes, event);
    }
    if (event)
        dl__next.clReleaseEvent(event);
}

/* ---- transfers, copies and fills of tiled buffers, through staging areas ---- */

/* For a command that only stands for what came before it. */
static const unsigned char nothing;

enum { TOKEN_HALF = TOKEN_BYTES / 2 };

static cl_command_queue chain_queue(const struct chain *chain)
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
static DL__WITH_LOCK void host_transfer(struct chain *chain, bool writes, cl_mem mem,
                                        size_t offset, size_t bytes, void *host,
                                        cl_event *done)
{
    STEP(chain, done,
         writes ? dl__next.clEnqueueWriteBuffer(chain_queue(chain), mem, CL_FALSE, offset,
                                                bytes, host, STEP_ORDER)
                : dl__next.clEnqueueReadBuffer(chain_queue(chain), mem, CL_FALSE, offset,
                                               bytes, host, STEP_ORDER));
}

/* Between any buffer and the host, in a chain that the caller has begun: one that is not
 * in tiles is read and written as it lies. False: nothing was enqueued. */
static DL__WITH_LOCK bool chain_transfer(struct chain *chain, bool writes,
                                         struct dl__mem *mem, size_t offset, size_t bytes,
                                         void *host, cl_event *done)
{
    const struct dl_part_box all = dl__range(offset, bytes);
    struct dl__access access;
    struct area *area = NULL;

    if (!dl__mem_lies_in_tiles(mem)) {
        host_transfer(chain, writes, mem->object.handle, offset, bytes, host, done);
        return true;
    }
    if (access_begin(&access, mem, chain->queue, &all))
        area = area_take(mem->object.context, chain->queue, bytes);
    if (!area)
        return false;
    for (size_t at = 0, now; at < bytes && chain->err == CL_SUCCESS; at += now) {
        now = piece(area, bytes - at);
        const struct dl_part_box box = dl__range(offset + at, now);

        chain->host = writes || at > 0;
        if (!writes)
            access_copy(&access, chain, DL_PART_GATHER, &box, area);
        host_transfer(chain, writes, area->mem, 0, now, (char *)host + at,
                      at + now == bytes ? done : NULL);
        if (writes)
            access_copy(&access, chain, DL_PART_SCATTER, &box, area);
    }
    DL__TELL(mem->object, touched, mem, kept, bytes);
    area_give(area, chain);
    return true;
}

bool dl__staged_transfer(struct dl__mem *mem, struct dl__queue *queue,
                         const struct dl__wait *program, bool writes, size_t offset,
                         size_t bytes, void *host, cl_event *done)
{
    struct dl__token token;
    struct chain chain;

    if (!host || !dl__mem_lies_in_tiles(mem) || !is_inside(mem, offset, bytes) ||
        (writes && !token_take(queue, &token)))
        return false;
    chain_begin(&chain, queue, program);
    chain_use(&chain, mem);
    done = chain_times(&chain, mem, bytes, done);
    if (!chain_transfer(&chain, writes, mem, offset, bytes, host, writes ? NULL : done)) {
        chain_is_done(&chain, NULL);
        return false;
    }
    if (done && writes)
        LAST_STEP(&chain, done,
                  dl__next.clEnqueueWriteBuffer(chain_queue(&chain), token.mem, CL_FALSE,
                                                token.offset, 1, &nothing, STEP_ORDER));
    return chain_is_done(&chain, done);
}

/* One command on its way through an area. */
struct pass {
    struct area *area;
    struct dl__token token;
    struct chain chain;
    size_t bytes, slice_bytes; /* the latter of a rectangle's dense rows */
};

/* `region`: of a rectangle, which goes in one piece; NULL: so many bytes, which may go in
 * several. False: there is no memory. */
static DL__WITH_LOCK bool pass_begin(struct pass *pass, struct dl__queue *queue,
                                     const struct dl__wait *program, const size_t *region,
                                     size_t bytes)
{
    if (region && (__builtin_mul_overflow(region[0], region[1], &pass->slice_bytes) ||
                   __builtin_mul_overflow(pass->slice_bytes, region[2], &bytes)))
        return false;
    if (!token_take(queue, &pass->token))
        return false;
    pass->bytes = bytes;
    pass->area = area_take(queue->object.context, queue, bytes);
    chain_begin(&pass->chain, queue, program);
    return pass->area && (!region || pass->area->bytes >= bytes);
}

static DL__WITH_LOCK bool pass_is_done(struct pass *pass, cl_event *done)
{
    area_give(pass->area, &pass->chain);
    return chain_is_done(&pass->chain, done);
}

bool dl__staged_fill(struct dl__mem *mem, struct dl__queue *queue,
                     const struct dl__wait *program, const void *pattern,
                     size_t pattern_bytes, size_t offset, size_t bytes, cl_event *done)
{
    const struct dl_part_box all = dl__range(offset, bytes);
    struct dl__access access;
    struct pass pass;
    size_t now;

    if (!pattern || pattern_bytes == 0 || pattern_bytes > 128 ||
        (pattern_bytes & (pattern_bytes - 1)) || offset % pattern_bytes ||
        bytes % pattern_bytes || !dl__mem_lies_in_tiles(mem) ||
        !access_begin(&access, mem, queue, &all) ||
        !pass_begin(&pass, queue, program, NULL, bytes) ||
        pass.area->bytes % pattern_bytes)
        return false;
    chain_use(&pass.chain, mem);
    done = chain_times(&pass.chain, mem, bytes, done);
    /* Every piece is a beginning of the first. */
    STEP(&pass.chain, NULL,
         dl__next.clEnqueueFillBuffer(chain_queue(&pass.chain), pass.area->mem, pattern,
                                      pattern_bytes, 0, piece(pass.area, bytes),
                                      STEP_ORDER));
    for (size_t at = 0; at < bytes && pass.chain.err == CL_SUCCESS; at += now) {
        now = piece(pass.area, bytes - at);
        const struct dl_part_box box = dl__range(offset + at, now);

        access_copy(&access, &pass.chain, DL_PART_SCATTER, &box, pass.area);
    }
    DL__TELL(mem->object, touched, mem, kept, bytes);
    if (done)
        LAST_STEP(&pass.chain, done,
                  dl__next.clEnqueueFillBuffer(chain_queue(&pass.chain), pass.token.mem,
                                               &nothing, 1, pass.token.offset, 1,
                                               STEP_ORDER));
    return pass_is_done(&pass, done);
}

/* Rectangles: in an area their rows lie one after the other. */

static const size_t dense[3] = {0, 0, 0}, one_byte[3] = {1, 1, 1};

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

bool dl__staged_rect(struct dl__mem *mem, struct dl__queue *queue,
                     const struct dl__wait *program, bool writes, const size_t *region,
                     struct dl__rect rect, struct dl__rect host_rect, void *host,
                     cl_event *done)
{
    struct dl__access access;
    struct dl_part_box box;
    struct pass pass;

    if (!host || !region || !host_rect.origin || !dl__mem_lies_in_tiles(mem) ||
        !box_of(region, rect, mem->bytes, &box) ||
        !access_begin(&access, mem, queue, &box) ||
        !pass_begin(&pass, queue, program, region, 0))
        return false;
    pass.chain.host = true;
    chain_use(&pass.chain, mem);
    done = chain_times(&pass.chain, mem, pass.bytes, done);
    DL__TELL(mem->object, touched, mem, kept, pass.bytes);
    if (!writes)
        access_copy(&access, &pass.chain, DL_PART_GATHER, &box, pass.area);
#define TRANSFER(function)                                                               \
    STEP(&pass.chain, writes ? NULL : done,                                              \
         function(chain_queue(&pass.chain), pass.area->mem, CL_FALSE, dense,             \
                  host_rect.origin, region, region[0], pass.slice_bytes,                 \
                  host_rect.row_bytes, host_rect.slice_bytes, host, STEP_ORDER))
    if (writes)
        TRANSFER(dl__next.clEnqueueWriteBufferRect);
    else
        TRANSFER(dl__next.clEnqueueReadBufferRect);
#undef TRANSFER
    if (writes)
        access_copy(&access, &pass.chain, DL_PART_SCATTER, &box, pass.area);
    if (done && writes) {
        const size_t at[3] = {pass.token.offset, 0, 0};

        LAST_STEP(&pass.chain, done,
                  dl__next.clEnqueueWriteBufferRect(
                      chain_queue(&pass.chain), pass.token.mem, CL_FALSE, at, dense,
                      one_byte, 0, 0, 0, 0, &nothing, STEP_ORDER));
    }
    return pass_is_done(&pass, done);
}

/* ---- copies ---- */

/* Prepares an end that is in tiles; *box: of all that is copied. */
static DL__WITH_LOCK bool end_begin(const struct dl__end *end, struct dl__queue *queue,
                                    const size_t *region, size_t bytes,
                                    struct dl__access *access, struct dl_part_box *box)
{
    *box = dl__range(end->offset, bytes);
    return !end->tiled || ((!region || box_of(region, end->rect, end->mem->bytes, box)) &&
                           access_begin(access, end->mem, queue, box));
}

/* Copies between the area and an end that is used as it lies, whose bytes begin at
 * `offset` if it is no rectangle.
 *   out  from the area */
static DL__WITH_LOCK void copy_plain(struct pass *pass, const struct dl__end *end,
                                     bool out, const size_t *region, size_t offset,
                                     size_t bytes, cl_event *done)
{
    const struct dl__rect packed = {dense, region ? region[0] : 0, pass->slice_bytes};
    const struct dl__rect from = out ? packed : end->rect, to = out ? end->rect : packed;
    cl_mem source = out ? pass->area->mem : end->handle,
           target = out ? end->handle : pass->area->mem;

    if (region)
        STEP(&pass->chain, done,
             dl__next.clEnqueueCopyBufferRect(chain_queue(&pass->chain), source, target,
                                              from.origin, to.origin, region,
                                              from.row_bytes, from.slice_bytes,
                                              to.row_bytes, to.slice_bytes, STEP_ORDER));
    else
        STEP(&pass->chain, done,
             dl__next.clEnqueueCopyBuffer(chain_queue(&pass->chain), source, target,
                                          out ? 0 : offset, out ? offset : 0, bytes,
                                          STEP_ORDER));
}

bool dl__staged_copy(struct dl__queue *queue, const struct dl__wait *program,
                     const struct dl__end *from, const struct dl__end *to,
                     const size_t *region, size_t bytes, cl_event *done)
{
    struct dl__access read, write;
    struct dl_part_box box_from, box_to;
    struct pass pass;
    size_t now;

    if ((region && (!from->rect.origin || !to->rect.origin)) ||
        !end_begin(from, queue, region, bytes, &read, &box_from) ||
        !end_begin(to, queue, region, bytes, &write, &box_to) ||
        !pass_begin(&pass, queue, program, region, bytes))
        return false;
    chain_use(&pass.chain, from->mem);
    if (to->mem != from->mem)
        chain_use(&pass.chain, to->mem);
    done = chain_times(&pass.chain, from->tiled ? from->mem : to->mem, pass.bytes, done);
    if (from->tiled)
        DL__TELL(from->mem->object, touched, from->mem, kept, pass.bytes);
    if (to->tiled)
        DL__TELL(to->mem->object, touched, to->mem, kept, pass.bytes);
    for (size_t at = 0; at < pass.bytes && pass.chain.err == CL_SUCCESS; at += now) {
        now = piece(pass.area, pass.bytes - at);
        if (!region) {
            box_from = dl__range(from->offset + at, now);
            box_to = dl__range(to->offset + at, now);
        }
        if (from->tiled)
            access_copy(&read, &pass.chain, DL_PART_GATHER, &box_from, pass.area);
        else
            copy_plain(&pass, from, false, region, from->offset + at, now, NULL);
        if (to->tiled)
            access_copy(&write, &pass.chain, DL_PART_SCATTER, &box_to, pass.area);
        else
            copy_plain(&pass, to, true, region, to->offset + at, now,
                       at + now == pass.bytes ? done : NULL);
    }
    if (done && to->tiled && region) {
        const size_t at[3] = {pass.token.offset, 0, 0},
                     after[3] = {pass.token.offset + TOKEN_HALF, 0, 0};

        LAST_STEP(&pass.chain, done,
                  dl__next.clEnqueueCopyBufferRect(
                      chain_queue(&pass.chain), pass.token.mem, pass.token.mem, at, after,
                      one_byte, 0, 0, 0, 0, STEP_ORDER));
    } else if (done && to->tiled) {
        LAST_STEP(&pass.chain, done,
                  dl__next.clEnqueueCopyBuffer(
                      chain_queue(&pass.chain), pass.token.mem, pass.token.mem,
                      pass.token.offset, pass.token.offset + TOKEN_HALF, 1, STEP_ORDER));
    }
    return pass_is_done(&pass, done);
}

/* Kept with a buffer and with a context. */
struct mem_view {
    struct dl__kept kept;
    struct dl__view *view DL__UNDER_LOCK;
};
struct context_views {
    struct dl__kept kept;
    struct dl__view *views DL__UNDER_LOCK; /* of tiled buffers */
};

static const struct dl__keeper mem_keeper, context_keeper;

/* The buffer's view; NULL: it has none. */
static DL__WITH_LOCK struct dl__view *view_of(const struct dl__mem *mem)
{
    const struct mem_view *own = dl__kept_find(mem, &mem_keeper);

    return own ? own->view : NULL;
}

bool dl__views_exist(const struct dl__context *context)
{
    return dl__kept_find(context, &context_keeper) != NULL;
}

static void view_forget_done(struct dl__view *view)
{
    size_t kept = 0;

    for (size_t i = 0; i < view->busy_count; i++) {
        if (dl__event_status(view->busy[i]) > CL_COMPLETE)
            view->busy[kept++] = view->busy[i];
        else
            dl__next.clReleaseEvent(view->busy[i]);
    }
    view->busy_count = kept;
}

/* The command uses the view's memory. */
static void view_is_used(struct dl__view *view, cl_event event)
{
    view_forget_done(view);
    if (view->busy_count == view->busy_room) {
        size_t room = view->busy_room * 2 + 4;
        cl_event *more = realloc(view->busy, room * sizeof *more);

        if (!more) {
            view->lost = true;
            return;
        }
        view->busy = more;
        view->busy_room = room;
    }
    view->busy[view->busy_count] = dl__event_share(event);
    if (view->busy[view->busy_count])
        view->busy_count++;
    else
        view->lost = true;
}

/* The same, made where there is none yet; NULL: out of memory.
 *   apart  what a new one is */
static DL__WITH_LOCK struct dl__view *view_get(struct dl__mem *mem, bool apart)
{
    struct mem_view *own = dl__kept_get(mem, &mem_keeper);
    struct context_views *all = dl__kept_get(mem->object.context, &context_keeper);
    struct dl__view *view = own ? own->view : NULL;

    if (view)
        return view;
    view = own && all ? calloc(1, sizeof *view) : NULL;
    if (!view)
        return NULL;
    view->bytes = mem->bytes;
    view->apart = apart;
    view->base = mmap(NULL, mem->bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (view->base == MAP_FAILED) {
        free(view);
        return NULL;
    }
    view->mem = mem;
    own->view = view;
    view->next = all->views;
    all->views = view;
    return view;
}

/* Memory that maps long gone have touched is not kept beyond what one may take. */
static void view_trim(struct dl__view *view)
{
    if (view->maps || view->lost ||
        view->touched_bytes <= dl__options_get()->staging_bytes)
        return;
    view_forget_done(view);
    if (view->busy_count == 0 && madvise(view->base, view->bytes, MADV_DONTNEED) == 0)
        view->touched_bytes = 0;
}

static void map_free(struct dl__map *map)
{
    if (map->ready)
        dl__next.clReleaseEvent(map->ready);
    if (map->unmapped)
        dl__next.clReleaseEvent(map->unmapped);
    if (map->token)
        map->token->held = false;
    free(map);
}

/* Takes a map out of the view, and frees it, if it is there still. */
static void view_drop_map(struct dl__view *view, const struct dl__map *map)
{
    struct dl__map **at = &view->maps, *found;

    while (*at && *at != map)
        at = &(*at)->next;
    if ((found = *at)) {
        *at = found->next;
        map_free(found);
    }
}

static void view_free(struct dl__view *view)
{
    while (view->maps) {
        if (view->busy_count == 0 && !view->lost)
            free(view->maps->own);
        view_drop_map(view, view->maps);
    }
    for (size_t i = 0; i < view->busy_count; i++)
        dl__next.clReleaseEvent(view->busy[i]);
    if (view->renewed)
        dl__next.clReleaseEvent(view->renewed);
    /* Memory that a driver may still write to is never given back. */
    if (view->busy_count == 0 && !view->lost)
        munmap(view->base, view->bytes);
    free(view->busy);
    free(view);
}

/* A map whose wait list failed never came to be; one whose unmap failed is still there.
 */
static void view_settle_maps(struct dl__view *view)
{
    struct dl__map *next;

    for (struct dl__map *map = view->maps; map; map = next) {
        next = map->next;
        if (dl__event_status(map->ready) < CL_COMPLETE) {
            view_drop_map(view, map);
        } else if (map->unmapped && dl__event_status(map->unmapped) == CL_COMPLETE) {
            free(map->own);
            view_drop_map(view, map);
        } else if (map->unmapped && dl__event_status(map->unmapped) < CL_COMPLETE) {
            dl__next.clReleaseEvent(map->unmapped);
            map->unmapped = NULL;
        }
    }
}

/* Lets go of the events of finished commands, and of views that nobody needs any more. */
static void settle_views(struct dl__context *context, void *kept)
{
    struct context_views *all = kept;

    (void)context;
    for (struct dl__view **at = &all->views; *at;) {
        struct dl__view *view = *at;

        view_settle_maps(view);
        view_forget_done(view);
        /* Drivers keep what a map of a buffer shows that was released without an unmap.
         */
        if (view->mem || view->maps || view->busy_count > 0 || view->lost) {
            at = &view->next;
            continue;
        }
        *at = view->next;
        view_free(view);
    }
}

/* The record of a buffer ends: its view lives on while commands use it. */
static DL__WITH_LOCK void end_mem_view(void *record, void *kept)
{
    struct dl__context *context = ((struct dl__mem *)record)->object.context;
    struct mem_view *own = kept;

    if (!own->view)
        return;
    own->view->mem = NULL;
    settle_views(context, dl__kept_find(context, &context_keeper));
}

static DL__WITH_LOCK void end_context_views(void *context, void *kept)
{
    struct context_views *all = kept;
    struct dl__view *view;

    (void)context;
    while ((view = all->views)) {
        all->views = view->next;
        view_forget_done(view);
        for (struct dl__map *map = view->maps; map; map = map->next)
            map->token = NULL; /* it ends with the context, perhaps before this */
        view_free(view);
    }
}

/* The same of all maps of the context that are over. */
static DL__WITH_LOCK void views_settle(struct dl__context *context)
{
    struct context_views *all = dl__kept_find(context, &context_keeper);

    if (all)
        settle_views(context, all);
}

static const struct dl__keeper mem_keeper = {.bytes = sizeof(struct mem_view),
                                             .end = end_mem_view};
static const struct dl__keeper context_keeper = {.bytes = sizeof(struct context_views),
                                                 .end = end_context_views,
                                                 .settle = settle_views};

/* ---- maps and unmaps of tiled buffers ---- */

/* NVIDIA's maps begin at multiples of this. */
enum { OWN_ALIGN = 512 };

/* How long a call waits at most until open maps show what its command wrote. */
#define SHOWN_SECONDS 10.0

/* True for what the program has mapped: no unmap is enqueued. */
static bool is_open(const struct dl__map *map)
{
    return !map->unmapped;
}

cl_uint dl__view_map_count(const struct dl__mem *mem)
{
    const struct dl__view *view = view_of(mem);
    cl_uint count = 0;

    for (const struct dl__map *map = view ? view->maps : NULL; map; map = map->next)
        count += is_open(map);
    return count;
}

static DL__WITH_LOCK void wait_for_end(struct chain *chain, cl_event event)
{
    if (dl__event_status(event) <= CL_COMPLETE)
        return;
    dl__event_flush(event, chain->queue->object.handle);
    chain_wait_for(chain, event);
}

/* The bytes of an open map arrive before the chain's commands use them. */
static DL__WITH_LOCK void wait_for_map(struct chain *chain, const struct dl__map *map)
{
    wait_for_end(chain, map->ready);
}

/* Where the bytes from `at` on that no open map has end, before `end`; `at`: an open map
 * has it, and then *next is where that ends. */
static size_t missing_end(const struct dl__view *view, size_t at, size_t end,
                          size_t *next)
{
    for (const struct dl__map *map = view->maps; map; map = map->next) {
        if (!is_open(map) || map->own)
            continue;
        if (map->offset <= at && at < map->offset + map->bytes) {
            *next = map->offset + map->bytes;
            return at;
        }
        if (map->offset > at && map->offset < end)
            end = map->offset;
    }
    *next = end;
    return end;
}

/* As chain_transfer, in any case: a buffer whose tiles can't be read or written in place
 * is brought back. */
static DL__WITH_LOCK void transfer(struct chain *chain, bool write, struct dl__mem *mem,
                                   size_t offset, size_t bytes, unsigned char *host)
{
    for (int again = 0; again < 2 && chain->err == CL_SUCCESS; again++) {
        if (chain_transfer(chain, write, mem, offset, bytes, host, NULL))
            return;
        chain->err = dl__mem_bring_back(mem, chain->queue, "a map");
        chain_use(chain, mem);
    }
}

/* ---- maps that stay open ---- */

static bool has_open_writer(const struct dl__view *view)
{
    for (const struct dl__map *map = view->maps; map; map = map->next) {
        if (is_open(map) && map->writes)
            return true;
    }
    return false;
}

/* The first bytes from *at on that open maps have, side by side. False: none. */
static bool find_open(const struct dl__view *view, size_t *at, size_t *end)
{
    size_t next;

    while (*at < view->bytes && missing_end(view, *at, view->bytes, &next) > *at)
        *at = next;
    for (*end = *at;
         *end < view->bytes && missing_end(view, *end, view->bytes, &next) == *end;)
        *end = next;
    return *end > *at;
}

/* Writes into the buffer what the host may have written through open maps. */
static DL__WITH_LOCK void give_open(struct chain *chain, struct dl__mem *mem,
                                    const struct dl__view *view)
{
    for (const struct dl__map *map = view->maps; map; map = map->next) {
        if (!is_open(map) || !map->writes)
            continue;
        wait_for_map(chain, map);
        transfer(chain, true, mem, map->offset, map->bytes, map->at);
    }
    dl__mem_written(mem);
}

/* Open maps show what the buffer holds. */
static DL__WITH_LOCK void read_open(struct chain *chain, struct dl__mem *mem,
                                    const struct dl__view *view)
{
    for (const struct dl__map *map = view->maps; map; map = map->next) {
        if (is_open(map))
            wait_for_map(chain, map);
    }
    for (size_t at = 0, end; find_open(view, &at, &end); at = end)
        transfer(chain, false, mem, at, end - at, view->base + at);
}

/* Behind all commands on the buffer so far. */
static DL__WITH_LOCK void begin_behind(struct chain *chain, struct dl__mem *mem,
                                       struct dl__queue *queue)
{
    chain_begin(chain, queue, NULL);
    chain->host = true;
    chain->wants_last = true;
    dl__mem_wait_for_users(mem, queue, &chain->first);
    chain_use(chain, mem);
}

/* `last`: out, the event of its last command, for the caller to release; NULL: there is
 * none. */
static DL__WITH_LOCK cl_int end_behind(struct chain *chain, struct dl__view *view,
                                       cl_event *last)
{
    cl_int err;

    *last = chain->last ? dl__event_share(chain->last) : NULL;
    if (chain->last)
        view_is_used(view, chain->last);
    err = chain_end(chain);
    view->lost = view->lost || chain->adrift;
    return err;
}

void dl__view_give(struct dl__mem *mem, struct dl__queue *queue)
{
    struct dl__view *view = view_of(mem);
    struct chain chain;
    cl_event last;

    if (!view || !view->maps || view->apart || dl__cancel_possible(mem->object.context))
        return;
    view_settle_maps(view);
    if (!has_open_writer(view))
        return;
    begin_behind(&chain, mem, queue);
    give_open(&chain, mem, view);
    end_behind(&chain, view, &last);
    /* The command comes behind it, as behind a conversion. */
    if (dl__queue_needs_events(queue))
        dl__mem_converted(mem, queue, last);
    else if (last)
        dl__next.clReleaseEvent(last);
}

void dl__view_renew(struct dl__mem *mem, struct dl__queue *queue, bool wanted,
                    cl_event *shown)
{
    struct dl__view *view = mem ? view_of(mem) : NULL;
    struct chain chain;
    cl_event last;

    if (!view || !view->maps || view->apart)
        return;
    view_settle_maps(view);
    if (dl__view_map_count(mem) == 0)
        return;
    view->stale = true;
    if (dl__cancel_possible(mem->object.context))
        return;
    begin_behind(&chain, mem, queue);
    chain_wait_for(&chain, *shown);
    read_open(&chain, mem, view);
    view->stale = end_behind(&chain, view, &last) != CL_SUCCESS;
    if (view->renewed)
        dl__next.clReleaseEvent(view->renewed);
    view->renewed = last;
    /* Otherwise the read would overwrite what the host writes meanwhile. */
    if (!last || !(wanted || queue->out_of_order || has_open_writer(view)))
        return;
    if (*shown)
        dl__next.clReleaseEvent(*shown);
    *shown = dl__event_share(last);
}

static atomic_bool ran_out; /* a wait has, in this process: none is made again */

void dl__view_wait(cl_event shown, cl_uint wait_count, const cl_event *wait)
{
    if (!shown)
        return;
    if (!atomic_load(&ran_out) && !dl__callouts_run()) {
        for (cl_uint i = 0; i < wait_count; i++)
            dl__event_flush(wait[i], NULL);
        dl__event_flush(shown, NULL);
        if (!dl__event_ends_within(shown, SHOWN_SECONDS))
            atomic_store(&ran_out, true);
    }
    dl__next.clReleaseEvent(shown);
}

/* ---- maps ---- */

static DL__WITH_LOCK bool is_for_view(const struct dl__mem *mem, cl_map_flags flags,
                                      size_t offset, size_t bytes)
{
    const cl_map_flags reads = CL_MAP_READ, writes = CL_MAP_WRITE,
                       overwrites = CL_MAP_WRITE_INVALIDATE_REGION;
    cl_mem_flags forbidden = CL_MEM_HOST_NO_ACCESS;

    if (flags & reads)
        forbidden |= CL_MEM_HOST_WRITE_ONLY;
    if (flags & (writes | overwrites))
        forbidden |= CL_MEM_HOST_READ_ONLY;
    if ((flags != reads && flags != writes && flags != (reads | writes) &&
         flags != overwrites) ||
        (mem->flags & forbidden) || bytes == 0 || offset > mem->bytes ||
        bytes > mem->bytes - offset || atomic_load(&mem->maps) > 0)
        return false;
    return dl__view_map_count(mem) > 0 ||
           (!dl__device_lacks_linker(mem->residence.device) &&
            dl__mem_lies_in_tiles(mem) && bytes <= dl__options_get()->staging_bytes);
}

/* The driver's map in place of this one. */
static DL__WITH_LOCK void map_token(struct chain *chain, struct dl__map *map)
{
    cl_int err = CL_SUCCESS;

    STEP(chain, &map->ready,
         (map->token_mapped = dl__next.clEnqueueMapBuffer(
              chain->queue->object.handle, map->token->mem, CL_FALSE, CL_MAP_READ,
              map->token->offset, TOKEN_BYTES, STEP_ORDER, &err),
          err));
}

/* The bytes of a map that is to be made arrive in the view. */
static DL__WITH_LOCK void fill_map(struct chain *chain, struct dl__mem *mem,
                                   struct dl__view *view, cl_map_flags flags,
                                   const struct dl__map *map)
{
    size_t offset = map->offset, end = offset + map->bytes;

    if (map->own) {
        if (flags != CL_MAP_WRITE_INVALIDATE_REGION)
            transfer(chain, false, mem, map->offset, map->bytes, map->own);
        return;
    }
    chain_wait_for(chain, view->renewed);
    if (view->stale) {
        give_open(chain, mem, view);
        read_open(chain, mem, view);
        view->stale = chain->err != CL_SUCCESS;
    }
    for (const struct dl__map *open = view->maps; open; open = open->next) {
        if (is_open(open) && open->offset < end && offset < open->offset + open->bytes)
            wait_for_map(chain, open);
    }
    for (size_t at = offset, next; flags != CL_MAP_WRITE_INVALIDATE_REGION && at < end;
         at = next) {
        size_t stop = missing_end(view, at, end, &next);

        if (stop > at)
            transfer(chain, false, mem, at, stop - at, view->base + at);
    }
}

/* Where the program sees it. False: out of memory. */
static bool place_map(const struct dl__view *view, struct dl__map *map)
{
    bool overlaps = false;

    for (const struct dl__map *open = view->maps; open; open = open->next)
        overlaps |= !open->own && open->offset < map->offset + map->bytes &&
                    map->offset < open->offset + open->bytes;
    map->at = view->base + map->offset;
    if (!view->apart || !overlaps)
        return true;
    map->own =
        aligned_alloc(OWN_ALIGN, (map->bytes + OWN_ALIGN - 1) / OWN_ALIGN * OWN_ALIGN);
    map->at = map->own;
    return map->own != NULL;
}

static DL__WITH_LOCK struct dl__token *token_for_map(const struct dl__queue *queue)
{
    struct dl__token *token = token_hold(queue, false);

    if (token)
        return token;
    views_settle(queue->object.context);
    return token_hold(queue, true);
}

bool dl__view_map(struct dl__mem *mem, struct dl__queue *queue,
                  const struct dl__wait *program, cl_map_flags flags, size_t offset,
                  size_t bytes, cl_event *done, void **mapped,
                  const struct dl__map **made, cl_int *err)
{
    struct chain chain;
    struct dl__view *view = view_of(mem);
    struct dl__map *map;

    if (view)
        view_settle_maps(view);
    if (!is_for_view(mem, flags, offset, bytes))
        return false;
    view = view_get(mem, mem->residence.device && !mem->residence.device->unified);
    map = view ? calloc(1, sizeof *map) : NULL;
    if (!map)
        return false;
    *map = (struct dl__map){.offset = offset,
                            .bytes = bytes,
                            .writes = flags != CL_MAP_READ,
                            .token = token_for_map(queue)};
    if (!map->token || !place_map(view, map)) {
        map_free(map);
        return false;
    }
    view_trim(view);
    chain_begin(&chain, queue, program);
    chain.host = true;
    chain_use(&chain, mem);
    chain_times(&chain, mem, bytes, &map->ready);
    fill_map(&chain, mem, view, flags, map);
    map_token(&chain, map);
    *err = chain_end(&chain);
    chain_timed(&chain, *err == CL_SUCCESS ? map->ready : NULL);
    view->lost = view->lost || chain.adrift;
    if (*err != CL_SUCCESS) {
        /* The driver may do better. */
        if (!chain.adrift)
            free(map->own);
        map_free(map);
        *err = CL_SUCCESS;
        return false;
    }
    view->touched_bytes += map->own ? 0 : bytes;
    view_is_used(view, map->ready);
    map->next = view->maps;
    view->maps = map;
    if (done) {
        *done = dl__event_share(map->ready);
        if (!*done)
            *err = CL_OUT_OF_RESOURCES;
    }
    *mapped = map->at;
    *made = map;
    return true;
}

void dl__view_map_fails(struct dl__mem *mem, const struct dl__map *map)
{
    struct dl__view *view = view_of(mem);

    if (view)
        view_drop_map(view, map);
}

/* Which of the open maps that begin here an unmap is of, the program does not say: of
 * two, one that only reads goes first, for the other's bytes are written back each time.
 */
static struct dl__map *map_at(const struct dl__view *view, const void *mapped)
{
    struct dl__map *found = NULL;

    for (struct dl__map *map = view->maps; map; map = map->next) {
        if (is_open(map) && map->at == mapped &&
            (!found || (found->writes && !map->writes)))
            found = map;
    }
    return found;
}

/* Writes into the buffer what the host may have written through maps that begin here. A
 * pending unmap of the same place writes some of these bytes, too, perhaps as they were
 * before the host's last change, so it goes first. */
static DL__WITH_LOCK void write_back(struct chain *chain, struct dl__mem *mem,
                                     const void *mapped)
{
    const struct dl__view *view = view_of(mem);

    for (const struct dl__map *map = view->maps; map; map = map->next) {
        if (map->unmapped && !map->back_apart && map->at == mapped)
            wait_for_end(chain, map->unmapped);
    }
    for (const struct dl__map *open = view->maps; open; open = open->next) {
        if (is_open(open) && open->writes && open->at == mapped)
            transfer(chain, true, mem, open->offset, open->bytes, open->at);
    }
    dl__mem_written(mem);
}

/* The same where the unmap may be cancelled: at once, on a queue of DL's own. The bytes
 * are the host's until then, so that nobody else can have written them, and none may look
 * at them. */
static DL__WITH_LOCK cl_int write_back_apart(struct dl__mem *mem,
                                             const struct dl__map *map,
                                             cl_device_id device)
{
    struct dl__view *view = view_of(mem);
    struct dl__queue own;
    struct chain chain;
    cl_int err = dl__mem_bring_back_now(mem, "an unmap that may be cancelled");

    if (err != CL_SUCCESS)
        return err;
    err = dl__queue_apart_begin(mem->object.context, device, &own);
    if (err != CL_SUCCESS)
        return err;
    chain_begin(&chain, &own, NULL);
    chain.host = true;
    chain.wants_last = true;
    chain_wait_for(&chain, mem->order.marshaled);
    wait_for_map(&chain, map);
    write_back(&chain, mem, map->at);
    if (chain.last) {
        view_is_used(view, chain.last);
        if (!dl__event_share(chain.last))
            dl__next.clFinish(own.object.handle);
        else
            dl__mem_written_apart(mem, chain.last);
    }
    err = chain_end(&chain);
    dl__queue_apart_end(&own);
    return err;
}

/* The driver's unmap in place of this one; what comes before it is in the chain. */
static DL__WITH_LOCK cl_int unmap_token(struct chain *chain, struct dl__view *view,
                                        struct dl__map *map, cl_event *done)
{
    cl_event unmapped = NULL;
    cl_int err;

    STEP(chain, &unmapped,
         dl__next.clEnqueueUnmapMemObject(chain->queue->object.handle, map->token->mem,
                                          map->token_mapped, STEP_ORDER));
    err = chain_end(chain);
    view->lost = view->lost || chain->adrift;
    if (err != CL_SUCCESS)
        return err;
    view_is_used(view, unmapped);
    map->unmapped = unmapped;
    if (!done)
        return CL_SUCCESS;
    *done = dl__event_share(unmapped);
    if (!*done) {
        map->unmapped = NULL;
        view_drop_map(view, map);
        *done = unmapped;
    }
    return CL_SUCCESS;
}

bool dl__view_unmap(struct dl__mem *mem, struct dl__queue *queue,
                    const struct dl__wait *program, bool waits_well, void *mapped,
                    cl_event *done, cl_int *err)
{
    bool apart = dl__cancel_possible(mem->object.context);
    struct dl__view *view = view_of(mem);
    struct dl__map *map;
    struct chain chain;

    if (view)
        view_settle_maps(view);
    map = view ? map_at(view, mapped) : NULL;
    if (!map)
        return false;
    if (!waits_well) {
        /* The driver says what is wrong with the wait list. */
        *err = dl__next.clEnqueueUnmapMemObject(queue->object.handle, map->token->mem,
                                                map->token_mapped, program->count,
                                                program->list, done);
        if (*err == CL_SUCCESS) {
            map->token = NULL; /* when it is free again nobody knows */
            view_drop_map(view, map);
        }
        return true;
    }
    *err = apart ? write_back_apart(mem, map, queue->device) : CL_SUCCESS;
    if (*err != CL_SUCCESS)
        return true;
    chain_begin(&chain, queue, program);
    chain.host = true;
    chain_use(&chain, mem);
    wait_for_map(&chain, map);
    map->back_apart = apart;
    if (!apart)
        write_back(&chain, mem, mapped);
    *err = unmap_token(&chain, view, map, done);
    return true;
}
