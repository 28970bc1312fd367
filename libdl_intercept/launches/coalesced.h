/* SPDX-License-Identifier: MIT */
/* Launches of kernels that access whole structs together, on the program's own layout. */
#ifndef DL_INTERCEPT_COALESCED_H
#define DL_INTERCEPT_COALESCED_H

#include "args.h"

/* True when `auto` may run the launch so; what has to be compiled for it is asked for, if
 * `*ready` is given. */
bool dl__coalesced_may(const struct dl__ndrange *range, bool *ready) DL__WITH_LOCK;
/* The kernel of a launch on copies, with the program's arguments. NULL: *why it can't be
 * had. */
struct dl__shadow_kernel *dl__coalesced_kernel(const struct dl__ndrange *range,
                                               const char **why) DL__WITH_LOCK;
/* The kernel to launch under --layout coalesced, or where `auto` has chosen it, with the
 * program's arguments; NULL: the program's own, and where that may surprise a remark has
 * said why. */
struct dl__shadow_kernel *
dl__coalesced_begin(const struct dl__ndrange *range) DL__WITH_LOCK;
/* err is the driver's: what it has refused is not launched again on the device. */
void dl__coalesced_end(const struct dl__ndrange *range, cl_int err) DL__WITH_LOCK;

#endif
