/* SPDX-License-Identifier: MIT */
/* Doubts: what was measured to be slower than as written may have been measured while other programs had
 * the device, or its caches. So it is measured anew when the launches since then, as written, have taken so
 * long that another trial is a small part of that; and each time it is slower again that part is
 * half as large. What is not clear at once is decided late, not never.
 *
 * And trials: a program may enqueue hundreds of launches in the time that the device takes for one, and all of
 * them would be in a layout on trial before it is known to lose. So after two, launches run as written until
 * the device has told what those took. Nothing waits: what a device is held up by may be the program. */
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
                        const struct dl__standing *standing, unsigned launches)
{
    unsigned count = standing->count ? standing->count : DL__CANDIDATES;

    for (unsigned c = DL__NATIVE + 1; c < count; c++) {
        row->doubt[c] += launches * standing->doubt[c];
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

/* ---- trials ---- */

/* An earlier run has measured it, but what it found may be no gain in this one. */
static bool may_lose(const struct dl__policy_ask *ask, enum dl__candidate_id c)
{
    const struct dl__policy_row *row = ask->row;

    return row->samples[c].count < 2 && row->remembered[c].work > 0 &&
           dl__samples_settled(&row->samples[DL__NATIVE], ask->work) &&
           dl__cost_high(ask->kernel, row, &ask->estimate, c, ask->work, false) >
               dl__cost_native_low(ask->kernel, row, ask->work, false);
}

/* What the text is clear of was measured on another candidate, and is no gain: what it says of this one is as
 * doubtful. */
static bool has_disappointed(const struct dl__policy_ask *ask)
{
    const struct dl__policy_row *row = ask->row;
    double native;
    bool known;

    native = dl__cost_expected(row, &ask->estimate, DL__NATIVE, ask->work, false, &known);
    for (int i = DL__NATIVE + 1; known && i < DL__CANDIDATES; i++) {
        enum dl__candidate_id c = (enum dl__candidate_id)i;

        if (ask->estimate.of[c].verdict == DL__CLEAR && is_known(row, c) &&
            dl__cost_expected(row, &ask->estimate, c, ask->work, false, NULL) >= native)
            return true;
    }
    return false;
}

bool dl__is_on_trial(const struct dl__policy_ask *ask, enum dl__candidate_id c)
{
    const struct dl__policy_group *group = dl__group_of(ask->group);
    const struct dl__policy_row *row = ask->row;

    if (c == DL__NATIVE || !group || group->counts_only)
        return false;
    return row->doubted[c] || may_lose(ask, c) ||
           (!is_known(row, c) &&
            (ask->estimate.of[c].verdict != DL__CLEAR || has_disappointed(ask)));
}

bool dl__trial_is_full(const struct dl__policy_ask *ask, enum dl__candidate_id c)
{
    return ask->row->untold[c] >= DL__TRIAL_LAUNCHES && dl__is_on_trial(ask, c);
}

bool dl__policy_wants_times(const struct dl__policy_ask *ask)
{
    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        if (ask->row->untold[c] >= DL__TRIAL_LAUNCHES)
            return true;
    }
    return false;
}
