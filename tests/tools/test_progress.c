/* SPDX-License-Identifier: MIT */
/* Claim: the line that dl-bench shows while it measures says what is done, of how much,
 * and the time left at the same speed; nothing of a time where there is nothing to reckon
 * with. */
#include "tools/dl-bench/bench.h"

#include <stdio.h>
#include <string.h>

static int failed;

static void check(size_t done, size_t total, double seconds, const char *wanted)
{
    const struct progress progress = {.done = done, .total = total};
    char text[96];

    progress_text(&progress, seconds, text, sizeof text);
    if (strcmp(text, wanted) == 0)
        return;
    printf("FAIL: \"%s\", not \"%s\"\n", text, wanted);
    failed = 1;
}

int main(void)
{
    check(0, 12, 5, "0 of 12");
    check(3, 12, 21.6, "3 of 12, 1:05 left");
    check(1, 2, 0, "1 of 2, 0:00 left");
    check(1, 101, 59.9, "1 of 101, 99:50 left");
    check(12, 12, 60, "12 of 12");
    return failed;
}
