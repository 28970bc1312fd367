/* Views of tiled buffers for maps. */
#include "maps.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/state/cancel.h"
#include "libdl_intercept/state/queues.h"
#include "libdl_intercept/state/residence.h"
#include "staged.h"

struct dl__map {
    size_t offset, bytes;
    bool writes;
    bool back_apart; /* its unmap has written back on a queue of DL's own */
    cl_event ready;  /* completes when the bytes are there */
    /* of the unmap enqueued; NULL: none. It is mapped still if that fails */
    cl_event unmapped;
    cl_mem token;
    void *token_mapped; /* what the driver has mapped in its place */
    struct dl__map *next;
};

struct dl__view {
    unsigned char *base;
    size_t bytes;
    size_t touched_bytes; /* at most so many of its bytes have memory */
    struct dl__map *maps; /* open ones, the newest first */
    cl_event *busy;       /* commands that use the memory */
    size_t busy_count, busy_room;
    bool lost;           /* what uses it is not known: it is never freed */
    struct dl__mem *mem; /* NULL: it has ended */
    struct dl__view *next;
};

/* What is kept with a buffer and with a context. */
struct mem_view {
    struct dl__kept kept;
    struct dl__view *view DL__UNDER_LOCK;
};
struct context_views {
    struct dl__kept kept;
    struct dl__view *views DL__UNDER_LOCK; /* of tiled buffers */
};

static const struct dl__keeper mem_keeper, context_keeper;

static DL__WITH_LOCK struct dl__view *view_of(const struct dl__mem *mem)
{
    const struct mem_view *own = dl__kept_find(mem, &mem_keeper);

    return own ? own->view : NULL;
}

/* ---- views ---- */

static void view_forget_done(struct dl__view *view)
{
    size_t kept = 0;

    for (size_t i = 0; i < view->busy_count; i++) {
        cl_int status = CL_COMPLETE;

        dl__next.clGetEventInfo(view->busy[i], CL_EVENT_COMMAND_EXECUTION_STATUS,
                                sizeof status, &status, NULL);
        if (status > CL_COMPLETE)
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

static DL__WITH_LOCK struct dl__view *view_get(struct dl__mem *mem)
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
    free(map);
}

/* Takes it out of the view. */
static void view_drop_map(struct dl__view *view, struct dl__map *map)
{
    for (struct dl__map **at = &view->maps; *at; at = &(*at)->next) {
        if (*at == map) {
            *at = map->next;
            break;
        }
    }
    map_free(map);
}

static void view_free(struct dl__view *view)
{
    while (view->maps)
        view_drop_map(view, view->maps);
    for (size_t i = 0; i < view->busy_count; i++)
        dl__next.clReleaseEvent(view->busy[i]);
    /* Memory that a driver may still write to is never given back. */
    if (view->busy_count == 0 && !view->lost)
        munmap(view->base, view->bytes);
    free(view->busy);
    free(view);
}

static cl_int event_status(cl_event event)
{
    cl_int status = CL_COMPLETE;

    dl__next.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                            &status, NULL);
    return status;
}

