/* SPDX-License-Identifier: MIT */
/* Times of launches and conversions, from their events. Nothing waits: what is complete
 * is read when somebody asks, what never completes is let go of at its context's end.
 *
 * Threads: one at a time. */
#ifndef DL_INTERCEPT_TIMING_H
#define DL_INTERCEPT_TIMING_H

#include <CL/cl.h>

#include "core.h"

/* What a time is of. */
struct dl__timed {
    struct dl__policy *policy;
    struct dl__policy_ticket ticket; /* a launch's; no row: a conversion */
    struct dl__move_charge move;
};

/* Keeps the events' times for `timed`, with references of its own. `first` may be `last`.
 */
void dl__timing_add(void *context, cl_event first, cl_event last,
                    const struct dl__timed *timed);
/* Reads what is complete of the oldest few. */
void dl__timing_poll_some(void);
/* The same of a context, NULL: any: of all, or up to some that are not. */
void dl__timing_poll(const void *context, bool all);
/* Lets go of all of a context. */
void dl__timing_drop(const void *context);
/* How many references to the event it holds. */
unsigned dl__timing_references(cl_event event);
/* True when there is no room for more. */
bool dl__timing_is_full(void);
/* False: there is nothing to read. From any thread. */
bool dl__timing_is_any(void);

#endif
