/* SPDX-License-Identifier: MIT */
/* Exploring a launch as the policy has asked for it. */
#ifndef DL_INTERCEPT_ASKED_H
#define DL_INTERCEPT_ASKED_H

#include "explore.h"
#include "libdl_intercept/policy/core.h"

/* What exploring the launch takes, as the policy wants to know it. */
void dl__asked_price(struct dl__kernel *kernel, struct dl__queue *queue,
                     const struct dl__ndrange *range, const struct dl_rates *rates,
                     struct dl__policy_ask *ask) DL__WITH_LOCK;
/* Makes the launch as written, and explores what the policy's answer asks for. False: it can't be explored, of which the policy
 * hears, and has not been made. */
bool dl__asked_launch(struct dl__kernel *kernel, struct dl__queue *queue,
                      cl_kernel handle, const struct dl__ndrange *range,
                      cl_int *err) DL__WITH_LOCK;

#endif
