/* SPDX-License-Identifier: MIT */
/* async_work_group_copy and prefetch. */
#ifndef DL_ANNOTATE_BLOCK_H
#define DL_ANNOTATE_BLOCK_H

#include "annotate/track/unit.h"

/* Rewrites such a call on a buffer; false when the call is not one. */
bool dl__walk_block_call(struct dl__unit *u, struct dl__node *n);

#endif
