/* SPDX-License-Identifier: MIT */
/* Host memory that maps of tiled buffers show, for as long as commands use it. */
#include "views.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"

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

struct dl__view *dl__view_of(const struct dl__mem *mem)
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
void dl__view_is_used(struct dl__view *view, cl_event event)
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

struct dl__view *dl__view_get(struct dl__mem *mem, bool apart)
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
void dl__view_trim(struct dl__view *view)
{
    if (view->maps || view->lost ||
        view->touched_bytes <= dl__options_get()->staging_bytes)
        return;
    view_forget_done(view);
    if (view->busy_count == 0 && madvise(view->base, view->bytes, MADV_DONTNEED) == 0)
        view->touched_bytes = 0;
}

void dl__map_free(struct dl__map *map)
{
    if (map->ready)
        dl__next.clReleaseEvent(map->ready);
    if (map->unmapped)
        dl__next.clReleaseEvent(map->unmapped);
    if (map->token)
        map->token->held = false;
    free(map);
}

/* Takes it out of the view. */
void dl__view_drop_map(struct dl__view *view, struct dl__map *map)
{
    for (struct dl__map **at = &view->maps; *at; at = &(*at)->next) {
        if (*at == map) {
            *at = map->next;
            break;
        }
    }
    dl__map_free(map);
}

static void view_free(struct dl__view *view)
{
    while (view->maps) {
        if (view->busy_count == 0 && !view->lost)
            free(view->maps->own);
        dl__view_drop_map(view, view->maps);
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
void dl__view_settle_maps(struct dl__view *view)
{
    struct dl__map *next;

    for (struct dl__map *map = view->maps; map; map = next) {
        next = map->next;
        if (dl__event_status(map->ready) < CL_COMPLETE) {
            dl__view_drop_map(view, map);
        } else if (map->unmapped && dl__event_status(map->unmapped) == CL_COMPLETE) {
            free(map->own);
            dl__view_drop_map(view, map);
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

        dl__view_settle_maps(view);
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

void dl__views_settle(struct dl__context *context)
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
