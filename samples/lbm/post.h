/* SPDX-License-Identifier: MIT */
/* Planes that travel while a slab's inner planes are made: a step makes the edges first
 * and puts them into small buffers on the device, from which a queue of their own takes
 * them to the host's pinned memory and on. The slab's own queue waits only to put its
 * neighbours' planes where the next step reads them.
 *
 * Functions that can fail say why on standard error and return false. */
#ifndef LBM_POST_H
#define LBM_POST_H

#include "lbm/slab.h"

/* A plane's way over one side, out or in. */
struct lbm_parcel {
    cl_mem mem;     /* on the device */
    cl_mem pinned;  /* on the host, mapped for as long as the post is there */
    char *planes;   /* where; even steps' first, then odd steps' */
    cl_event ready; /* of the last command that it waits for; NULL: none yet */
};

struct lbm_post {
    cl_command_queue queue;
    size_t plane_bytes;
    struct lbm_parcel out[2], in[2]; /* by the side that they leave or come in on */
};

/*   out  ended by lbm_post_end, also after a failure */
bool lbm_post_make(cl_context context, cl_device_id device, const struct lbm_slab *slab,
                   struct lbm_post *out);
void lbm_post_end(struct lbm_post *post);
/* Enqueues a step of the slab's planes, and its edges' way to the host. */
bool lbm_post_step(struct lbm_post *post, const struct lbm_slab *slab, int step);
/* The slab's edge on that side, once it is on the host; NULL after a failure. It stays
 * until the next step but one, so that a neighbour that is one step behind still reads
 * it. */
const void *lbm_post_sent(const struct lbm_post *post, enum lbm_side side, int step);
/* Where on the host a neighbour's plane may be put for lbm_post_bring. */
void *lbm_post_room(const struct lbm_post *post, enum lbm_side side);
/* Enqueues a neighbour's plane's way from the host to the device; `plane` is the caller's
 * again once the slab's queue has come past lbm_post_take, so at the latest when the next
 * step's edges are sent. */
bool lbm_post_bring(struct lbm_post *post, enum lbm_side side, const void *plane);
/* Enqueues on the slab's queue that both neighbours' planes are put where the next step
 * reads them. */
bool lbm_post_take(struct lbm_post *post, const struct lbm_slab *slab, int step);

#endif
