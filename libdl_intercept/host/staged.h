/* SPDX-License-Identifier: MIT */
/* The program's commands on tiled buffers that go through a staging area and leave the
 * tiles: transfers, copies and fills of any bytes.
 *
 * Every function enqueues without blocking, and returns true when
 * it has done the command's work. False: it needs more than a staging area, is one for
 * the driver to reject, or has failed on the way: the buffer has to be brought back
 * instead, and the command given to the driver whole, which also does again what was done
 * of it.
 *   program  what the program's command waits for
 *   done     out, may be NULL: an event of the program's kind of command that completes
 *            when all is done; the caller releases it */
#ifndef DL_INTERCEPT_STAGED_H
#define DL_INTERCEPT_STAGED_H

#include "staging.h"

bool dl__staged_read(struct dl__mem *mem, struct dl__queue *queue,
                     const struct dl__wait *program, size_t offset, size_t bytes,
                     void *host, cl_event *done) DL__WITH_LOCK;
bool dl__staged_write(struct dl__mem *mem, struct dl__queue *queue,
                      const struct dl__wait *program, size_t offset, size_t bytes,
                      const void *host, cl_event *done) DL__WITH_LOCK;

/* The same in a chain that the caller has begun, for any buffer: one that is not in tiles
 * is read and written as it lies. False: nothing was enqueued. */
bool dl__chain_read(struct dl__chain *chain, struct dl__mem *mem, size_t offset,
                    size_t bytes, void *host, cl_event *done) DL__WITH_LOCK;
bool dl__chain_write(struct dl__chain *chain, struct dl__mem *mem, size_t offset,
                     size_t bytes, const void *host) DL__WITH_LOCK;

/* One side of a rectangular command, as clEnqueue...BufferRect has it: 0 pitches mean
 * dense. */
struct dl__rect {
    const size_t *origin;
    size_t row_bytes, slice_bytes;
};

bool dl__staged_read_rect(struct dl__mem *mem, struct dl__queue *queue,
                          const struct dl__wait *program, const size_t *region,
                          struct dl__rect rect, struct dl__rect host_rect, void *host,
                          cl_event *done) DL__WITH_LOCK;
bool dl__staged_write_rect(struct dl__mem *mem, struct dl__queue *queue,
                           const struct dl__wait *program, const size_t *region,
                           struct dl__rect rect, struct dl__rect host_rect,
                           const void *host, cl_event *done) DL__WITH_LOCK;

/* One side of a copy. */
struct dl__end {
    cl_mem handle;
    struct dl__mem *mem;  /* the buffer behind it; NULL: one that DL does not know */
    size_t offset;        /* of a copy of bytes */
    struct dl__rect rect; /* of a copy of a rectangle */
    bool tiled;           /* goes through tiles; else `handle` is used as it lies */
};

bool dl__staged_copy(struct dl__queue *queue, const struct dl__wait *program,
                     const struct dl__end *from, const struct dl__end *to, size_t bytes,
                     cl_event *done) DL__WITH_LOCK;
bool dl__staged_copy_rect(struct dl__queue *queue, const struct dl__wait *program,
                          const struct dl__end *from, const struct dl__end *to,
                          const size_t *region, cl_event *done) DL__WITH_LOCK;
bool dl__staged_fill(struct dl__mem *mem, struct dl__queue *queue,
                     const struct dl__wait *program, const void *pattern,
                     size_t pattern_bytes, size_t offset, size_t bytes,
                     cl_event *done) DL__WITH_LOCK;

#endif
