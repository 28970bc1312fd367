/* SPDX-License-Identifier: MIT */
/* The ledger: what DL has cost the program so far, and what it may still spend.
 *
 * D is the device's time so far under DL, conversions and what they will cost on the way back
 * included; N the time that the same launches would have taken as written. The promise is that
 * D - N never exceeds a share of N and a fixed sum. N is kept too low and D - N too high wherever they
 * are not measured, and a fifth of the promise is left alone, for times that vary. Seconds; pure
 * arithmetic. */
#ifndef DL_INTERCEPT_LEDGER_H
#define DL_INTERCEPT_LEDGER_H

#include <stdbool.h>

/* What is promised. */
#define DL__PROMISED_PART 0.05
#define DL__PROMISED_SECONDS 0.050
#define DL__PROMISED_PART_REMEMBERED 0.02
#define DL__PROMISED_SECONDS_REMEMBERED 0.010

struct dl__ledger {
    double native_seconds; /* N, at least */
    double excess_seconds; /* D - N, at most; gains make it smaller */
};

/* What may still be spent; below 0: nothing. */
double dl__ledger_left(const struct dl__ledger *ledger, bool remembered);

#endif
