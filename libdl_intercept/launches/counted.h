/* Giving the driver a launch, and telling those who count launches. */
#ifndef DL_INTERCEPT_COUNTED_H
#define DL_INTERCEPT_COUNTED_H

#include "args.h"
#include "libdl_intercept/state/wait.h"

/* DL's own event, which only counting wants, is not the program's to see.
 *   kernel       NULL: not known
 *   handle       what is launched, the program's or a shadow: `transformed` */
cl_int dl__launch_counted(struct dl__queue *queue, struct dl__kernel *kernel,
                          cl_kernel handle, const struct dl__ndrange *range,
                          const struct dl__wait *wait, bool transformed);

#endif
