/* SPDX-License-Identifier: MIT */
#include "tools/dl-bench/steering/find.h"

/* A rate has fallen with a bit where less than this share is left. */
static const double fall = 0.75;
/* Within a burst twice the stride halves SAXPY's speed; beyond it, pages and requests
 * still cost a little. */
static const double halved = 0.6;

uint64_t steering_burst_find(const double *speeds, size_t count, uint64_t element_bytes)
{
    size_t k = 0;

    /* Short strides may be limited by something else. */
    while (k + 1 < count && speeds[k + 1] > halved * speeds[k])
        k++;
    if (k + 1 >= count)
        return 0;
    while (k + 1 < count && speeds[k + 1] <= halved * speeds[k])
        k++;
    return k + 1 < count ? element_bytes << k : 0;
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
