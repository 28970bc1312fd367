/* SPDX-License-Identifier: MIT */
/* Comparing launches on the program's buffers. */
#include "compare.h"

#include <stdlib.h>

#include "libdl_intercept/base/clock.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/state/callouts.h"
#include "libdl_intercept/state/residence.h"
#include "on_copies.h"

struct dl__compare {
    struct dl__copies *copies;
    double spent_seconds;
};

struct dl__compare *dl__compare_begin(struct dl__kernel *kernel, struct dl__queue *queue,
                                      const struct dl__ndrange *range, const char **why)
{
    double begun = dl__clock_seconds();
    struct dl__compare *compare = calloc(1, sizeof *compare);

    *why = NULL;
    if (!compare)
        *why = "there is no memory for copies";
    else if (!range->waited)
        *why = "what comes before it has not ended";
    else if (dl__callouts_run())
        *why = "a native kernel may hold back what uses its buffers";
    if (!*why)
        compare->copies = dl__copies_find(kernel, queue, range, why);
    if (!*why && dl__copies_make(compare->copies, true, why) &&
        dl__copies_take(compare->copies, DL__BEFORE) != CL_SUCCESS)
        *why = "its buffers can't be copied";
    if (!*why) {
        compare->spent_seconds = dl__clock_seconds() - begun;
        return compare;
    }
    if (compare)
        dl__copies_free(compare->copies);
    free(compare);
    return NULL;
}

/* The program goes on with what its own kernel gave. */
static DL__WITH_LOCK void put_native(struct dl__copies *copies)
{
    for (size_t i = 0; i < copies->count; i++)
        if (copies->list[i].written)
            dl__put_native(copies->list[i].mem, copies->queue,
                           copies->list[i].of[DL__BEFORE], NULL);
    /* The copies are about to go. */
    dl__next.clFinish(copies->queue->object.handle);
}

enum dl__verdict_of_copies dl__compare_end(struct dl__compare *compare, cl_int err,
                                           unsigned *argument, double *spent_seconds)
{
    enum dl__verdict_of_copies verdict = DL__NOT_EXPLORED;
    const struct dl__copied *found = NULL;
    struct dl__copies *copies;
    double begun, seconds;

    *argument = 0;
    *spent_seconds = 0;
    if (!compare)
        return verdict;
    copies = compare->copies;
    begun = dl__clock_seconds();
    /* WORK is what the rewritten kernel has given, BEFORE what the program's own does. */
    if (err == CL_SUCCESS && dl__copies_take(copies, DL__WORK) == CL_SUCCESS &&
        dl__copies_run_native(copies, DL__BEFORE, &seconds) == CL_SUCCESS &&
        dl__copies_compare(copies, true, &found))
        verdict = found ? DL__DIFFERS : DL__EQUAL;
    if (found) {
        *argument = found->arg_index;
        put_native(copies);
    }
    *spent_seconds = compare->spent_seconds + dl__clock_seconds() - begun;
    dl__copies_free(copies);
    free(compare);
    return verdict;
}
