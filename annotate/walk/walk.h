/* SPDX-License-Identifier: MIT */
/* The walk over a body. */
#ifndef DL_ANNOTATE_WALK_H
#define DL_ANNOTATE_WALK_H

#include "annotate/track/unit.h"

/* Every mention of a tracked pointer in the node is rewritten, or refuses the unit. */
void dl__walk_node(struct dl__unit *u, struct dl__node *n);

#endif
