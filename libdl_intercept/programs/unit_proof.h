/* SPDX-License-Identifier: MIT */
/* Which kernels of a unit are shown to access what the program's own do (dl_annotate_prove). Those that are
 * not are compared with the program's own when they are first launched (launches/trial.h), as those are that
 * nobody annotated. What is found is kept in the cache. */
#ifndef DL_INTERCEPT_UNIT_PROOF_H
#define DL_INTERCEPT_UNIT_PROOF_H

#include "unit.h"

/* Compares the unit's two texts, unless that is known, and says what is not shown: in the builder, which the program
 * waits for. Takes as long as the rewrite did, and twice that more.
 *   bytes_max  of a longer text nothing is shown, for the program waits for it; 0: nobody waits
 * Threads: under the unit's `annotating`, or in the builder; takes no context's lock. */
void dl__unit_prove(struct dl__unit *unit, size_t bytes_max);
/* The same where the program waits for its rewritten text: where DL chooses the layout, whoever builds it does (jobs.c). */
void dl__unit_prove_at_once(struct dl__unit *unit);
/* False: it is not shown, or nobody has looked yet. */
bool dl__unit_shows(struct dl__unit *unit, const char *kernel) DL__WITH_LOCK;

#endif
