/* SPDX-License-Identifier: MIT */
/* What a launch needs, between evaluating its annotations and moving its buffers. */
#ifndef DL_INTERCEPT_BIND_H
#define DL_INTERCEPT_BIND_H

#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/programs/shadow.h"
#include "libdl_intercept/state/order.h"
#include "args.h"
#include "dimensions.h"

/* What a launch needs: the shadow, or the program's own kernel where only discrete arrays
 * are wanted. */
struct dl__plan {
    struct dl__binding *bindings;
    struct dl__shadow_kernel *shadow; /* NULL: the program's own */
    cl_kernel handle;
    struct dl__shadow_knobs knobs;
    bool on_copies; /* in: it is to run on copies; moves of the buffers themselves are not
                       prepared */
    bool building;  /* what it needs is being made: the launch runs as written, unsaid */
    const struct dl_buffer_note *culprit;
    const char *reason;
    bool is_known; /* the reason is no surprise: it is told who asks, and not said */
};

/* True when the kernel reads discrete arrays as it is: it must not run on anything else.
 */
bool dl__kernel_wants_soa(const struct dl__kernel *kernel);
/* dl__device_lacks_linker of the queue's: the kernel runs as written, which is said. */
bool dl__lacks_linker(const struct dl__kernel *kernel,
                      const struct dl__queue *queue) DL__WITH_LOCK;
/* True when this launch may run a shadow. */
bool dl__plan_may_shadow(struct dl__kernel *kernel,
                         struct dl__queue *queue) DL__WITH_LOCK;
/* Evaluates the widths that this launch gives to flat buffers. False: the kernel must run
 * as written. */
bool dl__plan_widths(const struct dl__ndrange *range) DL__WITH_LOCK;
/* Makes the plan, whose `bindings` has room for all of the kernel's; `handle` is set
 * where the program's own kernel runs. False: the launch can't be that; `plan->reason`
 * says why at the place of `plan->culprit`, or is NULL when there is nothing more to be
 * said.
 *   layout  of the buffers that the kernel is rewritten for; NULL: the program's own
 *           kernel runs, on discrete arrays where it wants them */
bool dl__plan_prepare(const struct dl__ndrange *range, const struct dl_layout *layout,
                      struct dl__plan *plan) DL__WITH_LOCK;

/* What a rewritten kernel is given behind the program's arguments: of each buffer, the
 * structs in whole tiles and in the last one. */

/* Sets those of the plan's kernel that are others than at its last launch. */
cl_int dl__hidden_args_set(const struct dl__kernel *kernel,
                           const struct dl__plan *plan) DL__WITH_LOCK;

#endif
