/* SPDX-License-Identifier: MIT */
/* Numbers: read from options, sorted for medians; seconds and primes. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

uint64_t bytes_parse(const char *text)
{
    char *end;
    uint64_t bytes = strtoull(text, &end, 10);
    static const char units[] = "KMG";
    const char *unit = *end ? strchr(units, *end) : NULL;

    if (end == text || (*end && (!unit || end[1])))
        return 0;
    return unit ? bytes << (10 * (unit - units + 1)) : bytes;
}

bool part_find(const char *text, unsigned *index, unsigned *count)
{
    return sscanf(text, "%u/%u", index, count) == 2 && *index < *count;
}

size_t numbers_parse(const char *text, unsigned *numbers, size_t most)
{
    size_t count = 0;

    while (*text) {
        char *end;
        unsigned long first = strtoul(text, &end, 10), last = first;
        if (end == text)
            return 0;
        if (*end == '-') {
            text = end + 1;
            last = strtoul(text, &end, 10);
            if (end == text)
                return 0;
        }
        for (unsigned long n = first; n <= last && count < most; n++)
            numbers[count++] = (unsigned)n;
        if (*end == ',')
            end++;
        else if (*end)
            return 0;
        text = end;
    }
    return count;
}

static int double_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void numbers_sort(double *numbers, size_t count)
{
    qsort(numbers, count, sizeof *numbers, double_compare);
}

double median_of(double *numbers, size_t count)
{
    numbers_sort(numbers, count);
    return numbers[count / 2];
}

double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool is_prime(uint64_t number)
{
    for (uint64_t d = 2; d * d <= number; d++)
        if (number % d == 0)
            return false;
    return number > 1;
}

uint64_t prime_from(uint64_t number)
{
    while (!is_prime(number))
        number++;
    return number;
}
