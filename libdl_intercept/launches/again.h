/* SPDX-License-Identifier: MIT */
/* The short way of a launch that is as one before, where nothing that it hangs on has changed: no buffer
 * moves, no event is needed for order, and what the policy decided stands. It asks for nothing that could
 * be anything else than the last time; all others go the long way (launch.c), which says whether the next one
 * may go this one. As long as nobody else has had the context's lock (dl__context.turns), what that guards is
 * not even looked at. */
#ifndef DL_INTERCEPT_AGAIN_H
#define DL_INTERCEPT_AGAIN_H

#include "args.h"
#include "bind.h"

enum { DL__AGAIN_ROOTS = 16, DL__AGAIN_HIDDEN = 8 };

/* A buffer that the launch reaches. */
struct dl__again_root {
    struct dl__mem *mem;
    unsigned changes; /* of its layout, so far */
    bool bound;       /* the policy hears of it by the launch */
};

/* What a launch like it needs; all of it is as at the last one. */
struct dl__again {
    bool stands; /* false: the long way */
    bool tiled;
    struct dl__shadow_kernel *shadow; /* the program's own: NULL */
    uint64_t handles;                 /* the version of their table */
    uint64_t
        turns; /* of the context's lock, when all of it was looked at last; 0: not yet */
    uint32_t serial; /* the last set of an argument */
    uint64_t
        values; /* of arguments that name no buffers (dl__arg_values), where the policy watches them */
    unsigned root_count, hidden_count;
    struct dl__again_root roots[DL__AGAIN_ROOTS];
    uint64_t hidden[DL__AGAIN_HIDDEN];
};

/* A launch was made the long way: in tiles, by `plan` and its shadow; by a shadow alone, on the program's layout; or,
 * with NULL for both, as written. `range->known` is set. */
void dl__again_keep(struct dl__kernel *kernel, struct dl__queue *queue,
                    const struct dl__ndrange *range, const struct dl__plan *plan,
                    struct dl__shadow_kernel *shadow) DL__WITH_LOCK;
/* Makes the launch, if it can be made the short way. False: nothing has been made, nor anything changed that the
 * context's lock guards. */
bool dl__again_launch(struct dl__kernel *kernel, struct dl__queue *queue,
                      const struct dl__ndrange *range, cl_int *err) DL__WITH_LOCK;

#endif
