/* SPDX-License-Identifier: MIT */
/* Launches that come again: what was found for the last few of a kernel, each by all that
 * it hangs on (sizes, buffers, the values that dimensions and widths read). What may
 * change besides is looked at anew: where a buffer lies and whether it may be tiled
 * (bind.c), what the policy has measured (decide.c), and whether a launch with rows of
 * another width has come between, for which the kernel's leaves were made.
 *
 * The short way of one that is as before, where nothing that it hangs on has changed: no
 * buffer moves, no event is needed for order, and what the policy decided stands. It asks
 * for nothing that could be anything else than the last time; all others go the long way
 * (launch.c), which says whether the next one may go this one. As long as nobody else has
 * had the context's lock (dl__context.turns), what that guards is not even looked at.
 *
 * Threads: under the context's lock. */
#ifndef DL_INTERCEPT_REPEAT_H
#define DL_INTERCEPT_REPEAT_H

#include "args.h"
#include "bind.h"

enum {
    DL__REPEATS = 4,
    DL__REPEAT_ARGS = 32,
    DL__REPEAT_BUFFERS = 8,
    DL__REPEAT_ROOTS = 16,
    DL__REPEAT_HIDDEN = 8
};

struct dl__repeat_arg {
    struct dl__mem *mem; /* that it names; NULL: none */
    unsigned long long serial;
    uint64_t value; /* of those that dimensions read */
    size_t bytes;   /* of these; or of the whole buffer */
};

/* Tells launches apart. */
struct dl__repeat_key {
    const struct dl_kernel_note *note; /* NULL: free */
    const struct dl__queue *queue;
    unsigned long long queue_serial;
    cl_uint work_dim;
    size_t sizes[9]; /* global, offset, local; local 0: left to the driver */
    unsigned arg_count;
    struct dl__repeat_arg args[DL__REPEAT_ARGS];
};

/* A buffer that the launch reaches. */
struct dl__repeat_root {
    struct dl__mem *mem;
    unsigned changes; /* of its layout, so far */
    bool bound;       /* the policy hears of it by the launch */
};

/* Holds all that a launch like it needs, as at the last one. */
struct dl__short_way {
    bool stands;                      /* false: the long way */
    struct dl__shadow_kernel *shadow; /* the program's own: NULL */
    uint64_t turns;  /* of the context's lock, when it was looked at last; 0: not yet */
    uint64_t values; /* of arguments that name no buffers (dl__arg_values), where the
                        policy watches them */
    unsigned root_count, hidden_count;
    struct dl__repeat_root roots[DL__REPEAT_ROOTS];
    uint64_t hidden[DL__REPEAT_HIDDEN];
};

struct dl__repeat {
    struct dl__repeat_key key;
    unsigned rows_made; /* the kernel's, when what follows was found */
    bool busy; /* such a launch is on its way; a driver may call the program meanwhile */
    /* launch.c: what the policy is asked with */
    struct dl__policy *policy; /* NULL: not yet */
    struct dl__policy_ask ask;
    struct dl__policy_buffer *buffers[DL__REPEAT_BUFFERS];
    bool seen;      /* once, without being told the policy */
    unsigned asked; /* how often it was asked whether candidates are ready */
    struct dl__binding bindings[DL__REPEAT_BUFFERS]; /* room for a launch's plan */
    /* launch.c: when its arguments were looked at, the version of the table of handles,
     * and the last set of an argument */
    uint64_t handles;
    uint32_t serial;
    struct dl__short_way again;
};

/* Of a kernel. */
struct dl__repeats {
    uint64_t reads; /* arguments that dimensions read, by bits */
    unsigned next;  /* to be replaced */
    struct dl__repeat launches[DL__REPEATS];
};

/* The launch as it is known, or room for it in place of the oldest. NULL: it is one of
 * which nothing is kept. `range->mems` is set. It is the caller's until that sets `busy`
 * to false. */
struct dl__repeat *dl__repeat_find(struct dl__kernel *kernel,
                                   const struct dl__queue *queue,
                                   const struct dl__ndrange *range) DL__WITH_LOCK;

/* One that the policy was asked of, of the same size on buffers as long, whatever buffers
 * these are; NULL: there is none, or the launch hangs on more. */
const struct dl__repeat *dl__repeat_alike(const struct dl__ndrange *range) DL__WITH_LOCK;

/* A launch was made the long way: in tiles, by `plan` and its shadow; by a shadow alone,
 * on the program's layout; or, with NULL for both, as written. `range->known` is set. */
void dl__repeat_keep(const struct dl__ndrange *range, const struct dl__plan *plan,
                     struct dl__shadow_kernel *shadow) DL__WITH_LOCK;
/* Makes the launch, if it can be made the short way. False: nothing has been made, nor
 * anything changed that the context's lock guards. */
bool dl__repeat_launch(struct dl__kernel *kernel, struct dl__queue *queue,
                       const struct dl__ndrange *range, cl_int *err) DL__WITH_LOCK;

#endif
