/* SPDX-License-Identifier: MIT */
/* Options on the host: the data and a scalar reference in double precision. */
#ifndef BLACK_SCHOLES_REFERENCE_H
#define BLACK_SCHOLES_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>

struct option {
    float price, strike, years; /* in */
    float call, put;            /* out */
};

struct market {
    float rate, volatility; /* a year */
};

/* Options not far from the money, whose values a float can hold to 1e-5: the value of a
 * remote one is the small difference of two large numbers. call and put become 0. */
void option_fill(struct option *options, size_t count);
/* Compares call and put with the reference.
 *   error_max  out; the largest relative error
 *   returns    false after a message when it is over SAMPLE_ERROR_MAX */
bool option_check(const struct option *options, size_t count, const struct market *market,
                  double *error_max);

#endif
