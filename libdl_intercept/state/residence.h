/* SPDX-License-Identifier: MIT */
/* Which layout a buffer lives in, and the conversions that bring it back to the
 * program's. */
#ifndef DL_INTERCEPT_RESIDENCE_H
#define DL_INTERCEPT_RESIDENCE_H

#include "objects.h"
#include "order.h"
#include "records.h"

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

/* Returns the argument for a kernel that uses the tiles. */
static inline DL__WITH_LOCK cl_mem dl__mem_tiles(const struct dl__mem *mem)
{
    return mem->residence.copy ? mem->residence.copy : mem->object.handle;
}

/* Why the buffer can't be tiled at this moment; NULL: it can. */
const char *dl__mem_refusal(const struct dl__mem *mem) DL__WITH_LOCK;

/* Brings a buffer back to AoS on the queue (nothing to do for one that is, or whose tiles
 * are a copy). `mem` may be NULL or a sub-object. `why` goes into a remark.
 *   part_bytes  of it that the command would look at by parts if it were in tiles; 0: it
 *               wants all of it
 *   errors      the driver's code; the buffer is still tiled and must not be shown to the
 *               program */
cl_int dl__mem_bring_back_part(struct dl__mem *mem, struct dl__queue *queue,
                               uint64_t part_bytes, const char *why) DL__WITH_LOCK;
static inline DL__WITH_LOCK cl_int dl__mem_bring_back(struct dl__mem *mem,
                                                      struct dl__queue *queue,
                                                      const char *why)
{
    return dl__mem_bring_back_part(mem, queue, 0, why);
}
/* The same for a copy of all of it into another buffer, which goes as they lie where both
 * may: no layout is worth less for that. */
cl_int dl__mem_bring_back_for_copy(struct dl__mem *mem, struct dl__queue *queue,
                                   const char *why) DL__WITH_LOCK;
/* The same without a queue of the program's at hand: behind no command that is not on the
 * buffer, unless the context has one queue only. */
cl_int dl__mem_bring_back_now(struct dl__mem *mem, const char *why) DL__WITH_LOCK;
/* A command on `queue` is about to be enqueued that uses the buffer as it now lies: adds
 * to its wait list what it must wait for, and remembers the queue. `mem` may be NULL or a
 * sub-object. */
void dl__mem_use(struct dl__mem *mem, struct dl__queue *queue,
                 struct dl__wait *command) DL__WITH_LOCK;
/* The same for a buffer that is about to be overwritten as a whole: where that fails, as
 * on a device that is gone, it is in AoS and its contents are lost. */
void dl__mem_give_up_rest(struct dl__mem *mem, struct dl__queue *queue) DL__WITH_LOCK;
/* The old contents of the buffer are not needed any more. */
static inline DL__WITH_LOCK void dl__mem_drop_rest(struct dl__mem *mem)
{
    if (mem->residence.rest)
        dl_rest_free(mem->residence.rest);
    mem->residence.rest = NULL;
}

/* The program wrote the buffer, or may have: a copy of it is stale. `mem` may be NULL or
 * a sub-object. */
void dl__mem_written(struct dl__mem *mem) DL__WITH_LOCK;
/* The program overwrote the whole buffer: it is AoS, whatever it was.
 *   as_written  also if it had been converted: copies of whole buffers keep layouts */
void dl__mem_overwritten(struct dl__mem *mem, bool as_written) DL__WITH_LOCK;

/* Buffers brought back without a kernel, by a function that the driver calls in a queue's
 * order. */

/* PoCL links a kernel when it is first launched, by a program that it looks for in PATH,
 * and ends the process where that fails: true on a CPU once the program's PATH has lost
 * the linker that it began with, and no kernel of DL's may be launched that was not
 * before. */
bool dl__device_lacks_linker(const struct dl__device *device);

/* Having a buffer in another layout than the program's. */

/* All that is needed to put a buffer into a layout. */
struct dl__move {
    struct dl__mem *mem;
    struct dl__device *device;
    struct dl_layout layout;
    const struct dl_leaf_table *leaves;
    uint64_t structs;
    bool needed;                       /* false: it is there already */
    const struct dl_conversion *there; /* AoS -> layout */
    const struct dl_conversion *back;  /* layout -> AoS */
};

/* Device memory that DL's copies of the program's buffers may take. */
uint64_t dl__copies_cap_bytes(const struct dl__device *device);
/* True when it lies so already; `layout` is not AoS. */
static inline DL__WITH_LOCK bool dl__mem_is_there(const struct dl__mem *mem,
                                                  struct dl_layout layout,
                                                  const struct dl_leaf_table *leaves)
{
    return dl__mem_is_tiled(mem) && dl_layout_equal(&mem->residence.layout, &layout) &&
           dl_leaf_table_equal(&mem->residence.leaves, leaves);
}

/* Prepares everything that can fail before data moves: kernels, workspaces, the copy.
 *   errors  a static clause in *reason; nothing changed */
bool dl__move_prepare(struct dl__move *move, struct dl__queue *queue,
                      const char **reason) DL__WITH_LOCK;
/* Enqueues the conversions of a prepared move (back to AoS first, if the buffer is tiled
 * in another way). Conversions wait for the commands on the buffer so far and for nothing
 * else: what the program's command waits for may fail, or come only after the host saw
 * this buffer.
 *   errors  the driver's code; the buffer is in the layout its record says */
cl_int dl__move_enqueue(struct dl__move *move, struct dl__queue *queue) DL__WITH_LOCK;

/* The same without a conversion: the host has written the whole buffer in the layout of a
 * prepared move. Takes over `leaves`, a copy of the move's. */
void dl__move_done_by_host(const struct dl__move *move,
                           struct dl_leaf_table *leaves) DL__WITH_LOCK;

/* Such a copy is enqueued: `to` lies as `from` does. Takes over `leaves`, a copy of
 * `from`'s. */
void dl__mem_copied_tiles(const struct dl__mem *from, struct dl__mem *to,
                          struct dl_leaf_table *leaves) DL__WITH_LOCK;

/* The layout of a buffer that the driver is overwriting as a whole, without the context's
 * lock: it counts as the program's meanwhile. */
struct dl_layout dl__mem_set_aside(struct dl__mem *mem) DL__WITH_LOCK;
/* Nothing was overwritten: the buffer lies as before, or is brought back on the queue
 * where it may not any more. */
void dl__mem_set_back(struct dl__mem *mem, const struct dl_layout *aside,
                      struct dl__queue *queue) DL__WITH_LOCK;

/* Memory objects: their records, from the program's create call to its last release. */

extern struct dl__type dl__mem_type;

static inline struct dl__mem *dl__mem_find(const void *handle)
{
    return dl__object_find(&dl__mem_type, handle);
}

#endif
