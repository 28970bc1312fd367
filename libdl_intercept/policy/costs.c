/* SPDX-License-Identifier: MIT */
/* What launches and conversions cost: measured in this run, by an earlier one, or by the estimate. */
#include "numbers.h"

#include "core.h"

/* A remembered time may be of a busier or idler day. */
static const double remembered_slack = 1.5;
/* That day is known where this run has measured the same kernel on something else that is remembered. */
static const double same_day_slack = 1.2;
/* A launch on another layout asks that much more of the host than one as written (0.3 to 0.4 us on an H200):
 * where steps are so short that the device waits for the host, smaller gains are losses. */
static const double host_seconds = 0.4e-6;
/* Of a copy's time: less can't be had. */
static const double near_least = 1.15;
/* What takes less than this part of it shows that the device is faster than it was taken for. */
static const double guessed_least = 0.7;
/* The static native time is a guess. */
static const double native_slack = 4;

static double remembered_at(const struct dl__remembered *remembered, double work)
{
    return remembered->work > 0 ? remembered->seconds * work / remembered->work : 0;
}

/* How long what this run has measured well on a candidate takes, to what is remembered of it; 0: not known. */
static double day_by(const struct dl__policy_row *row, enum dl__candidate_id candidate,
                     double work)
{
    const struct dl__samples *samples = &row->samples[candidate];

    if (row->remembered[candidate].work <= 0 || !dl__samples_settled(samples, work))
        return 0;
    return dl__samples_median(samples, work) /
           remembered_at(&row->remembered[candidate], work);
}

/* The same by whatever else this run has measured, natively if it has been. */
static double day_of(const struct dl__policy_row *row, enum dl__candidate_id candidate,
                     double work)
{
    double day = 0;

    for (int c = DL__NATIVE; c < DL__CANDIDATES && day == 0; c++)
        day = c == (int)candidate ? 0 : day_by(row, (enum dl__candidate_id)c, work);
    return day;
}

double dl__cost_expected(const struct dl__policy_row *row,
                         const struct dl__estimate *estimate,
                         enum dl__candidate_id candidate, double work, bool counts_only,
                         bool *measured)
{
    const struct dl__samples *samples = &row->samples[candidate];
    double remembered =
        row->doubted[candidate] ? 0 : remembered_at(&row->remembered[candidate], work);
    double day = counts_only ? 0 : day_of(row, candidate, work);
    bool known = true;
    double seconds = 0, first;

    if (!counts_only && samples->count > 1)
        seconds = dl__samples_median(samples, work);
    else if (remembered > 0)
        seconds = remembered * (day > 0 ? day : 1);
    else
        known = false;
    if (!known && candidate == DL__NATIVE)
        seconds = estimate->native_seconds;
    else if (!known)
        seconds = dl__cost_expected(row, estimate, DL__NATIVE, work, counts_only, NULL) /
                  estimate->of[candidate].speedup;
    /* A first launch may have had more to do, such as to compile: it only tells that one is faster. */
    if (!known && !counts_only && samples->count == 1) {
        first = dl__samples_median(samples, work);
        known = candidate == DL__NATIVE || first <= seconds;
        seconds = dl__min(first, seconds);
    }
    if (measured)
        *measured = known;
    return seconds;
}

double dl__cost_doubt(const struct dl__policy_row *row, enum dl__candidate_id a,
                      enum dl__candidate_id b, double work, bool counts_only)
{
    const struct dl__samples *of_a = &row->samples[a], *of_b = &row->samples[b];
    double spread = 0, one, other;

    if (!counts_only)
        spread = dl__max(dl__samples_spread(of_a, work), dl__samples_spread(of_b, work));
    one = dl__samples_error(of_a, spread);
    other = dl__samples_error(of_b, spread);
    /* About the root of the sum of squares. */
    return dl__max(one, other) + 0.4 * dl__min(one, other);
}

bool dl__cost_is_near_least(const struct dl__estimate *estimate, double now)
{
    double least = estimate->least_seconds;

    return now <= near_least * least &&
           !(estimate->least_guessed && now < guessed_least * least);
}

double dl__cost_least_gain(double now, enum dl__candidate_id current)
{
    return dl__max(dl__by_chance * now, current == DL__NATIVE ? host_seconds : 0);
}

/* Another size class of the same kernel that a candidate was measured in. Times rise with work, and
 * no faster: a bound in one class gives one in another. */
static const struct dl__samples *samples_near(const struct dl__policy_kernel *kernel,
                                              const struct dl__policy_row *row,
                                              enum dl__candidate_id candidate)
{
    const struct dl__policy_row *best = NULL;
    unsigned nearest = 0;

    if (dl__samples_known(&row->samples[candidate]))
        return &row->samples[candidate];
    for (const struct dl__policy_row *at = kernel->rows; at; at = at->next) {
        unsigned apart = at->work_class > row->work_class
                             ? at->work_class - row->work_class
                             : row->work_class - at->work_class;

        /* Of buffers of another size caches may hold more. */
        if (!dl__samples_known(&at->samples[candidate]) ||
            at->struct_class != row->struct_class || (best && apart >= nearest))
            continue;
        best = at;
        nearest = apart;
    }
    return best ? &best->samples[candidate] : NULL;
}

/* Where several samples of about this work agree on it, their median is as good a bound as any. */
static double bound(const struct dl__samples *samples, double work, bool high)
{
    if (dl__samples_settled(samples, work))
        return dl__samples_median(samples, work);
    return high ? dl__samples_high(samples, work) : dl__samples_low(samples, work);
}

