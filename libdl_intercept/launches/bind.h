/* SPDX-License-Identifier: MIT */
/* Prepares a launch, between the evaluation of its annotations and the moves of its
 * buffers. */
#ifndef DL_INTERCEPT_BIND_H
#define DL_INTERCEPT_BIND_H

#include "annotate/notes.h"
#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/programs/shadow.h"
#include "libdl_intercept/state/order.h"
#include "libdl_intercept/state/residence.h"
#include "args.h"

/* One annotated buffer of one launch. */
struct dl__binding {
    const struct dl_buffer_note *note;
    struct dl__mem *mem; /* NULL: the program passes no buffer */
    /* the sub-buffer of `mem` that it passes; NULL: it passes `mem` */
    struct dl__mem *part;
    struct dl__move move;           /* of all of `mem` */
    uint64_t first_struct, structs; /* of the move's, those that the argument holds */
};

/* True when the launch wants the buffer in another layout than the program's. */
static inline bool dl__binding_is_moved(const struct dl__binding *binding)
{
    return binding->mem && binding->move.layout.kind != DL_LAYOUT_AOS;
}

/* The same of the first binding of the buffer: one that is bound twice is moved once. */
static inline bool dl__binding_moves(const struct dl__binding *bindings, size_t b)
{
    bool moves = dl__binding_is_moved(&bindings[b]);

    for (size_t earlier = 0; earlier < b && moves; earlier++)
        moves = bindings[earlier].mem != bindings[b].mem ||
                !dl__binding_is_moved(&bindings[earlier]);
    return moves;
}

/* Returns the handle that the program passes. */
static inline cl_mem dl__binding_handle(const struct dl__binding *binding)
{
    return binding->part ? binding->part->object.handle : binding->mem->object.handle;
}

/* Returns the argument for a kernel that uses the tiles. The layout is the whole
 * buffer's, and a sub-buffer that begins where a tile does looks to a kernel like a
 * buffer of its own, with fewer tiles. */
cl_mem dl__part_argument(const struct dl__binding *binding) DL__WITH_LOCK;

/* True when only a launch knows the leaves of a buffer. */
static inline bool dl__leaves_are_open(const struct dl_buffer_note *note)
{
    return note->width || (note->arrays && note->leaves.leaf_count == 1);
}

/* The grid of this launch, for *layout. False: it has none, or one that is none: what is
 * wrong with it is said once, and the kernel must run as written. */
bool dl__grids_choose(const struct dl__ndrange *range,
                      struct dl_layout *layout) DL__WITH_LOCK;
/* Returns the layout of a buffer of a kernel with grids in a launch on `layout`, or of
 * any kernel if that is a grid's layout. */
struct dl_layout dl__grids_bound(const struct dl__ndrange *range, size_t buffer,
                                 const struct dl_layout *layout) DL__WITH_LOCK;

/* All that a launch needs: the shadow, or the program's own kernel if only discrete
 * arrays are wanted. */
struct dl__plan {
    struct dl__binding *bindings;
    struct dl__shadow_kernel *shadow; /* NULL: the program's own */
    cl_kernel handle;
    struct dl__shadow_knobs knobs;
    bool on_copies; /* in: it is to run on copies; moves of the buffers themselves are not
                       prepared */
    bool by_host;   /* in: and the host converts these, so that no kernel has to */
    bool building;  /* what it needs is being made: the launch runs as written, unsaid */
    const struct dl_buffer_note *culprit;
    const char *reason;
    bool is_known; /* the reason is no surprise: it is told who asks, and not said */
};

/* True when the kernel reads discrete arrays as it is: it must not run on anything else.
 */
static inline bool dl__kernel_wants_soa(const struct dl__kernel *kernel)
{
    bool wants = kernel->note->refused;

    for (size_t b = 0; b < kernel->note->buffer_count; b++)
        wants |= kernel->note->buffers[b].native == DL_LAYOUT_SOA;
    return wants;
}

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

/* The layout that the options want of a kernel's buffers. False: the program's own kernel
 * is what this device should run. */
bool dl__layout_by_options(struct dl__kernel *kernel, struct dl__queue *queue,
                           struct dl_layout *layout) DL__WITH_LOCK;

/* Returns the layout of a candidate for the launch; a tile of 0 structs means that the
 * launch can't run on it. `range` may be NULL: not known. */
void dl__choice_layout(enum dl__candidate_id id, struct dl__kernel *kernel,
                       const struct dl__ndrange *range, struct dl__device *device,
                       struct dl_layout *layout) DL__WITH_LOCK;

/* The hidden arguments of a rewritten kernel, after the program's: for each buffer, the
 * structs in whole tiles and in the last one. */

/* Sets those of the plan's kernel that are others than at its last launch. */
cl_int dl__hidden_args_set(const struct dl__kernel *kernel,
                           const struct dl__plan *plan) DL__WITH_LOCK;

#endif
