/* SPDX-License-Identifier: MIT */
/* What the policy is told of a launch, and which layout follows (--layout auto). */
#ifndef DL_INTERCEPT_CHOOSE_H
#define DL_INTERCEPT_CHOOSE_H

#include "libdl_intercept/policy/policy.h"
#include "args.h"

/* True when a rewritten kernel is to run, on `layout`. The choice is to be ended in any
 * case. */
bool dl__choice_make(const struct dl__ndrange *range,
                     struct dl_layout *layout) DL__WITH_LOCK;
/* A kernel has been made: what its launches will most likely want is asked of the builder
 * now. */
void dl__choice_expect(struct dl__kernel *kernel) DL__WITH_LOCK;
/* The same of one whose text is still being read: the builder finds out what that is. */
void dl__choice_expect_unread(struct dl__kernel *kernel) DL__WITH_LOCK;

#endif
