/* SPDX-License-Identifier: MIT */
/* A kernel, tracked. */
#include "annotate/walk/kernel.h"

#include "annotate/walk/function.h"
#include "annotate/walk/walk.h"

struct dl__unit *dl__track_kernel(struct dl__tracker *tracker,
                                  struct dl__function *kernel, struct dl__root *roots,
                                  size_t root_count)
{
    struct dl__unit *u = DL__NEW(tracker->arena, struct dl__unit);

    tracker->kernel_at = kernel->item_at;
    tracker->walk = dl__walk_node;
    u->tracker = tracker;
    u->function = kernel;
    u->roots = roots;
    u->root_count = root_count;
    dl__track_function(u);
    return u;
}
