/* SPDX-License-Identifier: MIT */
/* The ledger: what exploring has cost the program, in wall time, and what it may still
 * cost. Pure arithmetic.
 *
 * Until a group has been decided once, all exploring takes at most a tenth of what the
 * program has run without it, and 100 ms; from then on a fiftieth and 20 ms. A fifth of
 * both is left alone, for times that vary. What a measured gain is bought for is never in
 * it. */
#ifndef DL_INTERCEPT_LEDGER_H
#define DL_INTERCEPT_LEDGER_H

#include <stdbool.h>

/* What is promised. */
#define DL__PROMISED_PART 0.10
#define DL__PROMISED_SECONDS 0.100
#define DL__PROMISED_PART_DECIDED 0.02
#define DL__PROMISED_SECONDS_DECIDED 0.020

struct dl__ledger {
    double begun;         /* by the clock that `now` is of */
    double spent;         /* seconds, for whatever group */
    double spent_decided; /* of which for groups that had been decided */
    double compared; /* of which for comparing launches on the program's buffers again */
    double compare_since; /* by the clock, what that is a part of; 0: no launch ran on a
                             candidate */
};

/* What exploring may still cost now; below 0: nothing. */
double dl__ledger_left(const struct dl__ledger *ledger, double now, bool decided);
void dl__ledger_spend(struct dl__ledger *ledger, double seconds, bool decided);

#endif
