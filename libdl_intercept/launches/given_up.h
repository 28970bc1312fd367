/* SPDX-License-Identifier: MIT */
/* Kernels that DL has given up: they run as written from then on. What can't be built or launched for one device may
 * be for another, so that each has its own; what gave other bytes is given up on all. */
#ifndef DL_INTERCEPT_GIVEN_UP_H
#define DL_INTERCEPT_GIVEN_UP_H

#include "libdl_intercept/programs/kernels.h"

bool dl__is_given_up_on(const struct dl__kernel *kernel,
                        cl_device_id device) DL__WITH_LOCK;
void dl__give_up_on(struct dl__kernel *kernel, cl_device_id device) DL__WITH_LOCK;
/* A transformed launch was made, or could not be. True: once too often, and it is given up on the device. */
void dl__launch_succeeded(struct dl__kernel *kernel, cl_device_id device) DL__WITH_LOCK;
bool dl__launch_failed(struct dl__kernel *kernel, cl_device_id device) DL__WITH_LOCK;

/* Of most kernels none is, on any device. */
static inline DL__WITH_LOCK bool dl__is_given_up(const struct dl__kernel *kernel,
                                                 cl_device_id device)
{
    return kernel->launched.native_only ||
           (kernel->launched.troubles && dl__is_given_up_on(kernel, device));
}

#endif
