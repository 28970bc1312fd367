/* SPDX-License-Identifier: MIT */
/* Saying how the program was caught. */
#include "caught.h"

#include <errno.h>
#include <stdatomic.h>

#include "libdl_intercept/base/log.h"

static atomic_bool announced;

void dl__route_announce(enum dl__route how)
{
    if (!atomic_exchange(&announced, true))
        dl__log(DL__LOG_DEBUG, "caught as %s (%s)",
                how == DL__ROUTE_LAYER ? "layer" : "preload",
                program_invocation_short_name);
}
