/* SPDX-License-Identifier: MIT */
/* Short launches that are each like none before, as of a thousand small buffers by turns, or of a queue that is made for each:
 * nothing that DL keeps for the next launch is of use, and to decide for each takes as long as the launch. Most of
 * them run as written, without being counted: under `auto`, while those that are looked at run as written, too, and their buffers are
 * in the program's layout; and not where results may differ by what counts decide. */
#ifndef DL_INTERCEPT_REST_H
#define DL_INTERCEPT_REST_H

#include "known.h"

/* True when such a launch runs as written. `mems`: by argument. */
bool dl__rest(struct dl__kernel *kernel, struct dl__mem *const *mems) DL__WITH_LOCK;
/* A launch was looked at; whether it was one that is known. */
void dl__rest_note(struct dl__kernel *kernel, const struct dl__ndrange *range,
                   bool was_known) DL__WITH_LOCK;

#endif
