/* SPDX-License-Identifier: MIT */
/* Members that are seen as a vector. */
#ifndef DL_ANNOTATE_WALK_VIEW_H
#define DL_ANNOTATE_WALK_VIEW_H

#include "annotate/track/view.h"

/* Rewrites the pointer of a vload or vstore, or of a view, to the arguments of its
 * accessor. */
void dl__edit_view_pointer(struct dl__unit *u, struct dl__node *pointer,
                           const struct dl__access *place);
/* Rewrites `*(float4 *)pointer` where it is read; `... = value` where it is a statement.
 * False: the node is not such. */
bool dl__walk_view(struct dl__unit *u, struct dl__node *n);
bool dl__walk_view_store(struct dl__unit *u, struct dl__node *n);

#endif
