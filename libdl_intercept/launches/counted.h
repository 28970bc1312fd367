/* SPDX-License-Identifier: MIT */
/* Giving the driver a launch, and telling those who count launches. */
#ifndef DL_INTERCEPT_COUNTED_H
#define DL_INTERCEPT_COUNTED_H

#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/programs/kernels.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/state/order.h"
#include "args.h"
#include "bind.h"

/* Counts what a launch that runs as written could gain, for --advise, where its kernel
 * has buffers that nobody annotated. */
void dl__advise(const struct dl__ndrange *range) DL__WITH_LOCK;
/* The buffer behind an annotated argument, of at least one struct; NULL: there is none.
 */
struct dl__mem *dl__bound_buffer(const struct dl__ndrange *range,
                                 size_t buffer) DL__WITH_LOCK;
/* Work-items of the launch. */
static inline double dl__launch_work(const struct dl__ndrange *range)
{
    double work = 1;

    for (cl_uint d = 0; d < range->work_dim; d++)
        work *= (double)range->global[d];
    return work;
}

/* Returns the policy's record of the kernel; NULL: out of memory. */
struct dl__policy_kernel *dl__kernel_policy(struct dl__kernel *kernel,
                                            cl_device_id device,
                                            struct dl__policy *policy) DL__WITH_LOCK;
/* Describes a buffer with this number of structs for an estimate. */
struct dl__estimated_buffer dl__estimated_buffer(const struct dl__kernel *kernel,
                                                 size_t buffer,
                                                 uint64_t structs) DL__WITH_LOCK;

/* The launch's buffers as estimates see them, which the caller frees; NULL: out of
 * memory.
 *   known  out: each argument names one, and what is accessed of it is known; may be NULL
 *          */
struct dl__estimated_buffer *dl__estimated_buffers(const struct dl__ndrange *range,
                                                   size_t *count,
                                                   bool *known) DL__WITH_LOCK;

/* DL's own event is not the program's to see.
 *   kernel       NULL: not known
 *   handle       what is launched, the program's or a shadow: `transformed`
 *   said         NULL: nothing is
 *   end          out: its event, of a launch without the program's, which the caller
 *                releases; untouched on failure; may be NULL */
cl_int dl__launch_counted(struct dl__queue *queue, struct dl__kernel *kernel,
                          cl_kernel handle, const struct dl__ndrange *range,
                          const struct dl__wait *wait, bool transformed,
                          const struct dl__launch_said *said, cl_event *end);
/* Brings every buffer that an argument of the launch names, and that the plan does not
 * move, back to AoS on the queue, and adds to `command` what the launch must wait for.
 *   plan  NULL: it moves none */
cl_int dl__args_settle(const struct dl__ndrange *range, const struct dl__plan *plan,
                       struct dl__wait *command) DL__WITH_LOCK;
/* A launch that uses buffers, counted and noted with them. */
cl_int dl__launch_noted(cl_kernel handle, const struct dl__ndrange *range,
                        const struct dl__wait *wait, bool transformed) DL__WITH_LOCK;
/* Launches `handle` with its buffers in the program's layout: the program's kernel, or
 * one of DL's in its place: `transformed`. `kernel` may be NULL. */
cl_int dl__launch_on_aos(cl_kernel handle, const struct dl__ndrange *range,
                         bool transformed) DL__WITH_LOCK;

#endif
