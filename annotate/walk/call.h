/* SPDX-License-Identifier: MIT */
/* Calls. */
#ifndef DL_ANNOTATE_CALL_H
#define DL_ANNOTATE_CALL_H

#include "annotate/track/unit.h"

void dl__walk_call(struct dl__unit *u, struct dl__node *n);

#endif
