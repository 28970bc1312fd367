/* SPDX-License-Identifier: MIT */
/* Closed-world tracking of buffer pointers in a kernel, and the edits that put every
 * access through an accessor.
 *
 * Every mention of a tracked pointer must be consumed by a form of the walk; any other
 * refuses the kernel, with the place and the reason. */
#ifndef DL_ANNOTATE_WALK_H
#define DL_ANNOTATE_WALK_H

#include "annotate/track/unit.h"

/* Tracks a kernel's parameters; `roots` needs parameter, name, form, element and shape.
 * Look at unit->refused afterwards. */
struct dl__unit *dl__track_kernel(struct dl__tracker *tracker,
                                  struct dl__function *kernel, struct dl__root *roots,
                                  size_t root_count);

/* Rewrites a vload or vstore on a buffer; false when the call is not such. */
bool dl__walk_vector_call(struct dl__unit *u, struct dl__node *n);

/* Rewrites `*(float4 *)pointer` where it is read; `... = value` where it is a statement.
 * False: the node is not such. */
bool dl__walk_view(struct dl__unit *u, struct dl__node *n);
bool dl__walk_view_store(struct dl__unit *u, struct dl__node *n);

/* Rewrites such a call on a buffer; false when the call is not one. */
bool dl__walk_block_call(struct dl__unit *u, struct dl__node *n);

#endif
