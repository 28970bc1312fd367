/* SPDX-License-Identifier: MIT */
/* Measured times. */
#include "samples.h"

#include "numbers.h"

unsigned dl__samples_kept(const struct dl__samples *samples)
{
    return samples->count < DL__SAMPLES_KEPT ? (unsigned)samples->count
                                             : DL__SAMPLES_KEPT;
}

const struct dl__sample *dl__samples_at(const struct dl__samples *samples, unsigned index)
{
    unsigned long first = samples->count - dl__samples_kept(samples);

    return &samples->kept[(first + index) % DL__SAMPLES_KEPT];
}

static double rate_of(const struct dl__sample *sample)
{
    return sample->seconds / sample->work;
}

static void leave_out(struct dl__samples *samples, unsigned count, double rate)
{
    unsigned at = 0;

    while (at + 1 < count && samples->rates[at] != rate)
        at++;
    for (; at + 1 < count; at++)
        samples->rates[at] = samples->rates[at + 1];
}

static void take_in(struct dl__samples *samples, unsigned count, double rate)
{
    unsigned at = count;

    for (; at > 0 && samples->rates[at - 1] > rate; at--)
        samples->rates[at] = samples->rates[at - 1];
    samples->rates[at] = rate;
}

void dl__samples_add(struct dl__samples *samples, double seconds, double work)
{
    struct dl__sample *sample = &samples->kept[samples->count % DL__SAMPLES_KEPT];
    unsigned kept = dl__samples_kept(samples);

    if (!dl__is_time(seconds) || !(work > 0))
        return;
    if (kept == DL__SAMPLES_KEPT)
        leave_out(samples, kept--, rate_of(sample));
    *sample = (struct dl__sample){seconds, work};
    take_in(samples, kept, rate_of(sample));
    samples->count++;
}

static unsigned first_of_last(const struct dl__samples *samples)
{
    unsigned kept = dl__samples_kept(samples);

    return kept > DL__SAMPLES_LAST ? kept - DL__SAMPLES_LAST : 0;
}

bool dl__samples_known(const struct dl__samples *samples)
{
    return samples->count > 0;
}

bool dl__samples_settled(const struct dl__samples *samples, double work)
{
    bool settled = dl__samples_kept(samples) >= DL__SAMPLES_SETTLED;

    for (unsigned i = first_of_last(samples); i < dl__samples_kept(samples); i++) {
        const struct dl__sample *at = dl__samples_at(samples, i);

        settled = settled && at->work >= 0.98 * work && at->work <= 1.02 * work;
    }
    return settled;
}

double dl__samples_median(const struct dl__samples *samples, double work)
{
    unsigned count = dl__samples_kept(samples);

    return count ? samples->rates[(count - 1) / 2] * work : 0;
}

double dl__samples_spread(const struct dl__samples *samples, double work)
{
    unsigned count = dl__samples_kept(samples);

    return count < DL__SAMPLES_SETTLED
               ? 0
               : (samples->rates[count - 1 - count / 4] - samples->rates[count / 4]) *
                     work;
}

double dl__samples_error(const struct dl__samples *samples, double spread)
{
    /* 0.93 / sqrt(count): normal noise has quartiles 1.35 deviations apart, and its median's is 1.25 of the mean's. */
    static const double parts[DL__SAMPLES_KEPT + 1] = {
        0,     0.93,  0.658, 0.537, 0.465, 0.416, 0.380, 0.352,
        0.329, 0.310, 0.294, 0.280, 0.268, 0.258, 0.249, 0.240};

    return parts[dl__samples_kept(samples)] * spread;
}

double dl__samples_low(const struct dl__samples *samples, double work)
{
    double low = 0;

    for (unsigned i = first_of_last(samples); i < dl__samples_kept(samples); i++) {
        const struct dl__sample *at = dl__samples_at(samples, i);
        double seconds = at->seconds * dl__min(1, work / at->work);

        if (low == 0 || seconds < low)
            low = seconds;
    }
    return low;
}

double dl__samples_high(const struct dl__samples *samples, double work)
{
    double high = 0;
    /* The first may have had more to do: of several it says nothing of the next. */
    bool first_is_kept = samples->count > 1 && samples->count <= DL__SAMPLES_LAST;

    for (unsigned i = first_of_last(samples) + first_is_kept;
         i < dl__samples_kept(samples); i++) {
        const struct dl__sample *at = dl__samples_at(samples, i);

        high = dl__max(high, at->seconds * dl__max(1, work / at->work));
    }
    return high;
}
