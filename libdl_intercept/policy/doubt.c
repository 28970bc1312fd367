/* SPDX-License-Identifier: MIT */
/* Doubts: what was measured to be slower than as written may have been measured while other programs had
 * the device, or its caches. So it is measured anew when the launches since then, as written, have taken so
 * long that another trial is a small part of that; and each time it is slower again that part is
 * half as large. What is not clear at once is decided late, not never. */
#include "numbers.h"

#include "core.h"

/* That other trials may take of the time as written; what they take, how many launches. */
static const double doubted_part = 1.0 / 128;
enum { TRIAL_LAUNCHES = 2, RETRIALS_MAX = 16 };

/* True when the candidate has been measured, in this run or an earlier one, well enough. */
static bool is_known(const struct dl__policy_row *row, enum dl__candidate_id c)
{
    return !row->doubted[c] && (row->samples[c].count > 1 || row->remembered[c].work > 0);
}

void dl__doubt_price(const struct dl__policy *policy, const struct dl__policy_ask *ask,
                     enum dl__candidate_id candidate, struct dl__standing *standing)
{
    const struct dl__policy_group *group = dl__group_of(ask->group);
    const struct dl__policy_row *row = ask->row;

    for (int i = 0; i < DL__CANDIDATES; i++) {
        enum dl__candidate_id c = (enum dl__candidate_id)i;
        double now, then, needed;

        standing->doubt[c] = 0;
        standing->doubts_needed[c] = DBL_MAX;
        if (candidate != DL__NATIVE || c == DL__NATIVE || !group || group->counts_only ||
            ask->kernel->contractable || ask->estimate.of[c].verdict == DL__NEVER ||
            !ask->ready[c] || !is_known(row, c))
            continue;
        now = dl__cost_expected(row, &ask->estimate, DL__NATIVE, ask->work, false, NULL);
        then = dl__cost_expected(row, &ask->estimate, c, ask->work, false, NULL);
        if (then <= now)
            continue;
        needed = TRIAL_LAUNCHES * (then - now);
        for (size_t b = 0; b < ask->buffer_count; b++)
            needed += 2 * dl__cost_move(policy, ask->buffers[b], c, false);
        standing->doubt[c] = now * doubted_part / (double)(1u << row->retrials[c]);
        standing->doubts_needed[c] = needed;
    }
}

void dl__doubt_launched(struct dl__policy *policy, struct dl__policy_row *row,
                        const struct dl__standing *standing)
{
    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        row->doubt[c] += standing->doubt[c];
        if (row->doubt[c] < standing->doubts_needed[c])
            continue;
        row->doubt[c] = 0;
        row->doubted[c] = true;
        if (row->retrials[c] < RETRIALS_MAX)
            row->retrials[c]++;
        if (dl__samples_known(&row->samples[c]))
            row->before[c] = row->samples[c];
        row->samples[c] = (struct dl__samples){0};
        policy->version++;
    }
}
