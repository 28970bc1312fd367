/* SPDX-License-Identifier: MIT */
/* Freeing what a policy knows, which a process keeps to its end. */
#ifndef POLICY_FREE_H
#define POLICY_FREE_H

#include <stdlib.h>

#include "libdl_intercept/policy/core.h"

static inline void policy_free(struct dl__policy *policy)
{
    while (policy->kernels) {
        struct dl__policy_kernel *kernel = policy->kernels;

        policy->kernels = kernel->next;
        while (kernel->rows) {
            struct dl__policy_row *row = kernel->rows;

            kernel->rows = row->next;
            free(row);
        }
        free(kernel->name);
        free(kernel);
    }
    while (policy->looks) {
        struct dl__look *look = policy->looks;

        policy->looks = look->next;
        free(look);
    }
}

#endif
