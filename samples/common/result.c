/* SPDX-License-Identifier: MIT */
/* Prints the results of the samples. */
#include "sample.h"

#include <math.h>
#include <string.h>

/* FNV-1a over 64-bit words, with a shift that carries high bits down again. */
uint64_t sample_checksum(const void *data, size_t bytes)
{
    return sample_checksum_on(SAMPLE_CHECKSUM_FIRST, data, bytes);
}

uint64_t sample_checksum_on(uint64_t sum, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    while (bytes) {
        uint64_t word = 0;
        size_t take = bytes < sizeof word ? bytes : sizeof word;
        memcpy(&word, at, take);
        sum = (sum ^ word) * 0x100000001b3;
        sum ^= sum >> 32;
        at += take;
        bytes -= take;
    }
    return sum;
}

/* The finalizer of splitmix64; its top 24 bits are exact in a float. */
float sample_noise(uint64_t index)
{
    uint64_t bits = (index + 1) * 0x9e3779b97f4a7c15;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    bits ^= bits >> 31;
    return (float)(bits >> 40) * 0x1p-24f;
}

double sample_relative_error(double got, double want)
{
    if (isnan(got) || isnan(want))
        return INFINITY;
    return got == want ? 0 : fabs(got - want) / fabs(want);
}
