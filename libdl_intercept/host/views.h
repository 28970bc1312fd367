/* SPDX-License-Identifier: MIT */
/* Views: host memory of DL's own that maps of a tiled buffer show (maps.h). */
#ifndef DL_INTERCEPT_VIEWS_H
#define DL_INTERCEPT_VIEWS_H

#include "staging.h"

struct dl__map {
    size_t offset, bytes;
    unsigned char *at;  /* where the program sees it: in the view, or in `own` */
    unsigned char *own; /* memory of its own (dl__view.apart); NULL: none */
    bool writes;
    bool back_apart; /* its unmap has written back on a queue of DL's own */
    cl_event ready;  /* completes when the bytes are there */
    /* of the unmap enqueued; NULL: none. It is mapped still if that fails */
    cl_event unmapped;
    struct dl__held_token *token; /* NULL: let go */
    void *token_mapped;           /* what the driver has mapped in its place */
    struct dl__map *next;
};

struct dl__view {
    unsigned char *base;
    size_t bytes;
    size_t touched_bytes; /* at most so many of its bytes have memory */
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

/* The buffer's view; NULL: it has none. */
struct dl__view *dl__view_of(const struct dl__mem *mem) DL__WITH_LOCK;
/* The same, made where there is none yet; NULL: out of memory.
 *   apart  what a new one is */
struct dl__view *dl__view_get(struct dl__mem *mem, bool apart) DL__WITH_LOCK;
/* The command uses the view's memory. */
void dl__view_is_used(struct dl__view *view, cl_event event);
/* Memory that maps long gone have touched is not kept beyond what one may take. */
void dl__view_trim(struct dl__view *view);
/* A map whose wait list failed never came to be; one whose unmap failed is still there.
 */
void dl__view_settle_maps(struct dl__view *view);
/* Takes a map out of the view, and frees it. */
void dl__view_drop_map(struct dl__view *view, struct dl__map *map);
/* The same of all maps of the context that are over. */
void dl__views_settle(struct dl__context *context) DL__WITH_LOCK;
void dl__map_free(struct dl__map *map);

#endif
