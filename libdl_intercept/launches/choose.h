/* SPDX-License-Identifier: MIT */
/* What the policy is told of a launch, and which layout follows (--layout auto). */
#ifndef DL_INTERCEPT_CHOOSE_H
#define DL_INTERCEPT_CHOOSE_H

#include "args.h"
#include "libdl_intercept/policy/policy.h"

/* True when a rewritten kernel is to run, on `layout`. The choice is to be ended in any
 * case. */
bool dl__choice_make(struct dl__kernel *kernel, struct dl__queue *queue,
                     const struct dl__ndrange *range, struct dl_layout *layout,
                     struct dl__choice *choice) DL__WITH_LOCK;

/* What a candidate is for the launch; without a length of tiles, it can't be on it.
 * `range` may be NULL: not known. */
void dl__choice_layout(enum dl__candidate_id id, struct dl__kernel *kernel,
                       struct dl__queue *queue, const struct dl__ndrange *range,
                       struct dl__device *device, struct dl_layout *layout) DL__WITH_LOCK;

/* What was chosen can't be had yet: it is asked for anew, and the launch runs as written.
 */
void dl__choice_building(struct dl__kernel *kernel, cl_device_id device,
                         struct dl__choice *choice) DL__WITH_LOCK;
/* A buffer of so many structs as an estimate sees it. */
struct dl__estimated_buffer dl__estimated_buffer(const struct dl__kernel *kernel,
                                                 size_t buffer,
                                                 uint64_t structs) DL__WITH_LOCK;
/* Bytes of its annotated buffers that the launch's accesses use, each once; 0: the text
 * does not say. */
uint64_t dl__launch_bytes(const struct dl__kernel *kernel,
                          const struct dl__ndrange *range) DL__WITH_LOCK;

/* What the policy has of the kernel; NULL: out of memory. */
struct dl__policy_kernel *dl__choice_kernel(struct dl__kernel *kernel,
                                            cl_device_id device,
                                            struct dl__policy *policy) DL__WITH_LOCK;
/* A kernel has been made: what its launches will most likely want is asked of the builder
 * now. */
void dl__choice_expect(struct dl__kernel *kernel) DL__WITH_LOCK;
/* The same of one whose text is still being read: the builder finds out what that is. */
void dl__choice_expect_unread(struct dl__kernel *kernel) DL__WITH_LOCK;

#endif
