/* SPDX-License-Identifier: MIT */
/* What a rewritten kernel is given behind the program's arguments: of each buffer, the
 * structs in whole tiles and in the last one. */
#ifndef DL_INTERCEPT_HIDDEN_H
#define DL_INTERCEPT_HIDDEN_H

#include "bind.h"

/* Sets those of the plan's kernel that are others than at its last launch. */
cl_int dl__hidden_args_set(const struct dl__kernel *kernel,
                           const struct dl__plan *plan) DL__WITH_LOCK;

#endif
