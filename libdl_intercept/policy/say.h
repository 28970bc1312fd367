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
/* A decision of a group, of which it is `current` yet, at one of its launches.
 *   moves  seconds that the conversions take, or took
 *   left   what may be spent */
void dl__say_decision(const struct dl__policy_ask *ask,
                      const struct dl__policy_group *group, enum dl__candidate_id to,
                      const char *reason, double moves, double left, char *why,
                      size_t bytes);

/* Why a group changes from one to a better one. */
const char *dl__say_reason(enum dl__candidate_id from, enum dl__candidate_id to);

#endif
