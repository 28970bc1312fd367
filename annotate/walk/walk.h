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

#endif
