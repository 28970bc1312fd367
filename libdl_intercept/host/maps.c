/* SPDX-License-Identifier: MIT */
/* Host memory that maps of tiled buffers show, for as long as commands use it. */
#include "maps.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/state/residence.h"
#include "libdl_intercept/state/order.h"

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

/* Takes a map out of the view, and frees it. */
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

/* What NVIDIA's maps begin at multiples of. */
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

static DL__WITH_LOCK void wait_for_end(struct dl__chain *chain, cl_event event)
{
    if (dl__event_status(event) <= CL_COMPLETE)
        return;
    dl__event_flush(event, chain->queue->object.handle);
    dl__chain_wait_for(chain, event);
}

/* The bytes of an open map arrive before the chain's commands use them. */
static DL__WITH_LOCK void wait_for_map(struct dl__chain *chain, const struct dl__map *map)
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

/* As dl__chain_read and dl__chain_write, for any buffer, in any case: one whose tiles
 * can't be read or written in place is brought back. */
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

/* What the host may have written by open maps goes into the buffer. */
static DL__WITH_LOCK void give_open(struct dl__chain *chain, struct dl__mem *mem,
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
static DL__WITH_LOCK void read_open(struct dl__chain *chain, struct dl__mem *mem,
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
static DL__WITH_LOCK void begin_behind(struct dl__chain *chain, struct dl__mem *mem,
                                       struct dl__queue *queue,
                                       const struct dl__wait *none)
{
    dl__chain_begin(chain, queue, none);
    chain->host = true;
    chain->wants_last = true;
    dl__mem_wait_for_users(mem, queue, &chain->first);
    dl__chain_use(chain, mem);
}

/* `last`: out, the event of its last command, for the caller to release; NULL: there is
 * none. */
static DL__WITH_LOCK cl_int end_behind(struct dl__chain *chain, struct dl__view *view,
                                       cl_event *last)
{
    cl_int err;

    *last = chain->last ? dl__event_share(chain->last) : NULL;
    if (chain->last)
        view_is_used(view, chain->last);
    err = dl__chain_end(chain);
    view->lost = view->lost || chain->adrift;
    return err;
}

void dl__view_give(struct dl__mem *mem, struct dl__queue *queue)
{
    struct dl__view *view = view_of(mem);
    struct dl__chain chain;
    struct dl__wait none;
    cl_event last;

    if (!view || !view->maps || view->apart || dl__cancel_possible(mem->object.context))
        return;
    view_settle_maps(view);
    if (!has_open_writer(view))
        return;
    dl__wait_begin(&none, 0, NULL);
    begin_behind(&chain, mem, queue, &none);
    give_open(&chain, mem, view);
    end_behind(&chain, view, &last);
    /* The command comes behind it, as behind a conversion. */
    if (dl__queue_needs_events(queue))
        dl__mem_converted(mem, queue, last);
    else if (last)
        dl__next.clReleaseEvent(last);
    dl__wait_end(&none);
}

void dl__view_renew(struct dl__mem *mem, struct dl__queue *queue, bool wanted,
                    cl_event *shown)
{
    struct dl__view *view = mem ? view_of(mem) : NULL;
    struct dl__chain chain;
    struct dl__wait none;
    cl_event last;

    if (!view || !view->maps || view->apart)
        return;
    view_settle_maps(view);
    if (dl__view_map_count(mem) == 0)
        return;
    view->stale = true;
    if (dl__cancel_possible(mem->object.context))
        return;
    dl__wait_begin(&none, 0, NULL);
    begin_behind(&chain, mem, queue, &none);
    dl__chain_wait_for(&chain, *shown);
    read_open(&chain, mem, view);
    view->stale = end_behind(&chain, view, &last) != CL_SUCCESS;
    dl__wait_end(&none);
    if (view->renewed)
        dl__next.clReleaseEvent(view->renewed);
    view->renewed = last;
    /* What the host writes meanwhile would be read over. */
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
static DL__WITH_LOCK void map_token(struct dl__chain *chain, struct dl__map *map)
{
    struct dl__step step;
    cl_int err = CL_SUCCESS;

    DL__STEP(&step, chain, &map->ready,
             (map->token_mapped = dl__next.clEnqueueMapBuffer(
                  chain->queue->object.handle, map->token->token.mem, CL_FALSE,
                  CL_MAP_READ, map->token->token.offset, DL__TOKEN_BYTES, step.wait.count,
                  step.wait.list, step.out, &err),
              err));
}

/* The bytes of a map that is to be made arrive in the view. */
static DL__WITH_LOCK void fill_map(struct dl__chain *chain, struct dl__mem *mem,
                                   struct dl__view *view, cl_map_flags flags,
                                   const struct dl__map *map)
{
    size_t offset = map->offset, end = offset + map->bytes;

    if (map->own) {
        if (flags != CL_MAP_WRITE_INVALIDATE_REGION)
            transfer(chain, false, mem, map->offset, map->bytes, map->own);
        return;
    }
    dl__chain_wait_for(chain, view->renewed);
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

static DL__WITH_LOCK struct dl__held_token *token_for_map(const struct dl__queue *queue)
{
    struct dl__held_token *token = dl__token_hold(queue, false);

    if (token)
        return token;
    views_settle(queue->object.context);
    return dl__token_hold(queue, true);
}

bool dl__view_map(struct dl__mem *mem, struct dl__queue *queue,
                  const struct dl__wait *program, cl_map_flags flags, size_t offset,
                  size_t bytes, cl_event *done, void **mapped,
                  const struct dl__map **made, cl_int *err)
{
    struct dl__chain chain;
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
    dl__chain_begin(&chain, queue, program);
    chain.host = true;
    dl__chain_use(&chain, mem);
    fill_map(&chain, mem, view, flags, map);
    map_token(&chain, map);
    *err = dl__chain_end(&chain);
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

/* What the host may have written by maps that begin here goes into the buffer. An unmap
 * on its way that names the same place writes some of these bytes, too, perhaps as they
 * were before the host's last change: it goes first. */
static DL__WITH_LOCK void write_back(struct dl__chain *chain, struct dl__mem *mem,
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
    write_back(&chain, mem, map->at);
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
             dl__next.clEnqueueUnmapMemObject(chain->queue->object.handle,
                                              map->token->token.mem, map->token_mapped,
                                              step.wait.count, step.wait.list, step.out));
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
        view_settle_maps(view);
    map = view ? map_at(view, mapped) : NULL;
    if (!map)
        return false;
    if (!waits_well) {
        /* The driver says what is wrong with the wait list. */
        *err = dl__next.clEnqueueUnmapMemObject(queue->object.handle,
                                                map->token->token.mem, map->token_mapped,
                                                program->count, program->list, done);
        if (*err == CL_SUCCESS) {
            map->token = NULL; /* when it is free again nobody knows */
            view_drop_map(view, map);
        }
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
