/* SPDX-License-Identifier: MIT */
/* Kernels that DL has given up. */
#include "given_up.h"

#include <stdlib.h>

/* Launches in a row that the driver may refuse a rewritten kernel. */
enum { FAILURES_MAX = 3 };

/* NULL: none on this device. */
static DL__WITH_LOCK struct dl__trouble *find(const struct dl__kernel *kernel,
                                              cl_device_id device)
{
    struct dl__trouble *trouble = kernel->launched.troubles;

    while (trouble && trouble->device != device)
        trouble = trouble->next;
    return trouble;
}

/* NULL: out of memory. */
static DL__WITH_LOCK struct dl__trouble *find_or_make(struct dl__kernel *kernel,
                                                      cl_device_id device)
{
    struct dl__trouble *trouble = find(kernel, device);

    if (trouble)
        return trouble;
    trouble = calloc(1, sizeof *trouble);
    if (!trouble)
        return NULL;
    trouble->device = device;
    trouble->next = kernel->launched.troubles;
    kernel->launched.troubles = trouble;
    return trouble;
}

bool dl__is_given_up_on(const struct dl__kernel *kernel, cl_device_id device)
{
    const struct dl__trouble *trouble = find(kernel, device);

    return trouble && trouble->given_up;
}

void dl__give_up_on(struct dl__kernel *kernel, cl_device_id device)
{
    struct dl__trouble *trouble = find_or_make(kernel, device);

    if (trouble)
        trouble->given_up = true;
    else
        kernel->launched.native_only = true;
}

void dl__launch_succeeded(struct dl__kernel *kernel, cl_device_id device)
{
    struct dl__trouble *trouble = kernel->launched.troubles ? find(kernel, device) : NULL;

    if (trouble)
        trouble->failures = 0;
}

bool dl__launch_failed(struct dl__kernel *kernel, cl_device_id device)
{
    struct dl__trouble *trouble = find_or_make(kernel, device);

    if (!trouble || ++trouble->failures < FAILURES_MAX)
        return false;
    trouble->given_up = true;
    return true;
}
