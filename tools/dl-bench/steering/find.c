/* SPDX-License-Identifier: MIT */
#include "tools/dl-bench/steering/find.h"

/* What a rate must fall below to have fallen, and stay above to be as it was: half of the way to a half. */
static const double fall = 0.75, flat = 0.75;

uint64_t steering_burst_find(const double *speeds, size_t count, uint64_t element_bytes)
{
    for (size_t k = 0; k + 1 < count; k++)
        if (speeds[k + 1] > flat * speeds[k])
            return element_bytes << k;
    return 0;
}

uint64_t steering_bits_find(const struct steering_pair *pairs, size_t count)
{
    double lowest = 1;
    uint64_t mask = 0;

    for (size_t p = 0; p < count; p++) {
        double share = pairs[p].rate / pairs[p].rate_beside;

        if (share < fall * lowest) {
            mask |=
                pairs[p].stride_bytes / 2; /* the bit that was free still at half of it */
            lowest = share;
        }
    }
    return mask;
}

unsigned steering_bits_count(uint64_t mask, uint64_t burst_bytes)
{
    unsigned count = 0;

    while (mask >= burst_bytes << count && burst_bytes << count != 0 && count < 63)
        count++;
    return count;
}
