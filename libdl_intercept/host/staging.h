/* SPDX-License-Identifier: MIT */
/* Looking at tiled buffers through bounded staging areas: the host sees structs, the
 * buffer stays in tiles (Sung 2013, 5.2). Here are the areas and the chains of commands
 * that go through them; staged.h has the program's commands made of them, maps.h the
 * maps.
 *
 * Every function enqueues without blocking. */
#ifndef DL_INTERCEPT_STAGING_H
#define DL_INTERCEPT_STAGING_H

#include "libdl_intercept/state/records.h"
#include "libdl_intercept/state/wait.h"

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
/* The same of a chain whose last command's event is in *done, which may be NULL: true
 * when all of it is enqueued. Else there is no event either. */
bool dl__chain_is_done(struct dl__chain *chain, cl_event *done) DL__WITH_LOCK;

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

/* The step that only stands for those before it, by a command of the program's kind;
 * where that is refused a marker does. */
#define DL__LAST_STEP(step, chain, wanted, call)                                         \
    do {                                                                                 \
        if ((chain)->err == CL_SUCCESS) {                                                \
            DL__STEP(step, chain, wanted, call);                                         \
            dl__chain_mark(chain, wanted);                                               \
        }                                                                                \
    } while (0)
/* Marks the end of a chain whose last step alone has failed, if it has. */
void dl__chain_mark(struct dl__chain *chain, cl_event *wanted) DL__WITH_LOCK;

/* ---- areas ---- */

struct dl__area {
    cl_device_id device; /* whose queues alone use it */
    cl_mem mem;
    size_t bytes;  /* a multiple of 16, and of 128 unless it is smaller */
    cl_event last; /* of the last command in it; NULL: none, or ordered by its queue */
    unsigned slot; /* that queue's */
    struct dl__area *next;
};

/* An area that no unfinished command of another queue uses: of `bytes`, or else as large
 * as
 * --staging lets it be. NULL: none is free, or there is no memory. */
struct dl__area *dl__area_take(struct dl__context *context, struct dl__queue *queue,
                               size_t bytes) DL__WITH_LOCK;
/* The chain's commands in the area are enqueued. Before the chain ends. */
void dl__area_give(struct dl__area *area, struct dl__chain *chain) DL__WITH_LOCK;

/* A few bytes that nobody looks at, of a buffer of the device's: for a command that only
 * stands for what came before it, so that the program's event is of its own kind of
 * command. */
enum { DL__TOKEN_BYTES = 64 };

struct dl__token {
    cl_mem mem;
    size_t offset;
};
/* False: no memory. */
bool dl__token_take(const struct dl__queue *queue, struct dl__token *token) DL__WITH_LOCK;

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

/* Prepares everything that can fail before a command is enqueued. False: it failed, the
 * box is not inside the buffer, or bringing it back is thought to be better. */
bool dl__access_begin(struct dl__access *access, struct dl__mem *mem,
                      struct dl__queue *queue,
                      const struct dl_part_box *box) DL__WITH_LOCK;
/* Copies the box between the buffer and the beginning of the area. */
void dl__access_copy(const struct dl__access *access, struct dl__chain *chain,
                     enum dl_part_way way, const struct dl_part_box *box,
                     const struct dl__area *area) DL__WITH_LOCK;

/* A box of one row. */
static inline struct dl_part_box dl__range(size_t offset, size_t bytes)
{
    return (struct dl_part_box){
        .first_byte = offset, .width_bytes = bytes, .height = 1, .depth = 1};
}

#endif