/* A map whose wait list failed never came to be; one whose unmap failed is still there. */
static void settle_maps(struct dl__view *view)
{
    struct dl__map *next;

    for (struct dl__map *map = view->maps; map; map = next) {
        next = map->next;
        if (event_status(map->ready) < CL_COMPLETE) {
            view_drop_map(view, map);
        } else if (map->unmapped && event_status(map->unmapped) == CL_COMPLETE) {
            view_drop_map(view, map);
        } else if (map->unmapped && event_status(map->unmapped) < CL_COMPLETE) {
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

        settle_maps(view);
        view_forget_done(view);
        if (view->mem || view->busy_count > 0 || view->lost) {
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
        view_free(view);
    }
}

static const struct dl__keeper mem_keeper = {.bytes = sizeof(struct mem_view),
                                             .end = end_mem_view};
static const struct dl__keeper context_keeper = {.bytes = sizeof(struct context_views),
                                                 .end = end_context_views,
                                                 .settle = settle_views};

/* ---- maps ---- */

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

static DL__WITH_LOCK void wait_for_end(struct dl__chain *chain, cl_event event)
{
    cl_command_queue queue = NULL;

    if (event_status(event) <= CL_COMPLETE)
        return;
    dl__next.clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL);
    if (queue && queue != chain->queue->object.handle)
        dl__next.clFlush(queue);
    dl__chain_wait_for(chain, event);
}

/* The bytes of an open map arrive before the chain's commands use them. */
static DL__WITH_LOCK void wait_for_map(struct dl__chain *chain, const struct dl__map *map)
{
    wait_for_end(chain, map->ready);
}

/* Where the bytes from `at` on that no open map has end, before `end`; `at`: an open map has it,
 * and then *next is where that ends. */
static size_t missing_end(const struct dl__view *view, size_t at, size_t end,
                          size_t *next)
{
    for (const struct dl__map *map = view->maps; map; map = map->next) {
        if (!is_open(map))
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

/* As dl__chain_read and dl__chain_write, for any buffer, in any case: one that its tiles can't be
 * looked at of is brought back. */
static DL__WITH_LOCK void transfer(struct dl__chain *chain, bool write,
                                   struct dl__mem *mem, size_t offset, size_t bytes,
                                   unsigned char *host)
{
    for (int again = 0; again < 2 && chain->err == CL_SUCCESS; again++) {
        if (write ? dl__chain_write(chain, mem, offset, bytes, host)
                  : dl__chain_read(chain, mem, offset, bytes, host, NULL))
            return;
        chain->err = dl__mem_bring_back(mem, chain->queue, "a map");
        dl__chain_use(chain, mem);
    }
}

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
           (dl__mem_lies_in_tiles(mem) && bytes <= dl__options_get()->staging_bytes);
}

/* The driver's map in place of this one. */
static DL__WITH_LOCK void map_token(struct dl__chain *chain, struct dl__map *map,
                                    size_t token_offset)
{
    struct dl__step step;
    cl_int err = CL_SUCCESS;

    DL__STEP(
        &step, chain, &map->ready,
        (map->token_mapped = dl__next.clEnqueueMapBuffer(
             chain->queue->object.handle, map->token, CL_FALSE, CL_MAP_READ, token_offset,
             DL__TOKEN_BYTES, step.wait.count, step.wait.list, step.out, &err),
         err));
}

bool dl__view_map(struct dl__mem *mem, struct dl__queue *queue,
                  const struct dl__wait *program, cl_map_flags flags, size_t offset,
                  size_t bytes, cl_event *done, void **mapped,
                  const struct dl__map **made, cl_int *err)
{
    size_t end = offset + bytes;
    struct dl__token token;
    struct dl__chain chain;
    struct dl__view *view = view_of(mem);
    struct dl__map *map;

    if (view)
        settle_maps(view);
    if (!is_for_view(mem, flags, offset, bytes) ||
        !dl__token_take(mem->object.context, &token))
        return false;
    view = view_get(mem);
    map = view ? calloc(1, sizeof *map) : NULL;
    if (!map)
        return false;
    *map = (struct dl__map){.offset = offset,
                            .bytes = bytes,
                            .writes = flags != CL_MAP_READ,
                            .token = token.mem};
    view_trim(view);
    dl__chain_begin(&chain, queue, program);
    chain.host = true;
    dl__chain_use(&chain, mem);
    for (const struct dl__map *open = view->maps; open; open = open->next) {
        if (is_open(open) && open->offset < end && offset < open->offset + open->bytes)
            wait_for_map(&chain, open);
    }
    for (size_t at = offset, next; flags != CL_MAP_WRITE_INVALIDATE_REGION && at < end;
         at = next) {
        size_t stop = missing_end(view, at, end, &next);

        if (stop > at)
            transfer(&chain, false, mem, at, stop - at, view->base + at);
    }
    map_token(&chain, map, token.offset);
    *err = dl__chain_end(&chain);
    view->lost = view->lost || chain.adrift;
    if (*err != CL_SUCCESS) {
        /* The driver may do better. */
        map_free(map);
        *err = CL_SUCCESS;
        return false;
    }
    view->touched_bytes += bytes;
    view_is_used(view, map->ready);
    map->next = view->maps;
    view->maps = map;
    if (done) {
        *done = dl__event_share(map->ready);
        if (!*done)
            *err = CL_OUT_OF_RESOURCES;
    }
    *mapped = view->base + offset;
    *made = map;
    return true;
}

void dl__view_map_fails(struct dl__mem *mem, const struct dl__map *failed)
{
    struct dl__view *view = view_of(mem);

    for (struct dl__map *map = view ? view->maps : NULL; map; map = map->next) {
        if (map == failed) {
            view_drop_map(view, map);
            return;
        }
    }
}

/* Which of the open maps that begin here an unmap is of, the program does not say: of two, one
 * that only reads goes first, for the other's bytes are written back each time. */
static struct dl__map *map_at(const struct dl__view *view, const void *mapped)
{
    struct dl__map *found = NULL;

    for (struct dl__map *map = view->maps; map; map = map->next) {
        if (is_open(map) && view->base + map->offset == mapped &&
            (!found || (found->writes && !map->writes)))
            found = map;
    }
    return found;
}

/* What the host may have written by maps that begin here goes into the buffer. An unmap on its way
 * that names the same place writes some of these bytes, too, perhaps as they were before the host's
 * last change: it goes first. */
static DL__WITH_LOCK void write_back(struct dl__chain *chain, struct dl__mem *mem,
                                     const void *mapped)
{
    const struct dl__view *view = view_of(mem);

    for (const struct dl__map *map = view->maps; map; map = map->next) {
        if (map->unmapped && !map->back_apart && view->base + map->offset == mapped)
            wait_for_end(chain, map->unmapped);
    }
    for (const struct dl__map *open = view->maps; open; open = open->next) {
        if (is_open(open) && open->writes && view->base + open->offset == mapped)
            transfer(chain, true, mem, open->offset, open->bytes,
                     view->base + open->offset);
    }
    dl__mem_written(mem);
}

/* The same where the unmap may be cancelled: at once, on a queue of DL's own. The bytes are the
 * host's until then, so that nobody else can have written them, and none may look at them. */
static DL__WITH_LOCK cl_int write_back_apart(struct dl__mem *mem,
                                             const struct dl__map *map,
                                             cl_device_id device)
{
    struct dl__view *view = view_of(mem);
    struct dl__queue own;
    struct dl__wait none;
    struct dl__chain chain;
    cl_int err = dl__mem_bring_back_now(mem, "an unmap that may be cancelled");

    if (err != CL_SUCCESS)
        return err;
    err = dl__queue_apart_begin(mem->object.context, device, &own);
    if (err != CL_SUCCESS)
        return err;
    dl__wait_begin(&none, 0, NULL);
    dl__chain_begin(&chain, &own, &none);
    chain.host = true;
    chain.wants_last = true;
    dl__chain_wait_for(&chain, mem->order.marshaled);
    wait_for_map(&chain, map);
    write_back(&chain, mem, view->base + map->offset);
    if (chain.last) {
        view_is_used(view, chain.last);
        if (!dl__event_share(chain.last))
            dl__next.clFinish(own.object.handle);
        else
            dl__mem_written_apart(mem, chain.last);
    }
    err = dl__chain_end(&chain);
    dl__wait_end(&none);
    dl__queue_apart_end(&own);
    return err;
}

/* The driver's unmap in place of this one; what comes before it is in the chain. */
static DL__WITH_LOCK cl_int unmap_token(struct dl__chain *chain, struct dl__view *view,
                                        struct dl__map *map, cl_event *done)
{
    struct dl__step step;
    cl_event unmapped = NULL;
    cl_int err;

    DL__STEP(&step, chain, &unmapped,
             dl__next.clEnqueueUnmapMemObject(chain->queue->object.handle, map->token,
                                              map->token_mapped, step.wait.count,
                                              step.wait.list, step.out));
    err = dl__chain_end(chain);
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
    struct dl__chain chain;

    if (view)
        settle_maps(view);
    map = view ? map_at(view, mapped) : NULL;
    if (!map)
        return false;
    if (!waits_well) {
        /* The driver says what is wrong with the wait list. */
        *err = dl__next.clEnqueueUnmapMemObject(queue->object.handle, map->token,
                                                map->token_mapped, program->count,
                                                program->list, done);
        if (*err == CL_SUCCESS)
            view_drop_map(view, map);
        return true;
    }
    *err = apart ? write_back_apart(mem, map, queue->device) : CL_SUCCESS;
    if (*err != CL_SUCCESS)
        return true;
    dl__chain_begin(&chain, queue, program);
    chain.host = true;
    dl__chain_use(&chain, mem);
    wait_for_map(&chain, map);
    map->back_apart = apart;
    if (!apart)
        write_back(&chain, mem, mapped);
    *err = unmap_token(&chain, view, map, done);
    return true;
}
