/* SPDX-License-Identifier: MIT */
/* Calls and casts that reach several members at once: vload, vstore, views, block copies.
 */
#ifndef DL_ANNOTATE_VECTOR_H
#define DL_ANNOTATE_VECTOR_H

#include "annotate/track/unit.h"
#include "annotate/track/place.h"

/* Rewrites a vload or vstore on a buffer; false when the call is not such. */
bool dl__walk_vector_call(struct dl__unit *u, struct dl__node *n);

/* Rewrites `*(float4 *)pointer` where it is read; `... = value` where it is a statement.
 * False: the node is not such. */
bool dl__walk_view(struct dl__unit *u, struct dl__node *n);
bool dl__walk_view_store(struct dl__unit *u, struct dl__node *n);

/* Rewrites such a call on a buffer; false when the call is not one. */
bool dl__walk_block_call(struct dl__unit *u, struct dl__node *n);

#endif
