/* SPDX-License-Identifier: MIT */
/* Launches that the policy has asked to be explored. */
#include "asked.h"

#include <string.h>

#include "libdl_intercept/base/log.h"
#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/reports/stats.h"
#include "bind.h"
#include "slice.h"

void dl__asked_price(struct dl__kernel *kernel, struct dl__queue *queue,
                     const struct dl__ndrange *range, const struct dl_rates *rates,
                     struct dl__policy_ask *ask)
{
    size_t items = dl__slice_items(kernel, queue, range);

    ask->copy_seconds = dl__explore_price(kernel, queue, range, 0, rates, NULL, 0, 0);
    ask->explore_seconds =
        dl__explore_price(kernel, queue, range, items, rates, NULL, 0, 0);
    for (int i = DL__NATIVE + 1; i < DL__CANDIDATES; i++) {
        enum dl__candidate_id c = (enum dl__candidate_id)i;

        ask->explore_each[i] =
            dl__explore_price(kernel, queue, range, items, rates, &c, 1, 0) -
            ask->explore_seconds;
    }
}

static size_t list_of(unsigned bits, struct dl__explored *list)
{
    size_t count = 0;

    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        if (bits >> c & 1)
            list[count++] = (struct dl__explored){.candidate = (enum dl__candidate_id)c,
                                                  .verdict = DL__NOT_EXPLORED};
    return count;
}

/* What differs is for the program's author to know; who annotates a kernel answers for what can't be judged. */
static void conclude(const struct dl__kernel *kernel, const struct dl__explored *explored,
                     struct dl__finding *out)
{
    *out = (struct dl__finding){.candidate = explored->candidate,
                                .native_seconds = explored->native_seconds,
                                .seconds = explored->seconds,
                                .there_seconds = explored->there_seconds,
                                .back_seconds = explored->back_seconds};
    switch (explored->verdict) {
    case DL__EQUAL:
        out->state = DL__MAY_RUN;
        break;
    case DL__DIFFERS:
        out->state = DL__AS_WRITTEN;
        dl__log(DL__LOG_REMARK,
                "kernel '%s', argument %u: on copies in %s it gives other bytes than its "
                "own text: it runs as written there",
                kernel->name, explored->argument,
                dl__candidate_get(explored->candidate)->name);
        break;
    case DL__UNJUDGED:
        out->state = kernel->note->detected ? DL__AS_WRITTEN : DL__MAY_RUN;
        break;
    case DL__NOT_EXPLORED:
        out->soon = explored->why && strstr(explored->why, "still ");
        break;
    }
}

bool dl__asked_launch(struct dl__kernel *kernel, struct dl__queue *queue,
                      cl_kernel handle, const struct dl__ndrange *range, cl_int *err)
{
    struct dl__explored list[DL__CANDIDATES];
    struct dl__finding findings[DL__CANDIDATES];
    size_t count = list_of(range->choice->answer.explore, list);
    double spent = 0;
    const char *why;
    bool can = dl__explore_can(kernel, queue, range, &why);

    if (can)
        *err = dl__explore_launch(kernel, queue, handle, range, list, count, &spent);
    else
        dl__log(DL__LOG_DEBUG, "kernel '%s' is not explored: %s", kernel->name, why);
    for (size_t i = 0; i < count; i++)
        conclude(kernel, &list[i], &findings[i]);
    dl__choice_explored(range->choice, findings, count, spent);
    dl__stats_explored(spent);
    return can;
}
