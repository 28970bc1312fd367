/* SPDX-License-Identifier: MIT */
/* What a decision rests on, in words and numbers. Threads: the caller has the policy's
 * lock. */
#ifndef DL_INTERCEPT_SAY_H
#define DL_INTERCEPT_SAY_H

#include "core.h"

/* Why it runs on `chosen`. */
void dl__say_why(const struct dl__policy_ask *ask, enum dl__candidate_id chosen,
                 char *why, size_t bytes);
/* The group, which is `current` yet, changes. */
void dl__say_decision(const struct dl__policy_group *group, enum dl__candidate_id to,
                      const char *reason, char *why, size_t bytes);
/* What has become of it, and what it waits for. False: it was said of groups like it, or
 * it had no launches. */
bool dl__say_group(struct dl__policy_group *group, char *why, size_t bytes);

#endif
