/* SPDX-License-Identifier: MIT */
/* Having a buffer in another layout than the program's. */
#ifndef DL_INTERCEPT_MOVES_H
#define DL_INTERCEPT_MOVES_H

#include "residence.h"

/* What it takes to have a buffer in a layout. */
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
bool dl__mem_is_there(const struct dl__mem *mem, struct dl_layout layout,
                      const struct dl_leaf_table *leaves) DL__WITH_LOCK;
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

/* True when a copy of all of `from`, byte by byte as it lies, may become the contents of
 * `to`: `from` is in tiles, and `to` may be. */
bool dl__mem_may_copy_tiles(const struct dl__mem *from,
                            const struct dl__mem *to) DL__WITH_LOCK;
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

#endif
