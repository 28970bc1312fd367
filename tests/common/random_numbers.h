/* SPDX-License-Identifier: MIT */
/* The generators of random numbers that tests use. The same state gives the same numbers
 * everywhere, so that a seed that a test names can be run again. */
#ifndef DL_TESTS_RANDOM_NUMBERS_H
#define DL_TESTS_RANDOM_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

/* Linear congruential: for data and for texts. */
static inline uint32_t random_step(uint32_t *state)
{
    return *state = *state * 1664525u + 1013904223u;
}

static inline unsigned random_below(uint32_t *state, unsigned count)
{
    return (random_step(state) >> 8) % count;
}

static inline void random_bytes_fill(unsigned char *bytes, size_t count, uint32_t seed)
{
    for (size_t b = 0; b < count; b++)
        bytes[b] = (unsigned char)(random_step(&seed) >> 24);
}

/* The same with 64 bits: for sizes. */
static inline uint64_t random_size_below(uint64_t *state, uint64_t below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (*state >> 33) % below;
}

/* Exclusive-or and shifts: for sequences of commands. The state is not 0. */
static inline uint64_t random_shift(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static inline unsigned random_choice(uint64_t *state, unsigned below)
{
    return (unsigned)((random_shift(state) >> 16) % below);
}

#endif
