/* SPDX-License-Identifier: MIT */
/* The prices in double precision, through the C library's erfc: other arithmetic than the
 * kernel's. */
#include "reference.h"

#include <math.h>
#include <stdio.h>

#include "common/sample.h"

void option_fill(struct option *options, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct option *option = &options[i];
        option->price = 20 + 80 * sample_noise(3 * i);
        option->strike = option->price * (0.85f + 0.3f * sample_noise(3 * i + 1));
        option->years = 0.5f + 4.5f * sample_noise(3 * i + 2);
        option->call = 0;
        option->put = 0;
    }
}

static double normal_below(double d)
{
    return 0.5 * erfc(-d * sqrt(0.5));
}

static void price_option(const struct option *option, const struct market *market,
                         double *call, double *put)
{
    double rate = (double)market->rate, volatility = (double)market->volatility;
    double price = (double)option->price, strike = (double)option->strike;
    double years = (double)option->years;
    double deviation = volatility * sqrt(years);
    double d1 = (log(price / strike) + (rate + 0.5 * volatility * volatility) * years) /
                deviation;
    double d2 = d1 - deviation;
    double discounted = strike * exp(-rate * years);
    *call = price * normal_below(d1) - discounted * normal_below(d2);
    *put = discounted * normal_below(-d2) - price * normal_below(-d1);
}

bool option_check(const struct option *options, size_t count, const struct market *market,
                  double *error_max)
{
    size_t worst = 0;
    *error_max = 0;
    for (size_t i = 0; i < count; i++) {
        double call, put, error;
        price_option(&options[i], market, &call, &put);
        error = fmax(sample_relative_error(options[i].call, call),
                     sample_relative_error(options[i].put, put));
        if (error > *error_max) {
            *error_max = error;
            worst = i;
        }
    }
    if (*error_max <= SAMPLE_ERROR_MAX)
        return true;
    fprintf(stderr,
            "check: option %zu: call %.9g, put %.9g have a relative error of %.2g\n",
            worst, (double)options[worst].call, (double)options[worst].put, *error_max);
    return false;
}
