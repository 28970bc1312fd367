/* SPDX-License-Identifier: MIT */
/* What DL has made of a kernel on a device. */
#include "on_device.h"

#include <stdlib.h>

/* Launches in a row that the driver may refuse a rewritten kernel. */
enum { FAILURES_MAX = 3 };

struct dl__launched_on *dl__launched_on(struct dl__kernel *kernel, cl_device_id device)
{
    struct dl__launched_on *on = kernel->launched.on;

    while (on && on->device != device)
        on = on->next;
    if (on || !(on = calloc(1, sizeof *on)))
        return on;
    on->device = device;
    on->next = kernel->launched.on;
    kernel->launched.on = on;
    return on;
}

void dl__give_up_on(struct dl__kernel *kernel, cl_device_id device)
{
    struct dl__launched_on *on = dl__launched_on(kernel, device);

    if (on)
        on->given_up = true;
    else
        kernel->launched.native_only = true;
}

bool dl__launch_failed(struct dl__kernel *kernel, cl_device_id device, cl_int err)
{
    struct dl__launched_on *on = dl__launched_on(kernel, device);

    if (on)
        on->failures = err == CL_SUCCESS ? 0 : on->failures + 1;
    if (!on || on->failures < FAILURES_MAX)
        return false;
    on->given_up = true;
    return true;
}