/* At least, what natively took an earlier run. */
static double native_remembered_low(const struct dl__policy_row *row, double work,
                                    bool counts_only)
{
    double native = remembered_at(&row->remembered[DL__NATIVE], work);
    double day = counts_only ? 0 : day_of(row, DL__NATIVE, work);

    return day > 0 ? native * day / same_day_slack : native / remembered_slack;
}

/* At most, what a candidate took an earlier run. */
static double remembered_high(const struct dl__policy_row *row,
                              enum dl__candidate_id candidate, double work,
                              bool counts_only)
{
    double then = remembered_at(&row->remembered[candidate], work);
    double day = counts_only ? 0 : day_by(row, DL__NATIVE, work);

    return day > 0 ? then * day * same_day_slack : then * remembered_slack;
}

double dl__cost_native_low(const struct dl__policy_kernel *kernel,
                           const struct dl__policy_row *row, double work,
                           bool counts_only)
{
    const struct dl__samples *near =
        counts_only ? NULL : samples_near(kernel, row, DL__NATIVE);

    if (near)
        return bound(near, work, false);
    return native_remembered_low(row, work, counts_only);
}

double dl__cost_high(const struct dl__policy_kernel *kernel,
                     const struct dl__policy_row *row,
                     const struct dl__estimate *estimate, enum dl__candidate_id candidate,
                     double work, bool counts_only)
{
    const struct dl__samples *near =
        counts_only ? NULL : samples_near(kernel, row, candidate);
    const struct dl__samples *before = &row->before[candidate];
    double native;

    if (!counts_only && row->doubted[candidate] && dl__samples_known(before))
        return dl__max(near ? bound(near, work, true) : 0, bound(before, work, true));
    if (near)
        return bound(near, work, true);
    if (row->remembered[candidate].work > 0)
        return remembered_high(row, candidate, work, counts_only);
    if (candidate == DL__NATIVE)
        return estimate->native_seconds * native_slack;
    native = dl__cost_high(kernel, row, estimate, DL__NATIVE, work, counts_only);
    /* A clear gain needs no native time, which may not be known. */
    if (estimate->of[candidate].factor == 1)
        return dl__cost_native_low(kernel, row, work, counts_only);
    return native * estimate->of[candidate].factor;
}

bool dl__cost_wants_native(const struct dl__policy_row *row,
                           enum dl__candidate_id candidate, double work)
{
    const struct dl__remembered *then = &row->remembered[candidate],
                                *native = &row->remembered[DL__NATIVE];

    return then->work > 0 && native->work > 0 && !row->doubted[candidate] &&
           row->samples[candidate].count < 2 &&
           row->samples[DL__NATIVE].count < DL__SAMPLES_SETTLED &&
           remembered_at(then, work) * remembered_slack > remembered_at(native, work);
}

unsigned dl__cost_were_slower(const struct dl__policy_row *row)
{
    double least = remembered_at(&row->remembered[DL__NATIVE], 1);
    unsigned slower = 0;

    if (least <= 0)
        return 0;
    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        if (row->remembered[c].work > 0)
            least = dl__min(least, remembered_at(&row->remembered[c], 1));
    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        if (remembered_at(&row->remembered[c], 1) > least)
            slower |= 1u << c;
    return slower;
}

bool dl__cost_was_better(const struct dl__policy_row *row)
{
    double native = remembered_at(&row->remembered[DL__NATIVE], 1);
    bool better = false;

    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        better |= row->remembered[c].work > 0 &&
                  remembered_at(&row->remembered[c], 1) <= 0.8 * native;
    return better;
}

bool dl__move_is_first(const struct dl__policy *policy,
                       const struct dl__policy_buffer *buffer,
                       enum dl__candidate_id candidate)
{
    return !(policy->moved[candidate] >> buffer->struct_bytes % 64 & 1);
}

double dl__cost_move_ratio(const struct dl__policy *policy,
                           enum dl__candidate_id candidate, bool counts_only)
{
    const struct dl__samples *ratios = &policy->moves[candidate];
    const struct dl__samples *before = &policy->moves_before[candidate];

    if (!counts_only && dl__samples_known(ratios))
        return dl__samples_high(ratios, 1);
    /* Of several runs the middle one: one beside other programs says little. */
    return dl__samples_known(before) ? dl__samples_median(before, 1) * remembered_slack
                                     : 1;
}

double dl__cost_move(const struct dl__policy *policy,
                     const struct dl__policy_buffer *buffer,
                     enum dl__candidate_id candidate, bool counts_only)
{
    double estimated = dl__estimate_move(&policy->rates, candidate, buffer->bytes) *
                       dl__cost_move_ratio(policy, candidate, counts_only);

    if (dl__candidate_get(candidate)->in_place)
        return 0;
    if (dl__move_is_first(policy, buffer, candidate))
        estimated += policy->rates.first_us * 1e-6;
    return estimated;
}

double dl__cost_look(const struct dl__policy *policy, uint64_t bytes, bool counts_only)
{
    double estimated = dl__estimate_look(&policy->rates, bytes), high = DBL_MAX;

    if (!counts_only && dl__samples_known(&policy->looks))
        high = dl__samples_high(&policy->looks, (double)bytes);
    if (!counts_only && dl__samples_settled(&policy->look_ratios, 1))
        estimated *= dl__max(1, dl__samples_median(&policy->look_ratios, 1));
    if (policy->look_count == 0)
        estimated += policy->rates.first_us * 1e-6;
    return dl__min(high, estimated);
}
