/* SPDX-License-Identifier: MIT */
#include "callouts.h"

#include <stdatomic.h>

#include "libdl_intercept/base/next.h"

static atomic_uint running;
static atomic_bool shared;
static _Thread_local unsigned callbacks;

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

void dl__callback_begin(void)
{
    callbacks++;
}

void dl__callback_end(void)
{
    callbacks--;
}

bool dl__callouts_run(void)
{
    return callbacks > 0 || atomic_load(&running) > 0;
}

void dl__callout_shares_memory(void)
{
    atomic_store(&shared, true);
}

bool dl__callouts_share_memory(void)
{
    return atomic_load(&shared);
}
