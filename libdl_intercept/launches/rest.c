/* SPDX-License-Identifier: MIT */
#include "rest.h"

#include "libdl_intercept/base/options.h"
#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/programs/rewrite.h"
#include "libdl_intercept/state/residence.h"
#include "choose.h"

/* So many more were like none before than like others; then one in so many is looked at. */
enum { UNLIKE = 256, UNLIKE_MAX = 512, LOOKED_AT = 16 };
/* What they take, or, where that is not known, what the buffers of structs have. */
static const double short_seconds = 200e-6;
enum { SMALL_BYTES = 1 << 18 };

static DL__WITH_LOCK bool is_small(const struct dl__kernel *kernel,
                                   struct dl__mem *const *mems)
{
    size_t bytes = 0;

    for (size_t b = 0; b < kernel->note->buffer_count; b++) {
        unsigned index = kernel->note->buffers[b].arg_index;

        bytes += index < kernel->arg_count && mems[index] ? mems[index]->bytes : 0;
    }
    return bytes <= SMALL_BYTES;
}

void dl__rest_note(struct dl__kernel *kernel, const struct dl__ndrange *range,
                   bool was_known)
{
    struct dl__rewrite *rewrite = kernel->rewrite;
    const struct dl__choice *choice = range->choice;
    double seconds =
        choice->asked && choice->ask->standing.priced ? choice->ask->standing.native : 0;

    if (was_known)
        rewrite->unlike -= rewrite->unlike > 0;
    else
        rewrite->unlike += rewrite->unlike < UNLIKE_MAX;
    if (choice->policy)
        rewrite->unlike_policy = choice->policy;
    /* As long as they run as written: what is found to gain is looked at. */
    rewrite->unlike_may_rest =
        choice->answer.candidate == DL__NATIVE &&
        (seconds > 0 ? seconds < short_seconds : is_small(kernel, range->mems));
}

/* What kernels run on whose results may differ hangs on counts of launches, theirs and of others on their buffers, and must not
 * hang on times: so all are counted. */
static DL__WITH_LOCK bool must_count(const struct dl__kernel *kernel)
{
    const struct dl__rewrite *rewrite = kernel->rewrite;

    return kernel->note->contractable || dl__is_relaxed(rewrite) ||
           (rewrite->unlike_policy && rewrite->unlike_policy->has_contractable);
}

bool dl__rest(struct dl__kernel *kernel, struct dl__mem *const *mems)
{
    const struct dl__options *options = dl__options_get();
    struct dl__rewrite *rewrite = kernel->rewrite;

    if (rewrite->unlike < UNLIKE || !rewrite->unlike_may_rest || !dl__policy_is_on() ||
        options->policy_test || options->stats || options->advise ||
        options->verify_every || kernel->note->refused || dl__kernel_wants_soa(kernel) ||
        kernel->svm_indirect || must_count(kernel))
        return false;
    for (unsigned i = 0; i < kernel->arg_count; i++)
        if (mems[i] && dl__mem_is_tiled(dl__mem_root(mems[i])))
            return false;
    return ++rewrite->rested % LOOKED_AT != 0;
}
