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

void dl__samples_add(struct dl__samples *samples, double seconds, double work)
{
    if (!dl__is_time(seconds) || !(work > 0))
        return;
    samples->kept[samples->count % DL__SAMPLES_KEPT] = (struct dl__sample){seconds, work};
    samples->count++;
}

bool dl__samples_known(const struct dl__samples *samples)
{
    return samples->count > 0;
}

bool dl__samples_settled(const struct dl__samples *samples, double work)
{
    bool settled = dl__samples_kept(samples) >= DL__SAMPLES_SETTLED;

    for (unsigned i = 0; i < dl__samples_kept(samples); i++)
        settled = settled && samples->kept[i].work >= 0.98 * work &&
                  samples->kept[i].work <= 1.02 * work;
    return settled;
}

double dl__samples_median(const struct dl__samples *samples, double work)
{
    double sorted[DL__SAMPLES_KEPT];
    unsigned count = dl__samples_kept(samples);

    for (unsigned i = 0; i < count; i++) {
        double seconds = samples->kept[i].seconds * work / samples->kept[i].work;
        unsigned at = i;

        for (; at > 0 && sorted[at - 1] > seconds; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = seconds;
    }
    return count ? sorted[(count - 1) / 2] : 0;
}

double dl__samples_low(const struct dl__samples *samples, double work)
{
    double low = 0;

    for (unsigned i = 0; i < dl__samples_kept(samples); i++) {
        double seconds =
            samples->kept[i].seconds * dl__min(1, work / samples->kept[i].work);

        if (i == 0 || seconds < low)
            low = seconds;
    }
    return low;
}

double dl__samples_high(const struct dl__samples *samples, double work)
{
    double high = 0;
    /* The first may have had more to do: of several it says nothing of the next. */
    bool first_is_kept = samples->count > 1 && samples->count <= DL__SAMPLES_KEPT;

    for (unsigned i = first_is_kept; i < dl__samples_kept(samples); i++)
        high = dl__max(high, samples->kept[i].seconds *
                                 dl__max(1, work / samples->kept[i].work));
    return high;
}
