/* SPDX-License-Identifier: MIT */
/* One function as a unit of tracking. */
#ifndef DL_ANNOTATE_FUNCTION_H
#define DL_ANNOTATE_FUNCTION_H

#include "annotate/track/unit.h"

/* Tracks the parameters that the unit's roots are for, and makes the edits. Look at
 * refused afterwards. */
void dl__track_function(struct dl__unit *u);

#endif
