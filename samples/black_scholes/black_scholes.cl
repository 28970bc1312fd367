/* SPDX-License-Identifier: MIT */
/* The prices of European options after Black and Scholes.
 *
 * Every sum of products is spelled with fma: no a * b + c is left that one compilation of
 * this file could fuse and another not, so the result does not depend on the code around
 * it. */
#pragma OPENCL FP_CONTRACT OFF

typedef struct {
    float price, strike, years; /* in */
    float call, put;            /* out */
} option;

/* The standard normal distribution's probability of more than |d|, over its density at d
 * (Abramowitz and Stegun, 26.2.17; absolute error of the probability 7.5e-8). */
float tail_over_density(float d)
{
    const float k = native_recip(fma(0.2316419f, fabs(d), 1.0f));
    return k * fma(k,
                   fma(k, fma(k, fma(k, 1.330274429f, -1.821255978f), 1.781477937f),
                       -0.356563782f),
                   0.31938153f);
}

//DL: AoS: options[count]
__kernel void black_scholes(__global option *options, int count, float rate,
                            float volatility)
{
    /* Fewer work-items than options: each prices several. */
    for (int i = get_global_id(0); i < count; i += get_global_size(0)) {
        const float price = options[i].price;
        const float strike = options[i].strike;
        const float years = options[i].years;

        const float inverse_root = native_rsqrt(years);
        const float drift = fma(0.5f * volatility, volatility, rate);
        const float d1 = fma(drift, years, native_log(price * native_recip(strike))) *
                         inverse_root * native_recip(volatility);
        const float d2 = fma(-volatility, years * inverse_root, d1);
        const float discounted = strike * native_exp(-rate * years);

        /* price * density(d1) equals discounted * density(d2). */
        const float density = 0.39894228f * price * native_exp(-0.5f * d1 * d1);
        const float ratio1 = tail_over_density(d1);
        const float ratio2 = tail_over_density(d2);
        const float tail1 = density * ratio1, rest1 = fma(-density, ratio1, price);
        const float tail2 = density * ratio2, rest2 = fma(-density, ratio2, discounted);
        options[i].call = (d1 > 0.0f ? rest1 : tail1) - (d2 > 0.0f ? rest2 : tail2);
        options[i].put = (d2 > 0.0f ? tail2 : rest2) - (d1 > 0.0f ? tail1 : rest1);
    }
}
