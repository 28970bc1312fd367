/* SPDX-License-Identifier: MIT */
/* Arithmetic on sizes and counts that several rooms need. */
#ifndef DL_ARITH_H
#define DL_ARITH_H

#include <stdint.h>

/* The greatest common divisor; of 0 and n it is n. */
static inline uint64_t dl__gcd(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static inline uint64_t dl__divide_up(uint64_t number, uint64_t by)
{
    return (number + by - 1) / by;
}

static inline uint64_t dl__round_up(uint64_t number, uint64_t multiple)
{
    return dl__divide_up(number, multiple) * multiple;
}

/* The smallest power of two that is not below `number`. */
static inline uint64_t dl__power_of_two_up(uint64_t number)
{
    uint64_t power = 1;

    while (power < number)
        power *= 2;
    return power;
}

/* The largest power of two up to `most` that divides `number`. */
static inline uint64_t dl__power_of_two_in(uint64_t number, uint64_t most)
{
    uint64_t power = 1;

    while (power < most && number % (power * 2) == 0)
        power *= 2;
    return power;
}

#endif
