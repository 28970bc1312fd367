/* SPDX-License-Identifier: MIT */
#include "callouts.h"

#include <stdatomic.h>

#include "libdl_intercept/base/next.h"

static atomic_uint running;

static void CL_CALLBACK ended(cl_event event, cl_int status, void *unused)
{
    (void)event, (void)status, (void)unused;
    atomic_fetch_sub(&running, 1);
}

void dl__callout_begin(cl_event event)
{
    atomic_fetch_add(&running, 1);
    /* One whose end nobody tells of has none. */
    dl__next.clSetEventCallback(event, CL_COMPLETE, ended, NULL);
}

bool dl__callouts_run(void)
{
    return atomic_load(&running) > 0;
}
