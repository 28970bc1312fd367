/* SPDX-License-Identifier: MIT */
/* One function as a unit of tracking. */
#ifndef DL_ANNOTATE_FUNCTION_H
#define DL_ANNOTATE_FUNCTION_H

#include "annotate/track/unit.h"

/* Tracks the parameters that the unit's roots are for, and makes the edits. Look at
 * refused afterwards. */
void dl__track_function(struct dl__unit *u);

/* The copy of a helper for calls in which these parameters point into buffers. */
struct dl__unit *dl__clone_for(struct dl__unit *u, struct dl__node *n,
                               struct dl__function *f, struct dl__root **by_parameter);

#endif
