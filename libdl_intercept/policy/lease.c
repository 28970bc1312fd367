/* SPDX-License-Identifier: MIT */
/* Launches that nothing can come of. Where a decision stands, is known to cost no more than native, and its group
 * has no other kernel and could gain nowhere else, the next few launches change nothing that could change it: they are counted, and
 * added to the accounts together. Meanwhile the accounts have too little of what was gained, and of the time as
 * written, so that too little is spent. */
#include "numbers.h"

#include "core.h"

enum { LEASE_MAX = 63 };

void dl__lease_grant(const struct dl__policy *policy, struct dl__policy_ask *ask)
{
    struct dl__standing *standing = &ask->standing;
    const struct dl__policy_group *group;
    unsigned long launches = ask->row->launches[standing->candidate];
    unsigned every = dl__sampled_every(launches), most;

    standing->lease = 0;
    if (standing->version != policy->version + 1 || standing->need > -DBL_MAX ||
        standing->charged > standing->native || standing->on_trial ||
        standing->candidate != standing->current)
        return;
    group = standing->group;
    if (group->member_count != 1 || group->counts_only || launches < every)
        return;
    /* What its conversions have gained is judged when a buffer comes back: then it must be clear already. */
    if (standing->gained > 0 && group->gained < 2 * group->paid)
        return;
    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        if (!standing->as_fast[c] && (standing->gain[c] > 0 || group->rent[c] > 0))
            return;
    most = (unsigned)(every - 1 - launches % every);
    standing->lease = most < LEASE_MAX ? most : LEASE_MAX;
    standing->touches = policy->touches;
}

void dl__lease_settle(struct dl__policy *policy, struct dl__policy_ask *ask)
{
    struct dl__standing *standing = &ask->standing;
    struct dl__policy_group *group = standing->group;
    unsigned taken = standing->taken;
    double native = taken * standing->native;

    standing->lease = standing->taken = 0;
    if (taken == 0)
        return;
    ask->row->launches[standing->candidate] += taken;
    policy->ledger.native_seconds += native;
    policy->ledger.excess_seconds += taken * standing->charged - native;
    /* Else its group may be gone, or has been touched since. */
    if (standing->version == policy->version + 1 &&
        standing->touches == policy->touches) {
        group->gained += taken * standing->gained;
        dl__group_note_again(group, standing->member, ask, taken);
    }
    dl__doubt_launched(policy, ask->row, standing, taken);
}
