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

bool dl__samples_known(const struct dl__samples *samples)
{
    return samples->count > 0;
}

double dl__samples_median(const struct dl__samples *samples, double work)
{
    unsigned count = dl__samples_kept(samples);

    return count ? samples->rates[(count - 1) / 2] * work : 0;
}

double dl__samples_quartile(const struct dl__samples *samples, double work)
{
    unsigned count = dl__samples_kept(samples);

    return count ? samples->rates[(count - 1) / 4] * work : 0;
}
