/* SPDX-License-Identifier: MIT */
/* What a decision rests on, in words and numbers. Threads: the caller has the policy's lock. */
#ifndef DL_INTERCEPT_SAY_H
#define DL_INTERCEPT_SAY_H

#include "core.h"

/* What the launch takes as written, by measurement; 0: not known. */
double dl__say_native_seconds(const struct dl__policy_ask *ask);
/* Why it runs on `chosen`. */
void dl__say_why(const struct dl__policy_ask *ask, enum dl__candidate_id chosen,
                 char *why, size_t bytes);

#endif
