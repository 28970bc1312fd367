/* SPDX-License-Identifier: MIT */
/* The walk over a body. */
#ifndef DL_ANNOTATE_WALK_H
#define DL_ANNOTATE_WALK_H

#include "annotate/track/unit.h"

/* Tracks a kernel's parameters; `roots` needs parameter, name, form, element and shape.
 * Look at unit->refused afterwards. */
struct dl__unit *dl__track_kernel(struct dl__tracker *tracker,
                                  struct dl__function *kernel, struct dl__root *roots,
                                  size_t root_count);

#endif
