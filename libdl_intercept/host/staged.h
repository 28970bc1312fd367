/* SPDX-License-Identifier: MIT */
/* The program's commands on tiled buffers that go through a staging area and leave the
 * tiles: transfers, copies and fills of any bytes.
 *
 * Every function enqueues without blocking. Those of whole commands return true when they
 * have done the command's work. False: it needs more than a staging area, is one for
 * the driver to reject, or has failed on the way: the buffer has to be brought back
 * instead, and the command given to the driver whole, which also does again what was done
 * of it.
 *   program  what the program's command waits for
 *   done     out, may be NULL: an event of the program's kind of command that completes
 *            when all is done; the caller releases it */
#ifndef DL_INTERCEPT_STAGED_H
#define DL_INTERCEPT_STAGED_H

#include "libdl_intercept/state/order.h"
#include "libdl_intercept/state/records.h"

/* Looking at tiled buffers through bounded staging areas: the host sees structs, the
 * buffer stays in tiles (Sung 2013, 5.2). Here are the areas and the chains of commands
 * that go through them, then the program's commands made of them; maps.h has the maps. */

/* ---- chains ---- */

/* Commands on one queue that stand for one of the program's, in order by themselves or by
 * events. Each waits for what the program's command waits for, since each must fall away
 * when that fails. After an error no more are enqueued. */
struct dl__chain {
    struct dl__queue *queue;
    /* what the program's command waits for, and conversions before */
    struct dl__wait first;
    cl_event last;   /* of the command before; out-of-order queues only */
    bool begun;      /* one is enqueued */
    bool host;       /* and one that uses the host's memory may be */
    bool wants_last; /* `last` is wanted of in-order queues, too */
    bool adrift;     /* it has ended with commands that may use the host's memory still */
    cl_int err;
};

/* `program`: the wait list of the program's command, borrowed to the end. */
void dl__chain_begin(struct dl__chain *chain, struct dl__queue *queue,
                     const struct dl__wait *program) DL__WITH_LOCK;
/* The chain uses the buffer as it now lies. `mem` may be NULL or a sub-object. */
void dl__chain_use(struct dl__chain *chain, struct dl__mem *mem) DL__WITH_LOCK;
/* It also waits for this event, borrowed. NULL is ignored. */
void dl__chain_wait_for(struct dl__chain *chain, cl_event event) DL__WITH_LOCK;
/* Ends the chain: its commands are noted, and after an error waited for if they use the
 * program's memory, which is its own again when it hears of the error. Returns the error.
 */
cl_int dl__chain_end(struct dl__chain *chain) DL__WITH_LOCK;

/* One command of a chain: it is given `wait.count`, `wait.list` and `out` between the
 * two.
 *
 *     if (dl__step_begin(&step, chain, wanted))
 *         dl__step_end(&step, clEnqueue...(..., step.wait.count, step.wait.list,
 *         step.out));
 *
 * `wanted`: where its event goes for the caller to release, or NULL. */
struct dl__step {
    struct dl__chain *chain;
    struct dl__wait wait;
    cl_event event, *out, *wanted;
};
bool dl__step_begin(struct dl__step *step, struct dl__chain *chain,
                    cl_event *wanted) DL__WITH_LOCK;
void dl__step_end(struct dl__step *step, cl_int err) DL__WITH_LOCK;

/* How often the driver is asked for a step of a chain: a chain that breaks off has done a
 * part of the program's command, which is to be done whole or not at all. */
enum { DL__STEP_TRIES = 3 };

/* A step that is one call of the driver's, which uses `step`. */
#define DL__STEP(step, chain, wanted, call)                                              \
    do {                                                                                 \
        if (dl__step_begin(step, chain, wanted)) {                                       \
            cl_int dl__err = (call);                                                     \
                                                                                         \
            for (int dl__try = 1; dl__err != CL_SUCCESS && dl__try < DL__STEP_TRIES;     \
                 dl__try++)                                                              \
                dl__err = (call);                                                        \
            dl__step_end(step, dl__err);                                                 \
        }                                                                                \
    } while (0)

/* ---- areas ---- */

/* A few bytes that nobody looks at, of a buffer of the device's: for a command that only
 * stands for what came before it, so that the program's event is of its own kind of
 * command. */
enum { DL__TOKEN_BYTES = 64 };

struct dl__token {
    cl_mem mem;
    size_t offset;
};

/* One that nobody else is given until it is let go: two maps of the same bytes, one of
 * them on its way, end PoCL. */
struct dl__held_token {
    struct dl__token token;
    cl_device_id device;
    bool held;
};
/* NULL: none is free; or with `more`, which makes some: no memory. As old as the context.
 */
struct dl__held_token *dl__token_hold(const struct dl__queue *queue,
                                      bool more) DL__WITH_LOCK;

/* ---- parts of a tiled buffer ---- */

struct dl__access {
    struct dl__mem *mem;
    struct dl_marshal *marshal;
    const struct dl_part *part;
    bool timed; /* somebody wants the times of its commands */
};

/* A box of one row. */
static inline struct dl_part_box dl__range(size_t offset, size_t bytes)
{
    return (struct dl_part_box){
        .first_byte = offset, .width_bytes = bytes, .height = 1, .depth = 1};
}

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
