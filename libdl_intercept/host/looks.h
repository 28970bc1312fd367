/* SPDX-License-Identifier: MIT */
/* Looks by the host at tiled buffers: it sees structs, the buffer stays in tiles (Sung
 * 2013, 5.2). The program's transfers, copies and fills go through bounded staging areas;
 * its maps are of host memory of DL's own.
 *
 * Every function enqueues without blocking. */
#ifndef DL_INTERCEPT_LOOKS_H
#define DL_INTERCEPT_LOOKS_H

#include "libdl_intercept/state/order.h"
#include "libdl_intercept/state/records.h"

/* ---- what they take ----
 *
 * Looks by parts, and the program's own commands on buffers as written that would be,
 * are timed as those want who keep something with the buffer. */

/* Before the first command of one is enqueued. True: its time is wanted, and dl__look_end
 * has to come behind the last. */
bool dl__look_begin(struct dl__mem *mem, struct dl__queue *queue,
                    uint64_t bytes) DL__WITH_LOCK;
/* `mem`: NULL where it has ended. The events are borrowed; NULL: it has failed. */
void dl__look_end(struct dl__mem *mem, struct dl__queue *queue, uint64_t bytes,
                  cl_event first, cl_event last) DL__WITH_LOCK;

/* ---- transfers, copies and fills of any bytes ----
 *
 * True: the command's work is done. False: it needs more than a staging area, is one for
 * the driver to reject, or has failed on the way: the buffer has to be brought back
 * instead, and the command given to the driver whole, which also does again what was done
 * of it.
 *   program  what the program's command waits for
 *   done     out, may be NULL: an event of the program's kind of command that completes
 *            when all is done; the caller releases it */

/* `host` is only read when the command `writes`. */
bool dl__staged_transfer(struct dl__mem *mem, struct dl__queue *queue,
                         const struct dl__wait *program, bool writes, size_t offset,
                         size_t bytes, void *host, cl_event *done) DL__WITH_LOCK;

/* One side of a rectangular command, as clEnqueue...BufferRect has it: 0 pitches mean
 * dense. */
struct dl__rect {
    const size_t *origin;
    size_t row_bytes, slice_bytes;
};

bool dl__staged_rect(struct dl__mem *mem, struct dl__queue *queue,
                     const struct dl__wait *program, bool writes, const size_t *region,
                     struct dl__rect rect, struct dl__rect host_rect, void *host,
                     cl_event *done) DL__WITH_LOCK;

/* One side of a copy. */
struct dl__end {
    cl_mem handle;
    struct dl__mem *mem;  /* the buffer behind it; NULL: one that DL does not know */
    size_t offset;        /* of a copy of bytes */
    struct dl__rect rect; /* of a copy of a rectangle */
    bool tiled;           /* goes through tiles; else `handle` is used as it lies */
};

/* Of a rectangle of this region; NULL: of so many bytes. */
bool dl__staged_copy(struct dl__queue *queue, const struct dl__wait *program,
                     const struct dl__end *from, const struct dl__end *to,
                     const size_t *region, size_t bytes, cl_event *done) DL__WITH_LOCK;
bool dl__staged_fill(struct dl__mem *mem, struct dl__queue *queue,
                     const struct dl__wait *program, const void *pattern,
                     size_t pattern_bytes, size_t offset, size_t bytes,
                     cl_event *done) DL__WITH_LOCK;

/* ---- maps ----
 *
 * The program gets a pointer into host memory of DL's own, a view
 * of the buffer as the program wrote it, and the tiles stay.
 *
 * A buffer has one view, as large as itself, from its first such map to its end; pages
 * that no map ever touched cost nothing. So every map of the buffer is the same base plus
 * its offset, as drivers give, and maps that overlap are of the same bytes. A map copies
 * what it covers into the view, but for what an open map already has there, which may be
 * the host's newest; an unmap copies what the host may have written back, into whatever
 * layout the buffer is in by then. While a map is open, all maps of the buffer go through
 * the view, be it in tiles or not. On devices that do not share their memory with the
 * host, a map that overlaps an open one has memory of its own, as NVIDIA's maps have.
 *
 * In the driver's eyes a map is one of a few bytes that nobody looks at (tokens), made
 * and unmapped with the program's: the program's events are genuine. */

struct dl__map; /* one that is open */

/* Maps through the view. True: it has taken the command over, with its result in *err;
 * false: nothing was enqueued, it is a map for the driver.
 *   program  what the program's command waits for
 *   done     out, may be NULL: the event of the map; the caller releases it
 *   mapped   out, where it begins
 *   map      out, for dl__map_fails */
bool dl__view_map(struct dl__mem *mem, struct dl__queue *queue,
                  const struct dl__wait *program, cl_map_flags flags, size_t offset,
                  size_t bytes, cl_event *done, void **mapped, const struct dl__map **map,
                  cl_int *err) DL__WITH_LOCK;
/* A map that was made has failed while it was waited for: it does not exist. */
void dl__view_map_fails(struct dl__mem *mem, const struct dl__map *map) DL__WITH_LOCK;
/* Unmaps through the view. False: `mapped` is not such a map, and is left to the driver.
 */
bool dl__view_unmap(struct dl__mem *mem, struct dl__queue *queue,
                    const struct dl__wait *program, bool waits_well, void *mapped,
                    cl_event *done, cl_int *err) DL__WITH_LOCK;
/* How many maps through the view are open. */
cl_uint dl__view_map_count(const struct dl__mem *mem) DL__WITH_LOCK;

/* False: no buffer of the context has ever had a view. */
bool dl__views_exist(const struct dl__context *context) DL__WITH_LOCK;

/* Programs leave maps open while commands use the buffer. OpenCL does not define what
 * they see then, but where a driver's maps are the buffer's own memory it works, and so
 * it does through a view of such a device: every command that names the buffer is
 * enqueued between these two. In a period of contexts.h neither does anything, and the
 * next map, or the next command after the period, makes up for it. */

/* A command that uses the buffer is about to be enqueued on `queue`: what the host has
 * written by open maps goes before it. */
void dl__view_give(struct dl__mem *mem, struct dl__queue *queue) DL__WITH_LOCK;
/* A command that may have written the buffer is enqueued on `queue`: open maps are read
 * again behind it.
 *   mem     may be NULL
 *   wanted  the program can hear of that command's end by an event, or at the end of this
 *           call
 *   shown   in and out: where the call has to wait for it, an event that comes behind the
 *           one before, for dl__view_wait */
void dl__view_renew(struct dl__mem *mem, struct dl__queue *queue, bool wanted,
                    cl_event *shown) DL__WITH_LOCK;
/* Waits until the maps show it, for a bounded time, and releases the event. NULL: nothing
 * to wait for.
 *   wait  what the program's command waits for: may be on queues that nobody has flushed
 *         yet */
void dl__view_wait(cl_event shown, cl_uint wait_count, const cl_event *wait);

#endif
