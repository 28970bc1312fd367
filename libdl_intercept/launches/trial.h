/* SPDX-License-Identifier: MIT */
/* The first tiled launch of a kernel that nobody annotated, or that is not shown to access what the program's
 * own does (programs/unit_proof.h): its own kernel runs on copies, twice, and
 * what the transformed one gives is compared with that, byte for byte, before the program sees it. A
 * kernel that gives something else, or that does not repeat itself, runs as written from then on.
 *
 * Copies lie on the device, within --memory-cap, and are gone when the launch is over. All want the
 * context's lock held. */
#ifndef DL_INTERCEPT_TRIAL_H
#define DL_INTERCEPT_TRIAL_H

#include "bind.h"
#include "libdl_intercept/policy/policy.h"

struct dl__trial;

/* False: no launch of the kernel need be tried. Takes no lock. */
static inline bool dl__trial_concerns(const struct dl__kernel *kernel)
{
    unsigned char shown = atomic_load(&kernel->launched.shown);

    if (kernel->note->detected)
        return dl__options_get()->detect;
    /* Where DL chooses, nobody asks before there is a rewritten kernel. */
    return shown == 2 || (!shown && !dl__policy_is_on());
}
/* True when the launch that comes may be tried: what comes before it must then be waited for, without
 * the lock, since callbacks may want that. Says so once for each time that it is wanted. */
bool dl__trial_is_expected(struct dl__kernel *kernel,
                           const struct dl__queue *queue) DL__WITH_LOCK;
/* What comes before that launch does not end by itself: after a few of them it is not tried at all. */
void dl__trial_is_stuck(struct dl__kernel *kernel) DL__WITH_LOCK;
/* Before any buffer is moved for a launch that is planned. False: the launch runs as written. With a
 * trial, buffers may lie elsewhere than before: the plan must be made again.
 *   out  the trial that it is, with what the program's kernel gives; NULL: it need not be tried */
bool dl__trial_begin(struct dl__kernel *kernel, struct dl__queue *queue,
                     const struct dl__ndrange *range, const struct dl__plan *plan,
                     struct dl__trial **out) DL__WITH_LOCK;
/* The transformed kernel is enqueued, or with another `err` is not: compares, and where something
 * differs gives the program what its own kernel gave. Frees the trial, which may be NULL. */
void dl__trial_end(struct dl__trial *trial, cl_int err) DL__WITH_LOCK;

#endif
