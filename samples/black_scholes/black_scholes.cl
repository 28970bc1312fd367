/* The prices of European options after Black and Scholes.
 *
 * Every sum of products is spelled with fma: no a * b + c is left that one compilation of this
 * file could fuse and another not, so the result does not depend on the code around it. */
#pragma OPENCL FP_CONTRACT OFF

typedef struct {
    float price, strike, years; /* in */
    float call, put;            /* out */
} option;

/* The standard normal distribution: the probability of less than d (Abramowitz and Stegun,
 * 26.2.17; absolute error 7.5e-8). */
float normal_below(float d)
{
    const float k = 1.0f / fma(0.2316419f, fabs(d), 1.0f);
    const float scale = 0.39894228f * exp(-0.5f * d * d) * k;
    const float polynomial =
        fma(k, fma(k, fma(k, fma(k, 1.330274429f, -1.821255978f), 1.781477937f), -0.356563782f),
            0.31938153f);
    return d > 0.0f ? fma(-scale, polynomial, 1.0f) : scale * polynomial;
}

//DL: AoS: options[count]
__kernel void black_scholes(__global option *options, int count, float rate, float volatility)
{
    const int i = get_global_id(0);
    if (i >= count)
        return; /* the global size is rounded up to whole work-groups */

    const float price = options[i].price;
    const float strike = options[i].strike;
    const float years = options[i].years;

    const float root = sqrt(years);
    const float drift = fma(0.5f * volatility, volatility, rate);
    const float d1 = fma(drift, years, log(price / strike)) / (volatility * root);
    const float d2 = fma(-volatility, root, d1);
    const float discounted = strike * exp(-rate * years);

    options[i].call = fma(price, normal_below(d1), -(discounted * normal_below(d2)));
    options[i].put = fma(-price, normal_below(-d1), discounted * normal_below(-d2));
}
