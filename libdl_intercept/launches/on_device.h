/* SPDX-License-Identifier: MIT */
/* What DL has made of a kernel on a device: what the policy has of it, and whether DL has
 * given it up, so that it runs as written from then on. What can't be built or launched
 * for one device may be for another; what gave other bytes is given up on all. */
#ifndef DL_INTERCEPT_ON_DEVICE_H
#define DL_INTERCEPT_ON_DEVICE_H

#include "libdl_intercept/programs/kernels.h"

/* Made where there is none; NULL: out of memory. */
struct dl__launched_on *dl__launched_on(struct dl__kernel *kernel,
                                        cl_device_id device) DL__WITH_LOCK;
void dl__give_up_on(struct dl__kernel *kernel, cl_device_id device) DL__WITH_LOCK;
/* A transformed launch was made, or could not be: `err`. True: once too often, and it is
 * given up on the device. */
bool dl__launch_failed(struct dl__kernel *kernel, cl_device_id device,
                       cl_int err) DL__WITH_LOCK;

static inline DL__WITH_LOCK bool dl__is_given_up(const struct dl__kernel *kernel,
                                                 cl_device_id device)
{
    bool given_up = kernel->launched.native_only;

    for (const struct dl__launched_on *on = kernel->launched.on; on; on = on->next)
        given_up |= on->given_up && on->device == device;
    return given_up;
}

#endif
