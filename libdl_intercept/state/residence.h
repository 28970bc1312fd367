/* SPDX-License-Identifier: MIT */
/* Which layout a buffer lives in, and the conversions that bring it back to the
 * program's. */
#ifndef DL_INTERCEPT_RESIDENCE_H
#define DL_INTERCEPT_RESIDENCE_H

#include "order.h"

/* True when the buffer itself, or its copy, is not in AoS now. */
static inline DL__WITH_LOCK bool dl__mem_is_tiled(const struct dl__mem *mem)
{
    return mem->residence.layout.kind != DL_LAYOUT_AOS;
}

/* True when tiles of this buffer live in a copy of DL's own: kernels must not write the
 * one, and the host may look at the other whenever it likes. */
static inline bool dl__mem_is_copied(const struct dl__mem *mem)
{
    return (mem->flags & (CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR)) != 0;
}

/* True when what kernels run on is another buffer: the program's own is in the program's
 * layout. */
static inline DL__WITH_LOCK bool dl__mem_is_apart(const struct dl__mem *mem)
{
    return dl__mem_is_tiled(mem) && mem->residence.copy;
}

/* True when the program's own buffer is in tiles. */
static inline DL__WITH_LOCK bool dl__mem_lies_in_tiles(const struct dl__mem *mem)
{
    return dl__mem_is_tiled(mem) && !dl__mem_is_apart(mem);
}

/* What a kernel that wants the tiles must be given as its argument. */
static inline DL__WITH_LOCK cl_mem dl__mem_tiles(const struct dl__mem *mem)
{
    return mem->residence.copy ? mem->residence.copy : mem->object.handle;
}

/* Why the buffer can't be tiled at this moment; NULL: it can. */
const char *dl__mem_refusal(const struct dl__mem *mem) DL__WITH_LOCK;

/* Enqueues a conversion on the queue, or apart while what comes behind the queue's
 * commands may fall. A conversion that breaks off counts as made: the rest of it runs
 * before the next command on the buffer. The record is the caller's to change.
 *   errors  the driver's code; nothing has changed */
cl_int dl__mem_enqueue_conversion(struct dl__mem *mem, struct dl__queue *queue,
                                  const struct dl_conversion *conversion,
                                  struct dl__device *device,
                                  const struct dl_leaf_table *leaves,
                                  struct dl_layout to) DL__WITH_LOCK;
/* It is in AoS from now on. */
void dl__mem_set_aos(struct dl__mem *mem) DL__WITH_LOCK;

/* Brings a buffer back to AoS on the queue (nothing to do for one that is, or whose tiles
 * are a copy). `mem` may be NULL or a sub-object. `why` goes into a remark.
 *   errors  the driver's code; the buffer is still tiled and must not be shown to the
 *           program */
cl_int dl__mem_bring_back(struct dl__mem *mem, struct dl__queue *queue,
                          const char *why) DL__WITH_LOCK;
/* The same for a command that would look at `part_bytes` of it by parts if it were in
 * tiles. */
cl_int dl__mem_bring_back_part(struct dl__mem *mem, struct dl__queue *queue,
                               uint64_t part_bytes, const char *why) DL__WITH_LOCK;
/* True when a command may look at so many bytes of a tiled buffer by parts. `*timed`:
 * out, the event of that is wanted. */
bool dl__mem_may_look(struct dl__mem *mem, uint64_t bytes, bool *timed) DL__WITH_LOCK;
/* It has; `event`, borrowed, may be NULL. */
void dl__mem_looked(struct dl__mem *mem, uint64_t bytes, cl_event event) DL__WITH_LOCK;
/* The same without a queue of the program's at hand: behind no command that is not on the
 * buffer, unless the context has one queue only. */
cl_int dl__mem_bring_back_now(struct dl__mem *mem, const char *why) DL__WITH_LOCK;
/* The same for every tiled buffer of the context. */
cl_int dl__context_bring_back(struct dl__context *context, struct dl__queue *queue,
                              const char *why) DL__WITH_LOCK;
/* A command on `queue` is about to be enqueued that uses the buffer as it now lies: adds
 * to its wait list what it must wait for, and remembers the queue. `mem` may be NULL or a
 * sub-object. */
void dl__mem_use(struct dl__mem *mem, struct dl__queue *queue,
                 struct dl__wait *command) DL__WITH_LOCK;
/* Enqueues what a conversion that broke off has left to do, on the queue or one of DL's
 * own.
 *   errors  the driver's code: it is tried again at the next use */
cl_int dl__mem_finish_rest(struct dl__mem *mem, struct dl__queue *queue) DL__WITH_LOCK;
/* The same for a buffer that is about to be overwritten as a whole: where that fails, as
 * on a device that is gone, it is in AoS and its contents are lost. */
void dl__mem_give_up_rest(struct dl__mem *mem, struct dl__queue *queue) DL__WITH_LOCK;
/* Before the record of a buffer ends. */
void dl__mem_residence_end(struct dl__mem *mem) DL__WITH_LOCK;
/* What the buffer held is of no use any more. */
void dl__mem_drop_rest(struct dl__mem *mem) DL__WITH_LOCK;
/* The program wrote the buffer, or may have: a copy of it is stale. `mem` may be NULL or
 * a sub-object. */
void dl__mem_written(struct dl__mem *mem) DL__WITH_LOCK;
/* The program overwrote the whole buffer: it is AoS, whatever it was. */
void dl__mem_overwritten(struct dl__mem *mem) DL__WITH_LOCK;

#endif
