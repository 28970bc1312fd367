/* SPDX-License-Identifier: MIT */
/* Saying what was decided. */
#include "explain.h"

#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/base/standard_error.h"
#include "libdl_intercept/reports/stats.h"

void dl__explain(const char *why)
{
    if (dl__options_get()->explain_policy)
        dl__stderr_say("dl: policy: %s\n", why);
    else
        dl__log(DL__LOG_REMARK, "policy: %s", why);
    dl__stats_decision(why);
}
