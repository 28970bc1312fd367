/* SPDX-License-Identifier: MIT */
/* The table of the functions below the hooks. */
#include "next.h"

#include <stdbool.h>
#include <string.h>

#include "libdl_intercept/base/locks.h"

#define ENTRY_COUNT (sizeof(cl_icd_dispatch) / sizeof(void *))

cl_icd_dispatch dl__next;

static struct dl__mutex next_lock = DL__MUTEX_INITIALIZER;
static bool next_is_filled DL__GUARDED_BY(next_lock);

void dl__next_fill(const cl_icd_dispatch *table, cl_uint count)
{
    dl__mutex_lock(&next_lock);
    if (!next_is_filled) {
        if (count > ENTRY_COUNT)
            count = ENTRY_COUNT;
        memcpy(&dl__next, table, count * sizeof(void *));
        next_is_filled = true;
    }
    dl__mutex_unlock(&next_lock);
}
