/* SPDX-License-Identifier: MIT */
/* Reads off measurements of a memory which bits are within a burst, and which steer. */
#ifndef STEERING_FIND_H
#define STEERING_FIND_H

#include <stddef.h>
#include <stdint.h>

/* Requests at multiples of a power of two, and at multiples of as much and one burst
 * more, whose low bits differ while all else (pages, the memory they span) is the same.
 */
struct steering_pair {
    uint64_t stride_bytes;
    double rate, rate_beside; /* in any unit */
};

/* The bytes of a burst: the stride from which on SAXPY is not halved any more as the
 * stride doubles; of speeds at strides of 1, 2, 4... elements. 0: it is up to the last,
 * or never. */
uint64_t steering_burst_find(const double *speeds, size_t count, uint64_t element_bytes);

/* Address bits that spread requests. A stride that is twice as long holds one bit more
 * still; where the rate falls by a quarter with that, against the stride beside it and
 * against all shorter ones, the bit has spread them. Pairs by rising powers of two, from
 * two bursts on. */
uint64_t steering_bits_find(const struct steering_pair *pairs, size_t count);

/* The number of bits from those within a burst up to the highest of the mask: what
 * struct dl_grid_memory wants. */
unsigned steering_bits_count(uint64_t mask, uint64_t burst_bytes);

#endif
