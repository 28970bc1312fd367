/* SPDX-License-Identifier: MIT */
/* Exploring at random moments. */
#include "chance.h"

#include <stdatomic.h>

#include "libdl_intercept/base/log.h"
#include "hold.h"

#define WAIT_SECONDS 1.0

enum { EVERY = 4 };

static atomic_uint drawn;

static unsigned draw(unsigned below)
{
    uint64_t x = dl__options_get()->policy_test +
                 0x9e3779b97f4a7c15ull * (atomic_fetch_add(&drawn, 1) + 1);

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return (unsigned)((x ^ x >> 31) % below);
}

bool dl__chance_explores(struct dl__kernel *kernel, struct dl__queue *queue,
                         const struct dl__ndrange *range)
{
    if (!kernel || !kernel->note || !dl__options_get()->policy_test)
        return false;
    dl__hold_back(queue);
    return draw(EVERY) == 0 && dl__explore_wait(queue, range, WAIT_SECONDS);
}

bool dl__chance_launch(struct dl__kernel *kernel, struct dl__queue *queue,
                       cl_kernel handle, const struct dl__ndrange *range, cl_int *err)
{
    struct dl__explored list[DL__CANDIDATES];
    size_t count = 0;
    const char *why;
    double spent;

    if (!dl__explore_can(kernel, queue, range, &why)) {
        dl__log(DL__LOG_DEBUG, "kernel '%s' is not explored: %s", kernel->name, why);
        return false;
    }
    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        list[count++].candidate = (enum dl__candidate_id)c;
    *err = dl__explore_launch(kernel, queue, handle, range, list, count, NULL, &spent);
    for (size_t i = 0; i < count; i++)
        if (list[i].verdict == DL__DIFFERS)
            dl__log(DL__LOG_WARNING,
                    "kernel '%s', argument %u: on copies in %s it gives other bytes than "
                    "its own text",
                    kernel->name, list[i].argument,
                    dl__candidate_get(list[i].candidate)->name);
    return true;
}
